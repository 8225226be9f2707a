"""Claims of what medicine somebody put the speaker on: "she put me on ramipril 5 mg in the morning"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mem0g.extract.rules.clause_claims import claim
from mem0g.extract.rules.grammar.objects import READERS
from mem0g.extract.rules.grammar.people import Turn
from mem0g.model import Triple

_PUT_ON = re.compile(
    r"^(?:(?:[Hh]e|[Ss]he|[Tt]hey|(?:[Mm]y |[Tt]he )?(?:new )?(?:doctor|doc|dentist|dermatologist|derm|GP|gp"
    r"|nurse|specialist|cardiologist"
    r"|psychiatrist|consultant|midwife|physio|vet)|(?:[Dd]r\.?) [A-Z][\w-]+) )?(?:has |have )?(?:also |just |now )?"
    r"(?P<verb>put|started|gave|prescribed) (?:me|us) (?P<on>(?:back )?on )?"
)
_WHEN = re.compile(
    r" ((?:in the (?:morning|evening)s?|at (?:night|bedtime)|(?:once|twice|\d x|three times) (?:a|per) (?:day"
    r"|week)|(?:once |twice )?daily"
    r"|every (?:day|morning|evening|night|\w+ hours)|before meals|after meals|with food)(?: and (?:in the"
    r" evening|at night))?)"
)


def medicine_claims(clause: str, turn: Turn, evidence: str) -> Iterator[Triple]:
    """Yield the medicine that the speaker was given, as something that happened."""
    match = _PUT_ON.match(clause) if " me " in clause or " us " in clause else None
    if match is None or (match["verb"] in ("put", "started")) != bool(match["on"]):
        return
    rest = clause[match.end() :]
    for drug in READERS["drug"](rest, turn):
        when = _WHEN.match(rest[len(drug.words) :])
        words = f"{drug.name}{f' {when[1]}' if when else ''}"
        done = (
            f"put {'back ' if 'back' in match['on'] else ''}on"
            if match["on"]
            else match["verb"].replace("gave", "given")
        )
        yield claim(turn, "was_prescribed", drug.name, "medicine", f"{turn.speaker} was {done} {words}.", evidence)
