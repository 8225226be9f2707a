"""Lists of missed and doubtful triples, for reading."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmarks.extraction.figures import Compared
from benchmarks.extraction.matching import Pair
from mem0g import Triple


def missed(compared: Sequence[Compared]) -> Iterator[str]:
    """Yield reference triples that were not recovered, each with the nearest extracted one."""
    for each, pair in _each_pair(compared):
        if not pair.recovered:
            nearest = f"{pair.cosine:.2f} {pair.found.triple.text}" if pair.found else "nothing from these turns"
            yield f"{_place(each, pair)}: {pair.reference.triple.text}\n    nearest: {nearest}"


def wrong_dates(compared: Sequence[Compared]) -> Iterator[str]:
    """Yield pairs whose dates disagree."""
    for each, pair in _each_pair(compared):
        if pair.found and False in pair.dates:
            yield _beside(each, pair, _dated(pair.reference.triple), _dated(pair.found.triple))


def undated(compared: Sequence[Compared]) -> Iterator[str]:
    """Yield pairs of which only the reference has a start date."""
    for each, pair in _each_pair(compared):
        if pair.found and pair.undated:
            yield _beside(each, pair, _dated(pair.reference.triple), _dated(pair.found.triple))


def wrong_persons(compared: Sequence[Compared]) -> Iterator[str]:
    """Yield pairs about different speakers."""
    for each, pair in _each_pair(compared):
        if pair.found and pair.wrong_person(each.run.speakers):
            yield _beside(each, pair, pair.reference.triple.text, pair.found.triple.text)


def lost(compared: Sequence[Compared]) -> Iterator[str]:
    """Yield pairs that lost details."""
    for each, pair in _each_pair(compared):
        if pair.found and pair.lost:
            texts = " | ".join(claim.triple.text for claim in pair.beside)
            yield _beside(each, pair, f"{pair.reference.triple.text} lost: {', '.join(pair.lost)}", texts)


def failed(compared: Sequence[Compared]) -> Iterator[str]:
    """Yield windows that gave no usable reply, with the error."""
    for each in compared:
        for window in each.run.failed:
            first = window.window.messages[0]
            yield f"{first.source}, {first.session}, from message {first.position + 1}: {window.error}"


def _each_pair(compared: Sequence[Compared]) -> Iterator[tuple[Compared, Pair]]:
    return ((each, pair) for each in compared for pair in each.pairs)


def _beside(each: Compared, pair: Pair, reference: str, extracted: str) -> str:
    return f"{_place(each, pair)}: {reference}\n    extracted: {extracted}"


def _place(each: Compared, pair: Pair) -> str:
    return f"{each.run.conversation.id} {','.join(sorted(pair.reference.turns))}"


def _dated(triple: Triple) -> str:
    return f"{triple.text} [{triple.valid_from or ''} to {triple.valid_to or ''}]"
