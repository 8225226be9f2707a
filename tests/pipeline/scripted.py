"""A simulated language model for tests: it parses the prompts, and answers as a small and exact model would.

It understands sentences such as "Ann lives in Oslo since 2020.", "Ann no longer likes tea." and "Olivia is called
Liv.", each a fact of its own. "Indeed, ..." is understood with the message before it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from threading import Event, Lock
from typing import Any

from tests.llm.server import Asked, Reply, call

PURPOSES = {
    "remember": "extract",
    "list_entities": "entities",
    "write_facts": "relations",
    "decide": "decide",
    "keep_summary": "summary",
}
"""What is asked for, by the name of the function to be called."""

KINDS = {"lives in": "city", "works at": "company", "visited": "country", "plans to visit": "country"}
"""The type of an object, by the words before it; of others it is "thing"."""

ONE_AT_A_TIME = ("lives in", "works at")

_NAME = r"[A-Z]\w*(?: [A-Z]\w*)*"
_FACT = re.compile(
    rf"(?P<subject>{_NAME}) (?P<no>no longer )?(?P<verb>lives in|works at|likes|visited|plans to visit|knows)"
    r" (?P<object>\w+(?: \w+)*?)(?: since (?P<since>[\d-]+))?(?: until (?P<until>[\d-]+))?\."
)
_CALLED = re.compile(rf"(?P<name>{_NAME}) is called (?P<alias>\w+)\.")
_MESSAGE = re.compile(r'\[(\d+)\] (.+): ("(?:[^"\\]|\\.)*")')
_SHOWN = re.compile(r'\[(\d+)\] ("(?:[^"\\]|\\.)*") \((.*)\)')
_TOUCHES = " ~ "
NAMES = "Names that may mean one thing:"


@dataclass(frozen=True)
class Said:
    """A message as shown in the prompt."""

    number: int
    speaker: str
    text: str


@dataclass(frozen=True)
class Shown:
    """A fact as shown in the prompt; ``touches`` are the numbers of those that it may contradict."""

    number: int
    text: str
    times: str
    touches: tuple[int, ...] = ()


@dataclass(frozen=True)
class Prompt:
    """A parsed request: its purpose, and the numbered items in it."""

    purpose: str
    system: str
    user: str
    context: tuple[Said, ...] = ()
    messages: tuple[Said, ...] = ()
    known: tuple[Shown, ...] = ()
    new: tuple[Shown, ...] = ()
    pairs: tuple[str, ...] = ()
    attempt: int = 1
    model: str = ""

    @classmethod
    def of(cls, asked: Asked) -> Prompt:
        """Parse a request that calls for a function."""
        (_, system), (_, user), *follow_up = asked.texts
        purpose = PURPOSES[asked.json["tools"][0]["function"]["name"]]
        paragraphs = [part.split("\n") for part in user.split("\n\n")]
        said = list(filter(None, (tuple(_said(part)) for part in paragraphs)))
        shown = list(filter(None, (tuple(_shown(part)) for part in paragraphs if part[0] != NAMES)))
        pairs = [line for part in paragraphs if part[0] == NAMES for line in part[1:]]
        return cls(
            purpose=purpose,
            system=system,
            user=user,
            context=said[0] if len(said) > 1 else (),
            messages=said[-1] if said else (),
            known=shown[0] if len(shown) > 1 else (),
            new=shown[-1] if shown else (),
            pairs=tuple(pairs),
            attempt=len(follow_up) // 2 + 1,
            model=asked.json["model"],
        )

    @property
    def texts(self) -> list[str]:
        """The texts of the new messages."""
        return [each.text for each in self.messages]


Answer = Callable[[Prompt], Any]
"""The arguments of the call that answers a prompt; or a Reply, which goes out as it is."""


def facts(prompt: Prompt) -> list[dict[str, Any]]:
    """Return a fact for each sentence of the new messages that is understood."""
    return [_fact(found, said) for said in prompt.messages for found in _FACT.finditer(said.text)]


def entities(prompt: Prompt) -> list[dict[str, Any]]:
    """Return the ends of the facts, each once, with the other names that the messages give them."""
    types: dict[str, str] = {}
    aliases: dict[str, list[str]] = {}
    for said in prompt.messages:
        for found in _FACT.finditer(said.text):
            types |= {found["subject"]: "person", found["object"]: KINDS.get(found["verb"], "thing")}
        for found in _CALLED.finditer(said.text):
            types[found["name"]] = "person"
            aliases.setdefault(found["name"], []).append(found["alias"])
    return [{"name": name, "type": kind, "aliases": aliases.get(name, [])} for name, kind in types.items()]


def decisions(prompt: Prompt) -> list[dict[str, Any]]:
    """Return a decision for each new fact that does something to a known one."""
    known = {each.number: each for each in (*prompt.known, *prompt.new)}
    made = (decision(new, [known[number] for number in new.touches]) for new in prompt.new)
    return [each for each in made if each]


def decision(new: Shown, known: Sequence[Shown]) -> dict[str, Any] | None:
    """Return the correct decision about a new fact, given those that it may contradict; None if it is to be added."""
    told = _parsed(new)
    for each in known:
        other = _parsed(each)
        if told is None or other is None:
            continue
        ends = [told[part] == other[part] for part in ("subject", "verb", "object")]
        if all(ends) and told["no"] and not other["no"]:
            return decided(new.number, "DELETE", each.number, reason="it was taken back")
        if new.text == each.text:
            return decided(new.number, "NOOP", each.number, reason="known")
        if all(ends) and told["since"] and not other["since"]:
            return decided(new.number, "UPDATE", each.number, sentence=new.text, reason="now with its date")
        if ends == [True, True, False] and told["verb"] in ONE_AT_A_TIME:
            return decided(new.number, "DELETE", each.number, reason="one at a time")
        came_true = (told["verb"], other["verb"]) == ("visited", "plans to visit")
        if ends == [True, False, True] and came_true:
            return decided(new.number, "DELETE", each.number, reason="the plan came true")
    return None


def decided(
    number: int, operation: str, *touched: int, sentence: str | None = None, since: str | None = None, reason: str = ""
) -> dict[str, Any]:
    """A decision."""
    given = {"sentence": sentence, "since": since, "reason": reason or None}
    return {"number": number, "operation": operation, "facts": list(touched), **given}


def good(prompt: Prompt) -> dict[str, Any]:
    """Return the arguments of a good reply to any prompt."""
    if prompt.purpose == "extract":
        return {"entities": entities(prompt), "facts": facts(prompt)}
    if prompt.purpose == "entities":
        return {"entities": entities(prompt)}
    if prompt.purpose == "relations":
        return {"facts": facts(prompt)}
    if prompt.purpose == "decide":
        return {"decisions": decisions(prompt)} | ({"same": []} if prompt.pairs else {})
    return {"summary": f"Up to {prompt.messages[-1].text}"}


@dataclass
class Gate:
    """A request that is held back: ``reached`` is set when it has arrived, the reply follows once ``open`` is set."""

    reached: Event = field(default_factory=Event)
    open: Event = field(default_factory=Event)


@dataclass
class Model:
    """The script: replies well unless set otherwise, and records the requests in order."""

    asked: list[Prompt] = field(default_factory=list)
    _otherwise: list[tuple[str, frozenset[int] | None, Answer]] = field(default_factory=list)
    _gates: list[Gate] = field(default_factory=list)
    _lock: Lock = field(default_factory=Lock)

    def __call__(self, asked: Asked) -> Reply:
        """See tests.llm.server.Script."""
        prompt = Prompt.of(asked)
        with self._lock:
            self.asked.append(prompt)
            answer = self._answer(prompt.purpose, self.count(prompt.purpose))
        said = answer(prompt)
        name = asked.json["tools"][0]["function"]["name"]
        return said if isinstance(said, Reply) else call(said, name=name)

    def count(self, *purposes: str) -> int:
        """Return the number of requests so far, including repairs; for these purposes only, if given."""
        return len([each for each in self.asked if not purposes or each.purpose in purposes])

    def prompts(self, purpose: str) -> list[Prompt]:
        """Return the prompts of a purpose."""
        return [each for each in self.asked if each.purpose == purpose]

    def says(self, answer: Answer | Reply, purpose: str = "", *turns: int) -> None:
        """Set the reply in these turns (from 1) of a purpose; without turns in all, without purpose to all requests.

        The last setting counts.
        """

        def reply(prompt: Prompt) -> Any:
            return answer

        told = reply if isinstance(answer, Reply) else answer
        self._otherwise.insert(0, (purpose, frozenset(turns) or None, told))

    def is_well(self) -> None:
        """Reply well from now on."""
        self._otherwise.clear()

    def holds(self, purpose: str, *turns: int) -> Gate:
        """Hold these requests back until the gate is opened."""
        gate = Gate()
        self._gates.append(gate)

        def later(prompt: Prompt) -> Any:
            gate.reached.set()
            gate.open.wait()
            return good(prompt)

        self.says(later, purpose, *turns)
        return gate

    def end(self) -> None:
        """Open all gates."""
        for gate in self._gates:
            gate.open.set()

    def _answer(self, purpose: str, turn: int) -> Answer:
        for wanted, turns, answer in self._otherwise:
            if wanted in ("", purpose) and (turns is None or turn in turns):
                return answer
        return good


def _said(lines: Sequence[str]) -> Iterator[Said]:
    for line in lines:
        if found := _MESSAGE.fullmatch(line):
            yield Said(int(found[1]), found[2], json.loads(found[3]))


def _shown(lines: Sequence[str]) -> Iterator[Shown]:
    for line in lines:
        told, _, touches = line.partition(_TOUCHES)
        if found := _SHOWN.fullmatch(told):
            yield Shown(int(found[1]), json.loads(found[2]), found[3], tuple(map(int, re.findall(r"\d+", touches))))


def _fact(found: re.Match[str], said: Said) -> dict[str, Any]:
    return {
        "subject": found["subject"],
        "relation": found["verb"].replace(" ", "_"),
        "object": found["object"],
        "sentence": found[0],
        "valid_from": found["since"],
        "valid_to": found["until"],
        "messages": [said.number - 1, said.number] if said.text.startswith("Indeed, ") else [said.number],
        "retracts": bool(found["no"]),
    }


def _parsed(shown: Shown) -> re.Match[str] | None:
    return _FACT.fullmatch(shown.text)
