"""Claims of medicine: what somebody put the speaker on ("she put me on ramipril 5 mg"), and in which dose it is now."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from mem0g.extract.rules.clause_claims import claim
from mem0g.extract.rules.grammar.literals import DRUG
from mem0g.extract.rules.grammar.objects import READERS
from mem0g.extract.rules.grammar.people import Turn
from mem0g.model import Triple
from mem0g.text.english import DOSE_UNITS

_PRESCRIBER = (
    r"(?:[Hh]e|[Ss]he|[Tt]hey|(?:[Mm]y |[Tt]he )?(?:new )?(?:doctor|doc|dentist|dermatologist|derm|GP|gp|nurse"
    r"|specialist|cardiologist|psychiatrist|consultant|midwife|physio|vet)|[Dd]r\.? [A-Z][\w-]+)"
)
_PUT_ON = re.compile(
    rf"^(?:{_PRESCRIBER} )?(?:has |have )?(?:also |just |now )?"
    r"(?P<verb>put|started|gave|prescribed) (?:me|us) (?P<on>(?:back )?on )?"
)
_WHEN = re.compile(
    r" ((?:in the (?:morning|evening)s?|at (?:night|bedtime)|(?:once|twice|\d x|three times) (?:a|per) (?:day|week)"
    r"|(?:once |twice )?daily|every (?:day|morning|evening|night|\w+ hours)|before meals|after meals|with food)"
    r"(?: and (?:in the evening|at night))?)"
)
_CHANGED = "upped|increased|raised|lowered|reduced|decreased|changed|doubled|halved|cut"
_NEW_DOSE = re.compile(
    rf"^(?:(?:(?:I|{_PRESCRIBER}) )?(?:have |has )?(?:just |now )?(?:{_CHANGED}) (?:my |the )?(?:dose of )?(?:my )?"
    rf"(?P<drug>(?i:{DRUG}|(?!dose\b)[a-z][\w-]{{3,}}))(?: dose)?"
    rf"|(?:[Mm]y |[Tt]he )?(?:dose of )?(?:my )?(?P<raised>(?i:{DRUG}))(?: dose)? (?:is|was|has been|got|went)(?: now)?"
    rf" (?:{_CHANGED}|up|down))(?: again)?(?: from \d[\d.]* ?(?:{DOSE_UNITS})?)?"
    rf" to (?P<dose>\d[\d.]* ?(?:{DOSE_UNITS}))(?!\w)"
)
_SWITCHED = re.compile(
    rf"^{_PRESCRIBER} (?:has |have )?(?:just |now )?(?:switched|moved|changed) me (?:over )?"
    rf"from (?P<old>(?i:{DRUG})) to (?P<new>(?i:{DRUG}))"
)


def medicine_claims(clause: str, turn: Turn, evidence: str) -> Iterator[Triple]:
    """Yield the medicine that the speaker was given, as something that happened, and what is taken in a new dose."""
    if " to " in clause and (match := _NEW_DOSE.match(clause)):
        name = f"{match['drug'] or match['raised']} {match['dose']}"
        yield claim(turn, "takes", name, "medicine", f"{turn.speaker} takes {name} now.", evidence)
    elif " from " in clause and (match := _SWITCHED.match(clause)):
        text = f"{turn.speaker} takes {match['new']} now instead of {match['old']}."
        yield claim(turn, "takes", match["new"], "medicine", text, evidence)
        yield replace(claim(turn, "takes", match["old"], "medicine", text, evidence), retracts=True)
    elif (" me " in clause or " us " in clause) and (match := _PUT_ON.match(clause)):
        yield from _put_on(match, turn, evidence)


def _put_on(match: re.Match[str], turn: Turn, evidence: str) -> Iterator[Triple]:
    """Yield each medicine that somebody put the speaker on, or gave or prescribed to them."""
    verb, on, rest = match["verb"], match["on"] or "", match.string[match.end() :]
    if (verb in ("put", "started")) != bool(on):
        return
    back = "back " if "back" in on else ""
    done = f"put {back}on" if on else verb.replace("gave", "given")
    for drug in READERS["drug"](rest, turn):
        when = _WHEN.match(rest[len(drug.words) :])
        words = f"{drug.name}{f' {when[1]}' if when else ''}"
        yield claim(turn, "was_prescribed", drug.name, "medicine", f"{turn.speaker} was {done} {words}.", evidence)
