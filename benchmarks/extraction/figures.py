"""Figures of an extraction by sample, and the cost of its calls."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benchmarks.extraction.matching import Pair, details
from benchmarks.extraction.running import Run
from benchmarks.report import Row
from mem0g.llm.protocol import Call


@dataclass(frozen=True, slots=True)
class Compared:
    """A run with the reference triples of its windows."""

    run: Run
    pairs: Sequence[Pair]


def rows(method: str, compared: Sequence[Compared]) -> list[Row]:
    """Return a row for all samples together and, if there are several, one for each.

    ``recovered`` is the percentage of the ``reference`` triples that share a turn with an extracted one of cosine ≥
    0.6; all other figures are of these pairs. ``dates`` is the percentage of dates given by both that agree, at the
    coarser precision; ``dates_wrong`` is the number that do not, ``undated`` the number of start dates that only the
    reference has. ``wrong_persons``: pairs about different speakers. ``lost``: details missing from everything
    extracted from those turns, ``lost_percent`` their share. ``failed`` windows count in no other figure.
    """
    slices: dict[str, Sequence[Compared]] = {"all": compared}
    if len(compared) > 1:
        slices |= {each.run.conversation.id: [each] for each in compared}
    return [{"method": method, "slice": name, **_figures(some)} for name, some in slices.items()]


def _figures(compared: Sequence[Compared]) -> Row:
    runs = [each.run for each in compared]
    pairs = [pair for each in compared for pair in each.pairs]
    messages, facts = sum(each.messages for each in runs), sum(len(each.claims) for each in runs)
    return {
        "windows": sum(len(each.windows) for each in runs),
        "failed": sum(len(each.failed) for each in runs),
        "messages": messages,
        "facts": facts,
        "facts_per_message": _ratio(facts, messages),
        "reference": len(pairs),
        "recovered": _percent(sum(pair.recovered for pair in pairs), len(pairs)),
        **_of_pairs([pair for pair in pairs if pair.recovered]),
        "wrong_persons": sum(pair.wrong_person(each.run.speakers) for each in compared for pair in each.pairs),
    }


def _of_pairs(recovered: Sequence[Pair]) -> Row:
    dates = [agreed for pair in recovered for agreed in pair.dates]
    lost = sum(len(pair.lost) for pair in recovered)
    return {
        "dates": _percent(sum(dates), len(dates)),
        "dates_wrong": len(dates) - sum(dates),
        "undated": sum(pair.undated for pair in recovered),
        "lost": lost,
        "lost_percent": _percent(lost, sum(len(details(pair.reference.triple.text)) for pair in recovered)),
    }


def costs(calls: Iterable[Call], messages: int) -> list[Row]:
    """Return the cost of the calls, by purpose and in total.

    ``messages`` are those of all windows, failed ones too. ``kept``: calls answered by the reply cache, so that their
    tokens are estimated. ``repairs``: calls that asked again after an invalid reply. Tokens are per message.
    """
    made = list(calls)
    purposes = dict.fromkeys(call.purpose for call in made)
    groups = [(name, [call for call in made if call.purpose == name]) for name in purposes]
    return [*(_cost(name, some, messages) for name, some in groups), _cost("all", made, messages)]


def _cost(purpose: str, calls: Sequence[Call], messages: int) -> Row:
    return {
        "purpose": purpose,
        "calls": len(calls),
        "kept": sum(call.cached for call in calls),
        "repairs": sum(call.attempt > 1 for call in calls),
        "calls_per_message": _ratio(len(calls), messages),
        "tokens_in": _ratio(sum(call.prompt_tokens for call in calls), messages),
        "tokens_out": _ratio(sum(call.completion_tokens for call in calls), messages),
    }


def table(found: Sequence[Row]) -> list[Row]:
    """Return the rows as printed: a line per figure, a column per slice."""
    names = [name for name in found[0] if name not in ("method", "slice")]
    return [{"figure": name} | {row["slice"]: _shown(row[name]) for row in found} for name in names]


def cost_table(found: Sequence[Row]) -> list[Row]:
    """Return the costs as printed."""
    return [{name: _shown(value) for name, value in row.items()} for row in found]


def _shown(value: object) -> str:
    return "" if value is None else str(value)


def _ratio(part: float, whole: float) -> float | None:
    return round(part / whole, 3) if whole else None


def _percent(part: float, whole: float) -> float | None:
    return round(100 * part / whole, 1) if whole else None
