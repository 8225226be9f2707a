"""The list of prompts, and each one rendered for a window of a transcript."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from mem0g.errors import InputError
from mem0g.ingest.windows import WindowLimits, windows_of
from mem0g.model import Message, Scope, Utterance
from mem0g.settings import Settings

EXTRACT, CONFLICT, ANSWER, CHAT = "mem0g.extract.llm", "mem0g.conflict", "mem0g.answer", "mem0g.chat"
PROCEDURAL = "mem0g.procedural"

PROMPTS = {
    "extract": (EXTRACT, "entities and facts of a window, in one call"),
    "entities": (EXTRACT, "the first of two stages: the entities of a window"),
    "relations": (EXTRACT, "the second: the facts between them"),
    "naming": (EXTRACT, "quoted by extract and entities: what an entity is"),
    "claims": (EXTRACT, "quoted by extract and relations: what a fact is"),
    "assistant": (EXTRACT, "quoted by extract and relations where an assistant speaks: what is no fact"),
    "memories": (EXTRACT, "the sentences to remember of a window, for dense memories"),
    "summary": (EXTRACT, "the summary of the conversation so far"),
    "decide": (CONFLICT, "what new facts do to known ones"),
    "names": (CONFLICT, "quoted by decide where names may mean one thing"),
    "update": (CONFLICT, "what new dense memories do to known ones"),
    "answer": (ANSWER, "one answer to a question, with its sources"),
    "check": (ANSWER, "whether a context tells what a question asks"),
    "chat": (CHAT, "what is said next in `mem0g chat`"),
    "procedural": (PROCEDURAL, "notes about the steps of an agent's run"),
}
"""The prompts by name: the package that contains the file, and its purpose."""

_WINDOW_PROMPTS = ("extract", "entities", "relations", "memories", "summary")


def rendered(name: str, utterances: Sequence[Utterance], number: int, settings: Settings) -> str:
    """Return the prompt for the window with this number (from 1), in an empty memory.

    Raises InputError if the prompt is not about a window, or the transcript has fewer windows.
    """
    from mem0g.extract.llm.extractor import fragments
    from mem0g.extract.llm.rendering import ExtractionOptions, window_words
    from mem0g.llm.prompts import Prompts

    if name not in _WINDOW_PROMPTS:
        raise InputError(f"the prompt {name!r} is not about a window", hint=f"use one of {', '.join(_WINDOW_PROMPTS)}")
    scope = Scope(user_id="prompt")
    messages = [Message.of(utterance, scope) for utterance in utterances]
    limits = WindowLimits(settings.window, settings.window_tokens, settings.context)
    windows = windows_of(lambda *_: (), scope, messages, set(), limits)
    window = next(islice(windows, number - 1, None), None)
    if window is None:
        raise InputError(f"the transcript has no window {number}", hint="--window counts from 1")
    words = (
        window_words(window)
        | ExtractionOptions.of(settings.llm).words
        | {"entities": "", "earlier": "", "assistant": ""}
    )
    asked = Prompts(settings.llm.prompts).render(EXTRACT, name, words, fragments(name, window))
    parts = (("system", asked.system), ("hints", asked.hints), ("user", asked.user))
    return "\n\n".join(f"# {part}\n{text}" for part, text in parts if text)
