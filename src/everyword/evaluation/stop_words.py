"""English words that say how other words belong together, and little about what a sentence speaks of."""

from __future__ import annotations

WORDS = """
a an the this that these those such same each every either neither some any no all both few many much more most
other another own several enough
i me my mine myself we us our ours ourselves you your yours yourself he him his himself she her hers herself it its
itself they them their theirs themselves who whom whose which what one ones
be am is are was were been being have has had having do does did doing done will would shall should can could may
might must ought need let get got
and or but nor so yet if then else because as since while until unless though although whereas whether than
of in on at by for with about against between among into onto through during before after above below to from up
down out off over under near along across behind beyond within without upon toward towards per via
not never ever also only just very too quite rather even still already again once here there where when why how
now often always sometimes however therefore thus hence
s t d ll m re ve n't 's 't 'd 'll 'm 're 've
"""
STOP_WORDS = frozenset(WORDS.split())
