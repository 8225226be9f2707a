"""Files, folders and standard input as utterances."""

from __future__ import annotations

import os
import stat
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, tzinfo
from pathlib import Path
from typing import TextIO

from mem0g.errors import TranscriptError
from mem0g.model import Utterance
from mem0g.settings import LONGEST_MESSAGE
from mem0g.text.splitting import split_text
from mem0g.transcripts.decoding import decode, normal
from mem0g.transcripts.formats import FORMATS, recognise
from mem0g.transcripts.protocol import Format, Options

STDIN = "-"
"""The name that stands for standard input."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file of a folder that was left out, and why."""

    path: Path
    reason: str


@dataclass(frozen=True, slots=True)
class Transcript:
    """What files hold: the utterances in order, and the files of folders that were left out."""

    utterances: tuple[Utterance, ...]
    skipped: tuple[Skipped, ...] = ()


@dataclass(frozen=True, slots=True)
class _File:
    """A file to read, the source's name, and the folder it was found in: None when it was given by itself."""

    path: Path
    source: str
    folder: Path | None = None


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is asked for: ``form`` is the format that is forced, None when the content tells."""

    form: Format | None
    options: Options


def read_files(
    paths: Sequence[Path | str],
    *,
    format: str | None = None,  # noqa: A002 - as the command line calls it
    sample: str | None = None,
    zone: tzinfo = UTC,
    stdin: TextIO | None = None,
) -> Transcript:
    """Read transcripts, each recognised by its content or taken to be of ``format`` (a name in FORMATS).

    A folder stands for its files at any depth, by path. The source of each is its path within the folder; of a file
    given by itself its name; of standard input ("-") that. A file named twice is read once. A folder's hidden files
    are passed over; those that hold no transcript (or none of ``format``, or not ``sample``) are skipped and reported.

    A message of more than a million characters is cut into several, at the ends of paragraphs or sentences.

    Raises TranscriptError for what was named but cannot be read, for a folder with nothing to read, for a broken
    transcript wherever it is, and for two files that would be one source.
    """
    asked = _Asked(_named(format), Options(zone=zone, sample=sample))
    utterances: list[Utterance] = []
    skipped: list[Skipped] = []
    files = _files(paths)
    for file in files:
        read = _read_or_skip(file, asked, stdin)
        if isinstance(read, Skipped):
            skipped.append(read)
        else:
            utterances += read
    _check_folders(files, skipped)
    return Transcript(tuple(utterances), tuple(skipped))


def read_text(
    text: str,
    source: str,
    *,
    format: str | None = None,  # noqa: A002 - as the command line calls it
    sample: str | None = None,
    zone: tzinfo = UTC,
) -> list[Utterance]:
    """Read one transcript from text; ``source`` names it.

    Raises TranscriptError when it is empty, of no known format, or broken.
    """
    asked = _Asked(_named(format), Options(zone=zone, sample=sample))
    text = normal(text, source)
    form = _form(text, source, asked)
    utterances = _read(text, source, form, asked.options)
    if not utterances:
        raise _no_message(source, form)
    return utterances


def _named(name: str | None) -> Format | None:
    if name is None or name in FORMATS:
        return FORMATS[name] if name else None
    raise TranscriptError(f"unknown format {name!r}", hint=f"one of {', '.join(FORMATS)}")


def _files(paths: Sequence[Path | str]) -> list[_File]:
    """The files that ``paths`` stand for, in order, each once."""
    files: dict[Path, _File] = {}
    for path in map(Path, paths):
        for file in _in_folder(path) if _is_folder(path) else [_File(path, _source(path.name))]:
            files.setdefault(file.path.resolve(), file)
    _check_sources(files.values())
    return list(files.values())


def _is_folder(path: Path) -> bool:
    """Whether it is a folder and not a file. Raises TranscriptError when it is neither."""
    try:
        return str(path) != STDIN and stat.S_ISDIR(path.stat().st_mode)
    except FileNotFoundError as error:
        raise TranscriptError(f"no such file: {path}", hint="check the path; - reads from standard input") from error
    except (OSError, ValueError) as error:  # a name that is too long, or holds a NUL
        raise _cannot_read(path, error) from error


def _in_folder(folder: Path) -> list[_File]:
    inside = ((path, path.relative_to(folder)) for path in folder.rglob("*"))
    seen = sorted(
        (within.as_posix(), path)
        for path, within in inside
        if path.is_file() and not any(part.startswith(".") for part in within.parts)
    )
    if not seen:
        raise TranscriptError(f"{folder} has no files", hint="name a folder with transcripts in it")
    return [_File(path, _source(within), folder) for within, path in seen]


def _source(name: str) -> str:
    r"""Return a file's name as the name of a source; bytes that are not UTF-8, as of caf\xe9.txt, become escapes."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _check_sources(files: Iterable[_File]) -> None:
    """Two conversations of one source would be taken for one that was changed."""
    by_source: dict[str, Path] = {}
    for file in files:
        other = by_source.setdefault(file.source, file.path)
        if other != file.path:
            hint = "rename one, or give the folder that holds both"
            raise TranscriptError(f"{other} and {file.path} have the same name", hint=hint)


def _read_or_skip(file: _File, asked: _Asked, stdin: TextIO | None) -> list[Utterance] | Skipped:
    """The file's utterances; why it has none, when it was only found in a folder and is no transcript."""
    try:
        text, form = _opened(file, asked, stdin)
    except TranscriptError as error:
        if file.folder is None:
            raise
        return Skipped(file.path, str(error))
    utterances = _read(text, file.source, form, asked.options)
    if utterances:
        return utterances
    if file.folder is None:
        raise _no_message(file.source, form)
    return Skipped(file.path, str(_no_message(file.source, form)))


def _opened(file: _File, asked: _Asked, stdin: TextIO | None) -> tuple[str, Format]:
    """The file's text and format. Raises TranscriptError when it is no transcript of the kind asked for."""
    text = _stdin_text(stdin or sys.stdin) if str(file.path) == STDIN else decode(_bytes(file.path), file.source)
    form = _form(text, file.source, asked)
    if file.folder and not form.recognises(text):
        raise TranscriptError(f"{file.source} is not {form.name}")
    return text, form


def _stdin_text(stdin: TextIO) -> str:
    binary = getattr(stdin, "buffer", None)  # a real standard input has one, an io.StringIO has not
    return normal(stdin.read(), STDIN) if binary is None else decode(binary.read(), STDIN)


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise _cannot_read(path, error) from error


def _cannot_read(path: Path, error: OSError | ValueError) -> TranscriptError:
    reason = error.strerror if isinstance(error, OSError) else error
    return TranscriptError(f"cannot read {str(path)[:200]!r}: {reason}", hint="check the path and its permissions")


def _form(text: str, source: str, asked: _Asked) -> Format:
    """The format that is asked for, or that the content is of; with the sample that is asked for in it."""
    form = asked.form or recognise(text)
    if form is None:
        hint = f"--format names one of {', '.join(FORMATS)}"
        raise TranscriptError(f"{source} is in no format that mem0g knows", hint=hint)
    sample = asked.options.sample
    if sample is not None:
        known = form.samples(text, source) if form.samples else []
        if sample not in known:
            hint = f"it has {', '.join(known)}" if known else f"it is {form.name}, which has no samples"
            raise TranscriptError(f"{source} has no sample {sample!r}", hint=hint)
    return form


def _read(text: str, source: str, form: Format, options: Options) -> list[Utterance]:
    read = list(form.read(text, source, options))
    return list(_cut(read)) if any(len(each.text) > LONGEST_MESSAGE for each in read) else read


def _cut(utterances: Iterable[Utterance]) -> Iterator[Utterance]:
    """The utterances, those that are too long in pieces, with positions that count the pieces.

    The first piece keeps the id that the message has in its source, the others have it with their number: "D1:3#2".
    """
    positions: Counter[tuple[str, str]] = Counter()
    for each in utterances:
        for number, piece in enumerate(split_text(each.text, LONGEST_MESSAGE), start=1):
            sitting = (each.source, each.session)
            name = f"{each.source_id}#{number}" if each.source_id and number > 1 else each.source_id
            yield replace(each, text=piece, position=positions[sitting], source_id=name)
            positions[sitting] += 1


def _no_message(source: str, form: Format) -> TranscriptError:
    return TranscriptError(f"{source} has no message in it", hint=f"it was read as {form.name}")


def _check_folders(files: Sequence[_File], skipped: Iterable[Skipped]) -> None:
    """Raise TranscriptError for a folder whose files were all skipped."""
    why = {one.path: one.reason for one in skipped}
    for folder in dict.fromkeys(file.folder for file in files if file.folder):
        reasons = [why.get(file.path) for file in files if file.folder == folder]
        if None not in reasons:
            hint = "; ".join(map(str, reasons[:3])) + ("; ..." if len(reasons) > 3 else "")
            raise TranscriptError(f"{folder} has no transcript in it", hint=hint)
