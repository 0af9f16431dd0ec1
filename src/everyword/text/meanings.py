"""What people mean by tokens that do not say it: frequent emoji, emoticons, famous numbers, formulas.

The first word of a meaning counts most. A word that a model does not store is left out.
"""

from __future__ import annotations

_EMOJI = """
😀 happy smile grin | 😃 happy smile joy | 😄 happy laugh smile | 😁 grin happy smile | 😆 laughing funny hilarious
😅 nervous relief sweat | 😂 laughing funny hilarious joy | 🤣 laughing hilarious funny | 🙂 smile happy nice
🙃 silly sarcasm ironic | 😉 wink flirt joke | 😊 happy smile blush pleased | 😇 angel innocent halo
🥰 love adore affection | 😍 love adore gorgeous | 🤩 amazed excited awesome | 😘 kiss love affection | 😗 kiss
😚 kiss love | 😋 delicious yummy tasty | 😛 silly tease joke | 😜 silly crazy joking | 🤪 crazy silly wild
😎 cool sunglasses awesome | 🤓 nerd geek glasses | 🤔 thinking wonder doubt | 🤨 skeptical suspicious doubt
😐 neutral indifferent | 😑 annoyed bored | 😶 speechless silent | 😏 smug smirk flirt | 😒 annoyed unamused bored
🙄 annoyed sarcasm whatever | 😬 awkward nervous grimace | 🤥 liar lie | 😌 relieved calm peaceful
😔 sad disappointed regret | 😪 sleepy tired | 🤤 hungry drool delicious | 😴 sleep tired asleep
😷 sick mask illness | 🤒 sick fever ill | 🤕 hurt injured bandage | 🤢 nausea disgusting sick
🤮 vomit sick disgusting | 🤧 sneeze cold sick | 🥵 hot heat sweating | 🥶 cold freezing | 🥴 drunk dizzy tipsy
😵 dizzy shocked | 🤯 amazed shocked | 🤠 cowboy hat western | 🥳 party celebrate birthday | 😕 confused puzzled
😟 worried concerned | 🙁 sad unhappy | ☹ sad unhappy | 😮 surprised wow | 😲 astonished shocked surprised
😳 embarrassed blush shocked | 🥺 please begging puppy | 😨 afraid scared fear | 😰 anxious worried nervous
😱 scared scream horror shocked | 😢 sad crying tear | 😭 crying sad sobbing | 😤 angry frustrated proud
😡 angry furious rage mad | 😠 angry mad annoyed | 🤬 swearing angry cursing | 😈 devil evil mischievous
👿 devil evil angry | 💀 dead skull death | ☠ death danger poison | 💩 poop shit crap | 🤡 clown fool circus
👻 ghost spooky halloween | 👽 alien extraterrestrial | 🤖 robot | 😺 cat happy | 🙈 monkey embarrassed see
🙉 monkey hear | 🙊 monkey secret oops | ❤ love heart romance | 🧡 love heart orange | 💛 love heart yellow
💚 love heart green | 💙 love heart blue | 💜 love heart purple | 🖤 heart black grief | 💔 heartbroken sad breakup
💕 love hearts romance | 💯 hundred perfect absolutely agree | 💢 angry anger | 💥 explosion boom bang
💦 water sweat splash | 💤 sleep tired snoring | 👋 hello wave goodbye | 👌 ok perfect fine good | ✌ peace victory
🤞 luck hope fingers | 🤟 love | 🤘 rock metal | 👈 left pointing | 👉 right pointing | 👆 up pointing
👇 down below pointing | 👍 good yes agree like approve | 👎 bad no dislike disapprove | ✊ fist power solidarity
👊 punch fist | 👏 applause congratulations bravo clap | 🙌 celebrate praise hooray | 🤝 agreement deal handshake
🙏 thanks prayer please pray | ✍ writing write | 💅 nails manicure | 💪 strong strength muscle workout
👀 looking eyes watching | 🧠 brain mind smart | 👶 baby infant | 🎅 santa christmas | 🤷 shrug unsure whatever
🤦 facepalm frustrated embarrassing | 💃 dance dancing party | 🕺 dance dancing disco | 🏃 running run runner
👫 couple together | 👪 family parents children | 💍 engagement wedding ring marriage | 💋 kiss lips love
🐶 dog puppy pet | 🐱 cat kitten pet | 🌹 rose love flower | 🌸 blossom spring flower | 🌍 world earth global
🌎 world earth global | 🌏 world earth global | ☀ sun sunny summer | 🌈 rainbow pride gay | ⭐ star favorite
🌟 star excellent | ✨ sparkle magic shiny | 🔥 fire hot amazing | ❄ snow winter cold | ☔ rain umbrella weather
🍆 eggplant penis | 🍑 peach butt | 🍕 pizza food | 🍔 burger hamburger food | ☕ coffee tea drink
🍺 beer drink pub | 🍻 beer cheers drink | 🍷 wine drink | 🥂 champagne cheers celebrate toast
🎂 birthday cake party | 🎄 christmas tree holiday | 🎃 halloween pumpkin | 🎉 party celebration congratulations
🎊 party celebration | 🎁 gift present birthday | 🏆 winner trophy champion | 🥇 gold first winner medal
⚽ soccer football goal | 🏀 basketball | 🎮 gaming videogame game | 🎵 music song melody | 🎶 music song
🎤 singing karaoke microphone | 🎬 film movie cinema | 🎨 art painting artist | 🚗 car drive automobile
🚀 rocket space launch | ✈ airplane flight travel | 🏠 house home | ⏰ alarm clock time | ⌛ time waiting hourglass
📱 smartphone phone mobile | 💻 laptop computer | 📷 camera photo | 📚 books study reading library
💡 idea light bulb | 💰 money cash rich | 💸 money spending expensive | 📈 growth increase rising chart
📉 decline decrease falling chart | 📧 email mail message | 🔒 locked security private | 🔑 key unlock
🔫 gun weapon | 💣 bomb explosion | 💊 pill medicine drug | 💉 vaccine injection needle | ⚠ warning danger caution
⛔ forbidden stop | 🚫 forbidden prohibited no | ✅ done yes correct check | ✔ correct yes done check
❌ wrong no error cancel | ❗ important attention exclamation | ❓ question ask | ♻ recycling recycle environment
🆘 help emergency | 🗳 vote election ballot | 🛒 shopping cart buy | 🧘 meditation yoga | 🦠 virus germ bacteria
👑 king queen crown royal
"""

_MORE_EMOJI = """
⚡ lightning electricity energy | ✝ christian christianity cross | ☪ islam muslim islamic | ✡ jewish judaism
☮ peace | ☯ balance taoism | 🕉 hindu hinduism | ⚖ justice law court | 🏳🌈 pride gay lesbian rainbow
🎭 theater drama acting | 🕊 peace dove | 🎯 target goal accurate | 🐐 goat greatest | 🧢 lie cap hat
📌 pin important reminder | 📍 location place map | 🔔 notification alarm bell | 🏋 gym weightlifting workout
🏊 swimming swim pool | 🚴 cycling bicycle | 🧳 luggage travel suitcase | ⛪ church christian
🕌 mosque islam muslim | 🕍 synagogue jewish | 💎 diamond jewel precious | 🔋 battery energy charge
🎰 gambling casino jackpot | 🏦 bank money | 🏫 school education | 🚑 ambulance emergency hospital
🚒 firefighter fire truck | 🚓 police car | 🤰 pregnant pregnancy | 🤱 breastfeeding mother baby
💏 kiss couple love | 💑 couple love romance | 👰 bride wedding | 🤵 groom wedding tuxedo | 🧟 zombie undead
🧛 vampire dracula | 🦸 superhero hero | 🥱 bored yawn tired | 🤗 hug embrace comfort | 🤭 giggle oops
🤫 quiet secret silence | 🫡 salute respect | 🫶 love heart | 🥹 grateful tears touched | 😻 love cat adore
💖 love heart | 💘 love cupid | 💝 love gift valentine | 💞 love hearts | 💗 love heart | ❣ love heart
🤎 love heart brown | 🤍 love heart pure | 🍀 luck lucky clover | 🎈 balloon party birthday | 🪦 death grave funeral
⚰ death funeral coffin | 🗑 trash garbage delete | 🔍 search find investigate | 📝 notes writing memo
📅 calendar date schedule | 📣 announcement loud | 🔇 silent mute | 🏅 medal winner sports | 🐛 bug insect
🌱 plant growth vegan | 🥑 avocado healthy | 🍜 noodles soup ramen | 🧑🎄 christmas
"""

_EMOTICONS = """
:) smile happy | :-) smile happy | (: smile happy | =) smile happy | :] smile happy | :d laugh happy grin
:-d laugh happy grin | =d laugh happy | xd laughing funny hilarious | :( sad unhappy | :-( sad unhappy
): sad unhappy | :'( crying sad | ;) wink flirt joke | ;-) wink flirt joke | :p silly tease joke
:-p silly tease joke | :o surprised shocked | :-o surprised shocked | o_o surprised confused
:/ doubtful annoyed skeptical | :-/ doubtful annoyed skeptical | :| indifferent neutral | :-| indifferent neutral
:* kiss love | :-* kiss love | <3 love heart | </3 heartbroken breakup | ^^ happy smile | ^_^ happy smile
-_- annoyed tired | t_t crying sad | >:( angry mad | d: horror disgust | \\o/ hooray celebrate
¯\\_(ツ)_/¯ shrug unsure whatever | :3 cute cat | b) cool sunglasses | 8) cool sunglasses | =( sad unhappy
>< frustrated
"""

_SYMBOLS = """
$ dollar dollars money | € euro euros money | £ pound pounds money | ¥ yen yuan money | ₹ rupee rupees money
₽ ruble rubles money | ₿ bitcoin | ¢ cents cent penny | % percent percentage | ‰ thousandth percent | & and
@ at email | # number hash | + plus add | = equals equal | < less smaller | > greater more | ≤ less equal
≥ greater equal | ≠ unequal different | ≈ approximately about | ± plus minus | × times multiply | * times asterisk
÷ divide divided | √ root square | ∞ infinity infinite | ∑ sum total | ∏ product | ∫ integral calculus
∂ derivative partial | π pi circle | ° degrees degree temperature | °c celsius degrees temperature
°f fahrenheit degrees temperature | © copyright | ® trademark registered | ™ trademark brand
§ section law paragraph | ¶ paragraph | † dagger death | • bullet point | … ellipsis dots | → right arrow
← left arrow | ↑ up upward arrow | ↓ down downward arrow | ♂ male man | ♀ female woman | ♥ love heart | ★ star
☆ star | ♪ music note | ♫ music notes | ✓ check correct yes | ✗ wrong no cross | ☺ smile happy | ? question
! exclamation | . period dot | , comma | ; semicolon | : colon | " quotation quote | ' apostrophe quote
- hyphen dash | _ underscore | / slash | \\ backslash | | bar pipe | ( bracket parenthesis | ) bracket parenthesis
~ approximately tilde | && and | || or | == equals equal | != unequal different | -> arrow right | => arrow implies
<- arrow left
"""

_FAMOUS = """
24/7 always constantly nonstop | 9/11 terrorist attacks september | 50/50 equal half evenly
911 emergency police ambulance | 999 emergency police | 112 emergency ambulance | 007 bond spy agent
101 introduction beginner basics | 404 error missing webpage | 420 cannabis marijuana | 666 devil satan beast
360 circle degrees around | 180 turn degrees reverse | 365 days year | 366 leap year | 1337 hacker elite
3.14 pi circle | 3.1416 pi circle | 3.14159 pi circle | 2.718 exponential logarithm | 1.618 golden ratio
4x4 jeep suv truck | 20/20 vision eyesight | 4k television resolution video | 8k television resolution video
720p video resolution television | 1080p video resolution television | 3d dimensional animation
2d dimensional flat | 2g mobile network wireless | 3g mobile network wireless | 4g mobile network wireless
5g mobile network wireless | 5k run race running | 10k run race running | n't not | 's its | 'll will | 've have
're are | 'm am | 'd would | u.s. usa america american | u.k. uk britain british | u.n. nations un
e.u. eu europe european | e.g. example instance | i.e. namely meaning | a.m. morning hours | p.m. afternoon evening
etc. etcetera others | vs. versus against | approx. approximately about | ca. circa approximately | no. number
dr. doctor | mr. mister man | mrs. mistress woman wife | st. saint street | ft. featuring feet | jr. junior son
dept. department | govt. government | 9mm pistol gun caliber | mp3 music audio file | mp4 video file
ps4 playstation console | ps5 playstation console | v8 engine car | a4 paper sheet | f1 racing ferrari
b2b business corporate | b2c business consumers | p2p peer network | k9 dog police canine | y2k millennium bug
ww1 war world | ww2 war world nazi | wwi war world | wwii war world nazi | g7 summit nations | g8 summit nations
g20 summit nations | k8s kubernetes cluster containers | i18n localization translation | u2 band bono
co2 carbon dioxide gas | h2o water | o2 oxygen | o3 ozone | n2o nitrous oxide | ch4 methane gas | nh3 ammonia
h2so4 acid sulfuric | nacl salt sodium | c4 explosive bomb | c++ programming compiler language
c# programming language microsoft | f# programming language | .net microsoft programming framework
node.js javascript server web | r&b music soul | q&a questions answers | r&d research development
m&a mergers acquisitions | b&b breakfast inn lodging | p&l profit loss | d&d dungeons dragons | at&t telephone
w/ with | w/o without | n/a unavailable none | a/c conditioning air | c/o address | i/o input output | o/ hello wave
y/n yes no | tcp/ip internet network protocol | and/or or and
"""

YEARS = """
476 rome fall | 1066 norman conquest hastings england | 1215 charter england king | 1453 constantinople ottoman
1492 columbus america discovery | 1517 luther reformation | 1666 london fire plague
1776 independence american revolution | 1789 french revolution | 1812 napoleon war | 1815 waterloo napoleon
1848 revolutions | 1861 civil war | 1865 lincoln civil war | 1912 titanic | 1914 war | 1917 russian revolution
1918 armistice war influenza | 1929 crash depression | 1933 hitler nazi | 1939 war hitler nazi
1941 war pearl harbor | 1944 invasion normandy war | 1945 war hiroshima victory | 1963 kennedy assassination
1968 protests | 1969 moon apollo woodstock | 1984 orwell dystopian | 1986 chernobyl challenger
1989 berlin wall communism | 1991 soviet gulf war | 2000 millennium | 2001 terrorist attacks odyssey
2008 financial crisis recession | 2012 apocalypse olympics | 2016 trump brexit election
2020 pandemic coronavirus election | 2021 pandemic vaccine
"""

DECAY = 0.8
"""Each word of a meaning has this share of the weight of the one before it."""


def _entries(*texts: str) -> dict[str, tuple[str, ...]]:
    entries = (entry.split() for text in texts for line in text.split("\n") for entry in line.split(" | ") if entry)
    return {token: tuple(words) for token, *words in entries if words}


MEANINGS = _entries(_EMOJI, _MORE_EMOJI, _EMOTICONS, _SYMBOLS, _FAMOUS) | {"|": ("bar", "pipe")}
"""Words by lower-case token; emoji without variation selectors."""
FAMOUS_YEARS = {int(year): words for year, words in _entries(YEARS).items()}


def meaning(token: str) -> tuple[tuple[str, float], ...] | None:
    """Return the words that a token stands for, with weights; None if it is not in the list.

    >>> meaning("☔")
    (('rain', 1.0), ('umbrella', 0.8), ('weather', 0.64))
    """
    return weighted(MEANINGS[token]) if token in MEANINGS else None


def weighted(words: tuple[str, ...], weight: float = 1.0) -> tuple[tuple[str, float], ...]:
    """Return words with weights that fall from first to last."""
    return tuple((word, round(weight * DECAY**place, 4)) for place, word in enumerate(words))
