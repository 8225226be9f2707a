"""The scripted model: it reads the sentences of a prompt's new messages and replies in the form that is asked for.

It makes no mistake and never merges, ends or doubts anything, so that what goes wrong is a system's own doing. It
knows the prompts of mem0g, mem0 1.0.11 and graphiti 0.31.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from benchmarks.pipeline.simulated_model import SUMMARY
from benchmarks.synthetic import Event
from mem0g.errors import InputError

_SENTENCE = re.compile(
    r"[A-Z]\w+ [A-Z]\w+ (?:visited|bought|cooked|read|watched|repaired|attended|photographed) [^.]+\."
)

_CURRENT = re.compile(r"<CURRENT[_ ]MESSAGE>(.*)</CURRENT[_ ]MESSAGE>", re.DOTALL)
_ENTITIES = re.compile(r"<ENTITIES>(.*?)</ENTITIES>", re.DOTALL)
_EXISTING = re.compile(r"<EXISTING ENTITIES>(.*?)</EXISTING ENTITIES>", re.DOTALL)
_FACTS = re.compile(r"<FACTS>(.*?)</FACTS>", re.DOTALL)

HINT = "has a prompt changed? benchmarks/peers/replies.py knows those of mem0g, mem0 1.0.11 and graphiti 0.31"

Body = Mapping[str, Any]
Message = dict[str, Any]
"""The assistant's message of a chat completion."""


class ScriptedModel:
    """Replies about known events."""

    def __init__(self, events: Sequence[Event]) -> None:
        self._events = {event.sentence: event for event in events}
        self._questions = {event.question: event for event in events}
        self._functions: dict[str, Callable[[str], Any]] = {
            "remember": lambda prompt: self._mem0g(_after("New messages:", prompt)),
            "decide": lambda prompt: {"decisions": []} | ({"same": []} if "Names that may" in prompt else {}),
            "keep_summary": lambda _: {"summary": SUMMARY},
            "extract_entities": self._mem0_entities,
            "establish_relationships": lambda prompt: {"entities": self._mem0_relations(_after("Text:", prompt))},
            "delete_graph_memory": lambda _: None,
        }
        self._schemas: dict[str, Callable[[str], Any]] = {
            "ExtractedEntities": lambda prompt: {"extracted_entities": self._graphiti_entities(prompt)},
            "ExtractedEdges": lambda prompt: {"edges": self._graphiti_edges(prompt)},
            "NodeResolutions": lambda prompt: {"entity_resolutions": _equal_names(prompt)},
            "EdgeDuplicate": lambda _: {"duplicate_facts": [], "contradicted_facts": []},
            "EdgeTimestamps": lambda _: {"valid_at": None, "invalid_at": None},
            "BatchEdgeTimestamps": lambda prompt: {
                "timestamps": [{"valid_at": None, "invalid_at": None} for _ in _listed(_FACTS, prompt)]
            },
            "SummarizedEntities": lambda prompt: {
                "summaries": [{"name": each["name"], "summary": SUMMARY} for each in _listed(_ENTITIES, prompt)]
            },
        }

    def reply(self, body: Body) -> Message:
        """Return the message that answers a chat completion request. Raises InputError for an unknown prompt."""
        prompt = str(body["messages"][-1]["content"])
        if tools := body.get("tools"):
            name = tools[0]["function"]["name"]
            return _call(name, _known(self._functions, name)(prompt))
        form = body.get("response_format") or {}
        if form.get("type") == "json_schema":
            return _content(_known(self._schemas, form["json_schema"]["name"])(prompt))
        return _content(self._mem0(prompt))

    def _said(self, text: str) -> list[Event]:
        """Return the known events that a text states, in order, each once."""
        found = (self._events.get(sentence) for sentence in dict.fromkeys(_SENTENCE.findall(text)))
        return [event for event in found if event]

    def _mem0g(self, messages: str) -> dict[str, Any]:
        """Return mem0g.extract.llm.replies.Extraction."""
        number = int(re.findall(r"^\[(\d+)\]", messages, re.MULTILINE)[0])
        said = self._said(messages)
        facts = [
            {
                "subject": event.person,
                "relation": event.kind.relation,
                "object": event.thing,
                "literal": False,
                "sentence": event.sentence,
                "brief": None,
                "valid_from": event.day.date().isoformat(),
                "valid_to": None,
                "observed": None,
                "planned_for": None,
                "messages": [number],
                "retracts": False,
            }
            for event in said
        ]
        entities = [{"name": name, "type": kind, "aliases": []} for name, kind in _names(said).items()]
        return {"entities": entities, "facts": facts}

    def _mem0(self, prompt: str) -> dict[str, Any]:
        """Return the facts of new messages, or what to do with new facts: all are added."""
        known, heading, new = prompt.rpartition("The new retrieved facts are")
        if not heading:
            return {"facts": [event.sentence for event in self._said(prompt)]}
        first = known.count("'id':")
        added = [event.sentence for event in self._said(new)]
        return {"memory": [{"id": str(first + n), "text": text, "event": "ADD"} for n, text in enumerate(added)]}

    def _mem0_entities(self, prompt: str) -> dict[str, Any]:
        """Return the entities of messages, or of a question."""
        asked = self._questions.get(prompt.strip())
        names = _names([asked] if asked else self._said(prompt))
        return {"entities": [{"entity": name, "entity_type": kind} for name, kind in names.items()]}

    def _mem0_relations(self, text: str) -> list[dict[str, str]]:
        return [
            {"source": event.person, "relationship": event.kind.relation, "destination": event.thing}
            for event in self._said(text)
        ]

    def _graphiti_entities(self, prompt: str) -> list[dict[str, Any]]:
        return [{"name": name, "entity_type_id": 0} for name in _names(self._said(_section(_CURRENT, prompt)))]

    def _graphiti_edges(self, prompt: str) -> list[dict[str, Any]]:
        return [
            {
                "source_entity_name": event.person,
                "target_entity_name": event.thing,
                "relation_type": event.kind.relation.upper(),
                "fact": event.sentence,
                "valid_at": f"{event.day:%Y-%m-%d}T00:00:00Z",
                "invalid_at": None,
            }
            for event in self._said(_section(_CURRENT, prompt))
        ]


def _equal_names(prompt: str) -> list[dict[str, Any]]:
    """Resolve each entity of a prompt of graphiti to the existing one of exactly the same name."""
    existing = {each["name"]: each["candidate_id"] for each in _listed(_EXISTING, prompt)}
    return [
        {"id": each["id"], "name": each["name"], "duplicate_candidate_id": existing.get(each["name"], -1)}
        for each in _listed(_ENTITIES, prompt)
    ]


def _names(events: Sequence[Event]) -> dict[str, str]:
    """Return the names of persons and objects, with their types, in order."""
    return {
        name: kind
        for event in events
        for name, kind in ((event.person, "person"), (event.thing, event.kind.object_type))
    }


def _known(scripts: Mapping[str, Callable[[str], Any]], name: str) -> Callable[[str], Any]:
    if name not in scripts:
        raise InputError(f"no reply is scripted for {name!r}", hint=HINT)
    return scripts[name]


def _after(heading: str, prompt: str) -> str:
    """Return what follows the last occurrence of a heading."""
    _, found, rest = prompt.rpartition(heading)
    if not found:
        raise InputError(f"a prompt has no {heading!r}", hint=HINT)
    return rest


def _section(tag: re.Pattern[str], prompt: str) -> str:
    found = tag.search(prompt)
    if not found:
        raise InputError(f"a prompt has no {tag.pattern!r}", hint=HINT)
    return found[1]


def _listed(tag: re.Pattern[str], prompt: str) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = json.loads(_section(tag, prompt))
    return listed


def _content(value: object) -> Message:
    return {"role": "assistant", "content": json.dumps(value)}


def _call(name: str, arguments: object) -> Message:
    """Return a call of a function; without arguments the model calls none."""
    if arguments is None:
        return {"role": "assistant", "content": "Nothing is to be done."}
    called = {"id": "call_1", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
    return {"role": "assistant", "content": None, "tool_calls": [called]}
