"""A simulated model that replies with the known facts of a conversation, in the formats that the engine asks for."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.locomo import turn_ids
from mem0g.conflict.decision_case import Judgements
from mem0g.errors import InputError
from mem0g.extract.llm.replies import Extraction, NamedEntity, StatedFact, Summary
from mem0g.model import Triple, Utterance
from mem0g.times import Moment

SUMMARY = "They are friends, and tell each other about their work, their plans, their families and what they did."

KEY_CHARACTERS = 100
"""Leading and trailing characters that identify a text, as a prompt may omit the middle."""

_Key = tuple[str, str, str]

HINT = "has a prompt been changed? This benchmark parses those that come with mem0g"

_MESSAGE = re.compile(r'^\[(\d+)\] (.*?): (".*")$', re.MULTILINE)

_NEW_MESSAGES = re.compile(r"^New messages:$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class StatedTriple:
    """A triple, and the positions in the conversation of the turns that state it, in order."""

    triple: Triple
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SimulatedModel:
    """Replies for one conversation.

    ``keys`` of its turns in order, ``starts`` their positions, ``stated`` the triples by their last turn.
    """

    keys: Sequence[_Key]
    starts: Mapping[_Key, Sequence[int]]
    stated: Mapping[int, Sequence[StatedTriple]]

    @classmethod
    def of(cls, turns: Sequence[Utterance], triples: Iterable[Triple]) -> SimulatedModel:
        """Build the replies from triples; those without evidence in the conversation are left out."""
        keys = [_key(turn.speaker, turn.text) for turn in turns]
        starts: dict[_Key, list[int]] = {}
        for place, key in enumerate(keys):
            starts.setdefault(key, []).append(place)
        ids = {turn.source_id: place for place, turn in enumerate(turns)}
        stated: dict[int, list[StatedTriple]] = {}
        for triple in triples:
            places = sorted({ids[each] for each in turn_ids(triple.evidence) if each in ids})
            if places:
                stated.setdefault(places[-1], []).append(StatedTriple(triple, tuple(places)))
        return cls(keys, starts, stated)

    def reply(self, function: str, prompt: str) -> str:
        """Return the arguments, as JSON, of the call of ``function`` in reply to ``prompt``.

        Raises InputError for functions other than extraction in one call, decisions and summaries, and for a prompt
        that cannot be parsed.
        """
        match function:
            case "remember":
                return self._extraction(shown_messages(prompt)).model_dump_json()
            case "decide":
                return Judgements(decisions=[]).model_dump_json()
            case "keep_summary":
                return Summary(summary=SUMMARY).model_dump_json()
        raise InputError(f"{function!r} is not supported by this server", hint=HINT)

    def _extraction(self, part: PromptWindow) -> Extraction:
        """Return the triples whose last turn is among the new messages, so that each is extracted exactly once."""
        first = self._place(part)
        numbers = {first + offset: message.number for offset, message in enumerate(part.messages)}
        stated = [each for place in list(numbers)[part.new :] for each in self.stated.get(place, ())]
        return Extraction(entities=_entities(stated), facts=[_fact(each, numbers) for each in stated])

    def _place(self, part: PromptWindow) -> int:
        """Return the position in the conversation of a prompt's first message.

        All messages are compared, as a single text may occur twice, but not such a sequence.
        """
        wanted = [_key(message.speaker, message.text) for message in part.messages]
        for place in self.starts.get(wanted[0], ()):
            if self.keys[place : place + len(wanted)] == wanted:
                return place
        raise InputError(f"{len(wanted)} messages of a prompt are not in the conversation", hint=HINT)


def _key(speaker: str, text: str) -> _Key:
    return " ".join(speaker.split()), text[:KEY_CHARACTERS], text[-KEY_CHARACTERS:]


def _entities(stated: Sequence[StatedTriple]) -> list[NamedEntity]:
    types: dict[str, str] = {}
    for each in stated:
        triple = each.triple
        for name, kind in ((triple.subject, triple.subject_type), (triple.object, triple.object_type)):
            types[name] = types.get(name) or kind
    return [NamedEntity(name=name, type=kind, aliases=[]) for name, kind in types.items()]


def _fact(stated: StatedTriple, numbers: Mapping[int, int]) -> StatedFact:
    triple = stated.triple
    return StatedFact(
        subject=triple.subject,
        relation=triple.relation,
        object=triple.object,
        sentence=triple.text,
        valid_from=_written(triple.valid_from),
        valid_to=_written(triple.valid_to),
        messages=[numbers[place] for place in stated.places if place in numbers],
        retracts=triple.retracts,
    )


def _written(moment: Moment | None) -> str | None:
    return str(moment) if moment else None


@dataclass(frozen=True, slots=True)
class PromptMessage:
    """A message as shown in a prompt."""

    number: int
    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class PromptWindow:
    """The messages of a prompt, in order, context first; those from index ``new`` on are new."""

    messages: tuple[PromptMessage, ...]
    new: int


def shown_messages(prompt: str) -> PromptWindow:
    """Return the numbered messages of a prompt. Raises InputError when none is new."""
    before, after = _halves(_NEW_MESSAGES, prompt)
    context, new = _messages(before), _messages(after)
    if not new:
        raise InputError("a prompt shows no new message", hint=HINT)
    return PromptWindow((*context, *new), len(context))


def _halves(heading: re.Pattern[str], prompt: str) -> tuple[str, str]:
    """Split a prompt at a heading; quoted text never has a line of its own, so it cannot be mistaken for one."""
    found = heading.search(prompt)
    if found is None:
        raise InputError(f"a prompt has no line like {heading.pattern!r}", hint=HINT)
    return prompt[: found.start()], prompt[found.end() :]


def _messages(text: str) -> tuple[PromptMessage, ...]:
    return tuple(
        PromptMessage(int(number), speaker, json.loads(text)) for number, speaker, text in _MESSAGE.findall(text)
    )
