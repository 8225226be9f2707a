"""Read files, folders, standard input and text as utterances."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, tzinfo
from pathlib import Path, PurePosixPath
from typing import TextIO

from mem0g.errors import TranscriptError
from mem0g.model import Utterance
from mem0g.settings import MAX_MESSAGE_LENGTH
from mem0g.text.passages import split_text
from mem0g.transcripts.decoding import decode, normal
from mem0g.transcripts.finding import STDIN, Skipped, SourceFile, find_sources
from mem0g.transcripts.formats import delimited
from mem0g.transcripts.protocol import ReadOptions, TranscriptFormat
from mem0g.transcripts.registry import find_format, format_names, recognise


@dataclass(frozen=True, slots=True)
class TranscriptFile:
    """The utterances of one file, in order.

    ``path`` is that of the file in the folder or archive that was given, or the name of a file that was given itself.
    """

    path: PurePosixPath
    utterances: tuple[Utterance, ...]


@dataclass(frozen=True, slots=True)
class Transcript:
    """What files say, in order, and the files of folders and archives that were not read."""

    files: tuple[TranscriptFile, ...]
    skipped: tuple[Skipped, ...] = ()

    @property
    def utterances(self) -> tuple[Utterance, ...]:
        """The utterances of all files, in order."""
        return tuple(each for file in self.files for each in file.utterances)


@dataclass(frozen=True, slots=True)
class _Asked:
    """The format and options asked for; ``form`` is None when the content decides."""

    form: TranscriptFormat | None
    options: ReadOptions


def read_files(
    paths: Sequence[Path | str],
    *,
    format: str | TranscriptFormat | None = None,  # noqa: A002 - as the command line calls it
    sample: str | None = None,
    zone: tzinfo = UTC,
    speaker: str = "",
    columns: Mapping[str, str] | None = None,
    stdin: TextIO | None = None,
) -> Transcript:
    """Read transcripts. ``format`` is a format or the name of one; by default each file's content decides.

    A folder or a zip archive stands for its files at any depth, sorted by path. The source of a file in a folder is
    its path within the folder, in an archive its path after the archive's name, of another file its name, of standard
    input "-". A file given twice is read once. Hidden files in folders are ignored; files in folders that hold no
    transcript (or none of ``format``, or no ``sample``) are returned as ``skipped``.

    ``speaker`` is the author of notes and other texts that name none, by default the user of the scope. ``columns``
    names the columns of tables by what they hold: text, speaker, time, role, session, id.

    A message of more than a million characters is cut into several, at the ends of paragraphs or sentences.

    Raises TranscriptError for a path that cannot be read, a folder with nothing to read, a broken transcript, and two
    files that would have the same source.
    """
    asked = _Asked(_forced(format), _options(zone, sample, speaker, columns))
    found: list[TranscriptFile] = []
    files, skipped = find_sources(paths)
    for file in files:
        read = _read_or_skip(file, asked, stdin)
        if isinstance(read, Skipped):
            skipped.append(read)
        else:
            found.append(TranscriptFile(file.within, tuple(read)))
    _check_folders(files, skipped)
    return Transcript(tuple(found), tuple(skipped))


def read_text(
    text: str,
    source: str,
    *,
    format: str | TranscriptFormat | None = None,  # noqa: A002 - as the command line calls it
    sample: str | None = None,
    zone: tzinfo = UTC,
    speaker: str = "",
    columns: Mapping[str, str] | None = None,
) -> list[Utterance]:
    """Read one transcript from text; ``source`` is its name, the others are as in ``read_files``.

    Raises TranscriptError when the text is empty, of no known format, or broken.
    """
    asked = _Asked(_forced(format), _options(zone, sample, speaker, columns))
    text = normal(text, source)
    form = _form(text, source, asked)
    utterances = _read(text, source, form, asked.options)
    if not utterances:
        raise _no_message(source, form)
    return utterances


def _forced(given: str | TranscriptFormat | None) -> TranscriptFormat | None:
    return find_format(given) if isinstance(given, str) else given


def _options(zone: tzinfo, sample: str | None, speaker: str, columns: Mapping[str, str] | None) -> ReadOptions:
    delimited.check_columns(columns or {})
    return ReadOptions(zone=zone, sample=sample, speaker=speaker.strip(), columns=columns or {})


def _read_or_skip(file: SourceFile, asked: _Asked, stdin: TextIO | None) -> list[Utterance] | Skipped:
    """Return the file's utterances, or for a file in a folder that is not a transcript, why it was skipped."""
    try:
        text, form = _opened(file, asked, stdin)
    except TranscriptError as error:
        if file.folder is None:
            raise
        return Skipped(file.path, str(error))
    utterances = _read(text, file.source, form, replace(asked.options, names=file.names))
    if utterances:
        return utterances
    if file.folder is None:
        raise _no_message(file.source, form)
    return Skipped(file.path, str(_no_message(file.source, form)))


def _opened(file: SourceFile, asked: _Asked, stdin: TextIO | None) -> tuple[str, TranscriptFormat]:
    """Return the file's text and format. Raises TranscriptError when it is not of the format asked for."""
    text = _stdin_text(stdin or sys.stdin) if str(file.path) == STDIN else decode(file.content(), file.source)
    form = _form(text, file.source, asked)
    if file.folder and asked.form and not _fits(form, text, asked):
        raise TranscriptError(f"{file.source} is not {form.name}")
    return text, form


def _fits(form: TranscriptFormat, text: str, asked: _Asked) -> bool:
    return form.recognises(text) or (form is delimited.FORMAT and _has_columns(text, asked))


def _stdin_text(stdin: TextIO) -> str:
    binary = getattr(stdin, "buffer", None)  # a real standard input has one, an io.StringIO has not
    return normal(stdin.read(), STDIN) if binary is None else decode(binary.read(), STDIN)


def _form(text: str, source: str, asked: _Asked) -> TranscriptFormat:
    """Return the format asked for or recognised. Raises TranscriptError when there is none, or no such sample."""
    form = asked.form or (delimited.FORMAT if _has_columns(text, asked) else recognise(text))
    if form is None:
        hint = f"--format takes one of {', '.join(format_names())}"
        if delimited.is_table(text):
            hint = "if it is a table of messages, name its columns: --column text=NAME --column speaker=NAME"
        raise TranscriptError(f"{source} is in no known format", hint=hint)
    sample = asked.options.sample
    if sample is not None:
        known = form.samples(text, source) if form.samples else []
        if sample not in known:
            hint = f"it has {', '.join(known)}" if known else f"it is {form.name}, which has no samples"
            raise TranscriptError(f"{source} has no sample {sample!r}", hint=hint)
    return form


def _has_columns(text: str, asked: _Asked) -> bool:
    """Whether columns were named, and the text is a table that has them."""
    return bool(asked.options.columns) and delimited.has_columns(text, asked.options.columns)


def _read(text: str, source: str, form: TranscriptFormat, options: ReadOptions) -> list[Utterance]:
    read = list(form.read(text, source, options))
    return list(_cut(read)) if any(len(each.text) > MAX_MESSAGE_LENGTH for each in read) else read


def _cut(utterances: Iterable[Utterance]) -> Iterator[Utterance]:
    """Yield the utterances, long ones in pieces, with positions that count the pieces.

    The first piece keeps the message's id in its source; the others add their number: "D1:3#2".
    """
    positions: Counter[tuple[str, str]] = Counter()
    for each in utterances:
        for number, piece in enumerate(split_text(each.text, MAX_MESSAGE_LENGTH), start=1):
            session = (each.source, each.session)
            name = f"{each.source_id}#{number}" if each.source_id and number > 1 else each.source_id
            yield replace(each, text=piece, position=positions[session], source_id=name)
            positions[session] += 1


def _no_message(source: str, form: TranscriptFormat) -> TranscriptError:
    return TranscriptError(f"{source} has no messages", hint=f"it was read as {form.name}")


def _check_folders(files: Sequence[SourceFile], skipped: Iterable[Skipped]) -> None:
    """Raise TranscriptError for a folder whose files were all skipped."""
    why = {one.path: one.reason for one in skipped}
    for folder in dict.fromkeys(file.folder for file in files if file.folder):
        reasons = [why.get(file.path) for file in files if file.folder == folder]
        if None not in reasons:
            hint = "; ".join(map(str, reasons[:3])) + ("; ..." if len(reasons) > 3 else "")
            raise TranscriptError(f"{folder} has no transcripts", hint=hint)
