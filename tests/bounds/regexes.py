"""All regular expressions of mem0g, with the methods applied to them and texts that are hard for them."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import pkgutil
import re
import re._constants as codes  # type: ignore[import-not-found]  # the standard library's parser, which has no stubs
import re._parser as parser  # type: ignore[import-not-found]
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import mem0g
from mem0g.extract.rules.grammar.verb_phrases import compiled
from mem0g.extract.rules.themes import patterns

METHODS = frozenset({"match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer"})
WHOLE, ANYWHERE = "fullmatch", "search"

COMMON = ("a", "A", "a ", "Aa ", "1", " ", "\n", "?", ".", '"', "'", "-", "<", "(", ", ", "and ", "1:1", "é", "A a. ")
"""Fragments that are repeated for every regular expression, beside those of its own."""


@dataclass(frozen=True, slots=True)
class Regex:
    """A regular expression: where it is defined, and the methods by which it is applied to a text."""

    place: str
    pattern: re.Pattern[str]
    methods: frozenset[str]

    @property
    def runs(self) -> Iterator[Callable[[str], object]]:
        """Return the functions that apply it to a text, one for each method with a running time of its own."""
        for method in sorted({method if method in ("match", WHOLE) else "sub" for method in self.methods}):
            yield {"match": self._match, WHOLE: self._match_whole, "sub": self._substitute}[method]

    def _match(self, text: str) -> object:
        return self.pattern.match(text)

    def _match_whole(self, text: str) -> object:
        return self.pattern.fullmatch(text)

    def _substitute(self, text: str) -> object:
        return self.pattern.sub("", text)


def regexes() -> Iterator[Regex]:
    """Return all of them: module attributes, members of collections, and literals in calls."""
    for module in _modules():
        tree = ast.parse(Path(str(module.__file__)).read_text("utf-8"))
        used = _uses(tree)
        for name, value in vars(module).items():
            for pattern in _within(value):
                yield Regex(f"{module.__name__}.{name}", pattern, used.get(name) or _others(used, module))
        for line, pattern, method in _inline(tree, module):
            yield Regex(f"{module.__name__}:{line}", pattern, frozenset({method}))
    for each in patterns():
        yield Regex("mem0g.extract.rules.themes", compiled(each.words), frozenset({"match"}))


def hard_texts(regex: Regex) -> Iterator[Callable[[int], str]]:
    """Return functions that make texts of a given size on which a regular expression may be slow.

    Each text has a start that matches, a repeated fragment, and an end that does not match. Fragments are what its
    repetitions repeat, its literals with and without a word before them, and some common ones.
    """
    tree = parser.parse(regex.pattern.pattern, regex.pattern.flags & ~re.DEBUG)
    fragments = [*COMMON, *_literals(tree)]
    makers = dict.fromkeys([("", each) for each in fragments])
    for start, body in _repeats(tree, ""):
        makers |= dict.fromkeys((start, each) for each in (body, *fragments[: len(COMMON)], *fragments[-12:]))
        makers |= dict.fromkeys((f"{start}a", each) for each in (body, " ", "a"))
    for start, fragment in makers:
        if fragment:
            for end in ("", "\0!", "\0a"):
                yield _maker(start, fragment, end)


def _maker(start: str, fragment: str, end: str) -> Callable[[int], str]:
    def make(size: int) -> str:
        return start + fragment * max(1, (size - len(start) - len(end)) // len(fragment)) + end

    return make


@cache
def _modules() -> tuple[ModuleType, ...]:
    names = (info.name for info in pkgutil.walk_packages(mem0g.__path__, "mem0g."))
    found = (_imported(name) for name in names if not name.endswith("__main__") and not _without_regexes(name))
    return tuple(module for module in found if module)


def _without_regexes(name: str) -> bool:
    """Whether it is an integration that names no regular expression: importing its framework takes seconds."""
    if not name.startswith("mem0g.integrations."):
        return False
    spec = importlib.util.find_spec(name)
    assert spec is not None
    return re.search(r"^\s*(import|from) re\b", Path(str(spec.origin)).read_text("utf-8"), re.MULTILINE) is None


def _imported(name: str) -> ModuleType | None:
    """Return a module, None for an integration whose framework is not installed."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as missing:
        if name.startswith("mem0g.integrations.") and not str(missing.name).startswith("mem0g"):
            return None
        raise


def _within(value: Any) -> Iterator[re.Pattern[str]]:
    """Return the regular expressions in a module's value, at any depth of its collections."""
    if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
        yield value
    elif isinstance(value, dict):
        yield from _within(list(value.values()))
    elif isinstance(value, list | tuple | frozenset | set):
        for each in value:
            yield from _within(each)


def _uses(tree: ast.AST) -> dict[str, frozenset[str]]:
    """Return the methods called, or passed on, on each name of a module."""
    found: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in METHODS and isinstance(node.value, ast.Name):
            found.setdefault(node.value.id, set()).add(node.attr)
    return {name: frozenset(methods) for name, methods in found.items()}


def _others(used: dict[str, frozenset[str]], module: ModuleType) -> frozenset[str]:
    """Return the methods called on other names: loop variables over collections of regular expressions."""
    local = [methods for name, methods in used.items() if name not in vars(module)]
    return frozenset().union(*local) or frozenset({ANYWHERE})


def _inline(tree: ast.AST, module: ModuleType) -> Iterator[tuple[int, re.Pattern[str], str]]:
    """Return those given as literals to a function of ``re``, except the few made of values unknown before."""
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
            continue
        if isinstance(node.func.value, ast.Name) and node.func.value.id == "re" and node.func.attr in METHODS:
            try:
                text = eval(compile(ast.Expression(node.args[0]), "<regex>", "eval"), dict(vars(module)))
            except NameError:  # a local variable stands in it
                continue
            flags = re.IGNORECASE if "IGNORECASE" in ast.dump(node) else 0
            yield node.lineno, re.compile(text, flags), node.func.attr


def _literals(tree: Iterable[Any]) -> list[str]:
    found: list[str] = []
    _collect(tree, found)
    distinct = list(dict.fromkeys(each for each in found if each not in COMMON))[:24]
    return [*distinct, *(f"a{each}" for each in distinct[:12]), *(f"{each}a" for each in distinct[:12])]


def _collect(tree: Iterable[Any], found: list[str]) -> None:
    run = ""
    for code, value in tree:
        if code is codes.LITERAL:
            run += chr(value)
            continue
        found += [run] if run else []
        run = ""
        if code is codes.IN:
            found += [each for each in [_one_of(value)] if each]
        for part in _parts(code, value):
            _collect(part, found)
    found += [run] if run else []


def _parts(code: Any, value: Any) -> list[Any]:
    """Return the trees within a node."""
    if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
        return [value[2]]
    if code is codes.SUBPATTERN:
        return [value[3]]
    if code is codes.BRANCH:
        return list(value[1])
    if code in (codes.ASSERT, codes.ASSERT_NOT):
        return [value[1]]
    if code is codes.ATOMIC_GROUP:
        return [value]
    return []


def _one_of(members: Iterable[Any]) -> str:
    """Return a character of a class."""
    for code, value in members:
        if code is codes.NEGATE:
            return "a"
        if code is codes.LITERAL:
            return chr(value)
        if code is codes.RANGE:
            return chr(value[0])
        if code is codes.CATEGORY:
            return {codes.CATEGORY_DIGIT: "1", codes.CATEGORY_SPACE: " ", codes.CATEGORY_NOT_WORD: "-"}.get(value, "a")
    return ""


def _example(tree: Iterable[Any]) -> str:
    """Return a short text that roughly matches."""
    text = ""
    for code, value in tree:
        if code is codes.LITERAL:
            text += chr(value)
        elif code is codes.IN:
            text += _one_of(value)
        elif code in (codes.ANY, codes.NOT_LITERAL):
            text += "a"
        elif code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            text += _example(value[2]) * min(value[0], 8)
        elif code is codes.BRANCH:
            text += _example(value[1][0])
        elif code in (codes.SUBPATTERN, codes.ATOMIC_GROUP):
            text += _example(_parts(code, value)[0])
    return text


def _repeats(tree: Iterable[Any], start: str) -> Iterator[tuple[str, str]]:
    """Yield, for each unbounded repetition, a text that roughly matches before it and what it repeats."""
    for code, value in tree:
        if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT) and value[1] >= 1000:
            yield start, _example(value[2])
        for part in _parts(code, value):
            yield from _repeats(part, start)
        start += _example([(code, value)])
