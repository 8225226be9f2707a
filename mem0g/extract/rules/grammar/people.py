"""People in a clause: its subject, kin, friends and pets by name, and the first person turned into the third."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mem0g.extract.rules.grammar.kin import KIN, KIN_WORDS
from mem0g.extract.rules.grammar.nouns import is_profession, kind_of
from mem0g.extract.rules.grammar.verb_phrases import PAST, PRESENT
from mem0g.text.english import KIN_SPELLINGS, MONTHS, OWN_KIN, STOP_WORDS, WEEKDAYS
from mem0g.text.verbs import third

_CALENDAR = [word.capitalize() for word in (*WEEKDAYS, *MONTHS)]
_NOT_NAMES = """
I Christmas Easter Thanksgiving Halloween The This That These Those There Then They He She It We
You My Our Your His Her And But So Or If When While After Before Since Because As At In On For With From To Also Just
Yes No Not Oh Wow Hey Hi Hello Thanks Thank Yeah Yep Nope Sure Ok Okay Well Now Today Yesterday Tomorrow Tonight Last
Next Every Each Some Any All Both Most Many Much More Good Great Nice Cool Awesome Amazing Congrats Sorry Please Maybe
Here What Who How Why Where Which Can Could Would Will Should May Might Must Do Does Did Is Are Was Were Am Be Been
Have Has Had God Mr Mrs Ms Dr Someone Something Everyone Everything Nothing Nobody People Life Work Music Art Family
Friends Kids Mom Dad Love Time Things One Two Three English Spanish French German Internet Being Having ARE IS WAS NOT
""".split()
NAME = rf"(?!(?:{'|'.join((*_CALENDAR, *_NOT_NAMES))})\b)(?:[A-ZÀ-ÖØ-Þ][^\W\d_]+\d*(?:-[A-Z][^\W\d_]+\d*)?)(?!\w)"
"""A person's or pet's given name."""
FULL_NAME = rf"{NAME}(?: {NAME})?"
TITLE = r"(?:(?:Dr|Mr|Mrs|Ms|Miss|Prof|Professor)\.? )?"


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of a clause.

    ``name`` is its name in a triple ("Anna", "Olivia's sister"), ``shown`` the one in its sentence ("Olivia's sister
    Anna"). With ``first`` the verb is in the first person. ``company`` are the words for others who took part ("my
    wife"). ``guessed``: that it is a person is known from its capital alone.
    """

    name: str
    shown: str
    type: str = "person"
    first: bool = False
    plural: bool = False
    gender: str = ""
    company: str = ""
    guessed: bool = False


_OF_MANY = frozenset({"has_friend", "has_colleague", "has_neighbor", "has_teammate", "has_pet"})
"""Relations to people of whom another one may be meant."""


@dataclass(frozen=True, slots=True)
class Turn:
    """Who speaks in a message to whom: ``addressee`` is None in a group. ``cased``: the message has capitals.

    ``others`` are the names of the other speakers of the session, ``named`` those given to kin before: owner, word for
    kin, name.
    """

    speaker: str
    addressee: str | None = None
    cased: bool = True
    others: frozenset[str] = frozenset()
    named: frozenset[tuple[str, str, str]] = frozenset()

    def owner(self, word: str) -> str | None:
        """Return whom "my", "our" or "your" means."""
        return self.addressee if word.lower() == "your" else self.speaker

    def named_before(self, owner: str, kin: str) -> str | None:
        """Return the one name by which ``owner``'s boss, mother or the like was introduced in the session."""
        names = {name for whose, word, name in self.named if (whose, word) == (owner, kin)}
        return names.pop() if len(names) == 1 and KIN[kin].relation not in _OF_MANY else None

    def named_by_role(self, kin: str) -> str | None:
        """Return the speaker who is called by a word for kin: Dad for "my dad", unless a relative called so speaks."""
        spellings = KIN_SPELLINGS.get(kin, (kin,))
        if self.speaker.lower() in KIN:
            return None
        return next((name for name in sorted(self.others) if name.lower() in spellings), None)


ADJECTIVES = (
    r"(?:(?:new|old|older|younger|elder|eldest|oldest|youngest|little|big|twin|late|dear|good|close|sweet|lovely|own|"
    r"beloved|adorable|cute|amazing|awesome|great|childhood|long-time|first|two|three|work"
    r"|school|college|\w+[- ]year[- ]old"
    r") )"
)
COMPANION = rf"(?:[Mm]y {ADJECTIVES}{{0,2}}(?:{KIN_WORDS})(?: {NAME})?|{FULL_NAME})"
"""Words for somebody together with the speaker: "my wife", "my brother Max", "Clara"."""
_I = re.compile(
    rf"^(?:I|[Ww]e|(?:[Mm]e and )?(?P<before>{COMPANION}),? and (?:I|me)|(?:I|[Mm]e) and (?P<after>{COMPANION}))"
    r" (?:(?:all|both) )?(?=[a-z])"
)
_MY_KIN = re.compile(
    rf"^(?P<my>[Mm]y|[Oo]ur|[Yy]our) (?P<adjectives>{ADJECTIVES}{{0,2}})(?P<kin>{KIN_WORDS})"
    rf"(?:,? (?P<name>{FULL_NAME}),?)? (?=[a-z])"
)
_NAMED_SUBJECT = re.compile(
    rf"^(?P<name>{TITLE}{FULL_NAME})(?:'s {ADJECTIVES}{{0,2}}(?P<kin>{KIN_WORDS})(?:,? (?P<kinname>{NAME}),?)?)?"
    r" (?=[a-z])"
)
_ROLE_NAMES = "|".join(
    sorted({word.capitalize() for word in KIN if word in OWN_KIN and not KIN[word].plural}, key=len, reverse=True)
)
_ROLE_SUBJECT = re.compile(rf"^(?P<role>(?i:{_ROLE_NAMES}))(?: and (?P<other>(?i:{_ROLE_NAMES})))? (?=[a-z])")
"""A relative referred to by role: "Dad retires in June"."""
_VERB_OF_A_PERSON = re.compile(
    r"(?:(?:also|just|now|still|always|recently|finally|never|no longer|already|currently) )?"
    r"(?:is|has|had|was|does|used to|can not|will|(?!news\b)[a-z]+(?:s|ed)|moved|got|went|came|left|sold|bought|broke"
    r"|quit|grew|met|lost|found|won|made|wrote|ran|took|became)\b(?! by)"
)
"""What begins a predicate whose subject may be a person that is not known yet."""
_PRONOUN = re.compile(r"^(?P<he>he|she|He|She) (?=[a-z])")
_YOU = re.compile(r"^[Yy]ou (?=[a-z])")


_TWO = re.compile(
    rf"^(?P<one>{NAME}) and (?P<other>{NAME}) (?=(?:have|are|were|will|live|work|speak|play|[a-z]+ed|"
    r"got(?! (?:married|divorced|engaged|together)\b)|went|bought|sold)\b)"
)


def two_subjects(clause: str, turn: Turn, known: frozenset[str]) -> tuple[tuple[Subject, Subject], str] | None:
    """Return two people named as one subject and their predicate: "Kofi and Ama have moved"."""
    match = _TWO.match(clause)
    if match is None:
        return None
    names = (match["one"], match["other"])
    if turn.speaker in names or not all(name in known or may_be_person(name, "is ") for name in names):
        return None
    both = f"{names[0]} and {names[1]}"
    one, other = (Subject(name, both, plural=True, guessed=name not in known) for name in names)
    return (one, other), clause[match.end() :]


_PLACED = re.compile(
    rf"^({TITLE}{NAME}) (?:next door|upstairs|downstairs|across the (?:road|street|hall)|(?:at|from|in) (?:work|school"
    r"|choir|church|class|accounts|HR|IT|sales|marketing|book club|the (?:(?:front|head) )?office"
    r"|the gym|the club))(?= [a-z])"
)
"""Somebody and where the speaker knows them from: "Walt next door is 78"."""


def find_subject(
    clause: str, turn: Turn, antecedent: Subject | None, known: frozenset[str]
) -> tuple[Subject, str] | None:
    """Return the subject of ``clause`` and its predicate, None if the subject cannot be named.

    ``antecedent`` is whom "he" or "she" means; ``known`` are names of people and pets.
    """
    clause = _PLACED.sub(r"\1", clause)
    if match := _I.match(clause):
        company = match["before"] or match["after"] or ""
        company = company[:1].lower() + company[1:] if company.startswith("My ") else company
        return Subject(turn.speaker, turn.speaker, first=True, company=company), clause[match.end() :]
    if match := _MY_KIN.match(clause):
        return _relative(match, turn, clause)
    if match := _ROLE_SUBJECT.match(clause):
        return _by_role(match, turn, clause, known)
    if match := _NAMED_SUBJECT.match(clause):
        return _third(match, turn, clause, known)
    if (match := _PRONOUN.match(clause)) and antecedent and fits(match["he"], antecedent):
        return antecedent, clause[match.end() :]
    if (match := _YOU.match(clause)) and turn.addressee:
        return Subject(turn.addressee, turn.addressee, type="you", first=True), clause[match.end() :]
    return None


def fits(pronoun: str, subject: Subject) -> bool:
    """Return whether "he" or "she" may mean the subject, whose gender may be unknown."""
    return not subject.first and not subject.plural and subject.gender in ("", "m" if pronoun.lower() == "he" else "f")


def _relative(match: re.Match[str], turn: Turn, clause: str) -> tuple[Subject, str] | None:
    owner = turn.owner(match["my"])
    if owner is None:
        return None
    kin, word, name = KIN[match["kin"]], match["kin"], match["name"]
    if name and name in (turn.speaker, turn.addressee):
        return None
    name = name or (None if match["adjectives"] or kin.plural else turn.named_before(owner, word))
    full = f"{possessive(owner)} {match['adjectives']}{word}"
    role = turn.named_by_role(word) if match["my"].lower() == "my" and not (name or match["adjectives"]) else None
    if role:
        return Subject(role, role, kin.type, gender=kin.gender), clause[match.end() :]
    kept = " ".join(f"{match['adjectives']}{word}".split()) if match["adjectives"].startswith(_DISTINCTIVE) else word
    subject = Subject(
        name or f"{possessive(owner)} {kept}",
        f"{full} {name}" if name else full,
        kin.type,
        plural=kin.plural and not name,
        gender=kin.gender,
    )
    return subject, clause[match.end() :]


_DISTINCTIVE = ("old", "young", "eld", "little", "big", "twin", "best", "first")


def _third(match: re.Match[str], turn: Turn, clause: str, known: frozenset[str]) -> tuple[Subject, str] | None:
    name, kin = match["name"], match["kin"]
    predicate = clause[match.end() :]
    guessed = name not in known
    if name == turn.speaker or (guessed and not may_be_person(name, predicate)):
        return None
    if kin:
        full = f"{possessive(name)} {kin}"
        plural, gender = KIN[kin].plural, KIN[kin].gender
        if of_kin := match["kinname"]:
            return Subject(of_kin, f"{full} {of_kin}", KIN[kin].type, gender=gender, guessed=guessed), predicate
        return Subject(full, full, KIN[kin].type, plural=plural, gender=gender, guessed=guessed), predicate
    return Subject(name, name, guessed=guessed), predicate


def may_be_person(name: str, predicate: str) -> bool:
    """Whether a capitalised word before a verb in the third person may be somebody's name: no common English word."""
    word, *more = name.lower().split()
    if more and word in _BEFORE_NAMES:
        return False
    common = word in STOP_WORDS or word in NO_NAMES or kind_of(word) or is_profession(word) or word in LANGUAGE_NAMES
    if common or (word.endswith(("ing", "ly")) and word not in _LIKE_ADVERBS) or word in PAST:
        return False
    return _VERB_OF_A_PERSON.match(predicate) is not None


_LIKE_ADVERBS = frozenset(
    """
    kelly sally molly emily holly lily lilly polly milly tilly nelly dolly elly ally billy willy wally carly marly
    charly shelly beverly everly kimberly waverly cecily nataly sully ely ming jing ling ying qing xing sterling
    blessing channing fleming
    """.split()
)
"""Names that end as adverbs or verbs do."""
NO_NAMES = frozenset(
    """
    nobody anybody somebody everybody everyone anyone none neither either nothing other others another half part most
    few several such bad good great sad happy big small tough rough long short nice lovely sweet fair quick
    same only even still already once ever never always often usually sometimes again soon later back home work school
    business money food water coffee tea beer wine today weather traffic rent health sleep breakfast lunch dinner summer
    winter spring autumn fall rumour rumor word god santa google apple amazon facebook twitter youtube netflix whatsapp
    python java linux windows github chatgpt english maths math science history user users customer client server app
    company team management hr legal marketing sales support staff bro dude man mate guys girl boy lady baby honey
    """.split()
)
"""Words at the beginning of a sentence that no person is called by."""
_BEFORE_NAMES = frozenset(
    """
    heard hear saw read noticed learned learnt hope hoping told poor lucky unlucky dear crazy silly funny clever brave
    proud happy sad glad pity shame weird strange odd typical classic meanwhile anyway ps pps btw fyi update news edit
    note reminder lol haha omg wow congrats sorry thanks
    """.split()
)
"""Words at the beginning of a sentence that stand before a name: "Heard Tom moved to Kiel", "Poor Ida got fired".

Some of them are names as well, and then alone: "Hope works at Siemens".
"""
LANGUAGE_NAMES = frozenset("english spanish french german italian portuguese dutch arabic chinese japanese".split())


def _by_role(match: re.Match[str], turn: Turn, clause: str, known: frozenset[str]) -> tuple[Subject, str] | None:
    """Return a relative called by a role as somebody of the speaker's; as that speaker where one is called so."""
    role, predicate = match["role"].capitalize(), clause[match.end() :]
    if match["role"].islower() and not _VERB_OF_A_PERSON.match(predicate):
        return None
    if match["other"] and {role.lower(), match["other"].lower()}.intersection(KIN_SPELLINGS["mom"]):
        name = f"{possessive(turn.speaker)} parents"
        return Subject(name, name, plural=True), predicate
    if match["other"] or role == turn.speaker:
        return None
    if role in known or role in turn.others:
        return Subject(role, role, gender=KIN[role.lower()].gender), predicate
    name = f"{possessive(turn.speaker)} {role.lower()}"
    return Subject(name, name, KIN[role.lower()].type, gender=KIN[role.lower()].gender), predicate


_AGREE = {"am": "is", "are": "is", "have": "has", "do": "does", "were": "was"}
_SUBJECT = re.compile(
    r"\b(I|we)\s+((?:also|just|really|still|always|never|now|both|usually|often|currently|already)\s+)?(\w+)"
)
_VERB = re.compile(r"^((?:no longer|never|always|usually|often|sometimes|both|still) )?(\w+)")
_CAN_NOT = re.compile(r"\bcan not\b")


def possessive(name: str) -> str:
    """Return "Olivia's" for "Olivia"."""
    return name + "'s"


def agree(verb: str, present: bool = True) -> str:
    """Return the form of ``verb`` after a name, given the one after "I" or "we"; past forms stay.

    Without ``present``, only auxiliaries change: "read" may be a past.
    """
    if verb in _AGREE:
        return _AGREE[verb]
    return third(verb) if present and verb in PRESENT else verb


def third_person(
    words: str, speaker: str, addressee: str | None, *, predicate: bool = False, present: bool = True
) -> str:
    """Return ``words``, said by ``speaker`` to ``addressee``, with names in place of I, we and you.

    With ``predicate``, they begin with a verb in the first person, which is made to agree. Where ``addressee`` is
    None, "you" stays.
    """
    if predicate:
        words = _VERB.sub(lambda match: f"{match[1] or ''}{agree(match[2], present)}", words, count=1)
    words = _SUBJECT.sub(lambda m: f"{speaker} {m[2] or ''}{agree(m[3])}", words)
    for pattern, name in _names(speaker, addressee):
        words = pattern.sub(name.replace("\\", "\\\\"), words)
    return _CAN_NOT.sub("cannot", words)


_WHOLE = {
    "my|our": "{}'s",
    "mine|ours": "{}'s",
    "myself|ourselves": "{}",
    "me|us|I|we": "{}",
}
_MINE = tuple((re.compile(rf"(?<!-)\b(?:{words})\b(?![-'])"), name) for words, name in _WHOLE.items())
_YOURS = tuple(
    (re.compile(rf"\b(?:{words})\b", re.IGNORECASE), name)
    for words, name in {"your|yours": "{}'s", "yourself": "{}", "you": "{}"}.items()
)


def _names(speaker: str, addressee: str | None) -> list[tuple[re.Pattern[str], str]]:
    mine = [(pattern, name.format(speaker)) for pattern, name in _MINE]
    return mine + [(pattern, name.format(addressee)) for pattern, name in _YOURS] if addressee else mine


DEICTIC = re.compile(
    r"\b(?:he|she|it|they|him|her|his|hers|its|them|their|theirs|himself|herself|itself|themselves|yourself|yourselves|you|your|this|these"
    r"|those|there|here|yours|one|ones)\b|\bthat\b(?! (?:I|we|is|are|was|were|has|have|can)\b)",
    re.IGNORECASE,
)
"""Words that refer to something outside the sentence: with one of them it is not self-contained."""
