"""What the rules make of a sentence that says what it replaces."""

from __future__ import annotations

import pytest

from tests.conflict.test_rule_decider import judged, new, retires, settled


@pytest.mark.parametrize(
    ("known", "told", "text"),
    [
        (("uses", "Postgres 16"), ("uses", "CockroachDB"), "Ann uses CockroachDB instead of Postgres since May 2024."),
        (("uses", "Postgres"), ("uses", "CockroachDB"), "Instead of Postgres, Ann uses CockroachDB."),
        (("uses_editor", "Neovim"), ("switched_to", "Zed"), "Ann switched from Neovim to Zed."),
        (("uses", "Jira"), ("moved_to", "Linear"), "Ann moved the tickets from Jira to Linear."),
        (("drives", "Volvo"), ("replaced", "Tesla"), "Ann replaced her old Volvo with a Tesla."),
        (("drinks", "coffee"), ("drinks", "tea"), "Ann drinks tea rather than coffee now."),
        (("takes", "bus"), ("cycles_to", "work"), "Ann cycles to work instead of taking the bus."),
        (("uses", "Slack"), ("uses", "Zulip"), "Ann no longer uses Slack, but Zulip."),
        (("manager_is", "Petra"), ("manager_is", "Tom"), "Ann's manager is Tom now."),
        (("manager_is", "Petra"), ("manager_is", "Tom"), "Ann's manager is now Tom."),
        (("has_dentist", "Dr Patel"), ("has_dentist", "Dr Wong"), "Ann's new dentist is Dr Wong."),
        (("has_venue", "Town Hall"), ("has_venue", "Old Mill"), "The venue of Ann was moved to the Old Mill."),
    ],
)
def test_a_sentence_that_says_what_it_replaces(known: tuple[str, str], told: tuple[str, str], text: str) -> None:
    """By the name of the other thing; or since the subject has one of its kind, which is another one now."""
    fact = settled(new("Ann", *known, said_at="2024-01-01"))
    verdict = judged(new("Ann", *told, text, said_at="2024-05-01"), [fact])
    assert retires(verdict) == [fact.id]
    assert (verdict.decision.operation, verdict.decision.rule) == ("UPDATE", "replaced")
    assert retires(judged(new("Bob", *told, text), [fact])) == []
    assert retires(judged(new("Ann", *told, text, said_at="2023-05-01"), [fact])) == []


@pytest.mark.parametrize(
    ("known", "told", "text"),
    [
        (("uses", "Postgres"), ("uses", "CockroachDB"), "Ann uses CockroachDB."),
        (("uses", "Postgres"), ("uses", "CockroachDB"), "Ann uses CockroachDB instead of MongoDB."),
        (("uses", "Post"), ("uses", "CockroachDB"), "Ann uses CockroachDB instead of Postgres."),
        (("takes", "bus"), ("takes", "train"), "Ann takes the train instead of the bus on Mondays."),
        (("likes", "tea"), ("switched_to", "coffee"), "Ann switched from tea to coffee."),
        (("bought", "tea"), ("bought", "coffee"), "Ann bought coffee instead of tea."),
        (("plans_to_buy", "Volvo"), ("buys", "Tesla"), "Ann buys a Tesla instead of the Volvo."),
        (("visited", "Rome"), ("visited", "Oslo"), "Ann visited Oslo instead of Rome."),
        (("plays", "cello"), ("plays", "chess"), "Ann plays chess now."),
        (("has_sister", "Eva"), ("has_sister", "Ida"), "Ann's sister is Ida."),
        (("has_pet", "Milo"), ("has_pet", "Rex"), "Ann's new dog is Rex."),
        (("has_friend", "Bo"), ("has_friend", "Cy"), "Ann's new friend is Cy."),
    ],
)
def test_a_sentence_that_replaces_nothing_known(known: tuple[str, str], told: tuple[str, str], text: str) -> None:
    """Another name, a part of the week, a taste, an event of the past, a plan, or something beside it."""
    fact = settled(new("Ann", *known, said_at="2024-01-01"))
    assert retires(judged(new("Ann", *told, text, said_at="2024-05-01"), [fact])) == []


def test_which_of_several_is_replaced_is_not_known() -> None:
    """Ann has two managers, and one of them is another one now."""
    known = [settled(new("Ann", "manager_is", name)) for name in ("Petra", "Mona")]
    assert retires(judged(new("Ann", "manager_is", "Tom", "Ann's manager is Tom now."), known)) == []


def test_a_hostile_sentence() -> None:
    """A hundred thousand words that nearly say it, which a pattern that tries again at each would read for hours."""
    known = settled(new("Ann", "uses", "Vim"))
    for text in ("Ann's switched from instead of the my " * 20_000, "Ann's now is " * 40_000, "from " * 100_000):
        assert retires(judged(new("Ann", "uses", "Zed", text), [known])) == []
