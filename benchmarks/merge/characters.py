"""Character identification: which person speakers mean by "I", "my brother" and "Ross"."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from pydantic import BaseModel, TypeAdapter

from benchmarks.merge.scenes import Data, Scene, Window, non_empty, read_json
from benchmarks.report import Row
from mem0g import Triple

NAME = "character"

_HINT = "give a file of the character identification corpus: episodes, scenes, utterances"

KINDS = ("first_person", "named", "kin")
"""The kinds of mentions that are judged; resolving "you", "he" and "that guy" is left to extractors."""

_FIRST_PERSON = frozenset("i me my mine myself".split())

_PRONOUNS = frozenset(
    "you your yours yourself ya d'you he him his himself she her hers herself they them their it its one we us our "
    "ours".split()
)

_KIN = frozenset(
    "mom mommy mother dad daddy father brother sister son daughter wife husband fiance fiancee girlfriend boyfriend "
    "grandmother grandma grandfather grandpa aunt uncle cousin".split()
)

_OWN = frozenset({"my", "our"})

_NOT_OWN = frozenset({"your", "his", "her", "their", "'s", "a", "an", "another", "some"})

_RELATION = "speaks_of"


class _Utterance(BaseModel):
    speakers: list[str]
    transcript: str
    tokens: list[list[str]] | None
    character_entities: list[list[list[int | str]]] | None


class _Scene(BaseModel):
    utterances: list[_Utterance]


class _Episode(BaseModel):
    episode_id: str
    scenes: list[_Scene]


class _Season(BaseModel):
    episodes: list[_Episode]


_SEASON = TypeAdapter(_Season)


def read_people(path: Path) -> Data:
    """Return a scene for each episode; an utterance is a window of triples between its speaker and each mention.

    Mentions of several people or of no particular person, and utterances of several speakers, are left out.
    """
    season = read_json(path, _SEASON, _HINT)
    scenes = [Scene(each.episode_id, tuple(_windows(each))) for each in season.episodes]
    return Data(NAME, tuple(non_empty([each for each in scenes if each.windows], path, "mention of a person")), (path,))


def shares(data: Data, nodes: Sequence[Sequence[str]]) -> Row:
    """Return the percentage of mentions of each kind at the right node; ``nodes`` are those of each scene's ends.

    A person's node is the one with most of their mentions, if most of its mentions refer to them.
    """
    right: dict[str, list[bool]] = {kind: [] for kind in KINDS}
    for scene, found in zip(data.scenes, nodes, strict=True):
        ends = list(scene.ends)
        homes = _homes([(end.label, node) for end, node in zip(ends, found, strict=True)])
        for end, node in list(zip(ends, found, strict=True))[1::2]:  # the objects: the subject is the speaker
            right[_kind(end.name)].append(homes.get(end.label) == node)
    return {kind: round(100 * sum(each) / len(each), 1) if each else None for kind, each in right.items()}


def _homes(placed: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Return the node of each person; of several equally good ones, the first."""
    by_person: defaultdict[str, Counter[str]] = defaultdict(Counter)
    by_node: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for person, node in placed:
        by_person[person][node] += 1
        by_node[node][person] += 1
    most = {person: nodes.most_common(1)[0][0] for person, nodes in by_person.items()}
    return {person: node for person, node in most.items() if by_node[node].most_common(1)[0][0] == person}


def _windows(episode: _Episode) -> Iterator[Window]:
    for scene in episode.scenes:
        for each in scene.utterances:
            mentions = list(_mentions(each)) if len(each.speakers) == 1 else []
            if mentions:
                yield _window(each, mentions)


def _window(utterance: _Utterance, mentions: Sequence[tuple[str, str]]) -> Window:
    (speaker,) = utterance.speakers
    triples = tuple(
        Triple(
            subject=speaker,
            relation=_RELATION,
            object=name,
            text=f"{speaker}: {utterance.transcript}",
            subject_type="person",
            object_type="person",
        )
        for name, _ in mentions
    )
    return Window(triples, tuple((speaker, person) for _, person in mentions), (speaker,))


def _mentions(utterance: _Utterance) -> Iterator[tuple[str, str]]:
    """Yield the mentions that are judged, each with its person."""
    for words, entities in zip(utterance.tokens or (), utterance.character_entities or (), strict=True):
        for start, end, *people in entities:
            name = _name(words, int(start), int(end))
            if name and len(people) == 1 and not str(people[0]).startswith("#"):
                yield name, str(people[0])


def _name(words: Sequence[str], start: int, end: int) -> str:
    """Return the name of a mention, with "my" for a relative of the speaker; "" if it is not judged."""
    name, before = " ".join(words[start:end]), words[start - 1].casefold() if start else ""
    folded = name.casefold()
    if folded in _FIRST_PERSON:
        return name
    if folded in _PRONOUNS or before in _NOT_OWN:
        return ""
    if folded in _KIN:
        return f"{before} {name}" if before in _OWN else name
    return name if all(word[0].isupper() for word in words[start:end]) else ""


def _kind(name: str) -> str:
    folded = name.casefold()
    if folded in _FIRST_PERSON:
        return "first_person"
    *owner, last = folded.split()
    return "kin" if last in _KIN and set(owner) <= _OWN else "named"
