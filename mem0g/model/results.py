"""What a memory returns: hits and why they were found, contexts, contradictions and receipts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from mem0g.model.graph import Fact
from mem0g.model.messages import Message, Passage


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """Counts of what was permanently deleted; nothing of its content is kept.

    ``facts`` counts all facts removed, including those of other scopes whose only evidence was a forgotten message;
    ``retired`` counts those of them that were retired; ``notes`` are waiting windows, summaries and other notes,
    ``replies`` the replies of a language model that were kept. If ``complete`` is False, another process is reading the
    file or the disk is full: traces of the text remain in the file or its log until the store is next opened or closed.
    """

    id: str
    at: datetime
    messages: int = 0
    entities: int = 0
    facts: int = 0
    retired: int = 0
    decisions: int = 0
    notes: int = 0
    replies: int = 0
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two statements that exclude each other; ``earlier_text`` and ``later_text`` are the sentences.

    Both are messages of one speaker, which may be the same one, or both are current facts. Neither statement is marked
    as the later truth: ask which is right.
    """

    earlier: Message | Fact
    earlier_text: str
    later: Message | Fact
    later_text: str


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a hit was found.

    ``channel``: "anchor" (on a path from an entity that the question names), "similarity" (``score``: the cosine),
    "keywords" (``score``: the share of the question's words), "nearby" (its neighbours raise it), or the name of a
    signal of the caller's own (``score``: what it added). ``detail`` says it in words.
    """

    channel: str
    detail: str
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A fact or a message (exactly one is given) that a search found, with its score and the reasons.

    Of a long message, ``passage`` is the part that was found; several of one message are hits of their own. ``answers``
    is the request of a user that a message of an assistant answers, where the conversation has one.
    ``score`` is the weighted sum of the ranking signals (see mem0g.retrieve.ranking.signals), mostly z-scores over the
    candidates of the same search: 0 is about as relevant as the average candidate, 1 one standard deviation more. The
    best hit has about 3 to 9 in a large memory, less in a small one; hits under -1.2 are cut off unless there are fewer
    than ten. It has no fixed range and is not a probability. Compare scores within one search only: the same fact has
    another score among other candidates.
    """

    score: float
    reasons: tuple[Reason, ...]
    fact: Fact | None = None
    message: Message | None = None
    passage: Passage | None = None
    answers: Message | None = None

    @property
    def text(self) -> str:
        """The sentence of the fact, or the text of the message or of the passage found in it."""
        if self.message and self.passage:
            return self.passage.text_in(self.message)
        return self.fact.text if self.fact else self.message.text if self.message else ""

    @property
    def key(self) -> str:
        """The id of the fact, or of the message or the passage found in it."""
        found = self.fact or self.passage or self.message
        return found.id if found else ""

    @property
    def evidence(self) -> tuple[str, ...]:
        """Ids of the messages it comes from."""
        return self.fact.evidence if self.fact else (self.message.id,) if self.message else ()


class Hits(list[Hit]):
    """The hits of a search, best first.

    ``known`` is False if nothing in the memory seems to be about the question: the hits are then the nearest that there
    are, and ``Context.text`` would be empty. See mem0g.retrieve.ranking.known for the limits of this check.
    """

    def __init__(self, hits: Iterable[Hit] = (), *, known: bool = True) -> None:
        super().__init__(hits)
        self.known = known


@dataclass(frozen=True, slots=True)
class Context:
    """Text for a prompt, with at most the tokens asked for, and the hits in it.

    ``known`` is False if nothing in the memory is about the question; the text is then empty, except for standing
    instructions. See mem0g.retrieve.ranking.known for the limits of this check. If a language model has checked the
    context, ``known`` says whether the text answers the question, and ``missing`` what it lacks; the text is kept in
    both cases.
    """

    text: str
    hits: tuple[Hit, ...]
    tokens: int
    known: bool = True
    missing: str = ""
