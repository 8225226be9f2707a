"""Memories that are made by hand: names that mean harm, and one of everything."""

from __future__ import annotations

from mem0g.model import Decision, Scope, Succession, content_id
from mem0g.store.change import Change
from mem0g.times import Moment
from tests.making import AT, day, entity, fact, message

NAMES = (
    "<script>window.harmed = 1</script>",
    "<img src=x onerror=window.harmed=1>",
    "</pre></slide><slide><h3>another",
    '"}) DETACH DELETE p //',
    "O'Brien; MATCH (n) DETACH DELETE n;",
    "`backticks` and ``two``",
    "$(rm -rf /) ${x} $person",
    "back\\slash \\u0022 \\",
    "{{title}} {{>overview/one-relation}}",
    'noted one="two" onclick=three',
    "line\none\r\u2028two\u0085three",
    "\u202eturned round",
    "👩‍👩‍👧 family 🎉",
    "مريم",
    "n" * 1000,
)
"""Names of things that Ann knows."""

HARMER = '"Ann" </pre><script>window.harmed = 1</script> \\" $(x); `y` on="z"'
"""Whom most is known of."""

HOSTILE_SCOPE = Scope(user_id='o\'neill "q" `b` <b>bold</b> $(x) \\u0022')


def hostile(scope: Scope) -> Change:
    """A memory whose every name, type, sentence and reason is hostile; one fact replaced another."""
    ann = entity(HARMER, scope, type="person")
    others = [entity(name, scope, type=name if len(name) < 100 else "person") for name in NAMES]
    before, now = entity("Oslo", scope, type="city"), entity(NAMES[1], scope, type="city", aliases=NAMES[:3])
    said = message(" ".join(NAMES[:8]), scope=scope, speaker=HARMER)
    known = [fact(ann, "KNOWS", other, f"{HARMER} knows {other.name}.", evidence=(said.id,)) for other in others]
    lived = (Moment.parse("2023"), Moment.parse("2024-03-05"))
    old = fact(ann, "LIVES_IN", before, valid_from=lived[0], valid_to=lived[1], retired_at=AT, evidence=(said.id,))
    new = fact(ann, "LIVES_IN", now, valid_from=lived[1], evidence=(said.id,))
    moved = Succession(fact_id=old.id, successor_id=new.id, reason=NAMES[1], decided_by=NAMES[2], at=AT)
    decided = Decision(
        id=content_id("d", str(scope)),
        operation="UPDATE",
        rule="model",
        reason=NAMES[1],
        at=AT,
        decided_by=NAMES[2],
        fact_id=new.id,
        targets=(old.id,),
    )
    return Change(
        scope=scope,
        messages=(said,),
        entities=(ann, *others, before, now),
        facts=(*known, old, new),
        successions=(moved,),
        decisions=(decided,),
    )


def town(scope: Scope) -> Change:
    """Ann, who moved from Porto to Lisbon, her friends and their dog; one of everything a memory holds."""
    people = ann, ben, cho = [
        entity(name, scope, type="person", aliases=aliases)
        for name, aliases in (("Ann", ("Annie",)), ("Ben", ()), ("Cho", ()))
    ]
    annie = entity("Annie", scope, type="person", merged_into=ann.id)
    lisbon, porto = [entity(name, scope, type="city") for name in ("Lisbon", "Porto")]
    rex, tea = entity("Rex", scope, type="dog"), entity("tea", scope, type="drink")
    early, late = day("2023-01-10"), day("2024-03-05T18:30")
    hello = message("Rex says hello.", 0, scope, time=early)
    moved = message("I moved to Lisbon!", 1, scope, time=late)
    move = Moment.parse("2024-03-05")
    before = fact(ann, "LIVES_IN", porto, "Ann lives in Porto.", said_at=early, valid_to=move, retired_at=AT)
    now = fact(ann, "LIVES_IN", lisbon, "Ann moved to Lisbon.", said_at=late, valid_from=move, evidence=(moved.id,))
    over = fact(ben, "LIKES", tea, "Ben likes tea.", said_at=early, retired_at=AT)
    facts = (
        before,
        fact(ann, "HAS_PET", rex, "Ann has the dog Rex.", said_at=early, evidence=(hello.id,)),
        fact(ben, "HAS_PET", rex, "Ben has the dog Rex.", said_at=early, evidence=(hello.id,)),
        fact(ann, "FRIEND_OF", ben, said_at=early),
        fact(cho, "FRIEND_OF", ann, said_at=early),
        over,
        now,
    )
    decisions = (
        Decision(
            id=content_id("d", str(scope), "update"),
            operation="UPDATE",
            rule="one at a time",
            reason="one home at a time",
            at=AT,
            decided_by="some-model",
            fact_id=now.id,
            targets=(before.id,),
        ),
        Decision(
            id=content_id("d", str(scope), "merge"),
            operation="MERGE",
            rule="alias",
            reason="Annie is Ann",
            at=AT,
            targets=(annie.id, ann.id),
        ),
    )
    return Change(
        scope=scope,
        messages=(hello, moved),
        entities=(*people, annie, lisbon, porto, rex, tea),
        facts=facts,
        successions=(
            Succession(
                fact_id=before.id, successor_id=now.id, reason="one home at a time", decided_by="some-model", at=AT
            ),
            Succession(fact_id=over.id, successor_id=None, reason="he said so", decided_by="rule", at=AT),
        ),
        decisions=decisions,
    )
