"""The section "Measured" of docs/comparison.md, made from OUT.json: ``python -m benchmarks.peers.page OUT.json``.

The figures are kept in measured.json beside this file; without OUT.json the section is made from these again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated, Any

import typer

from benchmarks.report import Row

KEPT = Path(__file__).parent / "measured.json"
PAGE = Path(__file__).parents[2] / "docs" / "comparison.md"

BEGIN = "<!-- generated from measured figures: python -m benchmarks.peers.page OUT.json -->"
END = "<!-- end of the generated part -->"

OWN = ("mem0g-neo4j", "mem0g-sqlite")
TITLES = {"mem0g-sqlite": "mem0g, SQLite", "mem0g-neo4j": "mem0g, Neo4j", "mem0": "mem0", "graphiti": "graphiti"}

KEYS = ("date", "commit", "machine", "versions", "installed", "missing", "failed", "rows")
"""What is kept of OUT.json."""

Documented = Mapping[str, Any]
"""The content of OUT.json."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the table: its label, the figure's name, how it is shown, and whether more is better.

    ``slow`` lines are of slow replies. A line that is not ``compared`` is neither ahead nor behind.
    """

    label: str
    figure: str
    shown: Callable[[float], str]
    slow: bool = False
    more_is_better: bool = False
    compared: bool = True


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.1f}"


def _seconds(value: float) -> str:
    return f"{value:.2f} s"


def _milliseconds(value: float) -> str:
    return f"{value:,.0f} ms"


def _percent(value: float) -> str:
    return f"{value:.0f}%"


INSTALLED = (
    Line("installed, with all it needs", "megabytes", lambda value: f"{value:,.0f} MB"),
    Line("packages", "packages", _number),
    Line("cold import", "import_seconds", _seconds),
)

COUNTED = (
    Line("model calls for an add", "model_calls_per_add", _number),
    Line("of these one after the other", "sequential_calls_per_add", _number, slow=True),
    Line("prompt tokens for an add", "prompt_tokens_per_add", _number),
    Line("embedding calls for an add", "embedding_calls_per_add", _number),
    Line("texts embedded for an add", "texts_embedded_per_add", _number),
    Line("Cypher queries for an add", "cypher_queries_per_add", _number),
    Line("an add, median", "add_p50_seconds", _seconds),
    Line("an add, 95%", "add_p95_seconds", _seconds),
    Line("an add with slow replies, median", "add_p50_seconds", _seconds, slow=True),
    Line("an add with slow replies, 95%", "add_p95_seconds", _seconds, slow=True),
    Line("CPU for an add", "cpu_ms_per_add", _milliseconds),
    Line("of it in Neo4j", "server_cpu_ms_per_add", _milliseconds, compared=False),
    Line("model calls for a search", "model_calls_per_search", _number),
    Line("a search, median", "search_p50_ms", _milliseconds),
    Line("a search, 95%", "search_p95_ms", _milliseconds),
    Line("a search with slow replies, median", "search_p50_ms", _milliseconds, slow=True),
    Line("CPU for a search", "cpu_ms_per_search", _milliseconds),
    Line("of it in Neo4j", "server_cpu_ms_per_search", _milliseconds, compared=False),
    Line("the asked fact among the first ten", "found_in_ten", _percent, more_is_better=True),
    Line("triples stored as given, of {triples_added}", "stored_right", _number, more_is_better=True),
    Line("triples stored that nobody gave", "stored_wrong", _number),
    Line("from its start until it is ready, its indexes made", "ready_seconds", _seconds),
    Line("floor: embedding a sentence", "embedding_ms", lambda value: f"{value:.1f} ms", compared=False),
)


def section(document: Documented) -> str:
    """Return the generated part of the page, between its two comments."""
    systems = [name for name in TITLES if name in document["installed"]]
    parts = [BEGIN, *_introduction(document), "", *_table("", INSTALLED, _installed(document), systems)]
    for facts in dict.fromkeys(row["facts"] for row in document["rows"]):
        rows = [row for row in document["rows"] if row["facts"] == facts]
        title = f"{facts:,} facts before" if facts else "an empty store"
        parts += ["", *_table(title, COUNTED, rows, systems)]
    parts += ["", *_behind(document, systems)]
    parts += [f"- not measured: {name}: {why}" for name, why in (document["missing"] | document["failed"]).items()]
    return "\n".join([*parts, END])


def _introduction(document: Documented) -> Iterator[str]:
    versions, first = document["versions"], document["rows"][0]
    slow = next((row for row in document["rows"] if row["seconds_a_reply"]), None)
    peers = " and ".join(f"{name} {versions[name]}" for name in ("mem0", "graphiti") if name in versions)
    slowly = f"; slow replies take {slow['seconds_a_reply']:g} s ({slow['pairs']} pairs)" if slow else ""
    day = date.fromisoformat(document["date"])
    where = f"on {document['machine']}, Python {versions['python']}, Neo4j {versions.get('neo4j', 'not used')}"
    yield (
        f"Measured on {day.day} {day:%B %Y} in one run: mem0g at {document['commit']}, {peers}, {where}, the same for "
        "all, in turn."
    )
    yield (
        "One local server is the model of all, and embeds for all with MiniLM. The model is scripted: it knows every "
        "fact, makes no mistake and merges nothing."
    )
    yield (
        f"{first['pairs']} pairs of messages state five facts each, all of people whose first names and family names "
        f"recur; {first['searches']} questions ask for one fact each. Replies take no time{slowly}."
    )
    yield (
        "In parentheses: the figure divided by that of mem0g on Neo4j, in the same run. Counts are exact, times are "
        "not: other programs ran beside it, more or fewer, so read them beside the floor of their column. CPU time, on "
        "average, is that of the system's own process and of Neo4j, without the model and the embeddings; waiting for "
        "other programs does not count. All settings are the usual ones; mem0 has `base_label`, without which it makes "
        "no index. Tokens are words × 1.3."
    )


def _table(title: str, lines: Sequence[Line], rows: Sequence[Row], systems: Sequence[str]) -> Iterator[str]:
    yield f"| {title} | " + " | ".join(TITLES[name] for name in systems) + " |"
    yield "|---|" + "---|" * len(systems)
    for line in lines:
        values = {name: _value(line, rows, name) for name in systems}
        if any(value is not None for value in values.values()):
            cells = [_cell(line, values[name], values.get(OWN[0]), name) for name in systems]
            label = line.label.format(triples_added=rows[0].get("triples_added"))
            yield f"| {label} | {' | '.join(cells)} |"


def _cell(line: Line, value: float | None, own: float | None, name: str) -> str:
    if value is None:
        return ""
    ratio = f" ({value / own:.1f})" if line.compared and own and name not in OWN else ""
    return line.shown(value) + ratio


def _value(line: Line, rows: Sequence[Row], name: str) -> float | None:
    """Return a system's figure; None where it was not measured, or has no meaning for it."""
    found = [row for row in rows if row["method"] == name and bool(row["seconds_a_reply"]) == line.slow]
    value = found[0].get(line.figure) if found else None
    if name == "mem0g-sqlite" and line.figure.startswith("cypher"):
        return None
    return None if value is None else float(value)


def _behind(document: Documented, systems: Sequence[str]) -> Iterator[str]:
    """Yield where a form of mem0g is behind the better of the others."""
    found = []
    for own in (name for name in OWN if name in systems):
        for title, lines, rows in _groups(document):
            for line in lines:
                mine = _value(line, rows, own)
                peers = {name: _value(line, rows, name) for name in systems if name not in OWN}
                better = [name for name, value in peers.items() if _is_ahead(line, value, mine)]
                if better:
                    label = line.label.format(triples_added=rows[0].get("triples_added"))
                    found.append(f"- {TITLES[own]} behind {' and '.join(better)}: {label}{title}")
    yield "Where mem0g is behind:" if found else "mem0g is behind in none of these figures."
    if found:
        yield ""
        yield from found


def _is_ahead(line: Line, value: float | None, mine: float | None) -> bool:
    if value is None or mine is None or not line.compared:
        return False
    return value > mine if line.more_is_better else value < mine


def _groups(document: Documented) -> Iterator[tuple[str, Sequence[Line], Sequence[Row]]]:
    yield "", INSTALLED, _installed(document)
    for facts in dict.fromkeys(row["facts"] for row in document["rows"]):
        yield f", {facts:,} facts before", COUNTED, [row for row in document["rows"] if row["facts"] == facts]


def _installed(document: Documented) -> list[Row]:
    return [{"method": name, "seconds_a_reply": 0} | each for name, each in document["installed"].items()]


def replaced(page: str, made: str) -> str:
    """Return the page with its generated part replaced."""
    before, _, rest = page.partition(BEGIN)
    return before + made + rest.partition(END)[2]


def main(
    out: Annotated[
        Path | None, typer.Argument(exists=True, dir_okay=False, help="OUT.json of `benchmarks peers`.")
    ] = None,
) -> None:
    """Keep the figures of OUT.json, and write the section of the page from those that are kept."""
    if out:
        given = json.loads(out.read_text(encoding="utf-8"))
        KEPT.write_text(json.dumps({key: given[key] for key in KEYS}, indent=1) + "\n", encoding="utf-8")
    document = json.loads(KEPT.read_text(encoding="utf-8"))
    PAGE.write_text(replaced(PAGE.read_text(encoding="utf-8"), section(document)), encoding="utf-8")


if __name__ == "__main__":
    typer.run(main)
