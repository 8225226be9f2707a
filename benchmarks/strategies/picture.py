"""A picture of strategies: evidence recall against the tokens of a question."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from benchmarks.report import Row
from mem0g.errors import InputError

SIZE = (7.2, 4.4)
"""Inches."""

MARKERS = "osD^vPX*h"

TICKS = (100, 250, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000)
"""Tokens that the axis names."""


def draw(found: Sequence[Row], title: str, path: Path) -> None:
    """Write the picture to ``path``, as SVG, PNG or PDF by its ending; tokens are on a logarithmic axis.

    Raises InputError when matplotlib is not installed, or cannot write this kind of file.
    """
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError as error:
        raise InputError("matplotlib is not installed", hint="pip install 'mem0g[benchmarks]'") from error
    points: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for row in found:
        points[row["strategy"]].append((row["tokens"], row["recall"]))
    with mpl.rc_context({"svg.hashsalt": "mem0g", "svg.fonttype": "none", "font.size": 9}):
        figure = Figure(figsize=SIZE, layout="constrained")
        axes = figure.add_subplot()
        for (name, at), marker in zip(points.items(), MARKERS * (len(points) // len(MARKERS) + 1), strict=False):
            tokens, recall = zip(*sorted(at), strict=True)
            axes.plot(tokens, recall, marker=marker, linewidth=1.2, label=name)
        axes.set(
            xscale="log", xlabel="tokens of a context (mean)", ylabel="evidence recall, %", ylim=(0, 103), title=title
        )
        low, high = axes.get_xlim()
        axes.set_xticks([tick for tick in TICKS if low <= tick <= high], minor=False)
        axes.set_xticks([], minor=True)
        axes.xaxis.set_major_formatter("{x:,.0f}")
        axes.grid(visible=True, alpha=0.3)
        axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
        except ValueError as error:
            raise InputError(f"cannot draw {path}: {error}", hint="name it .svg, .png or .pdf") from error
