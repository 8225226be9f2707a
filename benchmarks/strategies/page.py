"""docs/strategies.md, made of kept figures: ``python -m benchmarks.strategies.page [OUT.json ...]``.

Each OUT.json of the benchmark that is given is kept first, without the names of folders, under the source of its facts.
Then the page is written anew, and its picture where matplotlib is installed.
"""

from __future__ import annotations

import importlib
import json
import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks.locomo import CATEGORIES
from benchmarks.report import Row
from benchmarks.strategies.picture import draw
from mem0g.errors import InputError
from mem0g.strategies import STRATEGIES

ROOT = Path(__file__).resolve().parents[2]
PAGE, PICTURE = ROOT / "docs" / "strategies.md", ROOT / "docs" / "images" / "strategies.svg"
KEPT = Path(__file__).parent / "kept"
"""The kept figures, one file for each source of facts."""

SOURCES = {
    "triples": "Facts as a strong model extracts them (reference triples)",
    "rules": "Facts by mem0g's rules, no model anywhere",
    "llm": "Facts by a model in this run",
}
"""The sources of facts, in the order of the page; the first that is kept is drawn."""

_KEYS = ("benchmark", "command", "commit", "versions", "data_sha256", "facts", "samples", "rows")

_VERSIONS = ("python", "mem0g", "numpy", "embedder", "model")

_HEADER = """\
<!-- Written by `python -m benchmarks.strategies.page` from the figures in benchmarks/strategies/kept: do not edit. -->

# Strategies

What is a model shown of the past before it answers? `mem0g.strategies` has nine answers behind one protocol, so that
they can be compared on the same conversation, and exchanged in one line. Each uses a `Memory`: messages are
durable when `add` returns, in SQLite and in Neo4j, and a strategy that is opened later goes on where the last one
stopped.

```python
from mem0g import Memory
from mem0g.strategies import LayeredMemory, open_strategy

with Memory.open("memory.db", extractor="rules") as memory:
    strategy = LayeredMemory(memory, user_id="ann")          # or open_strategy("layered", memory, user_id="ann")
    strategy.add([{"role": "user", "content": "I moved to Lisbon."}, {"role": "assistant", "content": "Since when?"}])
    print(strategy.context("Where does Ann live?", tokens=500).text)
    same = open_strategy("knowledge-graph", memory, user_id="ann").context("Where does Ann live?")
```
"""

_CHOICES = (
    ("the whole conversation fits into a prompt, and its price does not matter", "full-history"),
    ("only what was said just now matters", "sliding-window"),
    ("every prompt begins with the same short profile of the user", "relevance-filter"),
    ("one long thread, whose course matters more than its details", "summary"),
    ("questions are worded like their answers, and nothing changes over time", "vector-retrieval"),
    ("people, times and changes over months; answers spread over sessions", "knowledge-graph"),
    ("an assistant that is talked to every day: the present and the past at once", "layered"),
    ("an agent that keeps its own notes while it works", "paging"),
    ("short sentences about a user are enough, and a model is at hand", "dense-memories"),
)

_CAVEATS = """\
**Read them with care.** LOCOMO asks about everything that was ever said, so what forgets on purpose (a window, a
summary, a profile) does badly here whatever its merits elsewhere; and what shows the last turns first (layered,
paging) spends a part of its budget on them that no question here needs. Evidence counts as covered where a message,
or a fact that cites it, is shown; the summary by rule is credited for the messages that it quotes from. A line can
cite the right message and lack the word that answers, which is what "words" is for. mem0g was developed on these
conversations. `calls` are those of a model for each message that is added, `ms` are milliseconds of the processor,
medians, with the embedding of messages and questions. Neither a question nor a message calls a model here. With
`--answers` a model answers from each context, and another judges.
"""


def keep(out: Path) -> Path:
    """Keep the figures of an OUT.json; return where. Raises InputError when it is of another benchmark."""
    document = json.loads(out.read_text(encoding="utf-8"))
    if document.get("benchmark") != "strategies":
        raise InputError(
            f"{out} is not of the benchmark strategies", hint="python -m benchmarks strategies --out OUT.json"
        )
    kept = {key: document[key] for key in _KEYS}
    kept["command"] = shlex.join(_without_folders(shlex.split(document["command"])))
    kept["versions"] = {key: value for key, value in document["versions"].items() if key in _VERSIONS}
    KEPT.mkdir(exist_ok=True)
    path = KEPT / f"{document['facts']}.json"
    rows = ",\n  ".join(json.dumps(row) for row in kept.pop("rows"))
    head = json.dumps(kept, indent=1, ensure_ascii=False).removesuffix("\n}")
    path.write_text(f'{head},\n "rows": [\n  {rows}\n ]\n}}\n', encoding="utf-8")
    return path


def _without_folders(arguments: Sequence[str]) -> list[str]:
    """Return the arguments of a command with names of files instead of paths, and without where its results went."""
    named: list[str] = []
    for argument in arguments:
        if named and named[-1] in ("--out", "--picture"):
            named.pop()
        else:
            named.append(Path(argument).name if argument.startswith(("/", "~", ".")) else argument)
    return named


def kept() -> dict[str, dict[str, Any]]:
    """Return the kept figures by source of facts, in the order of the page."""
    files = {source: KEPT / f"{source}.json" for source in SOURCES}
    return {source: json.loads(path.read_text("utf-8")) for source, path in files.items() if path.exists()}


def page(runs: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the text of the page."""
    first = next(iter(runs))
    parts = [
        _HEADER,
        "## Which to choose\n",
        _choices(runs[first]["rows"], first),
        _winners(runs),
        f"![Evidence recall against tokens](images/{PICTURE.name})\n",
        "## The strategies\n",
        *(_described(name) for name in STRATEGIES),
        "## Figures\n",
        *(_figures(source, run) for source, run in runs.items()),
        _CAVEATS,
        *(_provenance(source, run) for source, run in runs.items()),
    ]
    return "\n".join(parts).rstrip() + "\n"


def _choices(rows: Sequence[Row], source: str) -> str:
    lines = [
        "| if | take | evidence covered / words of the answer, % |",
        "|---|---|---|",
        *(f"| {case} | [{name}](#{name}) | {_covered(rows, name)} |" for case, name in _CHOICES),
    ]
    return "\n".join(lines) + f"\n\n{SOURCES[source]}; more [below](#figures).\n"


def _covered(rows: Sequence[Row], name: str) -> str:
    found = [row for row in rows if row["strategy"] == name]
    if not found:
        return "only a model can make them: `benchmarks answers --systems mem0,mem0g` compares"
    return ", ".join(f"{row['recall']} / {row['words']} with {_number(row['tokens'])} tokens" for row in found)


def _winners(runs: Mapping[str, Mapping[str, Any]]) -> str:
    """Return a paragraph that says which strategy covers most at each budget."""
    rows = next(iter(runs.values()))["rows"]
    usual, _ = _ranked(rows, _budgets(rows)[0])
    lines = [f"**If unsure, take {usual['strategy']}.** Most of what is asked about is covered by:\n"]
    for source, run in runs.items():
        told = "; ".join(_winner(run["rows"], budget) for budget in _budgets(run["rows"]))
        lines.append(f"- {SOURCES[source]}: {told}.")
    return "\n".join(lines) + "\n"


def _winner(rows: Sequence[Row], budget: int) -> str:
    best, second = _ranked(rows, budget)
    return (
        f"within {_number(budget)} tokens {best['strategy']} ({best['recall']}% of the evidence), "
        f"then {second['strategy']} ({second['recall']}%)"
    )


def _ranked(rows: Sequence[Row], budget: int) -> Sequence[Row]:
    """Return the two strategies that cover most within a budget."""
    return sorted((row for row in rows if row.get("budget") == budget), key=lambda row: -float(row["recall"]))[:2]


def _budgets(rows: Sequence[Row]) -> list[int]:
    return sorted({row["budget"] for row in rows if "budget" in row})


def _described(name: str) -> str:
    """Return the section of a strategy: the docstring of its module, which says what it costs and when it fits."""
    module = importlib.import_module(f"mem0g.strategies.{_module(name)}")
    paragraphs = str(module.__doc__).split(": ", 1)[1].split("\n\n")
    body = "\n\n".join(" ".join(each.split()) for each in paragraphs).replace("``", "`")
    body = re.sub(r"(?<=\. )Cost: |(?<=\n)Cost: ", "**Cost:** ", body).replace(" Fits: ", " **Fits:** ")
    return f"### {name}\n\n`{STRATEGIES[name]}`: {body}\n"


def _module(name: str) -> str:
    import mem0g.strategies as room

    return str(getattr(room, STRATEGIES[name]).__module__).rpartition(".")[2]


_COLUMNS = {
    "strategy": "strategy",
    "budget": "budget",
    "recall": "evidence",
    "words": "words",
    "tokens": "tokens",
    **{category: category for category in CATEGORIES.values()},
    "calls": "calls",
    "add_ms": "ms to add",
    "context_ms": "ms to ask",
    "J": "right",
    "strict": "strictly right",
}
"""The columns of the figures, by the key of a row; one that no row has is left out."""


def _figures(source: str, run: Mapping[str, Any]) -> str:
    columns = {key: name for key, name in _COLUMNS.items() if any(key in row for row in run["rows"])}
    lines = [f"{SOURCES[source]}; {', '.join(run['samples'])}:\n"]
    lines += [f"| {' | '.join(columns.values())} |", "|---" * len(columns) + "|"]
    for row in run["rows"]:
        shown = row | {key: _number(row.get(key)) for key in ("budget", "tokens")}
        lines.append(f"| {' | '.join(str(shown.get(key, '')) for key in columns)} |")
    return "\n".join(lines) + "\n"


def _provenance(source: str, run: Mapping[str, Any]) -> str:
    versions = ", ".join(f"{name} {value}" for name, value in run["versions"].items())
    hashes = ", ".join(f"{name} {value[:12]}" for name, value in run["data_sha256"].items())
    command = f"{run['command']} --out {source}.json"
    return f"```sh\n{command}\n```\n\nCommit {run['commit']}; {versions}; SHA-256 of the data: {hashes}.\n"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}"


def main(files: Sequence[str]) -> None:
    """Keep the figures of ``files``, then write the page and its picture."""
    for file in files:
        keep(Path(file))
    runs = kept()
    PAGE.write_text(page(runs), encoding="utf-8")
    if find_spec("matplotlib") and files:
        source = next(iter(runs))
        draw(runs[source]["rows"], f"LOCOMO {', '.join(runs[source]['samples'])}", PICTURE)


if __name__ == "__main__":
    main(sys.argv[1:])
