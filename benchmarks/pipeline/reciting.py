"""A simulated model that replies with the known facts of a conversation, in the formats that the engine asks for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.locomo import turn_ids
from benchmarks.pipeline.reading import HINT, Part, asked_facts, shown_messages
from mem0g.conflict.decision_case import Judgement, Judgements
from mem0g.errors import InputError
from mem0g.extract.llm.replies import Extraction, NamedEntity, StatedFact, Summary
from mem0g.model import Triple, Utterance
from mem0g.times import Moment

SUMMARY = "They are friends, and tell each other about their work, their plans, their families and what they did."

ENDS = 100
"""Leading and trailing characters that identify a text, as a prompt may omit the middle."""

_Key = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Told:
    """A triple, and the positions in the conversation of the turns that state it, in order."""

    triple: Triple
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Reciter:
    """Replies for one conversation.

    ``keys`` of its turns in order, ``starts`` their positions, ``told`` the triples by their last turn.
    """

    keys: Sequence[_Key]
    starts: Mapping[_Key, Sequence[int]]
    told: Mapping[int, Sequence[Told]]

    @classmethod
    def of(cls, turns: Sequence[Utterance], triples: Iterable[Triple]) -> Reciter:
        """Build the replies from triples; those without evidence in the conversation are left out."""
        keys = [_key(turn.speaker, turn.text) for turn in turns]
        starts: dict[_Key, list[int]] = {}
        for place, key in enumerate(keys):
            starts.setdefault(key, []).append(place)
        ids = {turn.source_id: place for place, turn in enumerate(turns)}
        told: dict[int, list[Told]] = {}
        for triple in triples:
            places = sorted({ids[each] for each in turn_ids(triple.evidence) if each in ids})
            if places:
                told.setdefault(places[-1], []).append(Told(triple, tuple(places)))
        return cls(keys, starts, told)

    def reply(self, function: str, prompt: str) -> str:
        """Return the arguments, as JSON, of the call of ``function`` in reply to ``prompt``.

        Raises InputError for functions other than extraction in one call, decisions and summaries, and for a prompt
        that cannot be parsed.
        """
        match function:
            case "remember":
                return self._extraction(shown_messages(prompt)).model_dump_json()
            case "decide":
                return Judgements(decisions=list(map(_addition, asked_facts(prompt)))).model_dump_json()
            case "keep_summary":
                return Summary(summary=SUMMARY).model_dump_json()
        raise InputError(f"{function!r} is not supported by this server", hint=HINT)

    def _extraction(self, part: Part) -> Extraction:
        """Return the triples whose last turn is among the new messages, so that each is extracted exactly once."""
        first = self._place(part)
        numbers = {first + offset: message.number for offset, message in enumerate(part.messages)}
        told = [each for place in list(numbers)[part.new :] for each in self.told.get(place, ())]
        return Extraction(entities=_entities(told), facts=[_fact(each, numbers) for each in told])

    def _place(self, part: Part) -> int:
        """Return the position in the conversation of a prompt's first message.

        All messages are compared, as a single text may occur twice, but not such a sequence.
        """
        wanted = [_key(message.speaker, message.text) for message in part.messages]
        for place in self.starts.get(wanted[0], ()):
            if self.keys[place : place + len(wanted)] == wanted:
                return place
        raise InputError(f"{len(wanted)} messages of a prompt are not in the conversation", hint=HINT)


def _key(speaker: str, text: str) -> _Key:
    return " ".join(speaker.split()), text[:ENDS], text[-ENDS:]


def _entities(told: Sequence[Told]) -> list[NamedEntity]:
    types: dict[str, str] = {}
    for each in told:
        triple = each.triple
        for name, kind in ((triple.subject, triple.subject_type), (triple.object, triple.object_type)):
            types[name] = types.get(name) or kind
    return [NamedEntity(name=name, type=kind, aliases=[]) for name, kind in types.items()]


def _fact(told: Told, numbers: Mapping[int, int]) -> StatedFact:
    triple = told.triple
    return StatedFact(
        subject=triple.subject,
        relation=triple.relation,
        object=triple.object,
        sentence=triple.text,
        valid_from=_written(triple.valid_from),
        valid_to=_written(triple.valid_to),
        messages=[numbers[place] for place in told.places if place in numbers],
        retracts=triple.retracts,
    )


def _written(moment: Moment | None) -> str | None:
    return str(moment) if moment else None


def _addition(number: int) -> Judgement:
    return Judgement(number=number, operation="ADD", facts=[], sentence=None, since=None, reason="it is new")
