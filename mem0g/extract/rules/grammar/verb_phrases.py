"""Verb phrases: patterns as data, and the table of verbs whose past, plan or progress makes a claim."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal

from mem0g.text.verbs import IRREGULAR, gerund, past, third

Mode = Literal["state", "event", "plan", "booking"]
"""A state holds until it ends, an event happened at a time, a plan is for the future; a booking was made and is for the
future: its dates lie ahead unless they say otherwise ("yesterday")."""

_FORMS = {"be": "am|is|are", "have": "have|has", "do": "do|does", "was": "was|were", "been": "have been|has been"}
_FORM = re.compile(r"(?<!\?P)<(\w+)>")


@dataclass(frozen=True, slots=True)
class Pattern:
    """A verb phrase and the claim it makes.

    ``words`` is a regular expression from the verb to where the object begins, in which ``<live>`` stands for "live"
    and "lives", ``<be>`` for "am", "is" and "are". Its group ``verb``, and ``particle`` if there is one, complete the
    relation. ``kind`` names the reader of the object (objects.READERS), ``type`` the type of an object whose reader
    gives none. The kind "date" reads the first date of the clause.

    With ``since``, a date in the clause is the beginning of the state. With ``lasting``, the clause must have a
    duration ("for two years", "since 2016"); with ``soon`` a date in the future; with ``undated`` no such date. With
    ``retracts``, the claim has ended; with ``ended``, the pattern is read only of what is said to hold no longer, and
    claims nothing else. ``open``: it takes any verb, and claims nothing of a subject that is a guess.
    """

    words: str
    relation: str
    kind: str = "thing"
    type: str = ""
    mode: Mode = "state"
    since: bool = False
    lasting: bool = False
    soon: bool = False
    undated: bool = False
    retracts: bool = False
    ended: bool = False
    open: bool = False


@cache
def compiled(words: str) -> re.Pattern[str]:
    """Return the regular expression of a pattern's words, to be matched at the start of a predicate."""
    return re.compile(f"(?:{_FORM.sub(_forms, words)})(?= |$)")


def _forms(match: re.Match[str]) -> str:
    word = match[1]
    if word in _FORMS:
        return f"(?:{_FORMS[word]})"
    if word.endswith("ing"):
        return f"(?:(?:am|is|are|have been|has been) {gerund(word[:-3])})"
    return f"(?:{word}|{third(word)})"


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb of the table: its base form, the particle or preposition before the object, the kind of object.

    ``done`` is the relation of the past ("bought"), ``plan`` that of a plan ("plans_to_buy"), ``doing`` that of "I am
    …ing" without a date, "" if that is nothing lasting.
    """

    base: str
    particle: str
    kind: str
    done: str
    plan: str
    doing: str


def _row(row: str) -> Verb:
    """Parse ``base[+particle] kind [doing]``."""
    head, kind, *flags = row.split()
    base, _, particle = head.partition("+")
    particle = particle.replace("+", " ")
    tail = "_" + particle.replace(" ", "_") if particle else ""
    doing = "is_" + gerund(base) + tail if "doing" in flags else ""
    return Verb(base, particle, kind, past(base) + tail, f"plans_to_{base}{tail}", doing)


_ROWS = """
visit visit
go+to visitable
attend thing doing
travel+to place
fly+to place
drive+to place
head+to visitable
return+to place
go+on thing
explore visitable
hike thing
climb thing
move+into thing
buy thing
get ownable
purchase thing
order thing
rent thing
sell thing
adopt thing
rescue thing
foster thing doing
build thing doing
make makeable doing
bake thing
cook thing
grow definite doing
plant thing
paint thing doing
draw thing doing
knit thing doing
sew thing doing
write thing doing
read thing doing
finish thing
complete thing
publish thing
submit thing
record thing doing
film thing doing
release thing
perform+at thing
perform+in thing
play+at thing
watch thing doing
see seeable
try thing
try+out thing
start startable
begin startable
launch thing
open openable
found thing
create thing doing
design thing doing
develop thing doing
organize thing doing
host thing
volunteer+at thing doing
volunteer+with thing doing
donate thing
raise thing
run race
run+for thing doing
win thing
win+at thing
enter thing
compete+in thing
participate+in thing doing
take+part+in thing
take+over takeable
drop+out+of thing
sign+up+for thing
enroll+in thing
register+for thing
apply+to thing
apply+for thing
get+into hobby
join thing
take+up hobby
take course doing
learn learnable doing
study thing
practice thing doing
teach thing doing
complete thing
pass exam
fail exam
earn thing
receive thing
graduate+from thing
meet acquaintance
meet+with person
marry person
celebrate thing
throw party
quit thing
break bodypart
injure thing
hurt bodypart
lose thing
find definite
repair thing
fix fixable
renovate thing doing
redecorate thing doing
move+to place
book thing
plan+for thing
clean+up thing
camp+at thing
camp+in thing
interview+at thing
intern+at thing doing
train+for thing doing
prepare+for thing doing
work+on thing doing
save+up+for thing doing
look+for findable doing
search+for findable doing
research thing doing
apply+for thing doing
experiment+with thing doing
collaborate+with thing doing
play+for thing doing
sign+with thing
coach thing doing
mentor thing doing
put+together thing doing
set+up thing doing
hold event
try+out thing doing
lose person
use thing doing
blog+about thing doing
drop+off thing
work+with acquaintance doing
""".strip().splitlines()


@cache
def verbs() -> tuple[Verb, ...]:
    """Return the table, longest particle first, so that "signed up for" is tried before "signed"."""
    unique = {(verb.base, verb.particle, verb.doing): verb for verb in map(_row, _ROWS)}
    return tuple(sorted(unique.values(), key=lambda verb: (-len(verb.particle), not verb.doing)))


PRESENT = frozenset(
    "adore bake belong care collect come cook dance draw drive enjoy feed foster go grow hate have hike jog keep know "
    "lead like live love make mentor need own paint plan play practice prefer read rehearse ride run share sing speak "
    "start study swim take teach tend train use visit volunteer wake walk want watch work write coach hope detest "
    "major report reside miss cycle surf ski garden knit sew do meet listen attend dislike despise "
    "appreciate believe look value admire cherish sell recommend consider plan drink eat smoke pay earn weigh owe "
    "wear fly leave move travel react ship launch release publish feel support get retire suffer follow turn sleep "
    "commute rent bank row climb".split()
)
"""Base forms that get an -s when "I" becomes a name."""

BASES = {third(base): base for base in (*PRESENT, *IRREGULAR)}
"""Base forms of verbs by their form after a name."""


def is_past(word: str) -> bool:
    """Whether ``word`` is certainly a past form."""
    return word in PAST or (len(word) > 5 and word.endswith("ed"))


PAST = frozenset(past(verb.base) for verb in verbs()) | frozenset(
    "did had was were felt thought said told asked went came knew gave kept held talked walked "
    "stayed stopped ended decided "
    "tried wanted loved liked enjoyed helped used lived worked moved grew played became turned called brought left "
    "switched jacked handed cancelled resigned dumped broke dropped unsubscribed rehomed traded swapped "
    "got took put sat stood ran sang danced cooked hiked laughed cried shared showed started".split()
)
"""Past forms: where one of these follows "and", a new clause begins."""
