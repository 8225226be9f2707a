"""Claims of what somebody decided or took on: "we're going with Postgres 16", "Tuesday it is", "I'll take the alerting
ticket"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from mem0g.extract.rules.clause_claims import claim
from mem0g.extract.rules.grammar.date_expressions import OPEN, marks, resolve, with_words
from mem0g.extract.rules.grammar.kin import KIN_WORDS
from mem0g.extract.rules.grammar.nouns import TOOLS
from mem0g.extract.rules.grammar.people import DEICTIC, NAME, Turn, third_person
from mem0g.model import LITERAL, Triple
from mem0g.text.english import NUMBERS, STOP_WORDS

_ADVERBS = r"(?:(?:just|now|all|finally|definitely|also|both|then) )*"
_GOING_WITH = re.compile(
    rf"(?:^(?:I|[Ww]e) (?:have )?{_ADVERBS}"
    r"(?:(?:(?:am|are) (?:going|sticking)|will (?:go|stick)|(?:decided|agreed) to go) with|(?:decided|agreed) on"
    r"|opted for)"
    r"|^[Ww]e (?:will|are going to) (?:use|switch to|stick with|move to)) (?P<what>.+)$"
)
_COMPANY = re.compile(
    rf"(?:(?:my|our|your|his|her|their|some|a few|an?|another|the) )?(?:[a-z-]+ )?(?:{KIN_WORDS}|famil(?:y|ies)|group"
    r"|guide|team|man|woman|guy|girl|boy|person|people|crowd)\b|the [A-Z][a-z]+s$|(?:every|some)(?:one|body)\b"
    r"|[a-z]+ to\b|(?:a|an|the) (?:walk|run|swim|drink|flow)\b"
)
"""Company, not a choice: "going with a friend"."""
_IT_IS = re.compile(
    r"^(?:[a-z]+, )?(?P<what>(?:the )?[\w'.+#:-]+(?: [\w'.+#:-]+){0,2}) it is(?: then)?$", re.IGNORECASE
)
_NO_CHOICE = frozenset(
    """
    yes yeah yep no nope sure course so as what how where who why when which whatever here there now then know think
    hope believe like fine ok okay right way true though well however because sad funny good bad nice lovely cold hot
    hard easy late early all thing day shame pity mess joke only indeed possible hopefully certainly maybe probably
    y'know yknow
    """.split()
)
_ANNOUNCED = re.compile(
    r"^(?:(?:so|ok|okay|well|right)[,]? )?"
    r"(?:(?:decided|decision)(?: so| then)?:|(?:it|that) is (?:decided|agreed|settled)(?: then)?[:,]) "
    r"(?P<what>(?!(?:I|we|he|she|you|they|it|so|but|and|then)\b)[^?]{3,90})$",
    re.IGNORECASE,
)
_LET_US = re.compile(
    r"^(?:(?:nah|no|yes|yeah|ok|okay|so|hmm|well|right),? )*let us (?:go with|use|switch to|move to|stick (?:with|to))"
    r" (?P<what>[^?]+)$",
    re.IGNORECASE,
)
_REST = re.compile(
    r"(?P<name>.+?)(?P<rest>(?:,? (?:not|instead of|rather than|over) [^,;]+)?)"
    r"(?:,.*|[.!:;](?!\d).*| (?:then|now|instead|after all|because|since|as|so|if|for|until|till|when|but"
    r"|and (?:not|then)|with|from)\b.*)?"
)
MAX_CHOICE = 200
"""Characters of what is chosen, with what it is chosen over; what is longer is no choice."""
_LISTED = re.compile(rf"(?:the |these |an? )?(?:following|next|{'|'.join(NUMBERS[1:])})\b")
"""Before what is named only after a colon."""
MAX_NAME_WORDS = 6
"""Words of what is decided on."""

_TASK = re.compile(
    r"^I (?:will|am going to|am gonna) (?:also |just |then )?"
    r"(?P<verb>take over|take on|take|own|handle|write|draft|prepare|fix|review|order|organise|organize|present|cover"
    r"|send|update|make|book|test|deploy|bring|collect|pick up|set up|do) (?P<what>.+)$"
)
_TAKE = re.compile(
    r"^I (?P<verb>take) (?P<what>the (?:[\w-]+ ){0,3}(?:bug|ticket|issue|task|part|shift|section|chapter|review"
    r"|demo|talk))(?: then)?$"
)
_WORK = re.compile(rf"(?:(?:the|our|an?|some|{'|'.join(NUMBERS[2:])}|\d+|all|both) |{NAME}'s |[A-Z])")
"""What begins the words for something to be done."""
_TRIFLE = frozenset(
    """
    bus train tram lift stairs blame day time chance bait nap shower look guess walk drive break rest risk hit bath
    picture photo pill call seat bit bet point maths lot same plunge best thing things way effort exception mistake
    """.split()
)
"""What one takes or makes without a task."""


def decision_claims(clause: str, turn: Turn, evidence: str) -> Iterator[Triple]:
    """Yield what ``clause`` says that the speaker, alone or with others, decided on."""
    match = _GOING_WITH.match(clause) or (_IT_IS.match(clause) if " it is" in clause else None)
    if match is None or (found := _choice(match["what"], turn)) is None:
        return
    name, words = found
    if match.re is _IT_IS and not _may_be_chosen(name):
        return
    what = match["what"]
    using = " use " in match[0][: match.start("what")] or " to " in match[0][: match.start("what")]
    if match.re is _GOING_WITH and (_COMPANY.match(what) or not (_is_named(what) if using else _is_thing(what, turn))):
        return
    verb = "agreed" if " agreed on " in match[0] else "decided"
    yield claim(turn, f"{verb}_on", name, "", f"{turn.speaker} {verb} on {words}.", evidence)


def announced(
    sentence: str, expressions: Sequence[str], at: datetime | None, turn: Turn, evidence: str
) -> Iterator[Triple]:
    """Yield the decision that a sentence announces, "decided: LoRa as the main link", or that a person alone with an
    assistant takes: "let's go with Flask".
    """
    if match := _ANNOUNCED.match(sentence):
        dated = with_words(match["what"], lambda number: resolve(expressions[number], at, future=True).words)
        words = third_person(dated.strip(" .!"), turn.speaker, turn.addressee)
        if " " in words and not DEICTIC.search(words):
            yield claim(turn, "decided", words, LITERAL, f"{turn.speaker} decided: {words}.", evidence)
    elif (
        not (turn.others or turn.addressee)
        and (match := _LET_US.match(sentence))
        and (found := _choice(match["what"], turn))
    ):
        yield claim(turn, "decided_on", found[0], "", f"{turn.speaker} decided on {found[1]}.", evidence)


def _choice(words: str, turn: Turn) -> tuple[str, str] | None:
    """Return the name of what is chosen and its words, with what it is chosen over."""
    match = _REST.fullmatch(re.sub(r"[*_`\"]", "", words).strip(" ,.")) if len(words) <= MAX_CHOICE else None
    if match is None or DEICTIC.search(match["name"]) or OPEN in words or _LISTED.match(match["name"]):
        return None
    name = re.sub(r"^(?:an?|the) ", "", match["name"].strip(" ,"))
    if not 1 <= len(name.split()) <= MAX_NAME_WORDS:
        return None
    rest = "" if DEICTIC.search(match["rest"]) else match["rest"]
    return name, third_person(f"{match['name'].strip(' ,')}{rest}", turn.speaker, turn.addressee)


_A_JUDGEMENT = re.compile(r"(?:ful|ous|ive|able|ible|less|ish|ever|ing)$|^(?:strange|weird|odd|great|perfect|unreal)$")
"""Words of how something is, no choice: "beautiful it is"."""


def _may_be_chosen(name: str) -> bool:
    words = name.lower().split()
    if any(map(_A_JUDGEMENT.search, words)):
        return False
    return _NO_CHOICE.isdisjoint(words) and STOP_WORDS.isdisjoint(words)


def _is_thing(words: str, turn: Turn) -> bool:
    """Whether words are of a thing: with an article or a number, or known software; a bare name may be a person's."""
    alone = not (turn.others or turn.addressee)
    common = words[:1].islower() and (turn.cased or alone)
    return _is_named(words) or common or re.match(r"(?:the|an?|our|my) ", words) is not None


_TOOLS = frozenset(tool.lower() for tool in TOOLS)


def _is_named(words: str) -> bool:
    """Whether words name software, or something with a number or a name in capitals."""
    first = words.split()[0].strip(",")
    return first.lower() in _TOOLS or re.search(r"\d|[a-z][A-Z]|^[A-Z]{2,}", words) is not None


def task_claims(
    clause: str, expressions: Sequence[str], at: datetime | None, turn: Turn, evidence: str
) -> Iterator[Triple]:
    """Yield what the speaker, one of a group, takes on; ``clause`` has marks for its date expressions."""
    match = (_TASK.match(clause) or _TAKE.match(clause)) if turn.addressee is None and turn.others else None
    if match is None or not _WORK.match(match["what"]):
        return
    dates = {index: resolve(expressions[index], at, future=True) for index in marks(clause)}
    head = re.split(
        rf",| (?:then|for|from|to|with|on|in|at|by|of|so|before|after|and|because|as|instead)\b|{OPEN}", match["what"]
    )[0]
    name = re.sub(r"^(?:the|an?|our|some) ", "", head.strip(" .!"))
    if DEICTIC.search(match["what"]) or not name or name.lower().split()[-1] in _TRIFLE:
        return
    what = with_words(
        re.sub(r",? (?:then|too|as well|now)$", "", match["what"].strip(" .!,")), lambda number: dates[number].words
    )
    text = f"{turn.speaker} will {match['verb']} {third_person(what, turn.speaker, turn.addressee)}."
    made = claim(turn, f"plans_to_{match['verb'].replace(' ', '_')}", name, "", text, evidence)
    when = next((date for date in dates.values() if date.moment and date.future), None)
    yield replace(made, planned_for=when.moment) if when else made
