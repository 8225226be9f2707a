"""The command that draws a memory."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mem0g.cli.options import SCOPE, STORE, LimitOption, OutputOption, RetiredOption, Target, takes

SUFFIXES = {
    ".html": "html",
    ".htm": "html",
    ".svg": "svg",
    ".graphml": "graphml",
    ".json": "json",
    ".mmd": "mermaid",
    ".mermaid": "mermaid",
    ".dot": "dot",
    ".gv": "dot",
}
"""Formats by the suffixes of their files."""

DrawingOption = Annotated[
    str | None,
    typer.Option(
        "--format",
        "-f",
        help="Format: tree, graphml, json, mermaid, dot, svg or html. [default: by --output, else tree]",
    ),
]


@takes(SCOPE, STORE)
def graph(
    target: Target,
    entity: Annotated[
        str | None,
        typer.Argument(
            metavar="[ENTITY]", help="Name or ID of the entity in the centre. [default: those with the most facts]"
        ),
    ] = None,
    form: DrawingOption = None,
    hops: Annotated[int, typer.Option("--hops", min=1, max=5, help="Maximum distance from the entity, in edges.")] = 2,
    limit: LimitOption = 200,
    include_retired: RetiredOption = False,
    output: OutputOption = None,
) -> None:
    """Draw the graph around an entity, or the whole memory: as a tree, a file for another program, or a web page."""
    from mem0g.cli.files import written
    from mem0g.cli.terminal import document, say, show, xml_escape
    from mem0g.views import FORMATS, tree

    form = _format(form, output)
    keys = target.keys
    with target.open_existing() as memory:
        # A page has its own switch for what is no longer true.
        everything = include_retired or form == "html"
        drawn = memory.subgraph(entity, hops=hops, limit=limit, include_retired=everything, **keys)
        stored = memory.stats(**keys) if entity is None else None
    total = stored.facts - (0 if everything else stored.retired) if stored else 0
    if drawn.number_of_edges() == limit < total:
        say(f"drawn are {limit} of {total} facts, around the entities with the most; see --limit", err=True)
    if form == "tree":
        show(tree(drawn))
    elif output is not None:
        with written(output) as file:
            file.write(FORMATS[form](drawn).encode())
    else:
        document(FORMATS[form](drawn), escape=xml_escape if form in ("graphml", "svg") else None)


def _format(form: str | None, output: Path | None) -> str:
    """Return the format asked for, or that of the file. Raises InputError for one that there is not."""
    from mem0g.errors import InputError
    from mem0g.views import FORMATS

    known = f"one of tree, {', '.join(FORMATS)}"
    if form is not None and form not in ("tree", *FORMATS):
        raise InputError(f"unknown format {form!r}", hint=known)
    if form == "tree" and output is not None:
        raise InputError("a tree is for the terminal, not for a file", hint=f"give another --format: {known[12:]}")
    if form is None and output is not None:
        form = SUFFIXES.get(output.suffix.lower())
        if form is None:
            hint = f"end it in {', '.join(SUFFIXES)}, or give a --format"
            raise InputError(f"{output.name[:200]!r} has no suffix of a known format", hint=hint)
    return form or "tree"
