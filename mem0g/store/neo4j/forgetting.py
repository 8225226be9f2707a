"""What a scope in Neo4j loses when messages of other scopes are forgotten that it cites."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from mem0g.store.forgetting import ERASED, SUCCESSOR_FORGOTTEN, names_left, unlinked
from mem0g.store.neo4j.connection import Run
from mem0g.store.neo4j.rows import Row, decision_of, scope_keys, scope_of
from mem0g.text.names import fold, name_tokens


def forget_citing(run: Run, scope: Row, forgotten: Sequence[str]) -> Counter[str]:
    """Remove from ``scope`` what stands on messages of the scopes ``forgotten`` alone; the counts of Receipt."""
    within = {"scope": scope["scope"]}
    run("lock_scopes", scopes=[scope["scope"]])
    (found,) = run("citing", forgotten=list(forgotten), **within)
    facts, citing = found["facts"], found["decisions"]
    if not facts and not citing:
        return Counter()
    gone = [fact for fact in facts if not fact["left"]]
    ids = [fact["id"] for fact in gone]
    about = [row["decision"] for row in run("decisions", ids=ids, **scope_keys(scope_of(scope)))]
    decisions = {row["id"]: decision_of(row) for row in (*about, *citing) if row["scope"] == scope["scope"]}
    messages = {each for row in (*facts, *citing) for each in row["evidence"] if each not in row["left"]}
    lost, kept = unlinked(decisions.values(), messages, ids)
    run(
        "forget_citing",
        facts=ids,
        links=[{"id": fact["id"], "evidence": fact["left"]} for fact in facts if fact["left"]],
        decisions=[each.id for each in lost],
        unlinked=[
            {"id": each.id, "evidence": list(each.evidence), "targets": list(each.targets), "reason": each.reason}
            for each in kept
        ],
        reason=SUCCESSOR_FORGOTTEN,
        **within,
    )
    ends = {fact[end] for fact in facts for end in ("subject_id", "object_id")}
    ends |= {each for decision in lost if decision.operation == "MERGE" for each in decision.targets}
    _rename(run, within, sorted(ends), [decision.triple for decision in lost])
    (unused,) = run("forget_unused", ids=sorted(ends), **within)
    retired = sum(not fact["current"] for fact in gone)
    return Counter(facts=len(gone), retired=retired, decisions=len(lost)) + Counter(unused)


def _rename(run: Run, within: Row, entities: Sequence[str], forgotten: Iterable[Mapping[str, str]]) -> None:
    """Take from entities the names that only forgotten triples gave them."""
    triples, renamed = list(forgotten), []
    for row in run("triples_about", ids=list(entities), **within):
        names = (row["name"], *row["aliases"])
        left = names_left(names, triples, map(json.loads, row["triples"]))
        if left != names:
            folded = sorted({fold(name) for name in left})
            tokens = sorted({token for name in left for token in name_tokens(name)})
            renamed.append(
                {"id": row["id"], "name": left[0], "aliases": list(left[1:]), "names": folded, "tokens": tokens}
            )
    if renamed:
        run("rename", renamed=renamed, before=json.dumps(ERASED), **within)
