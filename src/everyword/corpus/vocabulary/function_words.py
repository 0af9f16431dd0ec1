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
INSIDE = _listed("of the de la le du and for da del della der den van von al el di y")
"""Words that stand inside phrases: "statue of liberty"."""
GLUED = _listed(
    "a an and are as at be by can do for from have he in is it not of on or she so that the they this to was we with"
)
"""Words that people forget a blank beside."""
OPENERS = (FUNCTION_WORDS - IN_NAMES) | _listed(
    "while whereas unlike despite besides additionally furthermore moreover meanwhile"
)
"""Words that begin sentences, not names."""
