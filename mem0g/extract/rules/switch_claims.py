"""Claims that the speaker has taken one thing for another: "I switched from Vim to Zed", "we replaced the Volvo with a
Tesla"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mem0g.extract.rules.clause_claims import as_sentence, claim
from mem0g.extract.rules.grammar.noun_phrases import noun_phrases
from mem0g.extract.rules.grammar.people import DEICTIC, Turn
from mem0g.model import Triple

_ADVERB = r"(?:just|recently|finally|now|also) "
_OF_MINE = r"(?:my|our) (?:[a-z]+ ){1,2}"
_SWITCHED = re.compile(
    rf"^(?:I|[Ww]e) (?:have )?(?:{_ADVERB})?(?:switched|changed|migrated|upgraded|downgraded) (?:over )?(?:{_OF_MINE})?"
    r"from (?P<old>(?:[\w'.+#-]+ ){1,4})to (?P<new>.+)$"
)
_REPLACED = re.compile(
    rf"^(?:I|[Ww]e) (?:have )?(?:{_ADVERB})?replaced (?P<old>(?:my|our|the) (?:[\w'.+#-]+ ){{1,4}})"
    r"(?:with|by) (?P<new>.+)$"
)


def switch_claims(clause: str, turn: Turn, evidence: str) -> Iterator[Triple]:
    """Yield that the speaker switched to something; the sentence names what it was before."""
    match = _SWITCHED.match(clause) or _REPLACED.match(clause)
    if match is None or DEICTIC.search(match["old"]) or DEICTIC.search(match["new"]):
        return
    named = noun_phrases(match["new"], turn)
    if len(named) == 1 and len(noun_phrases(match["old"], turn)) == 1:
        yield claim(turn, "switched_to", named[0].name, "", as_sentence(clause, turn), evidence)
