"""The mirror's report: one HTML file, with no script and nothing loaded."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape
from typing import TYPE_CHECKING

from mem0g import Fact, Message
from mem0g.views import svg

if TYPE_CHECKING:
    from networkx import MultiDiGraph

    from prompts import Challenge, ShadowAnswer, Verdict

STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#1c2430;background:#fff}
h1{margin-bottom:.2rem}h2{margin-top:2.5rem;border-bottom:1px solid #d5dae2}.dim{color:#5d6878}
.exchange{border:1px solid #d5dae2;border-radius:.5rem;padding:.8rem 1rem;margin:1rem 0}
.kind{font-size:.8rem;font-weight:600;text-transform:uppercase;letter-spacing:.04em;color:#5d6878}
.question{font-weight:600;margin:.3rem 0}.answer{margin:.3rem 0;padding-left:.8rem;border-left:3px solid #6b8fd6}
.score{float:right;font-weight:700;padding:0 .5rem;border-radius:.3rem;background:#e7f4ea;color:#1c6b32}
.score.half{background:#fff4d6;color:#7a5700}.score.none{background:#fde8e6;color:#a02419}
details{margin:.25rem 0}summary{cursor:pointer}blockquote{margin:.3rem 0 .3rem 1rem;color:#414b5a;white-space:pre-wrap;
overflow-wrap:anywhere}.ended summary{text-decoration:line-through;color:#7a8494}figure{overflow:auto;margin:1rem 0}
figure svg{min-width:90rem;height:auto}a{color:#2557b8}
@media(prefers-color-scheme:dark){body{background:#14181f;color:#e3e7ee}a{color:#8fb3ff}blockquote{color:#b7c0cd}
.dim,.kind{color:#98a3b3}.exchange,h2{border-color:#333b48}figure{background:#fff;border-radius:.5rem}}
"""


@dataclass(frozen=True)
class Exchange:
    """A challenge, the shadow's answer and the referee's verdict on it."""

    challenge: Challenge
    answer: ShadowAnswer
    verdict: Verdict


@dataclass(frozen=True)
class Round:
    """The exchanges of a round, and what the referee advises."""

    exchanges: Sequence[Exchange]
    advice: str

    @property
    def score(self) -> float:
        """The mean support of the answers, from 0 to 100."""
        return sum(each.verdict.support for each in self.exchanges) / len(self.exchanges)


def date(time: datetime | None) -> str:
    """Return the day of a time, or "no date"."""
    return f"{time:%Y-%m-%d}" if time else "no date"


def html(
    name: str,
    facts: Mapping[int, tuple[Fact, Sequence[Message]]],
    rounds: Sequence[Round],
    graph: MultiDiGraph[str],
) -> str:
    """Return the report as an HTML page. Names and texts are escaped: they come from files."""
    said = [fact.said_at for fact, _ in facts.values() if fact.said_at]
    span = f", {date(min(said))} to {date(max(said))}" if said else ""
    played = "".join(_round(number, each) for number, each in enumerate(rounds, 1))
    return f"""<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>The mirror of {escape(name)}</title><style>{STYLE}</style>
<h1>The mirror of {escape(name)}</h1>
<p class="dim">{len(facts)} facts{span}. {_scores(rounds)}</p>
{played}
<h2>What is known</h2>
{_known(facts)}
<h2>The graph</h2>
<figure>{svg(graph)}</figure>
</html>
"""


def _scores(rounds: Sequence[Round]) -> str:
    return " ".join(f"Round {number}: {each.score:.0f} of 100." for number, each in enumerate(rounds, 1))


def _round(number: int, played: Round) -> str:
    exchanges = "".join(_exchange(each) for each in played.exchanges)
    return f"<h2>Round {number}: {played.score:.0f} of 100</h2><p>{escape(played.advice)}</p>{exchanges}"


def _exchange(each: Exchange) -> str:
    mark = {0: "none", 50: "half", 100: ""}[each.verdict.support]
    return f"""<div class="exchange"><span class="score {mark}">{each.verdict.support}</span>
<div class="kind">{each.challenge.kind}</div>
<div>{escape(each.challenge.finding)} {_links(each.challenge.facts)}</div>
<div class="question">{escape(each.challenge.question)}</div>
<div class="answer">{escape(each.answer.answer)} {_links(each.answer.facts)}</div>
<div class="dim">{escape(each.verdict.verdict)}</div></div>"""


def _links(numbers: Sequence[int]) -> str:
    return " ".join(f'<a href="#fact-{number}">[{number}]</a>' for number in numbers)


def _known(facts: Mapping[int, tuple[Fact, Sequence[Message]]]) -> str:
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for number, (fact, evidence) in facts.items():
        words = "".join(
            f"<blockquote>{escape(each.text)}<br><span class=dim>{escape(each.speaker)}, {date(each.time)}, "
            f"{escape(each.source)}</span></blockquote>"
            for each in evidence
        )
        ended = "" if fact.current else ' class="ended"'
        groups[fact.relation].append(
            f'<details id="fact-{number}"{ended}><summary>[{number}] {escape(fact.text)} '
            f'<span class="dim">{date(fact.said_at)}</span></summary>{words}</details>'
        )
    sections = sorted(groups.items(), key=lambda group: -len(group[1]))
    return "".join(
        f"<h3>{escape(relation.lower().replace('_', ' '))}</h3>{''.join(rows)}" for relation, rows in sections
    )
