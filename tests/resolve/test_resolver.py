import itertools
from dataclasses import replace
from datetime import timedelta

import pytest

from mem0g.model import Triple
from mem0g.resolve.resolver import Resolver
from mem0g.times import Moment
from tests.making import ANN, AT, triple
from tests.resolve.world import World, rules


def person(name: str, relation: str = "knows", other: str = "the world") -> Triple:
    return triple(name, relation, other, subject_type="person", object_type="idea")


def thing(owner: str, name: str, kind: str = "business") -> Triple:
    return triple(owner, "mentioned", name, subject_type="person", object_type=kind)


def test_one_node_for_one_name() -> None:
    """Equal names but for case, width, spaces and the article are one node, without a decision to log."""
    world = World()
    resolution = world.resolve(person("Anna", "plays", "the Ｌute"), person("ANNA ", "likes", "lute"))
    assert resolution.ends[0] == resolution.ends[1]
    assert world.names == [("Anna",), ("the Ｌute",)]
    assert resolution.decisions == ()


def test_created_nodes_are_complete() -> None:
    """A new node has the name and type as given, the scope, and the time of the call."""
    anna, world = World().resolve(person("Anna")).created
    assert (anna.name, anna.type, anna.scope, anna.created_at, anna.aliases) == ("Anna", "person", ANN, AT, ())
    assert anna.id.startswith("e_")
    assert world.id != anna.id


def test_a_person_and_a_place_of_one_name() -> None:
    """Paris the person and Paris the city are two nodes with two ids, and each is found again."""
    world = World()
    triples = (person("Paris"), triple("Bo", "lives_in", "Paris", object_type="city"))
    (hilton, _), (_, city) = world.resolve(*triples).ends
    assert hilton != city
    again = world.resolve(*triples)
    assert (again.ends[0][0], again.ends[1][1], again.created) == (hilton, city, ())


def test_a_type_is_learnt_later() -> None:
    """A node without a type takes the first type it is given, and is then apart from other kinds."""
    world = World()
    untyped = world.resolve(triple("Bo", "likes", "Paris")).ends[0][1]
    typed = world.resolve(triple("Bo", "visited", "Paris", object_type="city"))
    assert typed.ends[0][1] == untyped
    assert [each.type for each in typed.updated] == ["city"]
    assert world.resolve(person("Paris")).ends[0][0] != untyped


def test_owner_first() -> None:
    """Caroline's friends are one node in any spelling; Maria's are others; "her friends" becomes no alias."""
    world = World()
    ends = world.ends(
        thing("Caroline", "her friends", "person"),
        thing("Caroline", "Caroline's friends", "person"),
        thing("Caroline", "friends", "group"),
        thing("Maria", "her friends", "person"),
    )
    assert [name for _, name in ends] == ["Caroline's friends"] * 3 + ["Maria's friends"]
    assert ("Caroline's friends",) in world.names


def test_kin_in_each_spelling() -> None:
    """Somebody's mum and mother are one node, her mom and dad are two."""
    ends = World().ends(
        thing("Anna", "her mum", "person"), thing("Anna", "Anna's mother", "person"), thing("Anna", "dad", "person")
    )
    assert [name for _, name in ends] == ["Anna's mum", "Anna's mum", "Anna's dad"]


def test_things_of_one_owner_with_two_names() -> None:
    """What is Caro's is Caroline's when the two are known to be one."""
    world = World()
    world.resolve(thing("Caroline", "Caroline's garden", "place"), triple("Caroline", "also_known_as", "Caro"))
    resolution = world.resolve(thing("Bo", "Caro's garden", "place"))
    assert rules(resolution) == ["same owner"]
    assert ("Caroline's garden", "Caro's garden") in world.names


def test_the_owner_is_understood() -> None:
    """The studio, in a fact about Jon, is Jon's studio where that is known; of Gina's studio nothing is known."""
    world = World()
    world.resolve(thing("Jon", "Jon's studio"))
    resolution = world.resolve(thing("Jon", "studio"), thing("Gina", "studio"))
    assert rules(resolution) == ["owner implied"]
    assert resolution.ends[0][1] != resolution.ends[1][1]
    assert ("Jon's studio",) in world.names


def test_the_owner_is_added() -> None:
    """A studio that was nobody's becomes Jon's; from then on Gina's studio is another."""
    world = World()
    first = world.resolve(thing("Jon", "studio")).ends[0][1]
    resolution = world.resolve(thing("Gina", "Jon's studio"), person("Jon"))
    assert (resolution.ends[0][1], rules(resolution)) == (first, ["owner added"])
    assert ("Jon's studio", "studio") in world.names
    ends = world.resolve(thing("Gina", "studio"), thing("Jon", "studio"), thing("Gina", "Gina's studio")).ends
    assert ends[1][1] == first
    assert ends[0][1] == ends[2][1] != first


def test_the_owner_of_what_he_never_had() -> None:
    """A studio in a fact about Gina does not become Jon's."""
    world = World()
    ginas = world.resolve(thing("Gina", "studio")).ends[0][1]
    jons = world.resolve(thing("Gina", "Jon's studio"), person("Jon")).ends[0][1]
    assert jons != ginas


def test_ideas_have_no_owner() -> None:
    """Jon's peace is not all peace."""
    world = World()
    ends = world.resolve(thing("Jon", "peace", "concept"), thing("Jon", "Jon's peace", "concept")).ends
    assert ends[0][1] != ends[1][1]


def test_a_fuller_name() -> None:
    """A full name joins the first name alone and becomes the node's name; the join is logged with its rule."""
    world = World()
    world.resolve(person("Caroline"))
    resolution = world.resolve(person("Caroline Miller"))
    (decision,) = resolution.decisions
    assert (decision.operation, decision.rule, decision.targets) == (
        "MERGE",
        "part of the name",
        (resolution.ends[0][0],),
    )
    assert decision.triple["subject"] == "Caroline Miller"
    assert decision.score is not None
    assert ("Caroline Miller", "Caroline") in world.names
    assert world.resolve(person("Caroline"), person("Miller")).created == ()
    assert ("Caroline Miller", "Caroline", "Miller") in world.names


def test_two_people_of_one_first_name() -> None:
    """Anna Berg and Anna Moe stay two, and a bare Anna, who may be either, is neither."""
    world = World()
    berg, moe = (end[0] for end in world.resolve(person("Anna Berg"), person("Anna Moe")).ends)
    assert berg != moe
    bare = world.resolve(person("Anna")).ends[0][0]
    assert bare not in (berg, moe)
    assert world.resolve(person("Anna"), person("Anna Berg")).ends[0][0] == bare


def test_the_first_name_stays_with_who_had_it() -> None:
    """Anna who turned out to be Anna Berg stays her when an Anna Moe comes."""
    world = World()
    berg = world.resolve(person("Anna"), person("Anna Berg")).ends[1][0]
    moe = world.resolve(person("Anna Moe")).ends[0][0]
    assert moe != berg
    assert world.resolve(person("Anna")).ends[0][0] == berg


def test_the_speaker_is_meant() -> None:
    """Among people of one first name it is the one who speaks; "I" is the only speaker, known or not."""
    world = World("Anna Berg", "assistant")
    berg, _ = (end[0] for end in world.resolve(person("Anna Berg"), person("Anna Moe")).ends)
    resolution = world.resolve(person("Anna"), person("I"))
    assert [end[0] for end in resolution.ends] == [berg, berg]
    assert rules(resolution) == ["speaker"]
    assert ("Anna Berg",) in world.names
    assert World("Anna", "Bo").ends(person("Anna"), person("I"))[1][0] == "I"
    assert World("Anna").ends(person("I", "likes", "my friends"))[0][0] == "Anna"


def test_another_speaker_is_another() -> None:
    """The first name that meant Anna Berg while she spoke means Anna Moe when she speaks."""
    world = World("Anna Berg")
    berg = world.resolve(person("Anna Berg"), person("Anna")).ends[1][0]
    world.speakers = ("Anna Moe",)
    moe = world.resolve(person("Anna Moe"), person("Anna")).ends[1][0]
    assert moe != berg


@pytest.mark.parametrize(
    ("known", "kind", "new", "name"),
    [
        ("Counter-Strike: Global Offensive", "game", "CS:GO", "Counter-Strike: Global Offensive"),
        ("CS:GO", "game", "Counter-Strike: Global Offensive", "Counter-Strike: Global Offensive"),
        ("Minnesota Wolves", "sports team", "The Wolves", "Minnesota Wolves"),
        ("Siam", "country", "Thailand", "Thailand"),
        ("dog Tilly", "dog", "Tilly", "Tilly"),
        ("Brave by Sara Bareilles", "song", "Brave", "Brave"),
    ],
)
def test_string_evidence(known: str, kind: str, new: str, name: str) -> None:
    """Names whose strings show one thing are joined, and the better name is kept."""
    world = World()
    ends = world.ends(thing("Bo", known, kind), thing("Bo", new, kind))
    assert ends[0][1] == ends[1][1] == name


@pytest.mark.parametrize(
    ("one", "two", "kind"),
    [
        ("Jolene's mom", "Jolene's dad", "person"),
        ("4th chess tournament", "5th chess tournament", "event"),
        ("art show", "art shows", "event"),
        ("Jon's dance shop", "Gina's dance shop", "business"),
        ("camping trip", "camping tent", "thing"),
        ("trip in June", "trip in July", "event"),
        ("Norway", "Sweden", "country"),
    ],
)
def test_likeness_is_not_enough(one: str, two: str, kind: str) -> None:
    """However low the threshold, another role, number, plural, owner, head, date or proper name is another thing."""
    ends = World(threshold=-1).resolve(thing("Bo", one, kind), thing("Bo", two, kind)).ends
    assert ends[0][1] != ends[1][1]


def test_likeness_joins_from_the_threshold() -> None:
    """Alike names that nothing sets apart are one from the threshold on, and the score is logged."""
    one, two = thing("Bo", "harbour festival day", "event"), thing("Bo", "same harbour festival day", "festival")
    world = World(threshold=0.9)
    world.resolve(one)
    (decision,) = world.resolve(two).decisions
    assert decision.rule == "likeness"
    assert decision.score == pytest.approx(1)
    strict = World(threshold=1.01)
    strict.resolve(one)
    assert strict.resolve(two).decisions == ()


def test_likeness_needs_the_same_kind() -> None:
    """Alike names of a person and a place are two."""
    triples = (thing("Bo", "long harbour day", "place"), thing("Bo", "harbour long day", "person"))
    assert World(threshold=0.5).resolve(*triples).decisions == ()


def test_other_forms() -> None:
    """Swimming is to swim, and a trip with family a family trip; two things are not one, nor a film a habit."""
    world = World()
    ends = world.ends(thing("Bo", "swimming", "activity"), thing("Ann", "swim", "hobby"))
    assert [name for _, name in ends] == ["swimming"] * 2
    assert rules(world.resolve(thing("Bo", "family trip", "event"), thing("Bo", "trip with family", "event")))
    others = World()
    ends = others.ends(
        thing("Bo", "boat", "vehicle"),
        thing("Bo", "boats", "vehicle"),
        thing("Bo", "swim", "movie"),
        thing("Bo", "swimming", "activity"),
    )
    assert len(set(ends)) == 4


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("acoustic guitar", "guitar"),
        ("guitar", "guitar with a leather strap"),
        ("petition for veterans", "the petition"),
        ("Bo's blog", "blog about gardens"),
        ("box with tea and milk", "box"),
    ],
)
def test_mentioned_together(one: str, two: str) -> None:
    """What one window tells of one person's thing in fewer or more words is one thing; in another window it is two."""
    resolution = World().resolve(thing("Bo", one, "object"), thing("Bo", two, "object"))
    assert rules(resolution) == ["mentioned together"]
    assert resolution.ends[0] == resolution.ends[1]
    world = World()
    first = world.resolve(thing("Bo", one, "object")).ends[0]
    assert world.resolve(thing("Bo", two, "object")).ends[0] != first


@pytest.mark.parametrize(
    ("one", "two", "owner", "kind"),
    [
        ("guitar", "acoustic guitar", "Ann", "object"),  # another person's
        ("Ann's guitar", "Bo's acoustic guitar", "Bo", "object"),
        ("guitar", "an acoustic guitar", "Bo", "object"),  # that would be new
        ("guitar", "guitar strap", "Bo", "object"),
        ("guitar", "second guitar", "Bo", "object"),
        ("guitar", "violin and guitar", "Bo", "object"),
        ("guitar", "acoustic guitar", "Bo", "song"),
    ],
)
def test_mentioned_together_of_two_things(one: str, two: str, owner: str, kind: str) -> None:
    """Another person's, a new one, another head or number, a list, another type: these are two things."""
    resolution = World().resolve(thing("Bo", one, "object"), thing(owner, two, kind))
    assert resolution.ends[0][1] != resolution.ends[1][1]


@pytest.mark.parametrize("kind", ["activity", ""])
def test_ideas_are_not_mentioned_together(kind: str) -> None:
    """Abstract painting is not all painting; without a known type nobody knows what it is."""
    ends = World().resolve(thing("Bo", "painting", kind), thing("Bo", "abstract painting", kind)).ends
    assert ends[0][1] != ends[1][1]


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ("nearby festival", "the festival", "event"),
        ("first full rehearsal in May", "first rehearsal in May", "event"),
        ("clothing store", "Bo's store", "business"),
    ],
)
def test_mentioned_before(before: str, after: str, kind: str) -> None:
    """A longer name in a fact about a person is meant by fewer words later."""
    world = World()
    first = world.resolve(thing("Bo", before, kind)).ends[0][1]
    resolution = world.resolve(thing("Bo", after, kind))
    assert (resolution.ends[0][1], rules(resolution)) == (first, ["mentioned before"])


@pytest.mark.parametrize(
    ("before", "after", "owner", "kind"),
    [
        ("nearby festival", "festival", "Ann", "event"),
        ("festival", "film festival", "Bo", "event"),
        ("school", "cooking school", "Bo", "school"),
        ("vegan ice cream", "ice cream", "Bo", "food"),
        ("classic movie", "movie", "Bo", "movie"),
        ("street festivals", "festivals", "Bo", "event"),
        ("last festival", "festival", "Bo", "event"),
        ("nearby festival", "a festival", "Bo", "event"),
        ("nearby festival", "festival", "Bo", "plan"),
    ],
)
def test_not_mentioned_before(before: str, after: str, owner: str, kind: str) -> None:
    """Another person's, a sort, several things, another date, a new one, another type: these are two."""
    world = World()
    first = world.resolve(thing("Bo", before, "event" if kind == "plan" else kind)).ends[0][1]
    assert world.resolve(thing(owner, after, kind)).ends[0][1] != first


def test_mentioned_before_by_a_visitor() -> None:
    """That Ann visited Bo's clothing store does not make it the store that she opens."""
    world = World()
    bos = world.resolve(thing("Ann", "Bo's clothing store")).ends[0][1]
    assert world.resolve(thing("Ann", "store")).ends[0][1] != bos


def test_mentioned_before_of_which() -> None:
    """Where two things fit, it is neither."""
    world = World()
    world.resolve(thing("Bo", "film festival", "event"), thing("Bo", "wine festival", "event"))
    assert world.resolve(thing("Bo", "festival", "event")).decisions == ()


def on(date: str | None, name: str, relation: str = "went_to") -> Triple:
    """An event of Bo's."""
    moment = Moment.parse(date) if date else None
    return triple("Bo", relation, name, subject_type="person", object_type="event", valid_from=moment)


@pytest.mark.parametrize(
    ("known", "new", "same"),
    [
        ("2023-06-10", "2023-07-15", False),
        ("2023-06", "2023-07", False),
        ("2023-06", "2023-06-10", True),
        ("2023-06-10", "2023-06-10", True),
        ("2023", "2023-07-15", True),
        (None, "2023-07-15", True),
        ("2023-06-10", None, True),
    ],
)
def test_events_of_one_name(known: str | None, new: str | None, same: bool) -> None:
    """An event of one name on another date is another one; without a date it is the known one."""
    world = World()
    first = world.resolve(on(known, "pride parade")).ends[0][1]
    assert (world.resolve(on(new, "the pride parade")).ends[0][1] == first) is same


@pytest.mark.parametrize(
    ("known", "new", "same"),
    [
        ("2023-06-10", "2023-06-11", True),
        ("2023-05", "2023-09-02", True),
        ("2023-06-10", "2024-06-08", False),
        ("2023", "2023-07-15", True),
        ("2022", "2023-07-15", False),
    ],
)
def test_events_with_a_proper_name(known: str, new: str, same: bool) -> None:
    """A festival has several days, and comes again the next year; a meeting in a script without capitals may be any."""
    world = World()
    first = world.resolve(on(known, "Oslo Jazz Festival")).ends[0][1]
    assert (world.resolve(on(new, "the Oslo Jazz Festival")).ends[0][1] == first) is same
    meeting = world.resolve(on("2023-06-10", "会议")).ends[0][1]
    assert world.resolve(on("2023-07-15", "会议")).ends[0][1] != meeting


def test_events_of_one_window() -> None:
    """A window that has one name twice means one event, and a plan has the date of the plan."""
    world = World()
    ends = world.resolve(on("2023-06-10", "pride parade"), on("2023-06-12", "pride parade", "remembers")).ends
    assert ends[0][1] == ends[1][1]
    assert world.resolve(on("2023-05-01", "pride parade", "plans_to_visit")).ends[0][1] == ends[0][1]
    trip = world.resolve(on("2023-05-01", "trip", "plans_to_take")).ends[0][1]
    assert world.resolve(on("2023-08-01", "trip", "took")).ends[0][1] == trip
    planned = replace(on(None, "trip", "plans_to_take"), planned_for=Moment.parse("2024-08"))
    assert world.resolve(planned).ends[0][1] != trip


@pytest.mark.parametrize(
    ("known", "new", "same"),
    [
        ("2023-06", "2023-06-10", True),
        (None, None, True),
        ("2023-06", None, False),
        (None, "2023-06", False),
    ],
)
def test_events_of_similar_names(known: str | None, new: str | None, same: bool) -> None:
    """With fewer words, or now with its owner, an event that has a date is the known one on the same date only."""
    for before, after in (("wine festival", "festival"), ("dance competition", "Bo's dance competition")):
        world = World()
        first = world.resolve(on(known, before)).ends[0][1]
        assert (world.resolve(on(new, after)).ends[0][1] == first) is same


def test_some_of_the_friends() -> None:
    """Close friends are some of the friends, mentioned together or similar; friends from church may be all."""
    world = World(threshold=-1)
    ends = world.resolve(*(thing("Ann", name, "group") for name in ("friends", "her close friends", "family"))).ends
    assert len({end[1] for end in ends}) == 3
    assert world.resolve(thing("Ann", "her friends from church", "group")).ends[0][1] == ends[0][1]


def test_mentioned_together_of_which() -> None:
    """Where two things fit, it is neither."""
    ends = World().resolve(
        *(thing("Bo", name, "object") for name in ("red hat", "blue hat", "old red felt hat", "hat"))
    )
    assert len({end[1] for end in ends.ends}) == 4


def test_an_alias() -> None:
    """Olivia, also known as Pip: both ends are one node, which is found by either name from then on."""
    world = World()
    resolution = world.resolve(triple("Olivia", "nicknamed", "Pip", subject_type="person"))
    olivia = resolution.ends[0][0]
    assert resolution.ends == ((olivia, olivia),)
    assert rules(resolution) == ["also known as"]
    assert world.names == [("Olivia", "Pip")]
    assert world.resolve(person("pip")).ends[0][0] == olivia
    assert world.resolve(triple("Olivia", "nicknamed", "Pip", subject_type="person")).decisions == ()


def test_an_alias_merges_two_nodes() -> None:
    """When both names had nodes, the alias's is merged into the subject's; a node of this window just goes."""
    world = World()
    (olivia, _), (pip, _) = world.resolve(person("Olivia"), person("Pip")).ends
    resolution = world.resolve(person("Pip"), triple("Olivia", "also_known_as", "Pip"), person("Pip"))
    assert resolution.merged == ((pip, olivia),)
    assert {end[0] for end in resolution.ends} == {olivia}
    assert [each.targets for each in resolution.decisions] == [(olivia, pip)]
    assert ("Olivia", "Pip") in world.names
    within = World().resolve(person("Pip"), person("Olivia"), triple("Olivia", "also_known_as", "Pip"))
    assert within.merged == ()
    assert [each.names for each in within.created if each.type == "person"] == [("Olivia", "Pip")]
    assert len({end[0] for end in within.ends}) == 1


@pytest.mark.parametrize(("relation", "kind"), [("is_named", "pet"), ("is_called", "organisation"), ("is", "person")])
def test_a_description_gets_a_name(relation: str, kind: str) -> None:
    """Who is described first and named later is one node, shown by the name; so are two nodes that are known."""
    told = triple("Bo's guest", relation, "Kim", subject_type=kind, object_type=kind)
    world = World()
    guest = world.resolve(thing("Bo", "Bo's guest", kind)).ends[0][1]
    assert world.resolve(told).ends == ((guest, guest),)
    assert (world.entities[guest].name, world.entities[guest].aliases) == ("Kim", ("Bo's guest",))
    world = World()
    guest, kim = (end[1] for end in world.resolve(thing("Bo", "Bo's guest", kind), thing("Bo", "Kim", kind)).ends)
    resolution = world.resolve(told)
    assert (resolution.merged, resolution.ends) == (((guest, kim),), ((kim, kim),))
    assert world.entities[kim].names == ("Kim", "Bo's guest")


def test_a_description_that_fits_another() -> None:
    """Bo's new wife is not the one before: a description that has a name does not get a second one."""
    world = World()
    for name in ("Ann", "Kim"):
        world.resolve(triple("Bo's wife", "is", name, subject_type="person", object_type="person"))
    assert world.names == [("Ann", "Bo's wife"), ("Kim",)]


def test_an_alias_known_before_its_owner() -> None:
    """When only the alias had a node, it takes the name it is an alias of."""
    world = World()
    pip = world.resolve(person("Pip")).ends[0][0]
    resolution = world.resolve(triple("Olivia", "also_known_as", "Pip"))
    assert resolution.ends == ((pip, pip),)
    assert ("Olivia", "Pip") in world.names


def test_what_is_no_alias() -> None:
    """Two speakers, two kinds, a description, several names, or a name that is no longer used join nothing."""
    for no_alias in (
        triple("Olivia", "also_known_as", "Pip", subject_type="person", object_type="city"),
        triple("Olivia", "also_known_as", "her boss", subject_type="person"),
        triple("Olivia", "also_known_as", "the tall one", subject_type="person"),
        triple("Olivia", "also_known_as", "Pip", retracts=True),
        triple("Bo's pets", "is_named", "Tom and Pip", subject_type="pet", object_type="pet"),
        triple("Olivia", "is", "Gamer", subject_type="person", object_type="person"),
        triple("Bo's wife", "is", "tired", subject_type="person", object_type="person"),
        triple("Bo's dog", "is", "Pip", subject_type="dog", object_type="breed"),
    ):
        subject, obj = World().resolve(no_alias).ends[0]
        assert subject != obj
    subject, obj = World("Olivia", "Pip").resolve(triple("Olivia", "also_known_as", "Pip")).ends[0]
    assert subject != obj


def test_an_alias_of_somebody_else_stays_theirs() -> None:
    """That Olivia is called Pip too does not make her Pip Tyler, who is called Pip."""
    world = World()
    tyler = world.resolve(person("Pip Tyler"), person("Pip")).ends[1][0]
    resolution = world.resolve(triple("Olivia", "also_known_as", "Pip", subject_type="person"))
    assert resolution.merged == ()
    assert resolution.ends[0][0] != tyler


def test_the_latest_of_equals() -> None:
    """Where an untyped name fits two nodes equally, the one updated last is meant."""
    world = World()
    world.resolve(triple("Bo", "lives_in", "Paris", object_type="city"))
    hilton = world.resolve(person("Paris"), at=AT + timedelta(days=1)).ends[0][0]
    assert world.resolve(triple("Bo", "likes", "Paris")).ends[0][1] == hilton


def test_ids_never_clash() -> None:
    """Another's studio of the same name and kind gets an id of its own."""
    world = World()
    jons = world.resolve(thing("Jon", "studio"), thing("Jon", "Jon's studio")).ends[0][1]
    ginas = world.resolve(thing("Gina", "studio")).ends[0][1]
    assert ginas != jons
    assert world.entities.keys() >= {ginas, jons}


def test_ids_come_from_content() -> None:
    """The same name in the same scope has the same id in every store; another scope has another."""
    triples = [person("Anna")]
    other = replace(ANN, run_id="1")
    ids = [
        Resolver().resolve(triples, scope=scope, candidates={}, vectors={}, speakers=(), at=AT).ends
        for scope in (ANN, ANN, other)
    ]
    assert ids[0] == ids[1] != ids[2]


def test_order_of_unrelated_triples() -> None:
    """Triples that share no name give the same nodes in any order."""
    triples = [person("Anna", "plays", "lute"), person("Bo", "likes", "tea"), thing("Cy", "his kids", "person")]
    resolutions = [set(World().resolve(*order).ends) for order in itertools.permutations(triples)]
    assert all(each == resolutions[0] for each in resolutions)


def value(subject: str, text: str, relation: str = "has_eye_colour") -> Triple:
    return triple(subject, relation, text, subject_type="person", object_type="literal")


def test_equal_values_are_one_literal() -> None:
    """A value is one node in any case and spacing, with no name to look up, and is no candidate of a name."""
    world = World()
    first = world.resolve(value("Ann", "Sky  blue"), value("Bo", "sky blue"))
    (ann, blue), (bo, same) = first.ends
    assert blue == same
    assert ann != bo
    (literal,) = [each for each in first.created if each.is_literal]
    assert (literal.id, literal.name, literal.type, literal.aliases) == (blue, "Sky blue", "literal", ())
    assert [query.name for query in world.resolver.queries([value("Ann", "sky blue")])] == ["Ann"]
    again = world.resolve(value("Ann", "SKY BLUE"))
    assert (again.ends, again.updated, again.decisions) == (((ann, blue),), (), ())


def test_a_value_and_a_name() -> None:
    """A value and an entity of one name are two nodes, and a value is no owner of what belongs to its subject."""
    world = World()
    (_, value_), (_, name) = world.resolve(value("Ann", "Ben"), person("Ann", "knows", "Ben")).ends
    assert value_ != name
    (wife, _), _ = world.resolve(value("his wife", "Ben"), person("Ben")).ends
    assert world.entities[wife].name == "his wife"


def test_an_alias_given_as_a_value() -> None:
    """What is said to be another name is one, whatever its type; the entity does not become a value."""
    world = World()
    said = triple("Olivia", "also_known_as", "Liv", subject_type="person", object_type="literal")
    (ends,) = world.resolve(said).ends
    assert ends[0] == ends[1]
    assert world.names == [("Olivia", "Liv")]
    assert world.entities[ends[0]].type == "person"


def test_a_rule_of_ones_own_may_ask_for_anything() -> None:
    """With other rules than the usual ones, links are looked up for every name."""
    facts = [triple("Ann", "likes", "tea")]
    assert [query.around for query in Resolver().queries(facts)] == [False, False]
    assert [query.around for query in Resolver(rules=[lambda _: None]).queries(facts)] == [True, True]
