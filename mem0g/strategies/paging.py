"""Paging: a small main context and a large store beside it, as in an operating system (MemGPT, arXiv 2310.08560).

The main context has core notes, which are always there, the last messages, and pages: facts and messages that a
question or the model itself brought in from the store. When it is full, the page that was not used for longest leaves.
A model may work on it with six functions, which have the names and parameters of MemGPT's.

Cost: the extraction of facts where the memory has an extractor, and a model call for each function that a model calls;
none for a question. Fits: agents that work for a long time on their own and keep their own notes. What a question
brings in stays for the next ones, which helps with several questions about one thing and wastes room between unrelated
ones.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mem0g.errors import InputError, Mem0gError, NotFoundError
from mem0g.ingest.report import Report
from mem0g.lookup import scope_keys
from mem0g.model import LITERAL, MAX_NAME_LENGTH, Context, Fact, Hit, Scope, Triple
from mem0g.strategies.history import (
    History,
    Line,
    best,
    check,
    fact_line,
    heading_tokens,
    latest,
    message_line,
    page,
    words_of,
)
from mem0g.strategies.protocol import Said
from mem0g.text.token_count import TOKENS_PER_WORD

if TYPE_CHECKING:
    from mem0g.memory import Memory

_TEXT, _NUMBER = {"type": "string"}, {"type": "integer"}


def _function(name: str, description: str, required: str = "", **parameters: Mapping[str, str]) -> dict[str, Any]:
    schema = {
        "type": "object",
        "properties": parameters,
        "required": required.split() if required else list(parameters),
        "additionalProperties": False,
    }
    return {"type": "function", "function": {"name": name, "description": description, "parameters": schema}}


_LABEL = {**_TEXT, "description": 'the block of core notes, such as "human" or "persona"'}
_QUERY = {**_TEXT, "description": "what to look for"}
_PAGE = {**_NUMBER, "description": "page of the results, from 0"}

FUNCTIONS: tuple[dict[str, Any], ...] = (
    _function("core_memory_append", "Add a core note, which is always in view.", label=_LABEL, content=_TEXT),
    _function(
        "core_memory_replace",
        "Replace a core note by another; an empty one removes it.",
        label=_LABEL,
        old_content={**_TEXT, "description": "the note as it stands, word for word"},
        new_content=_TEXT,
    ),
    _function("core_memory_view", "Show all core notes."),
    _function("archival_memory_insert", "Archive a note, which a search finds.", content=_TEXT),
    _function("archival_memory_search", "Search facts and archived notes.", required="query", query=_QUERY, page=_PAGE),
    _function(
        "conversation_search", "Search what was said in the conversation.", required="query", query=_QUERY, page=_PAGE
    ),
)
"""Those of MemGPT, with core_memory_view beside them."""

CORE, PAGES, RECENT = "Core notes:", "Pages:", "Last messages:"
"""The headings of the main context."""

NOTED = "noted"
"""The relation of notes, from the scope's owner to the text: facts like others, so that they are durable, dated, can be
corrected and undone, and are found by every search."""

LABEL = "core_memory"
"""The key of a core note's label in its metadata; an archived note has none."""

FOR_CORE, FOR_RECENT, PAGED_IN = 0.2, 0.25, 0.75
"""Shares of the budget for core notes and last messages, and of the pages' room what one question may bring in."""

RESULTS = 5
"""Results on a page of a function's answer."""

CANDIDATES = 100
"""Hits that a question may bring in."""


class PagedMemory:
    """Shows core notes, pages and the last messages, and pages in what a query needs; see mem0g.strategies.Strategy.

    Give ``functions`` to a chat model as its tools, and pass its calls to ``call``. Core notes and what the model
    archives are facts of the memory; which pages are in is not stored.
    """

    name = "paging"

    functions: Sequence[Mapping[str, Any]] = FUNCTIONS
    """The functions that a model may call, as the OpenAI API takes them for ``tools``."""

    def __init__(
        self, memory: Memory, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> None:
        self._history = History(memory, Scope(user_id, agent_id, run_id))
        self._pages: OrderedDict[str, Line] = OrderedDict()
        """The pages that are in, the least recently used first."""

    def add(self, said: Said) -> Report:
        """Remember what was said; see Strategy."""
        return self._history.add(said)

    def context(self, query: str, tokens: int = 500) -> Context:
        """Page in what answers ``query``, page out what does not fit, and return the main context."""
        check(query, tokens)
        room = max(0.0, tokens - heading_tokens(CORE, PAGES, RECENT))
        core = best(map(_note_line, self._core()), FOR_CORE * room)
        recent = latest(self._history.messages, FOR_RECENT * room)
        left = room - words_of([*core, *recent]) * TOKENS_PER_WORD
        in_view = {line.hit.key for line in (*core, *recent)}
        self._page_in(best(self._found(query, in_view), PAGED_IN * left))
        self._page_out(left, in_view)
        pages = [line for key, line in reversed(self._pages.items()) if key not in in_view]
        return page({CORE: core, PAGES: pages, RECENT: recent})

    def call(self, name: str, arguments: Mapping[str, Any] | str) -> str:
        """Return what a function answers to a model; ``arguments`` as an object, or as the JSON text of a tool call.

        A mistake of the model, such as a note that is not there, is answered in words, so that it can try again.
        """
        try:
            given = json.loads(arguments) if isinstance(arguments, str) else arguments
            return self._function(name)(**_checked(name, given))
        except json.JSONDecodeError as error:
            return f"error: the arguments are no JSON: {error}"
        except Mem0gError as error:
            return f"error: {error.with_hint}"

    def _function(self, name: str) -> Callable[..., str]:
        functions: dict[str, Callable[..., str]] = {
            "core_memory_append": self._core_append,
            "core_memory_replace": self._core_replace,
            "archival_memory_insert": self._archive,
            "archival_memory_search": self._search_archive,
            "conversation_search": self._search_conversation,
            "core_memory_view": self._core_view,
        }
        if name not in functions:
            raise NotFoundError(f"no function {name[:80]!r}", hint=f"there are {', '.join(functions)}")
        return functions[name]

    # ---- functions of the model ---------------------------------------------------------------------------------

    def _core_append(self, label: str, content: str) -> str:
        self._keep(content, {LABEL: label})
        return "kept"

    def _core_replace(self, label: str, old_content: str, new_content: str) -> str:
        found = [note for note in self._core() if note.metadata[LABEL] == label and note.text == old_content]
        if not found:
            raise NotFoundError(
                f"no core note of {label!r} is {old_content[:80]!r}", hint="core_memory_view shows them"
            )
        memory, keys = self._history.memory, scope_keys(self._history.scope)
        if not new_content.strip():
            memory.retire(found[0].id, reason="taken out of the core notes", **keys)
            return "removed"
        memory.correct(
            found[0].id,
            new_content,
            subject=found[0].subject,
            relation=NOTED,
            object=_value(new_content),
            **keys,
        )
        return "replaced"

    def _core_view(self) -> str:
        notes = self._core()
        return "\n".join(_note_line(note).text for note in notes) or "there are no core notes"

    def _archive(self, content: str) -> str:
        self._keep(content, {})
        return "archived"

    def _search_archive(self, query: str, page: int = 0) -> str:
        return self._answered([hit for hit in self._hits(query) if hit.fact], page)

    def _search_conversation(self, query: str, page: int = 0) -> str:
        return self._answered([hit for hit in self._hits(query) if hit.message], page)

    def _answered(self, hits: Sequence[Hit], number: int) -> str:
        """Return a page of results, which are paged in as well."""
        lines = [_line(hit) for hit in hits[number * RESULTS : (number + 1) * RESULTS]]
        self._page_in(lines)
        shown = "\n".join(line.text for line in lines) or "nothing found"
        more = len(hits) - (number + 1) * RESULTS
        return f"{shown}\n({more} more: ask for page {number + 1})" if more > 0 else shown

    # ---- notes and pages ----------------------------------------------------------------------------------------

    def _keep(self, content: str, metadata: Mapping[str, str]) -> None:
        """Add a note as a fact of the scope's owner. Raises InputError for a blank one."""
        if not content.strip():
            raise InputError("the note is blank", hint="write what is to be kept")
        owner = next(iter(self._history.scope.keys.values()))
        note = Triple(
            subject=owner,
            relation=NOTED,
            object=_value(content),
            object_type=LITERAL,
            text=content.strip(),
            metadata=metadata,
        )
        self._history.memory.add_triples([note], **scope_keys(self._history.scope))

    def _core(self) -> list[Fact]:
        notes = self._history.memory.facts(relation=NOTED, **scope_keys(self._history.scope))
        return [note for note in notes if LABEL in note.metadata]

    def _hits(self, query: str) -> list[Hit]:
        history = self._history
        return history.memory.search(query, limit=CANDIDATES, **scope_keys(history.scope))

    def _found(self, query: str, in_view: set[str]) -> list[Line]:
        return [_line(hit) for hit in self._hits(query) if hit.key not in in_view]

    def _page_in(self, lines: Sequence[Line]) -> None:
        """Put lines in, the first one as the last used."""
        for line in reversed(lines):
            self._pages[line.hit.key] = line
            self._pages.move_to_end(line.hit.key)

    def _page_out(self, tokens: float, in_view: set[str]) -> None:
        """Take the least recently used pages out until the others fit, and those that are in view anyway."""
        for key in in_view & self._pages.keys():
            del self._pages[key]
        while self._pages and words_of(self._pages.values()) * TOKENS_PER_WORD > tokens:
            self._pages.popitem(last=False)


def _line(hit: Hit) -> Line:
    if hit.fact:
        return Line(fact_line(hit.fact).text, hit)
    assert hit.message is not None
    text = message_line(hit.message).text
    return Line(" ".join(f"{hit.message.speaker}: {hit.text}".split()) if hit.passage else text, hit)


def _note_line(note: Fact) -> Line:
    text = f"{note.metadata[LABEL]}: {note.text}"
    return Line(" ".join(text.split()), Hit(score=0.0, reasons=(), fact=note))


def _value(content: str) -> str:
    return " ".join(content.split())[:MAX_NAME_LENGTH]


def _checked(name: str, given: object) -> dict[str, Any]:
    """Return the arguments of a call. Raises InputError for one that is missing, unknown or of another type."""
    parameters = next((each["function"]["parameters"] for each in FUNCTIONS if each["function"]["name"] == name), None)
    if parameters is None:
        return {}
    known, types = parameters["properties"], {"string": str, "integer": int}
    if not isinstance(given, dict) or given.keys() - known.keys() or set(parameters["required"]) - given.keys():
        raise InputError(f"the arguments of {name} are {str(given)[:80]}", hint=f"give {', '.join(known) or 'none'}")
    for key, value in given.items():
        if not isinstance(value, types[known[key]["type"]]) or isinstance(value, bool):
            raise InputError(f"{key} is {str(value)[:80]!r}", hint=f"it is of type {known[key]['type']}")
        if isinstance(value, int) and value < 0:
            raise InputError(f"{key} is {value}", hint="pages count from 0")
    return given
