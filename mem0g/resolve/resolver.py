"""Node matching: find the entity of each end of a triple by name, by evidence in the strings, then by similarity.

A wrong join costs more than a missed one. So the similarity of vectors alone never joins two names: it finds
candidates, and their strings must not object.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, Final

from mem0g.embed.protocol import MINILM, Thresholds
from mem0g.errors import InputError
from mem0g.model import Scope, Triple
from mem0g.resolve.blocking import NameQuery, name_queries
from mem0g.resolve.kinds import ANIMAL, GROUP, PERSON, compatible
from mem0g.resolve.match_context import Match, MatchContext, MatchingRule
from mem0g.resolve.mentions import Mention, has_value, mentions, states_alias
from mem0g.resolve.names import has_possessive_pronoun, parse
from mem0g.resolve.nodes import Nodes, Resolution, kind, names_of
from mem0g.resolve.roles import roles_told
from mem0g.resolve.rules import DEFAULT_RULES, uncertain_matches
from mem0g.store.queries import EntityCandidate

if TYPE_CHECKING:
    from mem0g.model import Vector

MAX_UNCERTAIN = 2
"""Known entities at most that a model is asked about for one new name."""

_ALSO_KNOWN_AS: Final = "also known as"


class Resolver:
    """Finds the entity of each end of a window's triples, by matching rules that are tried in order."""

    def __init__(
        self,
        *,
        threshold: float | None = None,
        llm_match_threshold: float | None = None,
        rules: Sequence[MatchingRule] = DEFAULT_RULES,
    ) -> None:
        """``threshold`` is the cosine from which two names may mean one entity; above 1 similarity never joins.
        With None it is ``same_name`` of the thresholds that ``resolve`` is given.

        Names from the cosine ``llm_match_threshold`` that no rule joins and nothing contradicts are left to a model;
        with None there are none. The first of ``rules`` that returns a match decides; a name that none of them matches
        becomes a new entity.
        """
        self.threshold, self.llm_match_threshold, self.rules = threshold, llm_match_threshold, tuple(rules)

    def queries(self, triples: Sequence[Triple], speakers: Collection[str] = ()) -> tuple[NameQuery, ...]:
        """Return the distinct names whose candidates and vectors ``resolve`` needs, in order of appearance.

        The queries of some of the triples are among those of all, as long as the same ``speakers`` are given.
        """
        queries = name_queries(triples, speakers)
        if self.rules == DEFAULT_RULES:
            return queries
        return tuple(replace(query, around=True) for query in queries)  # other rules may ask for anything

    def resolve(
        self,
        triples: Sequence[Triple],
        *,
        scope: Scope,
        candidates: Mapping[str, Sequence[EntityCandidate]],
        vectors: Mapping[str, Vector],
        speakers: Collection[str],
        at: datetime,
        same: Collection[tuple[str, str]] = (),
        thresholds: Thresholds = MINILM,
    ) -> Resolution:
        """Return the nodes of ``triples``, resolved in order: a node created for one is a candidate for the next.

        ``candidates`` and ``vectors`` (unit vectors) are by the folded name of each query; a name without a vector is
        matched by its string alone. ``speakers`` are the names of the window's speakers; ``at`` becomes the time of
        what is created. ``same`` are the pairs of an earlier resolution's uncertain matches that mean one entity.
        ``thresholds`` are those of the embedder that made the vectors.

        Raises InputError where a rule returns an entity that is not among its candidates.
        """
        nodes = Nodes(scope, candidates, vectors, at)
        threshold = thresholds.same_name if self.threshold is None else self.threshold
        roles = roles_told(triples, speakers)
        window = _Window(self, nodes, frozenset(speakers), frozenset(same), threshold, roles)
        return nodes.resolution([window.ends(triple) for triple in triples])


class _Window:
    """Resolves the mentions of one window, one after the other."""

    def __init__(
        self,
        resolver: Resolver,
        nodes: Nodes,
        speakers: frozenset[str],
        same: frozenset[tuple[str, str]],
        threshold: float,
        roles: Mapping[str, frozenset[tuple[str, str]]],
    ) -> None:
        self._resolver, self._nodes, self._speakers, self._same = resolver, nodes, speakers, same
        self._threshold, self._roles = threshold, roles

    def ends(self, triple: Triple) -> tuple[str, str]:
        """Return the ids of the triple's subject and object."""
        subject, obj = mentions(triple, self._speakers)
        if states_alias(triple) and self._may_be_alias(subject, obj) and not self._has_other_name(subject, obj):
            node = self._node_with_alias(subject, obj)
            self._nodes.record(node, subject)
            return node, node
        return self._node(subject), self._nodes.literal(triple.object) if has_value(triple) else self._node(obj)

    def _node(self, mention: Mention) -> str:
        """Return the node that a rule finds, else a new one."""
        context = self._context(mention)
        match = self._match(context)
        node = self._join(mention, match) if match else self._create(context)
        self._nodes.record(node, mention)
        return node

    def _context(self, mention: Mention) -> MatchContext:
        roles = self._roles.get(mention.parsed.key, frozenset())
        return MatchContext(self._nodes, mention, self._speakers, self._threshold, roles)

    def _match(self, context: MatchContext) -> Match | None:
        """Return the match of the first rule that has one."""
        for rule in self._resolver.rules:
            if match := rule(context):
                if match.entity_id not in self._nodes:
                    raise InputError(
                        f"the matching rule {match.rule!r} returned the unknown entity {match.entity_id!r}",
                        hint="return the id of one of MatchContext.candidates",
                    )
                return match
        return None

    def _join(self, mention: Mention, match: Match) -> str:
        if match.differs:
            self._nodes.log(match.rule, match.reason, mention, (match.entity_id,), match.score)
        self._nodes.learn(match.entity_id, mention, better_name=match.better_name, alias=match.alias)
        return match.entity_id

    def _create(self, context: MatchContext) -> str:
        """Create a node for the mention; list the known entities that it may be, or merge it into one of ``same``."""
        mention, least = context.mention, self._resolver.llm_match_threshold
        uncertain = [] if least is None else list(islice(uncertain_matches(context, least), MAX_UNCERTAIN))
        node = self._nodes.create(mention)
        for known, score in uncertain:
            self._nodes.add_uncertain(mention, node, known, score)
            if (node, known.id) in self._same and self._nodes.final(node) != self._nodes.final(known.id):
                self._nodes.log("model", f"{mention.name} is {known.name}", mention, (known.id,), score)
                self._nodes.merge(node, known.id)
        return node

    def _may_be_alias(self, subject: Mention, alias: Mention) -> bool:
        """Whether the object of "subject, also known as object" is a name for the subject.

        Two speakers are two people, entities of two kinds are two, and a list (Tom and Bo) names several.
        """
        speakers = {parse(speaker).key for speaker in self._speakers}
        two_speakers = subject.parsed.key != alias.parsed.key and {subject.parsed.key, alias.parsed.key} <= speakers
        is_name = alias.parsed.proper and not alias.parsed.owner and not has_possessive_pronoun(alias.given)
        is_list = "and" in alias.parsed.words and alias.kind in (PERSON, ANIMAL, GROUP)
        return is_name and not two_speakers and not is_list and compatible(subject.kind, alias.kind)

    def _has_other_name(self, subject: Mention, alias: Mention) -> bool:
        """Whether the subject is a description of an entity with another name: Bo's wife was Ann before it is Kim."""
        if subject.parsed.proper or (known := self._match(self._context(subject))) is None:
            return False
        proper = {name.key for name in names_of(self._nodes[known.entity_id]) if name.proper}
        return bool(proper) and alias.parsed.key not in proper

    def _node_with_alias(self, subject: Mention, alias: Mention) -> str:
        """Return the node that both names mean: where each has a node, the alias's is merged into the subject's.

        A description (Karim's wife) gives way to a name. A node that has the alias beside another name (Liv Tyler, Liv)
        is another entity.
        """
        reason = f"said to be the same: {alias.triple.text}"
        known, other = self._match(self._context(subject)), self._node_named(alias)
        if known is None and other is not None:
            known = Match(entity_id=other, rule=_ALSO_KNOWN_AS, reason=reason, better_name=True)
        node = self._join(subject, known) if known else self._nodes.create(subject)
        if other is not None and compatible(kind(self._nodes[node]), kind(self._nodes[other])):
            if other != node:
                self._nodes.log(_ALSO_KNOWN_AS, reason, alias, (node, other))
                winner, loser = (node, other) if subject.parsed.proper else (other, node)
                self._nodes.merge(loser, winner)
            return self._nodes.final(node)
        if alias.parsed.key in {name.key for name in names_of(self._nodes[node])}:
            return node
        better = not subject.parsed.proper
        return self._join(alias, Match(entity_id=node, rule=_ALSO_KNOWN_AS, reason=reason, better_name=better))

    def _node_named(self, alias: Mention) -> str | None:
        """Return the node whose main name is the alias."""
        match = self._match(self._context(alias))
        if match is None or match.differs or parse(self._nodes[match.entity_id].name).key != alias.parsed.key:
            return None
        return match.entity_id
