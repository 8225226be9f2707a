"""Leave-one-out: what each matching rule adds in each fold, and how rules chosen on the other folds do on one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from benchmarks.merge.measures import figures, pairs
from benchmarks.merge.methods import Mem0gMatcher
from benchmarks.merge.scenes import Data, Scene
from benchmarks.report import Row
from mem0g.resolve.match_context import Match, MatchContext, MatchingRule
from mem0g.resolve.rules import DEFAULT_RULES

MAX_FOLDS = 8
"""Data with more scenes than this has two folds, of every second scene; other data has a fold for each scene."""


@dataclass(frozen=True, slots=True)
class Fold:
    """Scenes that are judged together, by their position in the data."""

    name: str
    places: tuple[int, ...]


@dataclass(slots=True)
class Switch:
    """Matching rules of which some are off, by the name that their matches have; it records those that matched."""

    off: frozenset[str] = frozenset()
    fired: set[str] = field(default_factory=set)

    def rules(self) -> tuple[MatchingRule, ...]:
        """Return the default rules; the name is left to the next rule where one that is off matches."""
        return tuple(self._switched(rule) for rule in DEFAULT_RULES)

    def _switched(self, rule: MatchingRule) -> MatchingRule:
        def matched(context: MatchContext, /) -> Match | None:
            match = rule(context)
            if match is None or match.rule in self.off:
                return None
            if match.differs:
                self.fired.add(match.rule)
            return match

        return matched


@dataclass(frozen=True, slots=True)
class Gain:
    """Pairs of names that a rule adds, right / wrong ones; negative where it keeps others from being joined."""

    right: int = 0
    wrong: int = 0

    def __str__(self) -> str:
        return f"{self.right} / {self.wrong}" if self.right or self.wrong else ""


class LeaveOneOut:
    """The runs of one data set, with all rules and with some of them off."""

    def __init__(self, data: Data, matcher: Mem0gMatcher) -> None:
        self._data, self._matcher = data, matcher
        self._runs: dict[tuple[str, frozenset[str]], tuple[list[str], set[str]]] = {}
        self.folds = folds(data.scenes)
        runs = [self._run(scene, frozenset()) for scene in data.scenes]
        self._nodes, self._fired = [nodes for nodes, _ in runs], [fired for _, fired in runs]
        self.rules = sorted(set().union(*self._fired))
        self.gains = {rule: [self._gain(rule, fold) for fold in self.folds] for rule in self.rules}

    def rows(self) -> list[Row]:
        """Return what each rule adds in each fold."""
        return [
            {
                "rule": rule,
                "data": self._data.name,
                "right": sum(each.right for each in gains),
                "wrong": sum(each.wrong for each in gains),
                **{fold.name: str(gain) for fold, gain in zip(self.folds, gains, strict=True)},
                "kept": is_helpful(gains),
            }
            for rule, gains in self.gains.items()
        ]

    def cross_validated(self) -> list[Row]:
        """Return the figures with all rules, and with the rules that help in the folds that are not judged."""
        nodes = list(self._nodes)
        for left_out, fold in enumerate(self.folds):
            off = frozenset(
                rule
                for rule, gains in self.gains.items()
                if not is_helpful([gain for place, gain in enumerate(gains) if place != left_out])
            )
            for place in fold.places:
                if off & self._fired[place]:
                    nodes[place], _ = self._run(self._data.scenes[place], off)
        return [
            {"rules": name, "data": self._data.name, **figures(self._data.scenes, found)}
            for name, found in (("all", self._nodes), ("cross-validated", nodes))
        ]

    def _gain(self, rule: str, fold: Fold) -> Gain:
        right = wrong = 0
        for place in fold.places:
            if rule in self._fired[place]:
                scene = self._data.scenes[place]
                with_it = _joined(scene, self._nodes[place])
                without = _joined(scene, self._run(scene, frozenset({rule}))[0])
                right, wrong = right + with_it[0] - without[0], wrong + with_it[1] - without[1]
        return Gain(right, wrong)

    def _run(self, scene: Scene, off: frozenset[str]) -> tuple[list[str], set[str]]:
        """Return the nodes of a scene with some rules off, and the rules that joined names; each run is made once."""
        if (scene.id, off) not in self._runs:
            switch = Switch(off)
            matcher = replace(self._matcher, name=f"off: {', '.join(sorted(off))}", rules=switch.rules())
            self._runs[scene.id, off] = matcher.nodes(scene), switch.fired
        return self._runs[scene.id, off]


def folds(scenes: Sequence[Scene]) -> tuple[Fold, ...]:
    """Return a fold for each scene, or two halves where there are many."""
    if len(scenes) <= MAX_FOLDS:
        return tuple(Fold(scene.id, (place,)) for place, scene in enumerate(scenes))
    by_half: defaultdict[int, list[int]] = defaultdict(list)
    for place in range(len(scenes)):
        by_half[place % 2].append(place)
    return tuple(Fold(f"half {number + 1}", tuple(places)) for number, places in sorted(by_half.items()))


def is_helpful(gains: Collection[Gain]) -> bool:
    """Whether a rule adds pairs in one of these folds, and in none of them more wrong ones than right ones."""
    return any(each.right > each.wrong for each in gains) and all(each.right >= each.wrong for each in gains)


def _joined(scene: Scene, nodes: Sequence[str]) -> tuple[int, int]:
    """Return how many pairs of names are joined rightly, and wrongly."""
    joined = pairs([(end, node) for end, node in zip(scene.ends, nodes, strict=True) if end.label])
    return len(joined.found & joined.gold), len(joined.found - joined.gold)
