"""Words for kin, friends, people from work and pets, with the relation that each is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mem0g.extract.rules.grammar.nouns import ANIMALS
from mem0g.text.english import KIN_SPELLINGS


@dataclass(frozen=True, slots=True)
class Kin:
    """A word for kin, a friend or a pet: the relation from the speaker, the type of the other one, its gender."""

    relation: str
    type: str = "person"
    gender: str = ""
    plural: bool = False


def _kin(relation: str, words: str | Iterable[str], gender: str = "", plural: bool = False) -> dict[str, Kin]:
    each = words.split() if isinstance(words, str) else words
    return dict.fromkeys(each, Kin(relation, "person", gender, plural))


_IN_LAWS = {"mother": "f", "father": "m", "sister": "f", "brother": "m", "daughter": "f", "son": "m"}

KIN: dict[str, Kin] = {
    **_kin("has_mother", KIN_SPELLINGS["mother"], "f"),
    **_kin("has_father", KIN_SPELLINGS["father"], "m"),
    **_kin("has_parent", KIN_SPELLINGS["parents"], plural=True),
    **_kin("has_sister", (*KIN_SPELLINGS["sister"], "little sister", "big sister", "stepsister"), "f"),
    **_kin("has_sister", "sisters", "f", plural=True),
    **_kin("has_brother", (*KIN_SPELLINGS["brother"], "little brother", "big brother", "stepbrother"), "m"),
    **_kin("has_brother", "brothers", "m", plural=True),
    **_kin("has_sibling", "sibling"),
    **_kin("has_sibling", "siblings", plural=True),
    **_kin("has_son", "son stepson", "m"),
    **_kin("has_son", "sons", "m", plural=True),
    **_kin("has_daughter", "daughter stepdaughter", "f"),
    **_kin("has_daughter", "daughters", "f", plural=True),
    **_kin("has_child", (*KIN_SPELLINGS["child"], "baby", "toddler")),
    **_kin("has_child", KIN_SPELLINGS["children"], plural=True),
    **_kin("married_to", KIN_SPELLINGS["wife"], "f"),
    **_kin("married_to", KIN_SPELLINGS["husband"], "m"),
    **_kin("has_partner", "partner"),
    **_kin("dating", KIN_SPELLINGS["girlfriend"], "f"),
    **_kin("dating", KIN_SPELLINGS["boyfriend"], "m"),
    **_kin("engaged_to", KIN_SPELLINGS["fiancee"], "f"),
    **_kin("engaged_to", KIN_SPELLINGS["fiance"], "m"),
    **_kin("has_grandmother", KIN_SPELLINGS["grandmother"], "f"),
    **_kin("has_grandfather", KIN_SPELLINGS["grandfather"], "m"),
    **_kin("has_grandparent", "grandparents", plural=True),
    **_kin("has_aunt", KIN_SPELLINGS["aunt"], "f"),
    **_kin("has_uncle", "uncle", "m"),
    **_kin("has_godmother", "godmother", "f"),
    **_kin("has_godfather", "godfather", "m"),
    **_kin("has_cousin", "cousin"),
    **_kin("has_niece", "niece", "f"),
    **_kin("has_nephew", "nephew", "m"),
    **_kin("has_friend", ("friend", "best friend", "buddy", "bestie", "pal", "mate")),
    **_kin("has_friend", "friends", plural=True),
    **_kin("has_colleague", "colleague coworker co-worker workmate"),
    **_kin("has_colleague", (*KIN_SPELLINGS["colleagues"], "co-workers"), plural=True),
    **_kin("has_boss", "boss manager"),
    **_kin("has_neighbor", "neighbor neighbour"),
    **_kin("has_supervisor", "supervisor"),
    **_kin("has_roommate", "roommate flatmate housemate"),
    **_kin("has_roommate", "roommates flatmates housemates", plural=True),
    **_kin("has_teammate", "teammate"),
    **{f"{word}-in-law": Kin(f"has_{word}_in_law", "person", sex) for word, sex in _IN_LAWS.items()},
    **_kin("has_grandson", "grandson", "m"),
    **_kin("has_granddaughter", "granddaughter", "f"),
    **_kin("has_grandchild", "grandkids grandchildren", plural=True),
    **_kin("divorced_from", "ex-husband", "m"),
    **_kin("divorced_from", "ex-wife", "f"),
    **_kin("has_landlord", "landlord landlady"),
    **_kin("has_therapist", "therapist"),
    **_kin("has_dentist", "dentist"),
    **_kin("has_mentor", "mentor"),
    **_kin("has_coach", "coach"),
    **_kin("has_teacher", "teacher"),
    "family": Kin("has_family", "group"),
    "fam": Kin("has_family", "group"),
    "team": Kin("has_team", "group"),
    "band": Kin("has_band", "group"),
    **{word: Kin("has_pet", kind, "", word.endswith("s")) for word, kind in ANIMALS.items()},
}
"""What follows "my": kin, friends, people from work, pets."""

KIN_WORDS = "|".join(sorted(KIN, key=len, reverse=True))
