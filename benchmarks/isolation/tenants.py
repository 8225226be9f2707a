"""Fifty tenants with similar keys; every text, name and fact of each carries its marker."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from time import sleep
from typing import TYPE_CHECKING, Any

from benchmarks.faults.checks import scope_contents
from mem0g import Memory, Scope, Triple
from mem0g.errors import InputError
from mem0g.pipeline import SUMMARY_EVERY, open_pipeline
from mem0g.settings import LLMSettings, Settings
from mem0g.store.protocol import Store
from mem0g.store.records import ConversationSummary
from mem0g.testing import HashingEmbedder

if TYPE_CHECKING:
    from mem0g.model import Matrix

HIDDEN = re.compile(r"hv(\d\d)kx", re.IGNORECASE)
"""The hidden marker of a tenant, with its number."""

LEARNT = re.compile(r"rv(\d\d)kx", re.IGNORECASE)
"""The marker of relation names: scopes with the same user, else agent, else run, share their vocabulary."""

_ID = re.compile(r"\b[mef]_[0-9a-f]{16}\b")
_ANY = re.compile(r"[ _-]*(?:hv|rv|zq)\d\dkx[ _-]*", re.IGNORECASE)

_LOOKALIKES = (
    *("ann", "Ann", "ANN", "anna", "an", "ann ", " ann", "ann'", 'ann"', "ann`", "ann%", "ann_", "a%", "_nn", "ann*"),
    *("ann?", "ann\\", "ann&agent_id=bot", "ann,agent_id=bot", "user_id=ann", "ann=1", "ann%26", "ann' OR '1'='1"),
    *(
        "ａｎｎ",
        "аnn",
        "ańn",
        "an\u0301n",
        "ann\u0301",
        "ann:bot",
        "ann/bot",
        "null",
        "None",
        "0",
        "ann)",
        "+ann",
        "ann~",
    ),
)
"""User ids: prefixes, patterns, quotes, separators, other alphabets, and words for missing values."""

_COMBINED: tuple[dict[str, str], ...] = (
    {"user_id": "ann", "agent_id": "bot"},
    {"user_id": "ann", "agent_id": "bot", "run_id": "r1"},
    {"user_id": "ann", "run_id": "r1"},
    {"user_id": "ann", "run_id": "r10"},
    {"user_id": "ann&agent_id=bot", "run_id": "r1"},
    {"agent_id": "ann"},
    {"agent_id": "bot"},
    {"agent_id": "bot", "run_id": "r1"},
    {"run_id": "ann"},
    {"run_id": "r1"},
    {"run_id": "r"},
    {"user_id": "bot"},
    {"user_id": "r1"},
    {"user_id": "anna", "agent_id": "bot"},
)
"""Combinations of keys, some of which cover others."""

RELATION = "takes_the_bitter_old_pills_{}_of_doctor_smith"
"""A relation whose name carries the tenant's marker; to the embedder those of all tenants are equal."""

UNREADABLE = "Mumble"
"""Marks a message for which the model's reply is invalid."""


class Blind:
    """As HashingEmbedder, but ignoring markers: all tenants get equal vectors, so that only scopes separate them."""

    name, dimensions = "blind-384", 384

    def __init__(self) -> None:
        self._hashing = HashingEmbedder(self.dimensions)

    def embed(self, texts: Sequence[str]) -> Matrix:
        """See Embedder."""
        return self._hashing.embed([_ANY.sub(" ", text) for text in texts])


@dataclass(frozen=True)
class Tenant:
    """A scope and its markers: ``public`` occurs in questions, ``hidden`` only in results.

    ``vocabulary`` is the number of the first tenant with which it shares its relation names.
    """

    number: int
    scope: Scope
    vocabulary: int

    @property
    def keys(self) -> dict[str, Any]:
        """The keys as arguments of Memory's methods."""
        return dict(self.scope.keys)

    @property
    def public(self) -> str:
        """The marker used in questions."""
        return f"zq{self.number:02}kx"

    @property
    def hidden(self) -> str:
        """The marker that occurs in no question, except for an exact name."""
        return f"hv{self.number:02}kx"

    @property
    def relation(self) -> str:
        """The relation used only by those who share its vocabulary."""
        return RELATION.format(f"rv{self.vocabulary:02}kx")

    @property
    def name(self) -> str:
        """The name of an entity of its own."""
        return f"Carla {self.public} {self.hidden}"

    def messages(self) -> list[dict[str, Any]]:
        """Its messages."""
        texts = [
            f"I live in Oslo {self.public} {self.hidden}.",
            f"I like figs {self.public} {self.hidden}.",
            f"I live in Rome {self.public} {self.hidden}.",
        ]
        return [
            {
                "role": "user",
                "name": f"Ann {self.hidden}",
                "content": text,
                "id": f"same-{place}",  # the same for all: source ids are not unique over tenants
                "session": f"s {self.hidden}",
            }
            for place, text in enumerate(texts)
        ]

    def chat(self) -> list[str]:
        """Enough messages for a summary."""
        return [f"I play chess {number} {self.hidden}." for number in range(SUMMARY_EVERY)]

    def triples(self) -> list[Triple]:
        """Its prepared triples; one home replaces the other."""
        facts = [(self.relation, f"pills {self.hidden}"), *(("lives_in", f"{town} {self.hidden}") for town in _TOWNS)]
        return [
            Triple(subject=self.name, relation=relation, object=thing, text=f"{self.name} {relation} {thing}.")
            for relation, thing in facts
        ]


_TOWNS = ("Porto", "Vienna")


def tenants(count: int) -> list[Tenant]:
    """Generate ``count`` tenants, at most 50, alternating between combined keys and similar ones."""
    scopes = [Scope(**keys) for keys in _COMBINED]
    alike = [Scope(user_id=name) for name in dict.fromkeys(_LOOKALIKES)]
    mixed = [scope for pair in zip(alike, scopes, strict=False) for scope in pair] + alike[len(scopes) :]
    if count > len(mixed):
        raise InputError(f"{count} tenants", hint=f"at most {len(mixed)} are made up")
    first: dict[tuple[str, str], int] = {}
    numbered = [(number, scope, next(iter(scope.keys.items()))) for number, scope in enumerate(mixed[:count])]
    return [Tenant(number, scope, first.setdefault(owner, number)) for number, scope, owner in numbered]


@dataclass
class World:
    """The tenants of a store; ``prompts`` are those sent to the model since the last check."""

    tenants: Sequence[Tenant]
    prompts: list[str] = field(default_factory=list)
    owners: dict[str, int] = field(default_factory=dict)

    @cached_property
    def visible(self) -> Mapping[int, frozenset[int]]:
        """The numbers of the tenants that each one covers."""
        return {
            one.number: frozenset(other.number for other in self.tenants if one.scope.covers(other.scope))
            for one in self.tenants
        }

    @cached_property
    def learnt(self) -> Mapping[int, frozenset[int]]:
        """The vocabularies of the tenants that each one covers."""
        return {one: frozenset(self.tenants[each].vocabulary for each in seen) for one, seen in self.visible.items()}

    def leaks(self, tenant: Tenant, asked: str, answer: str) -> set[int]:
        """Return the tenants outside the scope of ``tenant`` with data in an answer; it may repeat ``asked``."""
        text = answer.replace(asked, "") if asked else answer
        found = {int(number) for number in HIDDEN.findall(text)}
        found |= {self.owners[each] for each in set(_ID.findall(text)) if each in self.owners}
        learnt = {int(number) for number in LEARNT.findall(text)}
        return found - self.visible[tenant.number] | learnt - self.learnt[tenant.number]

    def mixed(self, prompt: str) -> bool:
        """Whether a prompt contains data of tenants that no single tenant covers."""
        named = {int(number) for number in HIDDEN.findall(prompt)}
        learnt = {int(number) for number in LEARNT.findall(prompt)}
        return not any(named <= seen and learnt <= self.learnt[one] for one, seen in self.visible.items())

    def fill(self, store: Store, base_url: str) -> None:
        """Add messages, triples and pending messages for every tenant."""
        with_rules, with_model = memory(store, "rules"), memory(store, "llm", base_url, pair=SUMMARY_EVERY)
        for tenant in self.tenants:
            with_rules.add(tenant.messages(), **tenant.keys)
            with_rules.add_triples(tenant.triples(), **tenant.keys)
            with_model.add([{"role": "user", "content": text} for text in tenant.chat()], **tenant.keys)
            with_model.add(f"{UNREADABLE} {tenant.hidden}.", **tenant.keys)
        while any(not summary.text for summary in store.records(ConversationSummary)):
            sleep(0.01)  # summaries are written in the background
        self.owners = self._owners(store)

    def _owners(self, store: Store) -> dict[str, int]:
        """Return the tenant of every id."""
        numbers = {tenant.scope: tenant.number for tenant in self.tenants}
        found: dict[str, int] = {}
        for scope, mine in scope_contents(store).items():
            ids = [each.id for each in mine.messages] + [each.id for each in mine.entities]
            found |= dict.fromkeys([*ids, *(each.id for each in mine.facts)], numbers[scope])
        return found

    def reply(self, function: str, prompt: str) -> str:
        """Return the arguments of the model's call: a fact of the tenant in the prompt, with a relation of its own."""
        self.prompts.append(prompt)
        numbers = HIDDEN.findall(prompt.rpartition("New messages:")[2] or prompt)
        tenant = self.tenants[int(numbers[0])] if numbers else self.tenants[0]
        marker = tenant.hidden
        if function == "keep_summary":
            return json.dumps({"summary": f"They talk of {marker}."})
        if function == "decide":
            return json.dumps(_decisions(prompt))
        if UNREADABLE in prompt.rpartition("New messages:")[2]:
            return json.dumps({"mumbled": marker})
        return json.dumps(_extraction(prompt, tenant))


def memory(store: Store, extractor: str, base_url: str | None = None, pair: int = 1) -> Memory:
    """Open a memory over an open store; a model reads ``pair`` messages at once."""
    llm = LLMSettings(model="scripted", base_url=base_url, api_key="none", retries=0, timeout=30)
    settings = Settings(llm=llm, add_window_size=pair, context=4)
    return Memory(store, Blind(), open_pipeline(extractor, store, settings), settings)


def _extraction(prompt: str, tenant: Tenant) -> dict[str, Any]:
    number, marker = int(re.findall(r"^\[(\d+)\]", prompt, re.MULTILINE)[-1]), tenant.hidden
    names = [{"name": f"Dora {marker}", "type": "person", "aliases": []}]
    names += [{"name": f"pills {marker}", "type": "thing", "aliases": []}]
    fact = {
        "subject": f"Dora {marker}",
        "relation": tenant.relation.replace("bitter", "sweet"),
        "object": f"pills {marker}",
        "sentence": f"Dora takes pills {marker} in message {number}.",
        "valid_from": None,
        "valid_to": None,
        "messages": [number],
        "retracts": False,
    }
    return {"entities": names, "facts": [fact]}


def _decisions(prompt: str) -> dict[str, Any]:
    new = re.findall(r"^\[(\d+)\]", prompt.partition("New facts")[2], re.MULTILINE)
    empty: dict[str, Any] = {"operation": "ADD", "facts": [], "sentence": None, "since": None, "reason": "new"}
    same: dict[str, Any] = {"same": []} if "Names that may mean" in prompt else {}
    return {"decisions": [{"number": int(number), **empty} for number in new], **same}
