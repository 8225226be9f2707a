"""Print all output of the program, with control and invisible characters as escapes.

Messages, names and file names are untrusted. A test checks that no command prints in another way.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from io import TextIOWrapper
from typing import TYPE_CHECKING

import typer

from mem0g.errors import InputError
from mem0g.text.invisible import HOSTILE

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.segment import Segment

PIPE_WIDTH = 160
"""Width of a table that goes to a file or another program, in characters."""


@dataclass(frozen=True, slots=True)
class Styled:
    """A part of a line in a colour, which is used on a terminal only."""

    text: str
    colour: str


def dim(text: str) -> Styled:
    """Return a part of a line in grey."""
    return Styled(text, "bright_black")


def visible(text: str) -> str:
    r"""Return the text with hostile characters as escapes: ``\x1b``, ``\u202e``; newlines and tabs stay."""
    return HOSTILE.sub(_escape, text)


def visible_line(text: str) -> str:
    r"""Return the text as ``visible`` does, its newlines as ``\n``, so that it stays one line."""
    return visible(text).replace("\n", "\\n")


def say(*parts: str | Styled, err: bool = False) -> None:
    """Print the parts as one line."""
    _echo("".join(map(_shown, parts)), err=err)


def page(text: str, *, end: str = "\n") -> None:
    """Print text of several lines."""
    _echo(visible(text) + end, err=False, newline=False)


def document(text: str, *, escape: Callable[[re.Match[str]], str] | None = None) -> None:
    r"""Print what another program reads, with hostile characters as escapes of its format (by default JSON).

    The other program reads the text unchanged, and a terminal is safe.
    """
    _echo(HOSTILE.sub(escape or _json_escape, text), err=False)


def print_json(value: object) -> None:
    """Print one JSON document."""
    document(json.dumps(value, ensure_ascii=not _takes_unicode(), indent=2))


def xml_escape(match: re.Match[str]) -> str:
    """Return the character reference of XML for what ``document`` found."""
    return f"&#x{ord(match[0]):x};"


def read_line(prompt: str) -> str | None:
    """Return the next line of standard input, None at its end; on a terminal after a prompt, with line editing.

    Raises InputError for bytes that are not UTF-8.
    """
    try:
        if sys.stdin.isatty():
            with suppress(ImportError):
                import readline  # noqa: F401 - input() uses it
            return input(visible_line(prompt))
        return sys.stdin.readline() or None
    except EOFError:
        return None
    except UnicodeDecodeError as error:
        raise InputError("the input is not UTF-8", hint="use UTF-8") from error


def confirm(question: str) -> None:
    """Ask for confirmation on standard error. Raises typer.Abort for any answer but yes."""
    typer.confirm(visible_line(question), abort=True, err=True)


def table(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> None:
    """Print a table; the last column takes the remaining width."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    made = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        made.add_column(column, overflow="fold", no_wrap=column == "id")
    for row in rows:
        made.add_row(*(Text(visible_line(cell)) for cell in row))
    show(made)


def show(drawn: RenderableType) -> None:
    """Print a table or a tree: on a terminal in colour and in its width, else PIPE_WIDTH characters wide."""
    made = console()
    if not made.is_terminal:
        made.width = PIPE_WIDTH
    made.print(drawn)


def console(*, stderr: bool = False) -> Console:
    """Return a rich console that escapes hostile text; rich's own control codes stay."""
    from rich.console import Console
    from rich.segment import Segment

    class VisibleConsole(Console):
        def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
            for segment in super().render(renderable, options):
                yield segment if segment.control else Segment(visible(segment.text), segment.style)

    return VisibleConsole(stderr=stderr, highlight=False, markup=False, emoji=False, soft_wrap=False)


def replace_unprintable() -> None:
    """Make standard output and error print characters that their encoding lacks as escapes, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def drop_output() -> None:
    """Drop what standard output cannot write: the program would fail on it once more when it ends."""
    try:
        sys.stdout.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _shown(part: str | Styled) -> str:
    return visible_line(part) if isinstance(part, str) else typer.style(visible_line(part.text), fg=part.colour)


def _echo(text: str, *, err: bool, newline: bool = True) -> None:
    typer.echo(text, err=err, nl=newline)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if 0xDC80 <= code <= 0xDCFF:  # a byte of a name that is not UTF-8, as Python keeps it
        code -= 0xDC00
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _json_escape(match: re.Match[str]) -> str:
    return json.dumps(match[0])[1:-1] if match[0] != "\x7f" else "\\u007f"


def _takes_unicode() -> bool:
    return "utf" in (getattr(sys.stdout, "encoding", None) or "").lower()
