"""Which standing instructions and preferences of a user a context begins with.

An instruction without a condition ("answer in metric units") fits every question. One with a condition ("when I ask
about dependencies", "in code reviews") fits a question that shares a content word with the condition, or resembles the
whole sentence. What is preferred is a condition itself: a preference fits a question that resembles it, the sooner when
the question seeks advice.
The condition is read from the sentence, so that it needs no place in a store and a model may have written it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from mem0g.model import PREFERS, Fact, Hit, Reason
from mem0g.retrieve.question.query import Question
from mem0g.retrieve.ranking.ranking import Ranking
from mem0g.store.candidates import FactCandidate
from mem0g.text.remembering import remembered
from mem0g.text.stemming import content

ALWAYS_FITS = 0.6
"""The fit of an instruction without a condition: behind conditions that the question names, before others."""

NAMED = 0.5
"""Share of a condition's content words that a question has to have if it does not resemble the instruction."""

FIRST_INSTRUCTIONS, MAX_PREFERENCES = 3, 2
"""Instructions that come before preferences, and preferences in all."""

_ADVICE = re.compile(
    r"\b(?:suggest|recommend|advi[cs]e|propose|tips|ideas?|should I|(?:can|could|would|will) you|help me|explain"
    r"|show me|walk me|teach me|give me|write|draft|create|make me|plan|prepare|review|choose|pick|improve|design"
    r"|how (?:do|can|should|could|would|might) I|what (?:would|should|could|can)|I'm (?:planning|looking|trying"
    r"|applying|thinking|working|updating|building|preparing)|I (?:want|need|would like) )",
    re.IGNORECASE,
)

_CONDITION = re.compile(
    r"\b(?:when(?:ever)?|if|every time|each time|any ?time) (?:I(?: ever)? (?:ask|talk|mention|write|am asking)\w*"
    r"(?: you)?(?: (?:about|for|to))? )?(?P<when>[^,.;]+)"
    r"|(?:^|\b(?:instructs|wants?|asks?)\b[^,]*?[:,] )?\b(?:in|for|on|during|with) (?P<within>[^,.;]{2,60}), ",
    re.IGNORECASE,
)
_FROM_NOW = re.compile(r"(?:from )?(?:now|here|future|the future|all|any|every|each|general)\b", re.IGNORECASE)


def seeks_advice(question: str) -> bool:
    """Whether the question asks the assistant to do or to suggest something, to which preferences apply."""
    return _ADVICE.search(question) is not None


@remembered
def condition(text: str) -> str:
    """Return the condition of an instruction: "dependencies" of "… when I ask about dependencies"; "" if none."""
    for match in _CONDITION.finditer(text):
        found = (match["when"] or match["within"]).strip()
        if not _FROM_NOW.match(found):
            return found
    return ""


def standing(ranking: Ranking) -> list[Hit]:
    """Return the instructions and preferences that fit the question, the most fitting first, each once.

    Preferences are only used if one user talks with an assistant: what friends like is no wish about an answer. The
    first two of them come behind the first three instructions.
    """
    user, question = _only_user(ranking), ranking.question
    found = {each.fact.id: each for each in (*ranking.found.instructions, *ranking.found.facts) if each.fact.current}
    instructions = _fitting((each for each in found.values() if each.fact.is_instruction), question)
    preferences = [each for each in found.values() if each.fact.relation == PREFERS and each.fact.subject == user]
    return [
        *instructions[:FIRST_INSTRUCTIONS],
        *_fitting(preferences, question)[:MAX_PREFERENCES],
        *instructions[FIRST_INSTRUCTIONS:],
    ]


def _fitting(found: Iterable[FactCandidate], question: Question) -> list[Hit]:
    fits = ((each.fact, _fit(each, question)) for each in found)
    hits = [Hit(score=fit, reasons=(_reason(fact, fit),), fact=fact) for fact, fit in fits if fit > 0]
    return sorted(hits, key=lambda hit: -hit.score)


def _only_user(ranking: Ranking) -> str | None:
    roles = {(each.message.speaker, each.message.role) for each in ranking.found.messages}
    users = {speaker for speaker, role in roles if role == "user"}
    return users.pop() if len(users) == 1 and any(role == "assistant" for _, role in roles) else None


def _fit(each: FactCandidate, question: Question) -> float:
    """Return how well it fits the question, 0 if not at all."""
    fact, cosine = each.fact, max(each.similarities, default=0.0) if question.understood else 0.0
    thresholds = question.thresholds
    if not fact.is_instruction:
        least = thresholds.instruction if seeks_advice(question.text) else thresholds.preference
        return cosine if cosine >= least else 0.0
    when = content(condition(fact.brief or fact.text))
    if not when:
        return ALWAYS_FITS
    named = len(when.intersection(question.terms)) / len(when)
    return max(cosine, 0.0) + named if named >= NAMED or cosine >= thresholds.instruction else 0.0


def _reason(fact: Fact, fit: float) -> Reason:
    if not fact.is_instruction:
        return Reason("standing", "a preference like the question", fit)
    when = condition(fact.brief or fact.text)
    return Reason("standing", f"an instruction for {when}" if when else "an instruction that always holds", fit)
