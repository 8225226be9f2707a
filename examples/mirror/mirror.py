"""A mirror of oneself: what your commits, notes and chats show of how you work, and how well that holds when asked.

    python mirror.py --name "Ann Lee" --git ~/src/project --read notes/ --read chats.jsonl --out mirror.html

An extractor turns the files into a graph of preferences and decisions. In each round, a challenger looks for
contradictions, outdated habits and blind spots, a shadow answers in your place and cites facts, and a referee scores
the answers by their evidence. Set OPENAI_API_KEY, or OPENAI_BASE_URL for another server; ``--replies`` is a file of the
model's replies, so that a run can be repeated without it.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from mem0g import Fact, Memory, Message, Request, Settings, Triple, Utterance, Window, read_files, read_text
from mem0g.errors import Mem0gError, UnusableReplyError
from pydantic import BaseModel

from prompts import CHALLENGER, EXTRACTOR, REFEREE, SHADOW, Challenges, Habits, ShadowAnswer, Verdicts
from report import Exchange, Round, date, html

R = TypeVar("R", bound=BaseModel)

USER = "me"
FACTS_SHOWN = 12
"""Facts that the shadow is shown for a question."""


class HabitExtractor:
    """Turns windows of messages into triples about one person; see "An extractor" in docs/extending.md."""

    name = "habits"
    mirror: Mirror

    def extract(self, window: Window) -> Sequence[Triple]:
        """Return the habits that the window's messages show."""
        lines = [f"{n}. [{date(each.time)}] {each.speaker}: {each.text}" for n, each in enumerate(window.messages, 1)]
        habits = self.mirror.ask("habits", EXTRACTOR, "\n".join(lines), Habits).habits
        return [
            Triple(
                subject=self.mirror.name,
                relation=habit.relation,
                object=habit.object,
                text=habit.sentence,
                subject_type="person",
                object_type="thing" if habit.object_is_a_thing else "literal",
                evidence=tuple(window.messages[n - 1].id for n in habit.messages if 0 < n <= len(lines)),
                retracts=habit.given_up,
            )
            for habit in habits
        ]


class Mirror:
    """A memory of one person, called ``name``, and the three who talk about it."""

    def __init__(self, memory: Memory, name: str) -> None:
        self.memory, self.name = memory, name
        self.asked: list[str] = []

    def ask(
        self,
        role: str,
        rules: str,
        user: str,
        reply: type[R],
        shown: str = "",
        check: Callable[[R], None] = lambda reply: None,
    ) -> R:
        """Return the model's reply; what is ``shown`` comes before ``user``, and may differ from run to run."""
        request = Request(
            purpose=role,
            system=rules.format(name=self.name),
            hints=shown,
            user=user,
            function="write",
            reply=reply,
            check=check,
        )
        return self.memory.complete(request, user_id=USER)

    def facts(self) -> dict[int, Fact]:
        """Return all facts, those given up too, numbered from 1."""
        return dict(enumerate(self.memory.facts(user_id=USER, include_retired=True), 1))

    def evidence(self, fact: Fact) -> list[Message]:
        """Return the messages that a fact rests on."""
        return list(self.memory.why(fact.id, user_id=USER).evidence)

    def play(self) -> Round:
        """Play one round: the challenges, the shadow's answers, the referee's verdicts."""
        facts = self.facts()

        def check(*cited: int) -> None:
            if unknown := set(cited) - set(facts):
                raise UnusableReplyError(f"there is no fact {unknown.pop()}")

        before = "\n".join(["Asked before:", *self.asked]) if self.asked else "Nothing was asked before."
        known = "\n".join(line(number, fact) for number, fact in facts.items())
        challenges = self.ask(
            "challenger",
            CHALLENGER,
            before,
            Challenges,
            known,
            lambda reply: check(*(n for c in reply.challenges for n in c.facts)),
        ).challenges
        self.asked += [each.question for each in challenges]
        answers = [
            self.ask(
                "shadow",
                SHADOW,
                each.question,
                ShadowAnswer,
                self.shown(each.question, facts),
                lambda reply: check(*reply.facts),
            )
            for each in challenges
        ]
        sheet = [
            f"{n}. {c.question}\nAnswer: {a.answer}"
            for n, (c, a) in enumerate(zip(challenges, answers, strict=True), 1)
        ]
        cited = "\n".join(self.quoted(n, facts[n]) for n in sorted({n for each in answers for n in each.facts}))
        judged = self.ask(
            "referee", REFEREE, "\n\n".join(sheet), Verdicts, cited, lambda reply: every(reply, len(sheet))
        )
        verdicts = sorted(judged.verdicts, key=lambda each: each.question)
        return Round([Exchange(*each) for each in zip(challenges, answers, verdicts, strict=True)], judged.advice)

    def shown(self, question: str, facts: dict[int, Fact]) -> str:
        """Return the facts that a search finds for a question, a line each."""
        numbers = {fact.id: number for number, fact in facts.items()}
        hits = self.memory.search(question, user_id=USER, limit=3 * FACTS_SHOWN, include_retired=True)
        found = [hit.fact for hit in hits if hit.fact][:FACTS_SHOWN]
        return "\n".join(line(numbers[fact.id], fact) for fact in found)

    def quoted(self, number: int, fact: Fact) -> str:
        """Return a fact with the words of the messages that it rests on."""
        return "\n".join([line(number, fact), *(f'   "{each.text[:600]}"' for each in self.evidence(fact))])


def line(number: int, fact: Fact) -> str:
    """Return a fact on one line: since when it is known, by how many messages, and whether it was given up."""
    ended = "" if fact.current else ", given up since"
    return f"{number}. {fact.text} ({date(fact.said_at)}, messages: {len(fact.evidence)}{ended})"


def every(reply: Verdicts, questions: int) -> None:
    """Raise UnusableReplyError unless there is one verdict for each question."""
    if sorted(each.question for each in reply.verdicts) != list(range(1, questions + 1)):
        raise UnusableReplyError(f"give one verdict for each of the {questions} questions, by its number")


def read(name: str, repositories: Sequence[Path], paths: Sequence[Path]) -> list[Utterance]:
    """Return what the files and the logs of git say; what names no author is said by the person."""
    said = list(read_files(paths, speaker=name).utterances) if paths else []
    for each in repositories:
        log = subprocess.run(["git", "-C", each, "log", "--date=iso"], capture_output=True, text=True, check=True)
        said += read_text(log.stdout, each.resolve().name, format="git-log")
    return [replace(each, speaker=each.speaker or name) if each.role == "user" else each for each in said]


def main() -> None:
    """Read, play, and write the report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--name", required=True, help="what you are called in the facts")
    parser.add_argument("--git", type=Path, action="append", default=[], help="a repository whose log is read")
    parser.add_argument("--read", type=Path, action="append", default=[], help="notes, chats: a file or a folder")
    parser.add_argument("--store", default="mirror.db", help="where the graph is kept: a file or neo4j://host")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--replies", type=Path, help="a file of the model's replies: it is read, and added to")
    parser.add_argument("--out", type=Path, default=Path("mirror.html"))
    given = parser.parse_args()
    settings = Settings.from_environment()
    settings = replace(settings, llm=replace(settings.llm, cache=given.replies))
    extractor = HabitExtractor()
    try:
        with Memory.open(given.store, extractor=extractor, settings=settings) as memory:
            extractor.mirror = mirror = Mirror(memory, given.name)
            for report in memory.ingest(read(given.name, given.git, given.read), user_id=USER):
                print(f"read {report.messages} messages: {report.facts} facts, {report.retired} given up")
            rounds = [mirror.play() for _ in range(given.rounds)]
            facts = {number: (fact, mirror.evidence(fact)) for number, fact in mirror.facts().items()}
            given.out.write_text(html(given.name, facts, rounds, memory.subgraph(user_id=USER)), encoding="utf-8")
    except (Mem0gError, subprocess.CalledProcessError) as error:
        sys.exit(f"{error}\n{getattr(error, 'hint', '') or ''}".strip())
    for number, each in enumerate(rounds, 1):
        print(f"round {number}: {each.score:.0f} of 100. {each.advice}")
    print(f"the report is in {given.out}")


if __name__ == "__main__":
    main()
