"""Look up formats by name or content: those of mem0g, and those that other packages add as entry points."""

from __future__ import annotations

import functools
import logging
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from mem0g.errors import TranscriptError
from mem0g.transcripts.formats import (
    beam,
    captions,
    chatgpt,
    claude,
    delimited,
    discord,
    git_log,
    locomo,
    mail,
    notes,
    openai,
    sharegpt,
    slack,
    telegram,
    text,
    whatsapp,
)
from mem0g.transcripts.protocol import TranscriptFormat

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINTS = "mem0g.formats"
"""The group of entry points in which a package names its formats."""

FORMATS: Mapping[str, TranscriptFormat] = MappingProxyType(
    {
        form.name: form
        for form in (
            # The first that recognises a text reads it, so specific formats come before general ones.
            locomo.FORMAT,
            beam.FORMAT,
            chatgpt.FORMAT,
            claude.FORMAT,
            telegram.FORMAT,
            discord.FORMAT,
            slack.FORMAT,
            sharegpt.FORMAT,
            openai.JSON_LINES,
            openai.JSON_LIST,
            captions.VTT,
            captions.SRT,
            whatsapp.FORMAT,
            mail.FORMAT,
            git_log.FORMAT,
            delimited.FORMAT,
            text.FORMAT,
            notes.FORMAT,
        )
    }
)
"""The formats of mem0g by name, in the order in which they are tried."""

_GENERAL = (text.FORMAT, notes.FORMAT)

_log = logging.getLogger(__name__)


def find_format(name: str) -> TranscriptFormat:
    """Return the format of this name; mem0g's own comes before that of another package.

    Raises TranscriptError when there is none, or when the package that has it cannot be loaded.
    """
    if name in FORMATS:
        return FORMATS[name]
    if name in _entry_points():
        return _loaded(name)
    raise TranscriptError(f"unknown format {name!r}", hint=f"one of {', '.join(format_names())}")


def format_names() -> list[str]:
    """Return the names that ``--format`` takes."""
    return [*FORMATS, *(name for name in _entry_points() if name not in FORMATS)]


def recognise(content: str) -> TranscriptFormat | None:
    """Return the format of a text by its content, None when it is none of them.

    Formats of other packages are tried after mem0g's own, but before plain text and notes, which are the most general.
    One that cannot be loaded is logged as a warning and not tried.
    """
    specific = (form for form in FORMATS.values() if form not in _GENERAL)
    own = next((form for form in specific if form.recognises(content)), None)
    others = own or _recognised_by_others(content)
    return others or next((form for form in _GENERAL if form.recognises(content)), None)


def _recognised_by_others(content: str) -> TranscriptFormat | None:
    for name in _entry_points():
        try:
            form = _loaded(name)
        except TranscriptError as error:
            _log.warning("%s", error)
            continue
        if form.recognises(content):
            return form
    return None


@functools.cache
def _entry_points() -> Mapping[str, EntryPoint]:
    from importlib.metadata import entry_points

    return {each.name: each for each in entry_points(group=ENTRY_POINTS)}


@functools.cache
def _loaded(name: str) -> TranscriptFormat:
    """Load a format of another package. Raises TranscriptError naming the package when that fails."""
    entry = _entry_points()[name]
    package = entry.dist.name if entry.dist else entry.value
    hint = f"upgrade or uninstall {package}"
    try:
        form = entry.load()
    except Exception as error:  # whatever the code of another package raises
        problem = f"the format {name!r} of the package {package} cannot be loaded: {type(error).__name__}: {error}"
        raise TranscriptError(problem, hint=hint) from error
    if not isinstance(form, TranscriptFormat):
        problem = f"the format {name!r} of the package {package} is of type {type(form).__name__}"
        raise TranscriptError(f"{problem}, not TranscriptFormat", hint=hint)
    return form
