"""Claims of a whole clause rather than of its verb: "my favourite book is Dune", "everyone calls me Liv"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from mem0g.extract.rules.grammar.kin import KIN, KIN_WORDS
from mem0g.extract.rules.grammar.noun_phrases import MAX_WORDS, noun_phrases, tidy
from mem0g.extract.rules.grammar.nouns import ANIMALS, is_belonging, kind_of
from mem0g.extract.rules.grammar.objects import READERS
from mem0g.extract.rules.grammar.people import DEICTIC, FULL_NAME, NAME, Turn, possessive, third_person
from mem0g.extract.rules.verb_claims import SURE
from mem0g.model import LITERAL, Triple
from mem0g.text.english import STOP_WORDS
from mem0g.text.names import normal_relation

_FAVORITE = re.compile(
    rf"^(?:[Mm]y|[Oo]ur)(?: (?P<kin>{KIN_WORDS})'s)? (?:all[- ]time |absolute "
    rf"|personal )?favou?rite (?P<what>[a-z][a-z "
    r"-]{1,30}?)(?: of all time| ever| so far)? (?:is|are|was|has to be) "
)
_FAVORITE_LAST = re.compile(
    r"^(.{2,50}?) (?:is|are) (?:also |definitely |still )?(?:my|one of my) (?:all[- ]time "
    r"|absolute |personal )?favou?rite ([a-z][a-z -]{1,30}?)(?: of all time| ever)?$"
)
_CALL_ME = re.compile(
    rf"^(?:(?:[Ee]veryone|[Ee]verybody|[Pp]eople|(?:[Mm]y|[Oo]ur|[Tt]he|[Mm]ost) [a-z ]{{3,25}}"
    rf"|[Tt]hey)(?: (?:at|in) [\w ]{{2,20}}?)?(?: (?:now|just|here|all))? calls? me"
    rf"|(?:[Yy]ou can |[Jj]ust |[Pp]lease )*[Cc]all me) ({FULL_NAME})"
    r"(?!.*\b(?:again|one more time|once more|like that)\b)"
)
_MIDDLE_NAME = re.compile(rf"^[Mm]y middle name is ({NAME})(?=$|,| )")
_MY_NAME = re.compile(rf"^[Mm]y (?:full |real |first |new )?(?:name|nickname) is ({FULL_NAME})")
_IS_MY_KIN = re.compile(
    rf"^({FULL_NAME}) is (?:also )?(my|our|your) (?:new |best |older |younger |little |big "
    rf"|twin )?({KIN_WORDS})(?:$|,| and | from | who )"
)
_IS_MY = re.compile(
    r"^([\w' -]{3,40}?) (?:is|are|has been|have been)(?: always)?(?: been)? (?:definitely "
    r"|pretty much |also |truly |really |still )?(?:my|our) (?:own |favorite |big |true "
    r"|biggest |main |go-to |personal |creative )*"
    r"(passion|hobby|escape|outlet|therapy|stress relief|stress reliever|happy place|go-to"
    r"|form of self-care|self-care|comfort food|comfort|guilty pleasure|role model|hero"
    r"|inspiration|motivation|muse|dream|dream job|rock|stress-buster|haven|sanctuary|safe space|second home"
    r"|top priority|first love)\b"
)
_FAN = re.compile(
    r"^(?:I am|We are|I have (?:always )?been) (?:also |just |totally |really )*(?:a|an|such a|kind of a) "
    r"(?:big |huge |massive |real |total |die-hard |lifelong |major |true )*([\w' -]{3,30}?) "
    r"(?:fan|lover|enthusiast|geek|nerd|buff|fanatic)\b(?! of| mail| fiction)"
)
_EFFECTS = {
    "help": "helped_by", "motivate": "motivated_by", "inspire": "inspired_by", "encourage": "encouraged_by",
    "support": "supported_by", "relax": "relaxed_by", "calm": "calmed_by", "comfort": "comforted_by",
}  # fmt: skip
_EFFECT = re.compile(
    rf"^((?:(?! (?:can|will|and|or) (?:{'|'.join(_EFFECTS)}|really))[\w' -]){{3,40}}?) (?:has |have )?"
    rf"(?:really |always |also |totally |truly |definitely |just )*"
    rf"({'|'.join(_EFFECTS)})(?:s|d|ed)? (?:me|us)\b(?! with)"
)
_IMPORTANT = re.compile(
    r"^([\w' -]{3,40}?) (?:(?:is|are) (?:so |really |very |super |extremely |always |also )*(?:important|precious)"
    r"|(?:really |truly |always )*means? (?:everything|so much|the world)) to (?:me|us)\b"
)
_FEELINGS = (
    "accepted|afraid|alive|alone|amazed|angry|anxious|appreciated|ashamed|blessed|bored|calm|confident|connected|content"
    "|devastated|disappointed|down|drained|embarrassed|empowered|energized|excited|exhausted|free|frustrated|fulfilled"
    "|grateful|guilty|happy|heartbroken|helpless|hopeful|hopeless|hurt|inspired|insecure|jealous|joyful|liberated|lonely"
    "|loved|low|lucky|moved|motivated|nervous|nostalgic|optimistic|overwhelmed|peaceful|powerful|powerless|proud"
    "|refreshed|rejected|relaxed|relieved|sad|safe|satisfied|scared|shocked|stressed(?: out)?|strong|supported"
    "|terrified|thankful|tired|touched|uncertain|uneasy|upset|valued|vulnerable|welcome|worried"
)
_FELT = re.compile(
    r"^(?:I|We) (felt|feel|was feeling|am feeling|have been feeling|was|were) "
    rf"(?:(?:so|really|very|super|totally|pretty|quite|truly|a bit|a little|kind of|kinda|also) )*({_FEELINGS})"
    r"(?: and \w+)? (about|after|before|during|when|while|at|on|with|by|to|because|\w+ing) (?!\d)(.{3,80})$"
)
_GOAL = re.compile(r"^[Mm]y (?:\w+ )?(goal|dream|hope|aim|ambition|plan) is to ([\w' -]{6,60})$")
_PLACE_OF = re.compile(
    r"^(?:[Mm]y |(?:[Tt]he )?(?=new (?:flat|place|house) ))(?P<what>(?:new )?(?:flat|place|house)|apartment|office|gym"
    r"|school|university|studio|allotment|home|shop) is"
    r"(?: now)? (?:in|on|near) (?=[A-Z])"
)
_HOBBIES = re.compile(
    r"^[Mm]y (?:main |biggest |other )?(?:hobby|hobbies|interests|pastimes) (?:is|are|include|includes) "
)
_HOMETOWN = re.compile(r"^[Mm]y (hometown|home town|home country),? (?:is |was )?(?=[A-Z])")
_ATTRIBUTE = re.compile(
    r"^(?:[Mm]y|[Oo]ur) (?P<what>(?:(?:[a-z][\w-]+|GP|PIN|IBAN) ){1,3}|[a-z][\w-]+(?: [a-z]+)? (?:number|address"
    r"|code|name"
    r"|password|type|size) )"
    r"(?:is|are)(?: now| currently)? (?P<value>.{1,60}?)(?: now)?(?: (?:in case|if|for when) .*)?$"
)
"""My car is a red Fiat: one to three words, and what it is."""
_BARE_ATTRIBUTE = re.compile(
    r"^(?:[Tt]he )?(?P<what>(?:wi-?fi|door|gate|alarm|entry|lock|safe|garage|burglar alarm|building)(?: \w+)?"
    r" (?:code|password|pin|key)"
    r"|(?:monthly )?rent|budget|burn(?: rate)?|iban)"
    r" (?:is|are)(?: now| currently)? (?P<value>.{1,60}?)(?: now)?(?:,? by the way)?(?: for .{2,40})?$",
    re.IGNORECASE,
)
"""What is the speaker's own also where nobody says whose it is: "the alarm code is 5518"."""
_NEW_ONE = re.compile(
    r"^(?:(?:the )?new (?=(?:(?:phone|mobile|cell|home|work|e-?mail) )?(?:number|address|e-?mail) is )"
    r"|(?P<one>(?:(?:the|my) )?new one is )(?=(?:[+(]|0)[\d ()/-]{7,20}\d$))",
    re.IGNORECASE,
)
"""What is the speaker's own without being said to be: "new number is …", or "new one is …" of a phone number."""
_WITH_A_FIRM = re.compile(r"((?:insurance|mortgage|broadband|pension) is )(?:now )?with ", re.IGNORECASE)
"""A contract and the word before the firm that it is with: "my mortgage is with Arbor Union"."""
_VALUE = re.compile(
    r"(?:\d+[a-z]? [A-Z][\w'-]*(?: [A-Z][\w'-]*)*(?:, [A-Z0-9][\w'-]*(?: [A-Z0-9][\w'-]*)*){0,3}"
    r"|an? (?:[\w'-]+ ){0,4}(?:[A-Z][\w'-]*|\d[\w.-]*)(?: [A-Z0-9][\w'-]*)*"
    r"|(?:the )?[A-Z][\w'&+.-]*(?: (?:[A-Z0-9][\w'&+-]*|of|negative|positive))*"
    r"|[£$€+]?\d[\d .,:/x-]*(?: ?(?:%|[a-z]{1,10}))?(?: (?:a|per) (?:day|week|month|year))?|[\w.+-]+@[\w.-]+\w"
    r"|[a-zA-Z]*\d[\w.-]*|[+(]\+?\d[\d ()/.-]{5,20})"
)
"""A name of a make, a number, an address or a code."""
_VALUES = frozenset("color colour number letter size shade season month day".split())
"""What a favourite may be that is a value, and no thing with a name."""
_PLAIN_VALUE = re.compile(r"[^A-Z]*[\d@%][^A-Z]*|[A-Z]{1,2}\d[\w-]*|[A-Z]{1,2} (?:negative|positive)")
"""An amount, a code, an address or a blood type: no name of a make or of a person."""
_PHONE_NUMBER = re.compile(r"(?:\+|\(?0|\(\d{3}\))[\d ()/.-]{6,20}|(?:\d{3}[-. ])?\d{3}[-. ]\d{4}")
_NAMES_A_VALUE = frozenset("number address code password type size pin iban rent salary".split())
"""What one has whose value is no name, also where it has capitals."""
_NO_ATTRIBUTE = frozenset(
    """
    point guess goal dream hope plan heart mind head life question answer problem issue feeling thought idea advice bet
    best worst first last next favorite name birthday nickname hometown home day week weekend time turn take opinion
    experience job morning evening night way reason story message birthplace middle character avatar username handle
    """.split()
)


def clause_claims(clause: str, turn: Turn, evidence: str) -> Iterator[Triple]:
    """Yield the claims of ``clause``, whose dates are in absolute words."""
    for read in _READERS:
        yield from read(clause, turn, evidence)


def claim(turn: Turn, relation: str, name: str, kind: str, text: str, evidence: str) -> Triple:
    """Return a claim about the speaker, whose object is called ``name`` and is of this kind."""
    return Triple(
        subject=turn.speaker,
        relation=relation,
        object=name,
        text=text,
        subject_type="person",
        object_type=kind,
        evidence=(evidence,),
        confidence=SURE,
    )


def _favorite(clause: str, turn: Turn, evidence: str) -> Iterator[Triple]:
    if match := _FAVORITE.match(clause):
        what = match["what"].strip()
        if re.match(r"(?:one|ones|thing|things|part|parts|time|way|memory|moment)\b", what):
            return
        owner = possessive(turn.speaker) + (f" {match['kin']}" if match["kin"] else "")
        found = noun_phrases(clause[match.end() :], turn)
        if re.match(r"(?:the|this|that|these|how|when|where|what|to|not|getting|being) ", clause[match.end() :] + " "):
            return
        relation = normal_relation(f"favorite {_singular(what)}").lower()
        for phrase in found[:3]:
            be = "are" if _singular(what) != what else "is"
            text = f"{possessive(owner) if match['kin'] else owner} favorite {what} {be} {phrase.words}."
            kind = _kind_of_favorite(what)
            found_one = claim(turn, relation, phrase.name, kind, text, evidence)
            yield replace(found_one, subject=owner) if match["kin"] else found_one


def _favorite_last(clause: str, turn: Turn, evidence: str) -> Iterator[Triple]:
    match = _FAVORITE_LAST.match(clause)
    if match is None or match[2].strip() in {"thing", "part", "things", "one", "time", "way", "place", "ones"}:
        return
    name = tidy(match[1], turn)
    if name and not re.match(r"(?:the|this|that|these|those|it|which|what) ", match[1].lower() + " "):
        what = _singular(match[2].strip())
        relation = normal_relation(f"favorite {what}").lower()
        text = f"{match[1]} is {possessive(turn.speaker)} favorite {what}."
        yield claim(turn, relation, name, _kind_of_favorite(what), text, evidence)


def _kind_of_favorite(what: str) -> str:
    """Return the type of a favourite: what it is a favourite of, or a literal where that is a value ("colour")."""
    kind = _singular(what).split()[-1]
    return LITERAL if kind in _VALUES else kind


def _singular(noun: str) -> str:
    return noun[:-1] if noun.endswith("s") and not noun.endswith(("ss", "series", "us")) else noun


def _names(clause: str, turn: Turn, evidence: str) -> Iterator[Triple]:
    if middle := _MIDDLE_NAME.match(clause):
        yield claim(turn, "has_middle_name", middle[1], LITERAL, as_sentence(middle[0], turn), evidence)
    match = _CALL_ME.match(clause) or _MY_NAME.match(clause)
    if match and not middle and match[1].casefold() != turn.speaker.casefold():
        text = f"{turn.speaker} is also called {match[1]}."
        yield claim(turn, "also_known_as", match[1], "person", text, evidence)


def _is_my_kin(clause: str, turn: Turn, evidence: str) -> Iterator[Triple]:
    match = _IS_MY_KIN.match(clause)
    if match is None or match[2] == "your" or match[1] in (turn.speaker, turn.addressee):
        return
    kin = KIN[match[3]]
    text = f"{match[1]} is {possessive(turn.speaker)} {match[3]}."
    yield claim(turn, kin.relation, match[1], kin.type, text, evidence)


def _hobbies(clause: str, turn: Turn, evidence: str) -> Iterator[Triple]:
    match = _HOBBIES.match(clause)
    items = re.split(r",? and |, ", clause[match.end() :]) if match else []
    for name in filter(None, (tidy(item, turn) for item in items[:5] if len(item.split()) <= 4)):
        yield claim(turn, "has_hobby", name, kind_of(name) or "activity", as_sentence(clause, turn), evidence)


def _hometown(clause: str, turn: Turn, evidence: str) -> Iterator[Triple]:
    match = _HOMETOWN.search(clause)
    relation = "home_country" if match and match[1] == "home country" else "hometown"
    for each in READERS["place"](clause[match.end() :], turn) if match else ():
        yield claim(turn, relation, each.name, "place", f"{turn.speaker} comes from {each.words}.", evidence)


def _place_of(clause: str, turn: Turn, evidence: str) -> Iterator[Triple]:
    """Yield where something of the speaker's is: "my flat is in Headingley"."""
    if match := _PLACE_OF.match(clause):
        for each in READERS["place"](clause[match.end() :], turn)[:1]:
            told = re.sub(r"^(?:[Tt]he )?(?=new )", "my ", clause)
            where = claim(turn, "is_in", each.name, "place", as_sentence(told, turn), evidence)
            yield replace(where, subject=f"{possessive(turn.speaker)} {match['what']}", subject_type="place")


def _attribute(clause: str, turn: Turn, evidence: str) -> Iterator[Triple]:
    """Yield what something of the speaker's is: a make, a number, a code, an address."""
    clause = _NEW_ONE.sub(lambda new: "my new number is " if new["one"] else "my new ", clause)
    match = _ATTRIBUTE.match(_WITH_A_FIRM.sub(r"\1", clause)) or _BARE_ATTRIBUTE.match(clause)
    if match is None or not _VALUE.fullmatch(match["value"].rstrip(" .,!")) or DEICTIC.search(match["value"]):
        return
    words = match["what"].split()
    if not _NO_ATTRIBUTE.isdisjoint(words) or words[-1] in KIN or not STOP_WORDS.isdisjoint(words):
        return
    value = match["value"].rstrip(" .,!")
    if match.re is _BARE_ATTRIBUTE and not re.search(r"\d|^[^a-z]+$", value):
        return
    if (is_belonging(words[-1]) or words[0] in KIN) and re.fullmatch(r"\d{1,3}", value):  # an age: "my car is 12"
        return
    what = " ".join(word for word in words if word != "new")
    what = "phone number" if what == "number" and _PHONE_NUMBER.fullmatch(value) else what
    relation = normal_relation(f"has {what}").lower()
    plain = words[-1].lower() in _NAMES_A_VALUE or _PLAIN_VALUE.fullmatch(value)
    kind, name = LITERAL if plain else "", re.sub(r"^(?:an?|the) ", "", value)
    text = as_sentence(clause, turn)
    if match.re is _BARE_ATTRIBUTE and not clause.lower().startswith("the "):
        kept = any(map(str.isupper, clause.split()[0][1:]))  # WiFi, IBAN
        text = f"The {clause[0] if kept else clause[0].lower()}{text[1:]}"
    yield claim(turn, relation, name, kind, text, evidence)


def _is_my(clause: str, turn: Turn, evidence: str) -> Iterator[Triple]:
    match = _IS_MY.match(clause)
    if match and not DEICTIC.search(match[1]) and (name := tidy(match[1], turn)):
        text = as_sentence(f"{match[1]} is my {match[2]}", turn)
        yield claim(turn, f"has_{match[2].replace(' ', '_').replace('-', '_')}", name, "", text, evidence)


def _goal(clause: str, turn: Turn, evidence: str) -> Iterator[Triple]:
    match = _GOAL.match(clause)
    if match and not DEICTIC.search(match[2]) and len(match[2].split()) <= MAX_WORDS:
        what = third_person(match[2], turn.speaker, turn.addressee)
        text = f"{possessive(turn.speaker)} {match[1]} is to {what}."
        yield claim(turn, f"has_{match[1]}", what, LITERAL, text, evidence)


def _fan(clause: str, turn: Turn, evidence: str) -> Iterator[Triple]:
    if (match := _FAN.match(clause)) and (name := tidy(match[1], turn)):
        name += "s" if name in ANIMALS or kind_of(name) == "work" else ""
        text = f"{turn.speaker} is a fan of {name}."
        yield claim(turn, "likes", name, kind_of(name), text, evidence)


def _effect(clause: str, turn: Turn, evidence: str) -> Iterator[Triple]:
    match = _EFFECT.match(clause)
    if match and not DEICTIC.search(clause) and (name := tidy(match[1], turn)):
        yield claim(turn, _EFFECTS[match[2]], name, kind_of(name), as_sentence(clause, turn), evidence)


def _important(clause: str, turn: Turn, evidence: str) -> Iterator[Triple]:
    match = _IMPORTANT.match(clause)
    if match and not DEICTIC.search(match[1]) and (name := tidy(match[1], turn)):
        yield claim(turn, "values", name, kind_of(name), as_sentence(match[0], turn), evidence)


def _felt(clause: str, turn: Turn, evidence: str) -> Iterator[Triple]:
    match = _FELT.match(clause)
    if match and not DEICTIC.search(match[4]):
        relation = "feels" if match[1].startswith(("feel", "am", "have")) else "felt"
        yield claim(turn, relation, match[2], LITERAL, as_sentence(clause, turn), evidence)


def as_sentence(clause: str, turn: Turn) -> str:
    """Return a clause of the speaker's as a sentence in the third person."""
    text = third_person(_uncapped(clause), turn.speaker, turn.addressee).rstrip(" ,.;:-").replace(" ,", ",")
    return f"{text}." if text.startswith(turn.speaker) else f"{text[0].upper()}{text[1:]}."


def _uncapped(clause: str) -> str:
    """Return the clause with "my" or "we" at its beginning in lower case, where they may become names."""
    return re.sub(r"^(?:My|Our|We)\b", lambda match: match[0].lower(), clause)


_READERS: tuple[Callable[[str, Turn, str], Iterator[Triple]], ...] = (
    _favorite,
    _favorite_last,
    _names,
    _is_my_kin,
    _hometown,
    _hobbies,
    _is_my,
    _place_of,
    _attribute,
    _goal,
    _fan,
    _effect,
    _important,
    _felt,
)

_HIS_NAME = re.compile(
    rf"^(?:[Hh]is|[Hh]er|[Ii]ts|[Tt]heir) names? (?:is|are"
    rf"|was) ({NAME}(?:(?:, {NAME})* and {NAME})?)(?:$|,| and )|^(?:he|she|it) is (?:called"
    rf"|named) ({NAME})(?:$|,| and )",
    re.IGNORECASE,
)
_A_KIN = re.compile(rf"\b(?:my|our|a|an|the|two|three) (?:[\w-]+ ){{0,3}}?({KIN_WORDS})\b(?!'s)", re.IGNORECASE)
_OVER = re.compile(r"\b(?:broke|broken|split|dumped|divorced|separated|left|died|passed away)\b")
"""Words for somebody who is that no longer."""
_ONESELF = re.compile(r"\b(?:am|be|being|become|became)\s*$")
"""Words before what the speaker is: "I became a grandad"."""


def named_after(clause: str, before: str, turn: Turn) -> tuple[str, list[str]] | None:
    """Return the one word for kin or a pet in ``before`` and the names that ``clause`` gives: "her name is …"."""
    match = _HIS_NAME.match(clause)
    if match is None or turn.speaker == "":
        return None
    words = list(_A_KIN.finditer(before))
    if len(words) != 1:
        return None
    around = before[: words[0].start()], before[words[0].end() :]
    if any(map(_OVER.search, around)) or _ONESELF.search(around[0]):
        return None
    names = re.split(r",? and |, ", match[1] or match[2])
    return words[0][1].lower(), names
