"""Let a model say whether each context of mem0g tells what is asked, as ``Memory.context(check=True)`` does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from statistics import fmean
from typing import Any

from benchmarks.beam.figures import ALL, Asked, percent
from benchmarks.beam.reading import ABSTENTION, BeamChat
from benchmarks.models import Calls, ask_twice
from benchmarks.report import Row
from mem0g.answer.checking import check_request
from mem0g.errors import ModelAccessError, ModelError, UnknownModelError
from mem0g.llm.exchange import Exchange
from mem0g.llm.prompts import Prompts
from mem0g.times import now


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """A context that a model has checked: whether it is ``known``, the ``found`` words or what is ``missing``.

    ``tokens`` are those of the prompt and the reply; of a context without text no model is asked. ``problem`` is what
    prevented the check.
    """

    asked: Asked
    known: bool = False
    found: str = ""
    missing: str = ""
    tokens: int = 0
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checks:
    """The model that checks, ``concurrency`` contexts at a time; ``ends`` are the times at which the chats ended."""

    model: Exchange
    ends: Mapping[str, datetime]
    prompts: Prompts = field(default_factory=Prompts)
    concurrency: int = 4

    def of(self, given: Iterable[Asked]) -> list[Checked]:
        """Return the contexts of mem0g checked, in order; what fails is retried once, after all others.

        Raises ModelAccessError and UnknownModelError at once, as they would fail every question.
        """
        tasks = [each for each in given if each.found.known is not None]
        return ask_twice(self._checked, tasks, self.concurrency, "checked", lambda each: bool(each.problem))

    def _checked(self, asked: Asked) -> Checked:
        if not asked.found.checkable:
            return Checked(asked=asked)
        calls, at = Calls(), self.ends[asked.chat]
        request = check_request(asked.question.text, asked.found.checkable, at=at, prompts=self.prompts)
        try:
            reply = self.model.ask(request, calls)
        except (ModelAccessError, UnknownModelError):
            raise
        except ModelError as error:
            return Checked(asked=asked, problem=str(error))
        spent = sum(call.prompt_tokens + call.completion_tokens for call in calls.calls)
        return Checked(asked=asked, known=reply.known, found=reply.found, missing=reply.missing, tokens=spent)


def ends_of(chats: Iterable[BeamChat]) -> dict[str, datetime]:
    """Return the time of the last message of each chat, which is when its questions are asked."""
    return {chat.name: max((each.time for each in chat.messages if each.time), default=now()) for chat in chats}


def check_rows(outcomes: Iterable[Checked]) -> list[Row]:
    """Return a row for each budget and slice: all questions with evidence, and each ability; shares in percent.

    ``unknown`` is the share that is not known by mem0g without a model, ``checked`` by the model: right for abstention,
    wrong for all others. ``covered`` is ``checked`` of those questions alone whose context covers all the evidence.
    ``tokens`` are the mean tokens of a check, ``n`` the contexts checked.
    """
    kept: dict[tuple[int | None, str], list[Checked]] = {}
    for each in outcomes:
        ability = each.asked.question.ability
        for name in (ability,) if ability == ABSTENTION else (ALL, ability):
            kept.setdefault((each.asked.budget, name), []).append(each)
    order = sorted(kept.items(), key=lambda item: item[0][1] != ALL)
    return [{"method": "mem0g", "budget": budget, "slice": name, **_figures(some)} for (budget, name), some in order]


def _figures(some: Sequence[Checked]) -> Row:
    done = [each for each in some if not each.problem]
    return {
        "unknown": percent([not each.asked.found.known for each in done]),
        "checked": percent([not each.known for each in done]),
        "covered": percent([not each.known for each in done if each.asked.covered == 1]),
        "tokens": round(fmean(each.tokens for each in done), 1) if done else None,
        "n": len(done),
        "failed": len(some) - len(done),
    }


def check_details(outcomes: Iterable[Checked]) -> list[dict[str, Any]]:
    """Return each context with what the model said of it, for reading."""
    return [
        {
            **each.asked.described,
            "covered": each.asked.covered,
            "known": each.known,
            "found": each.found,
            "missing": each.missing,
            "context": each.asked.found.checkable,
            **({"problem": each.problem} if each.problem else {}),
        }
        for each in outcomes
    ]
