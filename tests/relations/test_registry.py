import pytest

from mem0g.errors import InputError
from mem0g.relations.registry import Registry
from mem0g.relations.relation_type import RelationType, seeds

REGISTRY = Registry()


def test_seeds_are_consistent() -> None:
    """Every name that a seed refers to is a seed itself, no name means two relations, and inverses agree."""
    by_name = {seed.name: seed for seed in seeds()}
    referred = {
        name for seed in seeds() for name in (*seed.ends, *seed.implies, *([seed.inverse] if seed.inverse else []))
    }
    every = [name for seed in seeds() for name in (seed.name, *seed.synonyms)]
    assert referred <= by_name.keys()
    assert len(every) == len(set(every))
    assert all(by_name[seed.inverse].inverse == seed.name for seed in seeds() if seed.inverse)
    assert not [seed.name for seed in seeds() if seed.symmetric and seed.inverse]


@pytest.mark.parametrize(
    ("given", "canonical"),
    [
        ("plans to travel to", "PLANS_TO_VISIT"),
        ("lives in", "LIVES_IN"),
        ("livesIn", "LIVES_IN"),
        ("resides_in", "LIVES_IN"),
        ("LIVED_IN", "LIVED_IN"),
        ("formerly lived in", "LIVED_IN"),
        ("is_allergic_to", "ALLERGIC_TO"),
        ("works for", "WORKS_AT"),
        ("has wife", "MARRIED_TO"),
        ("is reading", "READING"),
        ("has_favourite_colour", "FAVORITE_COLOUR"),
        ("child_of", "HAS_PARENT"),
        ("parent_of", "HAS_CHILD"),
        ("unheard of", "UNHEARD_OF"),
        ("is_unheard_of", "IS_UNHEARD_OF"),
        ("居住于", "居住于"),
        ("!?", ""),
    ],
)
def test_canonical_names(given: str, canonical: str) -> None:
    """Spellings and synonyms give the canonical name; an unknown name stays as normalised."""
    assert REGISTRY.canonical(given) == canonical


@pytest.mark.parametrize("name", "LIVES_IN WORKS_AT DATING MARRIED_TO BORN_IN HAS_AGE CAPITAL FAVORITE_COLOR".split())
def test_relations_of_one_object(name: str) -> None:
    """Where a second object means a change, the relation has one object at a time."""
    assert REGISTRY.get(name).one_object


@pytest.mark.parametrize(
    "name",
    "LIKES OWNS HAS_PET VISITED SPEAKS STUDIES HAS_CHILD HAS_MOTHER FAVORITE_BOOKS FAVORITE UNHEARD_OF".split(),
)
def test_relations_of_many_objects(name: str) -> None:
    """Where several objects are true together, and wherever nothing is known, there are many."""
    assert not REGISTRY.get(name).one_object


def test_marriage_is_for_two() -> None:
    """A marriage is symmetric, one at a time on both sides, and ended by a divorce between the same two."""
    married = REGISTRY.get("married")
    assert (married.symmetric, married.one_object, married.one_subject) == (True, True, True)
    assert "MARRIED_TO" in REGISTRY.get("divorced from").ends
    assert "MARRIED_TO" not in REGISTRY.get("broke up with").ends


def test_a_move_implies_where_one_lives() -> None:
    """Who moved to a place lives there from then on."""
    assert REGISTRY.get("moved to").implies == ("LIVES_IN",)


@pytest.mark.parametrize(
    ("done", "plan"),
    [
        ("visited", "plans to visit"),
        ("visited", "wants_to_visit"),
        ("visited", "will visit"),
        ("traveled_to", "is_planning_to_visit"),
        ("has visited", "would_like_to_visit"),
        ("performed_at", "plans_to_perform_at"),
        ("bought", "is going to buy"),
        ("took", "decided_to_take"),
        ("met", "hopes to meet"),
        ("went_camping_with", "looking forward to going camping with"),
        ("tried", "might_try"),
        ("married", "plans_to_marry"),
        ("moved_to", "plans to live in"),
        ("started working at", "hopes to work at"),
    ],
)
def test_a_plan_that_came_true(done: str, plan: str) -> None:
    """What was planned and then happened is a fulfilment, whatever the inflection."""
    assert REGISTRY.fulfils(done, plan)


@pytest.mark.parametrize(
    ("done", "plan"),
    [
        ("visited", "visited"),
        ("plans_to_visit", "wants_to_visit"),
        ("has_never_visited", "plans_to_visit"),
        ("visited", "does_not_plan_to_visit"),
        ("visited", "decided not to visit"),
        ("moved_from", "plans_to_move_to"),
        ("recommended", "plans_to_visit"),
        ("goes_to", "going_to"),
    ],
)
def test_what_fulfils_nothing(done: str, plan: str) -> None:
    """Another verb, another direction, another plan, or a denial fulfils nothing."""
    assert not REGISTRY.fulfils(done, plan)


def test_a_passive_is_no_other_spelling() -> None:
    """IS_PRAISED has whoever praised at its other end: it is not PRAISED, as IS_MARRIED is MARRIED."""
    registry = Registry()
    registry.add(RelationType(name="PRAISED"))
    assert registry.canonical("is_praised") == "IS_PRAISED"
    assert registry.canonical("is_married") == "MARRIED_TO"


def test_a_users_type_replaces_a_seed_and_keeps_its_synonyms() -> None:
    """Saying otherwise of a known relation changes what is said, not how it may be called."""
    registry = Registry()
    kept = registry.add(RelationType(name="LIVES_IN", synonyms=("DWELLS_IN",), origin="user"))
    assert kept == registry.get("dwells in") == registry.get("resides_in")
    assert not kept.one_object


def test_a_synonym_moves_to_its_new_owner() -> None:
    """A name means one relation: given to another as a synonym it leaves the first, with what was folded into it."""
    registry = Registry()
    registry.add(RelationType(name="ADORES"))
    assert registry.canonical("adores") == "ADORES"
    assert "ADORES" not in registry.get("LOVES").synonyms
    registry.add(RelationType(name="LIKES", synonyms=("LOVES",)))
    assert registry.canonical("love") == registry.canonical("loves") == "LIKES"
    assert "LOVES" not in {each.name for each in registry.types}


def test_types_are_listed_by_name() -> None:
    """The types come sorted by name."""
    names = [each.name for each in REGISTRY.types]
    assert names == sorted(names)
    assert len(names) == len(seeds())


def test_a_name_must_be_normalised() -> None:
    """A type whose names are not as stored is refused, and the hint says how to write it."""
    with pytest.raises(InputError, match="lives in") as caught:
        RelationType(name="X", synonyms=("lives in",))
    assert caught.value.hint == "write LIVES_IN"
