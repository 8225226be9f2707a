"""One small request, to see whether a model can be asked and how."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from mem0g.errors import UnusableReplyError
from mem0g.llm.request import Call, LanguageModel, Request


class Capital(BaseModel):
    """The capital of a country."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    city: str


class _OneCall:
    """A ledger that keeps the last call."""

    call: Call | None = None

    def note(self, call: Call, reply: str | None) -> None:
        """See Ledger."""
        del reply
        self.call = call

    def reply(self, key: str) -> str | None:
        """See Ledger: nothing is kept."""
        del key
        return None


def trial(model: LanguageModel) -> Call:
    """Ask for the capital of France; answers what the call came to. Raises ModelError's children."""
    ledger = _OneCall()
    model.ask(
        Request(
            purpose="answer",
            system="Call the function with what is asked for.",
            user="Which city is the capital of France?",
            function="name_capital",
            description="Name the capital.",
            reply=Capital,
            check=_check,
        ),
        ledger,
    )
    assert ledger.call is not None
    return ledger.call


def _check(reply: Capital) -> None:
    if "paris" not in reply.city.casefold():
        raise UnusableReplyError(f"the capital of France is not {reply.city!r}")
