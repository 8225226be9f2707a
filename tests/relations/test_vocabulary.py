"""Relation names as a database learns them."""

from __future__ import annotations

from mem0g.model import Scope
from mem0g.relations.registry import Registry
from mem0g.relations.tenant_types import TenantTypes
from mem0g.relations.vocabulary import Learnt, Vocabularies, Vocabulary
from mem0g.testing import HashingEmbedder
from tests.making import ANN


def test_a_new_name_is_known_from_then_on() -> None:
    """A name that says nothing known is added once, as learnt from what was said."""
    registry = Registry()
    vocabulary = Vocabulary(registry, HashingEmbedder())
    (learnt,) = vocabulary.learn(["yodels_at"])
    assert (learnt.name, learnt.origin) == ("YODELS_AT", "learnt")
    assert vocabulary.learn(["yodels at", "lives_in"]) == ()
    assert registry.get("YODELS_AT") == learnt


def test_another_form_of_a_known_name_becomes_its_synonym() -> None:
    """Inflection and auxiliaries make no new relation; plans, denials and directions do."""
    registry = Registry()
    vocabulary = Vocabulary(registry, HashingEmbedder())
    vocabulary.learn(["yodels_at"])
    (changed,) = vocabulary.learn(["is_yodeling_at"])
    assert (changed.name, changed.synonyms) == ("YODELS_AT", ("IS_YODELING_AT",))
    assert registry.canonical("is yodeling at") == "YODELS_AT"
    for other in ("plans_to_yodel_at", "never_yodels_at", "yodels_from"):
        vocabulary.learn([other])
        assert registry.canonical(other) != "YODELS_AT"


def test_names_of_one_call_meet() -> None:
    """The second name of a call may be a synonym of the first."""
    registry = Registry()
    assert len(Vocabulary(registry, HashingEmbedder()).learn(["yodels_at", "is_yodeling_at"])) == 1


def test_a_registry_without_any_type_learns_its_first() -> None:
    """With nothing known, a name is new, and the next may be its synonym."""
    registry = Registry([])
    vocabulary = Vocabulary(registry, HashingEmbedder())
    (learnt,) = vocabulary.learn(["yodels_at"])
    assert learnt.origin == "learnt"
    vocabulary.learn(["yodeling_at"])
    assert registry.canonical("yodeling_at") == "YODELS_AT"


def test_another_thread_drops_what_was_just_read() -> None:
    """A registry that does not stay in memory is still given to the one who asked for it."""

    class Dropping(Vocabularies):
        def keep(self, tenant: Scope, learnt: Learnt) -> None:
            super().keep(tenant, learnt)
            self.forget(tenant)

    vocabularies = Dropping(lambda _: TenantTypes(), HashingEmbedder())
    assert vocabularies.registry(ANN).canonical("lives in") == "LIVES_IN"
    assert vocabularies.learn(ANN, ["yodels_at"]).types[0].name == "YODELS_AT"
