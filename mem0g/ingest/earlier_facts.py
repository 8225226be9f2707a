"""Facts that stand for the messages of a conversation that its summary cannot be made from, as they are too many."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from mem0g.ingest.worth import rank
from mem0g.model import Fact, Message, Scope
from mem0g.resolve.mentions import ALIAS
from mem0g.store.protocol import Store
from mem0g.store.queries import FactFilter

MAX_EARLIER = 40
"""Facts that a summary is made from besides the messages: about as long as ten of these."""

MAX_READ = 5000
"""Facts of the scope that are looked at, the first ones recorded."""


def earlier_facts(store: Store, scope: Scope, messages: Sequence[Message]) -> tuple[Fact, ...]:
    """Return current facts that the same conversation told before ``messages``, of all of its sessions; in order.

    Each session has as many as the others, if it told so many: people, homes, jobs and plans before moods and opinions,
    and first those about what most facts are about. Other names of an entity are none.
    """
    source, shown = messages[0].source, {message.id for message in messages}
    listed = store.list_facts(scope, FactFilter(), MAX_READ)
    told = [fact for fact in listed if fact.scope == scope and fact.relation != ALIAS]
    cited = list(dict.fromkeys(fact.evidence[0] for fact in told if fact.evidence and shown.isdisjoint(fact.evidence)))
    sessions = {each.id: each.session for each in store.messages(scope, cited) if each.source == source}
    usual = Counter(end for fact in told if not fact.object_is_literal for end in (fact.subject_id, fact.object_id))
    by_session: defaultdict[str, list[Fact]] = defaultdict(list)
    for fact in told:
        if fact.evidence and fact.evidence[0] in sessions:
            by_session[sessions[fact.evidence[0]]].append(fact)
    for facts in by_session.values():
        facts.sort(key=lambda fact: (rank(fact), -usual[fact.object_id]))
    most = max(map(len, by_session.values()), default=0)
    in_turn = [facts[place] for place in range(most) for facts in by_session.values() if place < len(facts)]
    chosen = {fact.id for fact in in_turn[:MAX_EARLIER]}
    return tuple(fact for fact in told if fact.id in chosen)
