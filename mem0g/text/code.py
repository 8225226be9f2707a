"""Recognise code, stack traces and command output in messages, from which no facts are extracted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

DENSE = 0.2
"""Share of symbols in a line from which it looks like code; prose has a twentieth."""

KEPT_LINES = 2
"""Lines of a block of code that ``with_short_code`` keeps."""

_FENCE = re.compile(r"[ \t]*(?P<fence>`{3,}|~{3,})(?P<info>[^`]*)$")
_SYMBOLS = frozenset("{}()[];=<>_|\\/$#@*+&%^~`\"':.,")
_STRONG = frozenset("{}[];=<>|\\$")
_CAMEL_CASE = re.compile(r"\b(?:[A-Za-z][a-z0-9]++(?:[A-Z][a-z0-9]*+)++|[A-Z]{2,}+[a-z]{2,}+[A-Za-z0-9]*+)\b")
_CAMEL_WORD = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
_INDENTED = re.compile(r"(?:  |\t)\s*+(?![-*+•]|\d{1,4}[.)])\S")
_TRACE = re.compile(
    r"\s*(?:Traceback \(most recent call last\)|File \"[^\"]*\", line \d|at [\w.$<>/]+ ?\([^()]*\)"
    r"|[\w.]*(?:Error|Exception): \S)"
)
_STATEMENT = re.compile(
    r"\s*(?:(?:from [\w.]+ )?import [\w., {}*\"'@/-]+;?$|(?:async )?def \w+\(|class \w+[(:]|function \w*\("
    r"|@[\w.]+(?:\(|$)|\$ \w|#!/|//|/\*|</?\w++[^<>]*+>$"
    r"|(?:return|const|let|var|if|for|while|elif|else|try|except|public|private) ?[^.?!]*[;:{(]$)"
)


def identifier_words(text: str) -> list[str]:
    """Return the words in the identifiers of ``text`` in camel case: get, User, By, Id for ``getUserById``."""
    return [word for name in _CAMEL_CASE.findall(text) for word in _CAMEL_WORD.findall(name)]


def blocks(text: str) -> Iterator[tuple[int, int]]:
    """Yield the places of code in ``text``, from the first line to the end of the last, in order; in linear time.

    A block is what stands between fences (``` or ~~~; one that is not closed goes on to the end), or at least two lines
    in a row that look like code or belong to a stack trace; the first of them may have indented lines after it.
    """
    fence, begun, last, count, start = "", 0, 0, 0, 0
    for line in text.splitlines(keepends=True):
        bare = line.rstrip()
        mark = _FENCE.match(bare)
        end = start + len(bare)
        if fence:
            last = end
            if mark and mark["fence"].startswith(fence) and not mark["info"].strip():
                yield begun, last
                fence = ""
        elif mark or not (_looks_like_code(bare) or (count and _INDENTED.match(bare))):
            if bare or mark:
                if count > 1:
                    yield begun, last
                count = 0
            if mark:
                fence, begun, last = mark["fence"], start, end
        else:
            begun, last, count = (begun if count else start), end, count + 1
        start += len(line)
    if fence or count > 1:
        yield begun, last


def without_code(text: str) -> str:
    """Return ``text`` with an empty line in place of each block of code."""
    return _replaced(text, lambda _: "\n")


def with_short_code(text: str) -> str:
    """Return ``text`` with the first lines of each block of code, and how many lines follow."""

    def shortened(code: str) -> str:
        lines = [line for line in code.splitlines() if line.strip()]
        kept = KEPT_LINES + bool(_FENCE.match(lines[0]))
        if len(lines) <= kept + 1:
            return code
        return "\n".join([*lines[:kept], f"… ({len(lines) - kept} more lines of code)"])

    return _replaced(text, shortened)


def _replaced(text: str, by: Callable[[str], str]) -> str:
    parts, end = [], 0
    for start, stop in blocks(text):
        parts += [text[end:start], by(text[start:stop])]
        end = stop
    return "".join([*parts, text[end:]])


def _looks_like_code(line: str) -> bool:
    """Whether a line has the density of symbols of code, or the form of a statement or of a line of a stack trace."""
    if not line.strip() or len(line) > 400:
        return False
    if _TRACE.match(line) or _STATEMENT.match(line):
        return True
    marks = [each for each in line if each in _SYMBOLS]
    solid = len(line) - line.count(" ")
    return any(each in _STRONG for each in marks) and len(marks) >= max(2, DENSE * solid)
