"""Every error mem0g raises on purpose.

    Mem0gError
    ├── InputError                  the input cannot be used
    │   ├── TranscriptError         a transcript cannot be read
    │   ├── TripleError             a triple cannot be stored
    │   ├── ScopeError              no scope, or an invalid one
    │   ├── TimeError               a time that cannot be read
    │   ├── QueryError              a search parameter is out of range
    │   └── UndoError               a decision cannot be undone, or not before later ones
    ├── NotFoundError               no fact, entity or message with that id or name
    ├── StoreError                  the store cannot be used
    │   ├── UnknownStoreError       a store address of an unknown scheme
    │   ├── ForeignStoreError       the file is not a database, or is another program's
    │   ├── DamagedStoreError       the file is mem0g's, and parts of it cannot be read
    │   ├── LockedStoreError        another process holds the store (try again)
    │   ├── UnreachableStoreError   no server answers there (try again)
    │   ├── StoreAccessError        the server refuses this user
    │   ├── UnknownDatabaseError    the server has no database of that name
    │   ├── OldServerError          the server's version is too old
    │   ├── ChangeTooLargeError     one transaction would need more memory than the server allows
    │   ├── ReadOnlyStoreError      the store cannot be written
    │   ├── NewerStoreError         written by a newer mem0g
    │   └── EmbedderMismatchError   filled by another embedder
    ├── EmbedderError               vectors cannot be computed
    │   ├── WeightsMissingError     no weights were found
    │   └── ChecksumError           the weights are not the ones expected
    ├── WorkerError                 a process or a cluster that ingests failed (try again)
    └── ModelError                  the language model gave no usable reply
        ├── UnreachableModelError   no answer, or an overloaded server (try again)
        ├── ModelAccessError        no API key, or one without permission
        ├── UnknownModelError       the server has no model of that name
        ├── PromptTooLongError      more than the model can read; half of the window may fit
        ├── ReplyTooLongError       more than the model may write; half of the window may fit
        └── UnusableReplyError      a reply that cannot be parsed, or is inconsistent

Each has a message that names the offending value, and a ``hint`` that says how to fix the problem.
"""

from __future__ import annotations


class Mem0gError(Exception):
    """Base of all errors raised by mem0g.

    ``hint`` says what to do (or is None), ``retry`` whether trying again may work. ``stored``: raised while messages
    were added, all of which are stored all the same, and are not to be added again.
    """

    retry = False
    stored = False

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(_printable(message))
        self.hint = hint if hint is None else _printable(hint)

    @property
    def with_hint(self) -> str:
        """The message and, in brackets, the hint: one line for a program or a model that reads it."""
        return f"{self} ({self.hint})" if self.hint else str(self)


def quoted(text: str, limit: int = 80) -> str:
    """Return the text in quotes for a message, cut with an ellipsis to ``limit`` characters."""
    return repr(text if len(text) <= limit else text[: limit - 1] + "…")


def _printable(text: str) -> str:
    """The text with halves of surrogate pairs escaped, so that it can be encoded and printed."""
    return text.encode("utf-8", "backslashreplace").decode()


class InputError(Mem0gError):
    """The input cannot be used; nothing was written."""


class TranscriptError(InputError):
    """A transcript cannot be read; the message names the file and, where it can, the line."""


class TripleError(InputError):
    """A triple cannot be stored: an empty end, a NUL byte, an overlong relation, unknown evidence."""


class ScopeError(InputError):
    """No scope was given, or one of its keys is not usable."""


class TimeError(InputError):
    """A time or date cannot be read, or an interval ends before it begins."""


class QueryError(InputError):
    """A parameter of a search is out of range."""


class UndoError(InputError):
    """A decision cannot be undone; ``decisions`` are ids of later ones to be undone first, the latest first."""

    def __init__(self, message: str, *, hint: str | None = None, decisions: tuple[str, ...] = ()) -> None:
        super().__init__(message, hint=hint)
        self.decisions = decisions


class NotFoundError(Mem0gError):
    """No fact, entity or message has that id or name in the scope."""


class StoreError(Mem0gError):
    """The store cannot be used."""


class UnknownStoreError(StoreError):
    """The store address has a scheme that mem0g does not know."""


class ForeignStoreError(StoreError):
    """The file is not a database, or is the database of another program."""


class DamagedStoreError(StoreError):
    """The file is a store of mem0g, and parts of it are damaged or missing."""


class LockedStoreError(StoreError):
    """Another process holds the store; trying again later may work."""

    retry = True


class UnreachableStoreError(StoreError):
    """No server answers at the store's address; trying again later may work."""

    retry = True


class StoreAccessError(StoreError):
    """The server refuses this user, or what the user tried to do."""


class UnknownDatabaseError(StoreError):
    """The server has no database of that name."""


class OldServerError(StoreError):
    """The server's version is older than mem0g can use."""


class ChangeTooLargeError(StoreError):
    """One transaction would need more memory than the server allows; half of the change may fit."""


class ReadOnlyStoreError(StoreError):
    """The store cannot be written."""


class NewerStoreError(StoreError):
    """The store was written by a newer version of mem0g."""


class EmbedderMismatchError(StoreError):
    """The store was filled by another embedder than the one in use."""

    @classmethod
    def between(
        cls, address: str, held: tuple[str | None, int | None], given: tuple[str, int]
    ) -> EmbedderMismatchError:
        """Return the error for the store at ``address``; an embedder is given as its name and dimensions."""
        return cls(
            f"{address} was filled by the embedder {held[0]} ({held[1]} dimensions), not {given[0]} ({given[1]})",
            hint=f"open it with {held[0]}, or run `mem0g reindex` to re-embed it",
        )


class EmbedderError(Mem0gError):
    """Vectors cannot be computed."""


class WeightsMissingError(EmbedderError):
    """No weights of the embedding model were found."""


class ChecksumError(EmbedderError):
    """The weights found are not the ones expected."""


class WorkerError(Mem0gError):
    """A process that ingests ended before its work, or a cluster cannot be used; trying again later may work."""

    retry = True


class ModelError(Mem0gError):
    """The language model gave no usable reply."""


class UnreachableModelError(ModelError):
    """The model's server does not answer, or is overloaded; trying again later may work.

    ``retry_after``: the seconds that the server asks to wait, if it does.
    """

    retry = True

    def __init__(self, message: str, *, hint: str | None = None, retry_after: float | None = None) -> None:
        super().__init__(message, hint=hint)
        self.retry_after = retry_after


class ModelAccessError(ModelError):
    """There is no key, or the server refuses the one given."""


class UnknownModelError(ModelError):
    """The server has no model of that name."""


class PromptTooLongError(ModelError):
    """The prompt is longer than the model can read; half of the window may fit."""


class ReplyTooLongError(ModelError):
    """The reply was cut off at its maximum length; the reply to half of the window may fit."""


class UnusableReplyError(ModelError):
    """The reply cannot be parsed or is inconsistent; ``reply`` is its raw text."""

    def __init__(self, message: str, *, hint: str | None = None, reply: str = "") -> None:
        super().__init__(message, hint=hint)
        self.reply = reply
