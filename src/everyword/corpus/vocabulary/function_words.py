"""English words that carry grammar rather than meaning, and others that neither begin nor end a term."""

from __future__ import annotations


def _listed(text: str) -> frozenset[str]:
    return frozenset(text.split())


FUNCTION_WORDS = _listed(
    """
    a about above across after again against all almost along already also although am among an and another any are
    around as at away back be became because become been before began behind being below between both but by came can
    cannot come could did do does done down due during each either else ever every few for former found from further
    gave get give given go goes got had has have having he her here hers herself him himself his how however i if in
    including indeed instead into is it its itself just kept last later latter least less like made make many may me
    might more most much must my myself near neither never next no nor not now of off often on once one only onto or
    other others our out over own per perhaps put rather s said same saw see seem seen several shall she should since
    so some soon still such t take taken than that the their them themselves then there thereby these they this those
    though through throughout thus to together too took toward towards two under until up upon us use used using very
    via was way we well went were what when where whether which while who whom whose why will with within without would
    yet you your three four five six seven eight nine ten first second third am pm vs et al mr mrs ms dr jr sr st
    january february march april may june july august september october november december monday tuesday wednesday
    thursday friday saturday sunday today yesterday tomorrow new old early late different various certain numerous
    actually especially usually generally currently recently originally eventually finally approximately respectively
    according based known called born died don isn didn doesn wasn
    """
)
"""Words that neither begin nor end a noun phrase."""
IN_NAMES = _listed("new old last first second third two three four five six seven st dr saint march may august")
"""Those of them that names begin with."""
TITLES = _listed(
    """
    president minister lady chancellor king queen emperor empress pope cardinal archbishop bishop sir lord captain major
    colonel general admiral senator governor mayor secretary judge justice professor actor actress singer director
    author writer poet composer producer guitarist drummer bassist rapper comedian photographer philosopher scientist
    mathematician historian architect painter sultan prince princess duke earl count baron caliph shah tsar presidents
    ministers directors actors brothers rabbi saint chairman commander lieutenant sergeant coach
    """
)
"""Words before a name that are no part of it: "Prime Minister Tony Blair"."""
LIGHT = _listed(
    """
    able absolute abundant acceptable actual additional adequate adjacent alleged alternate ample apparent
    appropriate approximate available average bad basic beautiful better big bigger biggest bitter brief broad broader
    careful causal classic clear close closer closest comparable comparative complete complex comprehensive
    considerable consistent constant contemporary continued continuous correct corresponding countless crucial current
    dangerous decisive deep deeper detailed difficult direct distinct distinctive dramatic drastic dual easier easy
    effective elaborate enormous entire equal essential exact excellent exceptional excessive existing extensive extra
    extreme extremely famous fast faster fewer fierce final fine former frequent full fundamental general genuine
    gradual great greater greatest growing heavier heavy hefty higher highest historic huge ideal identical
    immediate immense important improved inadequate inconsistent increased increasing indirect individual initial
    intense interesting lack large larger largest lasting leading lengthy lesser likely limited little long
    longer longest lower lowest main major massive mere minimal minor moderate modest
    multiple narrow nearby necessary newer nice normal notable noted noteworthy obvious occasional old older oldest
    ongoing opposite ordinary original overall particular perfect poor possible potential powerful
    precise present previous principal prior prolific prominent proper pure quick quicker rapid rare real
    recent regular related relative relevant remaining remarkable respective rich rough rude serious severe sheer
    short shorter shortest significant similar simple simpler single sizable sizeable slight slow slower small smaller
    smallest specific spectacular stark steady strange striking strict strong stronger strongest subsequent substantial
    successful sudden sufficient suitable surprising swift tall taller temporary tiny total traditional tremendous true
    typical ultimate unable unexpected unique unknown unusual upcoming useful usual vague varied varying vast vital
    weak weaker weakest wealthy well-known wide wider widespread wonderful worse worst wrong younger youngest
    wearing making taking giving using having getting seeing going saying doing being coming voiced stripped think
    million billion thousand hundred km fourth fifth sixth held contracted rectangular thin
    wooden valuable fleshy permanent
    so-called self-described same-day month-long year-long week-long day-long two-year three-year four-year five-year
    two-day three-day two-week two-hour one-hour two-part three-part one-time two-time three-time late-night mid-level
    """
)
"""Words that make no term with a noun, however often they meet one."""
HAZY = _listed(
    """
    ability absence accounts addition advantage advantages aim aims amount amounts analogy appearance appearances
    approach approaches argument arguments aspect aspects attempt attempts attention attitude attitudes basis
    beginning behalf capabilities capability case cases category causes chance changes characteristic characteristics
    choice choices circumstance circumstances claim claims collaboration collaborations comparison comparisons concern
    concerns conclusion conclusions connection connections consequence consequences contrast contribution contributions
    correlation counterparts criticism criticisms decade decades description descriptions detail details
    difference differences difficulties difficulty discussion discussions distance distances doubt edge effort efforts
    emphasis end ends estimate estimates evidence example examples excerpt excerpts exception exceptions existence
    explanation explanations extent facilities fact factors facts failure failures fashion feature features figures
    findings focus followers fraction friend friends goal goals ground grounds half halves handful idea ideas impact
    implication implications importance improvement improvements incident incidents influence influences instance
    instances interest interests intention intentions involvement issues item kind kinds lack level
    levels link links list lists location locations lot lots majority manner matter means mention method
    methods minority moment moments month months nature need needs number objection objections occasion
    occasions opinion opinions opportunities opportunity option options origins others outcome outcomes pace
    pair pairs part parts people period periods person persons perspective phrase piece pieces place places point
    popularity portion portions position positions possibilities possibility practice preference presence
    problem problems progress proportion proportions proposal proposals purpose
    purposes qualities quantities quantity question questions range ranges reaction reactions reason reasons
    reception reference references regard relation relationships reliance remainder remains
    reputation resemblance response responses rest result results role roles rumors rumours section
    sections sense sentiments share side sides significance similarities similarity situation situations size
    sort sorts source sources spot stage stages start statement statements status step steps style
    styles success successes suggestion suggestions support tendencies tendency term terms thing things times tone top
    treatment trend trends type types understanding usage uses variant variants variation variations
    variety version versions view views visit visits ways week weeks year years crowd crowds composer name
    names
    """
)
"""Nouns that say little: a phrase that ends with them must keep together better than others."""
INSIDE = _listed("of the de la le du and for da del della der den van von al el di y")
"""Words that stand inside phrases: "statue of liberty"."""
JOINING = _listed("and for the")
"""Those of them that often stand between two names."""
GLUED = _listed(
    "a an and are as at be by can do for from have he in is it not of on or she so that the they this to was we with"
)
"""Words that people forget a blank beside."""
OPENERS = (FUNCTION_WORDS - IN_NAMES) | _listed(
    "while whereas unlike despite besides additionally furthermore moreover meanwhile"
)
"""Words that begin sentences, not names."""
