"""FactConsolidation: numbered facts, of which later ones override earlier ones, and questions about the final state."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from mem0g import Triple
from mem0g.errors import InputError
from mem0g.text.names import fold

HINT = "give a FactConsolidation file: facts (text, subject, relation, object) and questions (question, answers)"

Key = tuple[str, str]
"""Key of a statement: its folded subject and its relation."""

_HOPS = re.compile(r"(?:^|_)(sh|mh)(?=_|$)")

MAX_HOPS = 4
"""Maximum facts on the path to an answer in the multi-hop questions as published."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A fact as stated: its position in the file, the sentence, and its subject, relation and object."""

    place: int
    text: str
    subject: str
    relation: str
    object: str

    @property
    def key(self) -> Key:
        """Its key; of two statements with the same key the later one holds."""
        return fold(self.subject), self.relation

    @property
    def triple(self) -> Triple:
        """The fact as a triple for a memory."""
        return Triple(subject=self.subject, relation=self.relation, object=self.object, text=self.text)


@dataclass(frozen=True, slots=True)
class Question:
    """A question about the final state, with all accepted spellings of the answer."""

    text: str
    answers: tuple[str, ...]


@dataclass(frozen=True)
class FactFile:
    """One file; ``name`` is its stem, ``hops`` whether answers need several facts."""

    name: str
    hops: bool
    statements: tuple[Statement, ...]
    questions: tuple[Question, ...]

    @cached_property
    def relations(self) -> tuple[str, ...]:
        """The names of the relations, in order of appearance."""
        return tuple(dict.fromkeys(statement.relation for statement in self.statements))

    @cached_property
    def last(self) -> dict[Key, str]:
        """The folded object that finally holds, by key."""
        return {statement.key: fold(statement.object) for statement in self.statements}

    @cached_property
    def holding(self) -> tuple[Statement, ...]:
        """The statements that no later one overrides."""
        return tuple(filter(self.holds, self.statements))

    def holds(self, statement: Statement) -> bool:
        """Whether no later statement overrides this one."""
        return self.last[statement.key] == fold(statement.object)


class _Fact(BaseModel):
    model_config = ConfigDict(strict=True)
    text: str
    subject: str
    relation: str
    object: str


class _Question(BaseModel):
    model_config = ConfigDict(strict=True)
    question: str
    answers: tuple[str, ...]


class _File(BaseModel):
    facts: tuple[_Fact, ...]
    questions: tuple[_Question, ...]
    source: str = ""


def read_fact_file(path: Path) -> FactFile:
    """Read a file.

    Raises InputError, naming the file, when it is missing, malformed, or has no facts or no questions.
    """
    try:
        read = TypeAdapter(_File).validate_json(path.read_bytes())
    except FileNotFoundError as error:
        raise InputError(f"no such file: {path}", hint="check the path") from error
    except ValidationError as error:
        raise InputError(f"{path}: {_problem(error)}", hint=HINT) from error
    if not read.facts or not read.questions:
        raise InputError(f"{path} has no {'facts' if not read.facts else 'questions'}", hint=HINT)
    statements = tuple(_statement(place, fact) for place, fact in enumerate(read.facts))
    questions = tuple(Question(each.question, each.answers) for each in read.questions)
    return FactFile(path.stem, _hops(path, read.source), statements, questions)


def names(text: str, name: str) -> bool:
    """Whether ``text`` contains ``name`` as whole words, ignoring case."""
    return re.search(rf"(?<!\w){re.escape(fold(name))}(?!\w)", fold(text)) is not None


def _statement(place: int, fact: _Fact) -> Statement:
    """Build a statement; a full stop taken over from the sentence is removed from the object."""
    whole = fact.object.endswith(".") and fact.text.endswith(fact.object)
    return Statement(place, fact.text, fact.subject, fact.relation, fact.object[:-1] if whole else fact.object)


def _hops(path: Path, source: str) -> bool:
    found: Sequence[str] = _HOPS.findall(path.stem) or _HOPS.findall(source)
    if not found:
        raise InputError(
            f"{path}: neither single-hop (sh) nor multi-hop (mh)", hint="name the file as published: sh_6k.json"
        )
    return found[0] == "mh"


def _problem(error: ValidationError) -> str:
    first: dict[str, Any] = dict(error.errors(include_url=False)[0])
    return f"{'.'.join(map(str, first['loc'])) or 'the file'}: {first['msg']}"


def ceiling(file: FactFile) -> float:
    """Return the percentage of questions whose answer follows the file's own rule: current facts lead to it.

    In the others the answer is an overridden fact's. This is an upper bound, as paths by chance are not excluded.
    """
    reached = sum(lead_to_answer(file.holding, each, MAX_HOPS if file.hops else 1) for each in file.questions)
    return round(100 * reached / len(file.questions), 1)


def lead_to_answer(statements: Iterable[Statement], question: Question, hops: int = MAX_HOPS) -> bool:
    """Whether ``statements`` lead from a name in the question to an answer of it."""
    answers = {fold(answer) for answer in question.answers}
    return any(fold(each.object) in answers for each in _reached_from_names(statements, question, hops))


def on_the_way(file: FactFile, question: Question) -> set[Key]:
    """Return the keys of the current facts that lead to the answer; if none do, of all facts reached from the names."""
    led = _reached_from_names(file.holding, question, MAX_HOPS)
    wanted = {fold(answer) for answer in question.answers}
    way: dict[Key, None] = {}
    for _ in range(MAX_HOPS):
        way |= {each.key: None for each in led if fold(each.object) in wanted}
        wanted |= {subject for subject, _ in way}
    return set(way) or {each.key for each in led}


def _reached_from_names(statements: Iterable[Statement], question: Question, hops: int) -> list[Statement]:
    """Return the statements on the paths from the names in the question, up to ``hops`` long."""
    by_subject: dict[str, list[Statement]] = defaultdict(list)
    for statement in statements:
        by_subject[fold(statement.subject)].append(statement)
    frontier = {name for name in by_subject if names(question.text, name)}
    reached, led = set(frontier), []
    for _ in range(hops):
        new = [each for name in sorted(frontier) for each in by_subject.get(name, ())]
        led += new
        frontier = {fold(each.object) for each in new} - reached
        reached |= frontier
    return led
