"""Whom "he" or "she" means after a clause: its subject, or somebody it introduces: "Tom has a sister called Mia"."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from mem0g.extract.rules.grammar.kin import KIN, KIN_WORDS
from mem0g.extract.rules.grammar.nouns import ANIMALS, is_profession
from mem0g.extract.rules.grammar.people import FULL_NAME, NAME, Subject, fits, possessive

_PEOPLE = dict.fromkeys("woman lady girl".split(), "f") | dict.fromkeys("man guy boy bloke lad".split(), "m")
_SOMEBODY = rf"{KIN_WORDS}|{'|'.join(_PEOPLE)}|person|stranger"
_INTRODUCED = re.compile(
    rf"\b(?:(?:an?|his|her|their|this|one of \w+) (?:[\w-]+ ){{0,3}}?(?P<called>{_SOMEBODY})"
    r"(?:,? (?:called |named )| of (?:mine|ours),? )"
    rf"|some(?:body|one) (?:called |named )|(?:his|her) (?:[\w-]+ ){{0,2}}?(?P<kin>{KIN_WORDS}),? )"
    rf"(?P<name>{FULL_NAME})(?![\w'])"
)
_MY_KIN = re.compile(rf"\b(?:my|our) ({KIN_WORDS})\b(?!'s| {NAME})")
_UNNAMED = re.compile(r"\b(?:an?|the|some|this|that) (?:[a-z]+ )?([a-z]+)")
DIED = re.compile(r"\b(?:died|passed away|was put down)\b")
_ANIMAL = re.compile(rf"\b(?:an?|another|his|her|their) (?:[\w-]+ ){{0,3}}?(?:{'|'.join(ANIMALS)})\b")
_OF_AN_ANIMAL = re.compile(
    r"(?:he|she) (?:is|was|has|weighs|eats|loves|likes|hates|sleeps|sheds|bites|came|cost)\b", re.IGNORECASE
)
"""What may be said of an animal that was mentioned before, and of its owner."""
_BEGINS = re.compile(r"(?:he|she) ", re.IGNORECASE)
_HIS = re.compile(rf"\bhimself\b|\bhis (?:own )?(?:[\w-]+ )?(?:{KIN_WORDS})\b")
_HERS = re.compile(rf"\bherself\b|\bher (?:own )?(?:[\w-]+ )?(?:{KIN_WORDS})\b")


@dataclass(frozen=True, slots=True)
class Mentioned:
    """Whom a pronoun may mean: the ``subject`` of the last clause about others, and who was ``introduced`` there.

    ``somebody``: whether a clause mentions somebody without a name, who may be meant as well: "I met a nurse";
    ``animal``: whether the last one mentions an animal: "Tom has got a spaniel, he's two".
    """

    subject: Subject | None = None
    introduced: Subject | None = None
    somebody: bool = False
    animal: bool = False

    def after(self, subject: Subject, words: str) -> Mentioned:
        """Return who may be meant after a clause with ``subject`` and the predicate ``words``."""
        new = _introduced(words) or (_relative(words, subject.name) if subject.first else None)
        if subject.type == "you" or subject.first:
            return Mentioned(new) if new else replace(self, somebody=self.somebody or _mentions_somebody(words))
        if "'s " in subject.name and DIED.search(words):  # "Tom's dad died. He …": Tom?
            return Mentioned(None, new, somebody=True)
        gender = subject.gender or ("m" if _HIS.search(words) else "f" if _HERS.search(words) else "")
        return Mentioned(replace(subject, gender=gender), new, animal=_ANIMAL.search(words) is not None)

    def beside(self, words: str, speaker: str) -> Mentioned:
        """Return who may be meant after ``words`` without a known subject: also the one relative in them."""
        one = _relative(words, speaker)
        return replace(self, introduced=one) if one and not self.somebody else self

    def meant(self, clause: str) -> Subject | None:
        """Return whom the pronoun that begins ``clause`` means; None if nobody fits it, or two do.

        Of two who fit, the one introduced is meant only if the gender is known of that one alone. A clause that
        begins with no pronoun is about the subject.
        """
        if self.animal and _OF_AN_ANIMAL.match(clause):
            return None
        pronoun = _BEGINS.match(clause)
        if pronoun is None or self.introduced is None:
            return self.subject
        fitting = [each for each in (self.subject, self.introduced) if each and fits(pronoun[0].strip(), each)]
        if len(fitting) == 2:
            fitting = [] if fitting[0].gender or not fitting[1].gender else fitting[1:]
        return fitting[0] if fitting else None


def _mentions_somebody(words: str) -> bool:
    return any(is_profession(each) or each in _PEOPLE for each in _UNNAMED.findall(words))


def _relative(words: str, speaker: str) -> Subject | None:
    """Return the one relative of the speaker's whom ``words`` mention: "a trip with my mum"."""
    found = {match[1] for match in _MY_KIN.finditer(words)}
    kin = found.pop() if len(found) == 1 else ""
    if not kin or _mentions_somebody(words) or KIN[kin].type != "person" or KIN[kin].plural or not KIN[kin].gender:
        return None
    name = f"{possessive(speaker)} {kin}"
    return Subject(name, name, gender=KIN[kin].gender)


def _introduced(words: str) -> Subject | None:
    """Return the last person whom ``words`` give a name: "a woman named Carla", "his aunt Clara"."""
    match = next(reversed(list(_INTRODUCED.finditer(words))), None)
    word = (match["called"] or match["kin"]) if match else ""
    if not match or (word in KIN and KIN[word].type != "person"):
        return None
    gender = _PEOPLE.get(word) or (KIN[word].gender if word in KIN else "")
    return Subject(match["name"], match["name"], gender=gender)
