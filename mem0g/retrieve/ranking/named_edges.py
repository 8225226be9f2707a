"""Facts that a question names as edges of the graph: by an end and a relation, both ends, or an end and a class."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from mem0g.model import LITERAL, Entity
from mem0g.relations.relation_type import seeds
from mem0g.store.candidates import FactColumns
from mem0g.text.english import KIN
from mem0g.text.stemming import token_set
from mem0g.text.verbs import IRREGULAR

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mem0g.retrieve.ranking.proximity import Scores


SHORTEST = 2
"""Characters that a word has at most to be too general to name a relation: "go", as in GOING_OUT_WITH."""


def named_edges(terms: Collection[str], anchors: Collection[str], facts: FactColumns) -> NDArray[np.bool_]:
    """Return for each fact whether the question names it; ``terms`` are its stems, ``anchors`` the ids it names.

    It names a fact with an anchor at one end and a word of the relation among the terms, another form of one of them
    ("buy" names "bought"), or a word that only this relation is known by ("wife" names MARRIED_TO). The other end of
    such a fact is what the question refers to by that word ("my sister"), so facts of that entity count, too, if the
    question has a further word of their relation ("live").
    """
    relations = facts.relations
    forms = _irregular_forms()
    words = {form for term in terms for form in forms.get(term, (term,))}
    asked = {code: _words_of(name).intersection(words) for code, name in relations.distinct().items()}
    found = np.zeros(len(facts.ids), dtype=bool)
    of_asked = np.flatnonzero(relations.have([code for code, shared in asked.items() if shared]))
    subjects, objects = facts.subject_ids.are(anchors)[of_asked], facts.object_ids.are(anchors)[of_asked]
    found[of_asked] = subjects | objects
    ends = np.stack((facts.subject_ids.codes, facts.object_ids.codes, relations.codes))[:, of_asked]
    denoting: dict[int, set[str]] = defaultdict(set)
    others = np.where(subjects, ends[1], ends[0])[subjects != objects]
    for other, relation in set(zip(others.tolist(), ends[2, subjects != objects].tolist(), strict=True)):
        denoting[other] |= asked[relation]
    if not denoting:
        return found
    left = np.flatnonzero(np.isin(ends[:2], list(denoting)).any(axis=0) & ~(subjects | objects))
    for place, (subject, obj, relation) in zip(of_asked[left].tolist(), ends[:, left].T.tolist(), strict=True):
        reached = (denoting.get(each) for each in (subject, obj))
        found[place] = any(known is not None and not asked[relation] <= known for known in reached)
    return found


def paraphrased(question: str) -> frozenset[str]:
    """Return stems of relations that the question names in other words: "for fun" asks for hobbies."""
    found = (stems for phrase, stems in _PARAPHRASES if phrase.search(question))
    return frozenset().union(*found)


_PARAPHRASES = tuple(
    (re.compile(phrase, re.IGNORECASE), token_set(words))
    for phrase, words in (
        (r"\b(?:free|spare) time\b|\bfor fun\b", "hobby enjoys"),
        (r"\bbeen to\b", "visited"),
        (r"(?:['’]s|\bmy|\bour) home\b(?! \w)", "lives"),
    )
)
"""Phrases of questions, and the words of relations that they mean."""


def edges_between(anchors: Collection[str], facts: FactColumns) -> Scores:
    """Return for each fact between two different anchors 1 / the number of facts between the same two, else 0.

    The only edge between two entities that the question names is what it asks for, whatever its words: "When did Ann
    buy the red lamp?" The many between a person and what this person often talks about are not.
    """
    subjects, objects = facts.subject_ids, facts.object_ids
    both = np.flatnonzero(subjects.are(anchors) & objects.are(anchors))
    pairs = [frozenset((subjects[place], objects[place])) for place in both.tolist()]
    numbers = Counter(pairs)
    shares = np.zeros(len(facts.ids))
    shares[both] = [1 / numbers[pair] if len(pair) > 1 else 0.0 for pair in pairs]
    return shares


def owned_edges(question: str, anchors: Collection[str], facts: FactColumns) -> NDArray[np.bool_]:
    """Return for each fact whether an anchor is its subject and the question names it as what that one has.

    By a word of its relation or by its text: "Ann's sister" and "my sister" are who stands in the relation to Ann or
    me, not those to whom Ann is one.
    """
    owned: NDArray[np.bool_] = facts.subject_ids.are(anchors)
    phrases = _OWNED.findall(question)
    if not phrases or not owned.any():
        return np.zeros(len(facts.ids), dtype=bool)
    asked = frozenset().union(*map(token_set, phrases))
    relations = [name for name in facts.relations.distinct().values() if not asked.isdisjoint(token_set(name))]
    of_relation = facts.relations.are(relations)
    words = {phrase.split()[0] for phrase in phrases}
    for place in np.flatnonzero(owned & ~of_relation).tolist():
        text, subject = facts.texts[place], facts.subjects[place]
        owned[place] = any(f"{subject}'s {word}" in text for word in words)
    return owned


_OWNED = re.compile(r"(?:\w['’]s|s['’]|\bmy|\bour) ((?:[\w-]+ ?){1,3})", re.IGNORECASE)
"""What follows a possessive: the words for what somebody has, and perhaps one more."""


def introductions(
    question: str, terms: Collection[str], names: Iterable[str], anchors: Collection[str], facts: FactColumns
) -> NDArray[np.bool_]:
    """Return for each fact whether it only says who a relative is, while the question asks something else about them.

    "Jude is Ann's husband" for "What is Ann's husband allergic to?"; not for "What is Ann's husband called?", and not
    if both ends are named. ``names`` are those of the entities that the question names.
    """
    kin = token_set(" ".join(_OWNED.findall(question))) & _kin()
    if not kin:
        return np.zeros(len(facts.ids), dtype=bool)
    left = frozenset(terms).difference(_NAMING, *map(token_set, names))
    relations = [
        name
        for name in facts.relations.distinct().values()
        if (meant := _words_of(name)) & kin and not left <= meant | kin
    ]
    of_one: NDArray[np.bool_] = facts.subject_ids.are(anchors) ^ facts.object_ids.are(anchors)
    return of_one & facts.relations.are(relations)


@cache
def _kin() -> frozenset[str]:
    """Return the stems of words for relatives and other people whom somebody has."""
    return token_set(" ".join(KIN))


_NAMING = token_set("name named call called who know again")
"""Stems of words that ask who somebody is."""


def identities(question: str, anchors: Iterable[Entity], facts: FactColumns) -> NDArray[np.bool_]:
    """Return for each fact whether it says who somebody is, if that is all that is asked: "Who is Fee?".

    It says that its anchor is somebody or somebody's, or gives the anchor as a name: "Fee is Jude's sister".
    """
    said = np.zeros(len(facts.ids), dtype=bool)
    asked = _WHO_IS.fullmatch(" ".join(question.split()))
    name = asked["name"].casefold() if asked else ""
    meant = [each for each in anchors if name in {known.casefold() for known in each.names}]
    if not meant:
        return said
    names = "|".join(re.escape(known) for each in meant for known in each.names)
    says = re.compile(
        rf"(?:{names}) (?:is|are|was) (?:an?|the|my|our|[^.,]{{1,60}}['’]s)\b|.*\b(?:named|called) (?:{names})\b"
    )
    ids = {each.id for each in meant}
    for place in np.flatnonzero(facts.subject_ids.are(ids) | facts.object_ids.are(ids)).tolist():
        said[place] = says.match(facts.texts[place]) is not None
    return said


_WHO_IS = re.compile(
    r"(?:\w+,? )?(?:who|what)(?:['’]?s| is| was| are) (?P<name>[^?]{1,80}?)(?: again)?[?!. ]*", re.IGNORECASE
)

_AUXILIARY = re.compile(r"(?<!\S)(?:am|is|are|was|were|do|does|did|has|have|had|will|would|can|could)(?:n't)? ")
_DOES = re.compile(r"(?<!\S)(?:do|does|did)(?:n't)? ")


def subjects_of(question: str, anchors: Iterable[Entity], *, doing: bool = False) -> set[str]:
    """Return the ids of the anchors that stand right after an auxiliary: Ann in "Does Ann still live in Rome?".

    Of "Does Ann's sister live in Rome?" Ann is not the subject. With ``doing`` only after "do": of "Whose sister is
    Ann?" Ann is no more the subject than the sister is.
    """
    text = f"{' '.join(question.lower().split())} "
    after = [found.end() for found in (_DOES if doing else _AUXILIARY).finditer(text)]
    names = ((each.id, name.lower()) for each in anchors for name in each.names)
    return {key for key, name in names if any(_stands_at(place, name, text) for place in after)}


def _stands_at(place: int, name: str, text: str) -> bool:
    """Whether a name stands at a place of a text that ends with a space, whole, and not in the possessive."""
    end = place + len(name)
    return text.startswith(name, place) and not text[end].isalnum() and text[end] not in "'’"


def named_classes(terms: Collection[str], anchors: Collection[str], facts: FactColumns) -> NDArray[np.bool_]:
    """Return for each fact whether it is between an anchor and another entity, of a class named by ``terms``, as stems.

    An anchor is not asked for by its class: "a walk in Hyde Park" asks for no parks.
    """
    types = {*facts.subject_types.distinct().values(), *facts.object_types.distinct().values()} - {LITERAL}
    asked = {each for each in types if not token_set(each).isdisjoint(terms)}
    if not asked:
        return np.zeros(len(facts.ids), dtype=bool)
    subjects, objects = facts.subject_ids.are(anchors), facts.object_ids.are(anchors)
    of_object: NDArray[np.bool_] = facts.object_types.are(asked) & subjects & ~objects
    return of_object | (facts.subject_types.are(asked) & objects & ~subjects)


@cache
def _irregular_forms() -> dict[str, frozenset[str]]:
    """Return the stems of the forms of each irregular verb, by each of them."""
    verbs = (frozenset().union(*map(token_set, (base, *forms))) for base, forms in IRREGULAR.items())
    return {stem: stems for stems in verbs for stem in stems}


def _words_of(relation: str) -> frozenset[str]:
    """Return the stems of a relation's name, and of the words that no other relation is known by."""
    return token_set(relation) | _synonyms().get(relation, frozenset())


_FORMER = frozenset("EX FORMER FORMERLY PREVIOUSLY USED CURRENTLY NOW".split())
"""Words of a relation's name for another time than that of the rest."""


_PARTICLES = frozenset("UP OFF OUT".split())
"""Words without which a verb means something else: "gave up"."""


@cache
def _synonyms() -> dict[str, frozenset[str]]:
    """Return the stems by which one of the relations that come with mem0g is known, and no other, by its name.

    Those of synonyms of a single word beside "has" and prepositions: HAS_BOSS, REPORTS_TO. PARENT_OF says what the
    subject is, not what it has.
    """
    known: defaultdict[str, set[str]] = defaultdict(set)
    for relation in seeds():
        for name in (relation.name, *relation.synonyms):
            stems = token_set(name)
            if len(stems) == 1 and not name.endswith("_OF") and (_FORMER | _PARTICLES).isdisjoint(name.split("_")):
                known[next(iter(stems))].add(relation.name)
    found: defaultdict[str, set[str]] = defaultdict(set)
    for stem, relations in known.items():
        if len(relations) == 1 and len(stem) > SHORTEST:
            found[next(iter(relations))].add(stem)
    return {name: frozenset(stems) for name, stems in found.items()}
