"""What a known fact says about a state or a plan that is told late, as in an older export ingested after a newer one.

Told in order, the later message would have ended it. Its relation often says so, as in "Ann and Jo got divorced"; other
messages took back what nobody had told yet, and left a fact in the past: "Ann no longer prefers tea", "stopped going to
the gym".
"""

from __future__ import annotations

import re
from typing import Final

from mem0g.conflict.outcomes import COUPLES, DEATHS, ENDED_BY_DEATH, calls_off, is_done
from mem0g.conflict.protocol import ResolvedTriple
from mem0g.conflict.replacements import may_switch
from mem0g.model import Fact
from mem0g.relations.parsing import parse_relation
from mem0g.resolve.names import parse
from mem0g.text.names import fold
from mem0g.text.stemming import token_set

_NO_LONGER = re.compile(r"\b(?:no (?:longer|more)|any ?more|stopped|quit|gave up|given up)\b", re.IGNORECASE)
_STOPPED: Final = frozenset({"STOPPED", "QUIT"})
_STATUS: Final = frozenset({"MARITAL_STATUS", "GOT_DIVORCED"})


def may_outdate(relation: str, new: ResolvedTriple) -> bool:
    """Whether a known fact of this relation, about the triple's subject and another object, may say that it is over."""
    if relation in _STOPPED or is_done(relation, new.relation) or calls_off(relation, new.relation):
        return True
    if _is_past_of(relation, new.relation):
        return True
    if (relation in _STATUS and new.relation in COUPLES) or (new.relation in _STATUS and relation in COUPLES):
        return True
    return may_switch(relation, new.relation) or (relation == new.relation and relation.endswith("_BY"))


def deaths_that_end(new: ResolvedTriple) -> frozenset[str]:
    """Return the relations of a death that ends what the triple says, whichever end died."""
    return DEATHS if new.relation in ENDED_BY_DEATH else frozenset()


def says_it_is_over(later: Fact, state: Fact) -> bool:
    """Whether a fact says that a state of its subject holds no longer.

    In the past tense, of what was stopped, or by a partner of somebody who had none.
    """
    if later.subject_id != state.subject_id:
        return False
    if state.relation == "MARITAL_STATUS" and fold(state.object) == "single":
        return later.relation in COUPLES
    if not _NO_LONGER.search(later.text):
        return False
    if later.object_id == state.object_id or fold(later.object) == fold(state.object):
        return _is_past_of(later.relation, state.relation)
    doing, _, what = later.object.partition(" ")
    verb, stopped = parse_relation(state.relation), parse_relation(doing)
    named = token_set(" ".join(parse(state.object).words))
    is_about_it = later.relation in _STOPPED and not verb.denied and stopped.words == verb.words[:1]
    return is_about_it and bool(named) and named <= token_set(what)


def _is_past_of(relation: str, known: str) -> bool:
    """Whether the first relation says in the past tense what the other one says in the present."""
    past, now = parse_relation(relation), parse_relation(known)
    same = past.words == now.words and not past.denied and not now.denied
    return same and (past.tense, now.tense) == ("past", "now")
