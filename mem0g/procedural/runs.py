"""The run of an agent as steps: what was done, with which results, and what failed; and its summary."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime

from mem0g.model import Scope

SOURCE = "run"
"""The source of the messages of runs; their session is the run."""

NOTED = "procedural"
"""The key of their metadata."""

ARROW = "\n→ "
"""Stands between a call and its result in the text of a step."""

RESULT_LENGTH = 2000
"""Characters of a result in a summary; of a longer one the beginning and the end. The message has all of it."""

_FAILURE = re.compile(
    r"^[ \t]*(?:E[ \t]+)?(?:Traceback \(most recent call last\)|(?:[A-Za-z_][\w.]*)?(?:Error|Exception)\b"
    r"|(?:error|fatal|failed)\b ?:|An error occurred\b)"
    r"|\b[Ee]xit(?:ed with)?(?: code| status)? ?[:=]? ?[1-9]\d*\b|\b(?:command not found|[Pp]ermission denied)\b"
    r"|^[ \t]*\{[ \t]*\"(?:error|is_error)\"[ \t]*:(?![ \t]*(?:null|false|\"\"|\[\]|\{\}))",
    re.MULTILINE,
)
_WORD = re.compile(r"\w+")
_PARAMETER = re.compile(r'"\w+"(?=[ \t]*:)')
_ERROR_LINE = re.compile(r"^[ \t]*(?:E[ \t]+)?((?:[A-Za-z_][\w.]*)?(?:Error|Exception)\b.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Step:
    """One call of a tool: its ``number`` in the run, from 1, and its ``arguments`` as given, mostly JSON.

    ``result`` is what came back, unchanged. ``error`` is the line of it that says what went wrong, "" if nothing did.
    ``findings`` is what the agent said to the result, and a model noted about it. ``message_id``: the stored message.
    """

    number: int
    tool: str
    arguments: str
    result: str
    error: str = ""
    findings: tuple[str, ...] = ()
    time: datetime | None = None
    message_id: str = ""

    @property
    def action(self) -> str:
        """The call on one line."""
        return f"{self.tool}({self.arguments})"

    def repeats(self, other: Step) -> bool:
        """Whether it is of the same tool, and has at least half of the words in the arguments of ``other``."""
        words = _words(other.arguments)
        return self.tool == other.tool and 2 * len(words & _words(self.arguments)) >= len(words)


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """The run of an agent.

    ``objective`` is what it was asked, ``steps`` what it did, ``outcome`` its last words, "" while it goes on.
    ``progress`` and ``context`` are what a language model noted of how far it came and how things stand at its end;
    without one ``progress`` is made of the counts. ``score``: of a run that a search found, larger for a better one.
    """

    id: str
    scope: Scope
    objective: str
    steps: tuple[Step, ...] = ()
    outcome: str = ""
    progress: str = ""
    context: str = ""
    score: float = 0.0

    @property
    def failures(self) -> tuple[tuple[Step, Step | None], ...]:
        """The steps that failed, each with the next one that worked and tries the same again, if there is one.

        That is one of the same tool whose arguments have at least half of the words in those of the failed one.
        """
        return tuple(
            (step, next((later for later in self.steps[place + 1 :] if later.repeats(step) and not later.error), None))
            for place, step in enumerate(self.steps)
            if step.error
        )

    @property
    def summary(self) -> str:
        """The run with all its steps, under the headings of mem0's procedural memory."""
        lines = [
            "## Summary of the agent's execution history",
            "",
            f"**Task Objective**: {self.objective or 'unknown'}",
        ]
        lines.append(f"**Progress Status**: {self.progress or counted(self)}")
        for step in self.steps:
            lines += ["", f"{step.number}. **Agent Action**: {step.action}", "   **Action Result**:"]
            lines += [f"      {line}" for line in (shorter(step.result, RESULT_LENGTH) or "(nothing)").splitlines()]
            lines += [f"   **Key Findings**: {' '.join(each.split())}" for each in step.findings]
            lines += [f"   **Errors & Challenges**: {step.error}"] if step.error else []
        context = self.context or (f"finished: {self.outcome}" if self.outcome else "the run goes on")
        return "\n".join([*lines, "", f"**Current Context**: {context}"])

    @property
    def lesson(self) -> str:
        """The run in a few lines: the objective, the way that worked, and what failed with what helped."""
        lines = [f"Run {self.id}: {self.objective}", f"Progress: {self.progress or counted(self)}"]
        worked = [step for step in self.steps if not step.error]
        lines += [f"  {step.number}. {shorter(step.action, 200)}" for step in worked]
        for step, later in self.failures:
            helped = f"; then worked: {shorter(later.action, 200)}" if later else ""
            lines.append(f"  failed: {shorter(step.action, 200)}: {step.error}{helped}")
        return "\n".join([*lines, *([f"Outcome: {shorter(self.outcome, 300)}"] if self.outcome else [])])


def _words(arguments: str) -> frozenset[str]:
    """Return the words of arguments, without the names of the parameters in JSON."""
    return frozenset(_WORD.findall(_PARAMETER.sub(" ", arguments).casefold()))


def counted(run: Run) -> str:
    """Return how far a run came, by its counts."""
    failed = sum(bool(step.error) for step in run.steps)
    steps = f"{len(run.steps)} step{'' if len(run.steps) == 1 else 's'}, {failed} failed"
    return f"{steps}; {'finished' if run.outcome else 'not finished'}"


def error_in(result: str, *, failed: bool = False) -> str:
    """Return the line of a result that says what went wrong, "" if nothing seems to have; ``failed``: it is known.

    By rule: an exception or a line that begins with an error, an exit code other than 0, JSON with an error.
    """
    found = _FAILURE.search(result)
    if not (failed or found):
        return ""
    lines = _ERROR_LINE.findall(result)
    if lines:
        return " ".join(str(lines[-1]).split())[:300]
    start = result.rfind("\n", 0, found.start() + 1) + 1 if found else 0
    line = next((line for line in result[start:].splitlines() if line.strip()), "failed")
    return " ".join(line.split())[:300]


def shorter(text: str, length: int) -> str:
    """Return the text, or its beginning and its end with a note of what is left out between."""
    if len(text) <= length:
        return text
    head, tail = length * 2 // 3, length // 3
    return f"{text[:head]} [… {len(text) - head - tail} characters left out …] {text[-tail:]}"


def with_finding(step: Step, text: str) -> Step:
    """Return the step with a finding, unless it has that one."""
    return step if text in step.findings else replace(step, findings=(*step.findings, text))
