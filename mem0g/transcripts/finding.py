"""Find the files that paths stand for: files, those in folders and in archives, and who the people in them are."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from mem0g.errors import TranscriptError
from mem0g.transcripts.archives import is_archive, members
from mem0g.transcripts.decoding import decode
from mem0g.transcripts.formats import slack

STDIN = "-"
"""The path that means standard input."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file of a folder or an archive that was not read, and why."""

    path: Path
    reason: str


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file to read, the name of its source, and the folder or archive it was found in, None if it was given itself.

    ``data`` is the content of a file in an archive; ``names`` are the people by the ids that its messages use.
    """

    path: Path
    source: str
    folder: Path | None = None
    data: bytes | None = None
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def within(self) -> PurePosixPath:
        """The path of the file in the folder or archive that was given; its name, if it was given itself."""
        place = PurePosixPath(self.source)
        return PurePosixPath(*place.parts[1:]) if self.folder and not self.folder.is_dir() else place

    def content(self) -> bytes:
        """Return the file's bytes. Raises TranscriptError when it cannot be read."""
        if self.data is not None:
            return self.data
        try:
            return self.path.read_bytes()
        except OSError as error:
            raise _cannot_read(self.path, error) from error


def find_sources(paths: Sequence[Path | str]) -> tuple[list[SourceFile], list[Skipped]]:
    """Return the files that ``paths`` stand for, in order, each once, and those of archives that are not read.

    Raises TranscriptError for a path where there is nothing, a folder or an archive without files to read, and two
    files of one source.
    """
    files: dict[Path, SourceFile] = {}
    skipped: list[Skipped] = []
    for path in map(Path, paths):
        for file in _found(path, skipped):
            files.setdefault(file.path.resolve(), file)
    _check_sources(files.values())
    return list(files.values()), skipped


def _found(path: Path, skipped: list[Skipped]) -> list[SourceFile]:
    if _is_folder(path):
        return _with_people(_in_folder(path, skipped))
    if str(path) != STDIN and is_archive(path):
        return _with_people(_in_archive(path, _source(path.name), path, skipped))
    return [SourceFile(path, _source(path.name))]


def _is_folder(path: Path) -> bool:
    """Return whether the path is a folder. Raises TranscriptError when there is nothing."""
    try:
        return str(path) != STDIN and stat.S_ISDIR(path.stat().st_mode)
    except FileNotFoundError as error:
        raise TranscriptError(f"no such file: {path}", hint="check the path; - reads from standard input") from error
    except (OSError, ValueError) as error:  # a name that is too long, or holds a NUL
        raise _cannot_read(path, error) from error


def _in_folder(folder: Path, skipped: list[Skipped]) -> list[SourceFile]:
    inside = ((path, path.relative_to(folder)) for path in folder.rglob("*"))
    seen = sorted(
        (within.as_posix(), path)
        for path, within in inside
        if path.is_file() and not any(part.startswith(".") for part in within.parts)
    )
    if not seen:
        raise TranscriptError(f"{folder} has no files", hint="name a folder with transcripts in it")
    files: list[SourceFile] = []
    for within, path in seen:
        if not is_archive(path):
            files.append(SourceFile(path, _source(within), folder))
            continue
        try:
            files += _in_archive(path, _source(within), folder, skipped)
        except TranscriptError as error:
            skipped.append(Skipped(path, str(error)))
    return files


def _in_archive(path: Path, source: str, folder: Path, skipped: list[Skipped]) -> list[SourceFile]:
    """Return the text files of an archive; their sources are their paths within it, after its own."""
    files: list[SourceFile] = []
    reasons: list[str] = []
    for member in members(path, source):
        if member.problem:
            reasons.append(member.problem)
            skipped.append(Skipped(path / member.name if member.name else path, member.problem))
        else:
            name = _source(member.name)
            files.append(SourceFile(path / member.name, f"{source}/{name}", folder, member.data))
    if not files:
        hint = "; ".join(reasons[:3]) or "give an archive with transcripts in it"
        raise TranscriptError(f"{source} has no text files", hint=hint)
    return files


def _with_people(files: Sequence[SourceFile]) -> list[SourceFile]:
    """Return the files with the people of the Slack export that they are part of, without the files about it."""
    people: dict[PurePosixPath, Mapping[str, str]] = {}
    for file in files:
        place = PurePosixPath(file.source)
        if place.name == slack.USERS:
            try:
                people[place.parent] = slack.user_names(decode(file.content(), file.source), file.source)
            except TranscriptError:  # it is no list of people: some other file of this name
                continue
    about = {home / name for home in people for name in (slack.USERS, *slack.ABOUT)}
    kept = [file for file in files if PurePosixPath(file.source) not in about]
    return [replace(file, names=_names(people, PurePosixPath(file.source))) for file in kept]


def _names(people: Mapping[PurePosixPath, Mapping[str, str]], place: PurePosixPath) -> Mapping[str, str]:
    return next((people[home] for home in place.parents if home in people), {})


def _source(name: str) -> str:
    r"""Return a file's name as the name of a source; bytes that are not UTF-8, as of caf\xe9.txt, become escapes."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _check_sources(files: Iterable[SourceFile]) -> None:
    """Raise TranscriptError for two files of one source: they would be taken for one conversation that changed."""
    by_source: dict[str, Path] = {}
    for file in files:
        other = by_source.setdefault(file.source, file.path)
        if other != file.path:
            hint = "rename one, or give the folder that holds both"
            raise TranscriptError(f"{other} and {file.path} have the same name", hint=hint)


def _cannot_read(path: Path, error: OSError | ValueError) -> TranscriptError:
    reason = error.strerror if isinstance(error, OSError) else error
    return TranscriptError(f"cannot read {str(path)[:200]!r}: {reason}", hint="check the path and its permissions")
