"""Statements of one person that exclude each other, neither marked as the later truth.

The later one denies that the earlier ever happened: "I met Kelly at the book club" and, later, "I've never met Kelly at
any library event", "the API is deployed" and "I haven't deployed the API yet", "I've used Docker for years" and "I have
no experience with Docker". A denial covers all the time before it. In the other order, what had not been done may have
been done since, so only a finished state counts that is not said to be new: after "I've never deployed the API" that is
"I've already deployed the API" or "the API is deployed", and not "the API is now deployed". Two states are no
contradiction: the later is simply the current one. Only values of what never changes exclude each other in any order;
see ``lasting_claims``. Precision comes before recall; English only.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice

from mem0g.model import Contradiction, Fact, Message
from mem0g.relations.parsing import parse_relation
from mem0g.retrieve.context.denials import ASKED, LEAST, LONGEST, Deed, Denial, deeds, denials, sentences
from mem0g.retrieve.context.lasting_claims import MAY_CLAIM, TOPICS, LastingClaim, lasting_claims
from mem0g.retrieve.ranking.succession import was_said_after
from mem0g.text.remembering import remembered
from mem0g.text.stemming import content


def contradictions(messages: Sequence[Message]) -> Iterator[Contradiction]:
    """Yield a pair for each message that denies what another one of the same speaker says, with the closest such.

    That is an earlier one, else a later one that tells of it as of something known. Then a pair for each message that
    gives another value of what never changes. ``messages`` of assistants and tools are left out. Takes time
    proportional to the messages that share words.
    """
    said = [each for each in messages if each.role == "user" and len(each.text) <= LONGEST]
    yield from _denials_of_deeds(said)
    yield from _other_values(said)


def _denials_of_deeds(said: Sequence[Message]) -> Iterator[Contradiction]:
    done: dict[str, list[tuple[int, Deed]]] = defaultdict(list)
    denied = [(place, each, denial) for place, each in enumerate(said) for denial in denials(each.text, each.speaker)]
    if not denied:
        return
    for place, message in enumerate(said):
        for deed in deeds(message.text, message.speaker):
            for word in deed.words:
                done[word].append((place, deed))
    for place, message, denial in denied:
        candidates = {deed for word in denial.words for deed in done[word]}
        fitting = [
            (at, deed)
            for at, deed in candidates
            if said[at].speaker == message.speaker and deed.text != denial.text and denial.excludes(deed.words)
        ]
        before = [each for each in fitting if each[0] == place or was_said_after(message, said[each[0]])]
        after = [each for each in fitting if was_said_after(said[each[0]], message)]
        if before:
            at, deed = max(before, key=lambda each: _closeness(denial, *each))
            yield Contradiction(said[at], deed.text, message, denial.text)
        elif after and (again := _restating(denial, after)):
            at, deed = max(again, key=lambda each: _closeness(denial, *each))
            yield Contradiction(message, denial.text, said[at], deed.text)


def _closeness(denial: Denial, place: int, deed: Deed) -> tuple[bool, int, int, str]:
    """Return whether a deed has a verb of the denial, how many of its words, and how early it is told, for order."""
    return any(verb in deed.words for verb, _ in denial.alternatives), len(deed.words & denial.words), -place, deed.text


def _restating(denial: Denial, after: Sequence[tuple[int, Deed]]) -> list[tuple[int, Deed]]:
    """Return those of the deeds told after a denial that may well have been done before it.

    None where the first of them is new: what is told after that follows from it.
    """
    first = min(place for place, _ in after)
    if denial.exact or not all(deed.lasting for place, deed in after if place == first):
        return []
    return [(place, deed) for place, deed in after if deed.lasting and len(deed.words & denial.words) >= LEAST]


def _other_values(said: Sequence[Message]) -> Iterator[Contradiction]:
    """Yield, for each attribute that never changes, the first two messages of a speaker that give different values."""
    claimed: dict[tuple[str, str], list[tuple[Message, LastingClaim]]] = defaultdict(list)
    for message in said:
        for claim in _lasting(message.text):
            claimed[message.speaker, claim.attribute].append((message, claim))
    for claims in claimed.values():
        pairs = ((one, other) for one, other in combinations(claims, 2) if one[1].excludes(other[1]))
        for (one, first), (other, second) in islice(pairs, 1):
            if was_said_after(one, other):
                one, first, other, second = other, second, one, first
            yield Contradiction(one, first.sentence, other, second.sentence)


@remembered
def _lasting(text: str) -> tuple[LastingClaim, ...]:
    return lasting_claims(tuple(sentences(text))) if MAY_CLAIM.search(text) else ()


def without_repeats(facts: Iterable[Contradiction], said: Iterable[Contradiction]) -> list[Contradiction]:
    """Return the pairs of ``facts`` but those that come from the messages of a pair ``said``."""
    ids = [(pair.earlier.id, pair.later.id) for pair in said]

    def is_new(pair: Contradiction) -> bool:
        one, other = (each.evidence if isinstance(each, Fact) else (each.id,) for each in (pair.earlier, pair.later))
        return not any((a in one and b in other) or (a in other and b in one) for a, b in ids)

    return [pair for pair in facts if is_new(pair)]


def relevant(found: Iterable[Contradiction], terms: Sequence[str], limit: int) -> list[Contradiction]:
    """Return at most ``limit`` of those that a question of these stems is about, most common words first.

    The question has most of the words of what one statement denies, beside the verb; of two facts those of the
    relation and of what both objects have in common, or of the object that one denies.
    """
    asked = frozenset(terms)
    fitting = [(fit, each) for each in found if (fit := _fit(each, asked))]
    return [each for _, each in sorted(fitting, key=lambda one: -one[0])][:limit]


def _fit(found: Contradiction, asked: frozenset[str]) -> int:
    """Return how many words of the denial, or of the later statement, the question has, 0 if it is about another thing.

    It is about what is denied if it has most of its words, and about what never changes if it names that.
    """
    if isinstance(found.later, Fact) or isinstance(found.earlier, Fact):
        return _fit_of_facts(found.earlier, found.later, asked)
    sides = ((found.later, found.later_text), (found.earlier, found.earlier_text))
    each_denied = [[one for one in denials(each.text, each.speaker) if one.text == text] for each, text in sides]
    denied = each_denied[0] or each_denied[1]
    fit = max((each.asked_words(asked) for each in denied), default=0) and len(content(denied[0].text) & asked)
    named = {each.attribute for each in _lasting(found.later.text)} if not denied else set()
    return max(fit, max((len(TOPICS[each] & asked) for each in named), default=0))


def _fit_of_facts(earlier: Message | Fact, later: Message | Fact, asked: frozenset[str]) -> int:
    if not isinstance(earlier, Fact) or not isinstance(later, Fact):
        return 0
    denial = next((each for each in (later, earlier) if parse_relation(each.relation).denied), None)
    if denial:
        topic = content(denial.object)
    else:
        topic = content(later.relation.replace("_", " ")) | (content(earlier.object) & content(later.object))
    topic = frozenset(word for word in topic if word.isalpha())
    common = len(topic & asked)
    return common + len(content(later.subject) & asked) if topic and common >= ASKED * len(topic) else 0
