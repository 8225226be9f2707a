import dataclasses

from hypothesis import given, settings
from hypothesis import strategies as st

from mem0g.model import Triple
from tests.making import triple
from tests.resolve.world import World

NAMES = (
    "Anna|anna|Anna Berg|Anna Moe|Berg|her friends|Anna's friends|friends|mum|Anna's mother|Jon|Gina|Liv|I|UN|"
    "United Nations|dog Tilly|Tilly|Paris|first trip|second trip|art show|art shows|居住|!?|Harry Potter|"
    "Harry Potter series"
).split("|")
OWNED = ["studio", "the studio", "Jon's studio", "Gina's studio"]
KINDS = st.sampled_from(["", "person", "city", "business", "pet", "event", "idea", "book", "zxq"])


def windows(names: list[str]) -> st.SearchStrategy[list[Triple]]:
    """Windows of triples between these names."""
    name, relation = st.sampled_from(names), st.sampled_from(["likes", "also_known_as"])
    ends = st.tuples(name, relation, name)
    triples = st.builds(lambda end, kind, other: triple(*end, subject_type=kind, object_type=other), ends, KINDS, KINDS)
    return st.lists(triples, min_size=1, max_size=12)


@given(st.lists(windows(NAMES + OWNED), min_size=1, max_size=3))
@settings(deadline=None)
def test_every_end_exists(several: list[list[Triple]]) -> None:
    """After any windows every end is a node, ids are distinct, and no node has a name twice."""
    world = World("Anna", "Jon")
    for window in several:
        resolution = world.resolve(*window)
        assert len(resolution.ends) == len(window)
        assert {each for end in resolution.ends for each in end} <= world.entities.keys()
        assert not {each.id for each in resolution.created} & {each.id for each in resolution.updated}
        assert not {loser for loser, _ in resolution.merged} & world.entities.keys()
        assert {winner for _, winner in resolution.merged} <= world.entities.keys()
    for each in world.entities.values():
        assert len(set(each.names)) == len(each.names)


@st.composite
def consistent_windows(draw: st.DrawFn) -> list[Triple]:
    """Windows in which a name is always of one type, and an alias of the type of its owner."""
    kinds: dict[str, str] = {}
    consistent = []
    for each in draw(windows(NAMES)):
        subject = kinds.setdefault(each.subject.casefold(), each.subject_type)
        obj = kinds.setdefault(each.object.casefold(), each.object_type)
        relation = each.relation if subject == obj else "likes"
        consistent.append(dataclasses.replace(each, subject_type=subject, object_type=obj, relation=relation))
    return consistent


@given(consistent_windows())
@settings(deadline=None)
def test_again_nothing_is_new(window: list[Triple]) -> None:
    """The same triples a second time make no node, as long as they do not contradict themselves in types.

    Left out are things that turn out to be somebody's: "the studio" of another may have been a third one after all.
    """
    world = World("Anna", "Jon")
    world.resolve(*window)
    assert world.resolve(*window).created == ()


@given(st.text(alphabet="abcdefghij klm", min_size=1).filter(str.strip), st.booleans())
@settings(deadline=None)
def test_spelling_makes_no_node(name: str, typed: bool) -> None:
    """Names that differ only in case, width and spaces go to one node."""
    wide = "".join(chr(ord(char) + 0xFEE0) if char != " " else "  " for char in name)
    kind = "thing" if typed else ""
    spelled = [triple("Bo", "owns", each, object_type=kind) for each in (name, name.upper(), wide, f" {name.title()} ")]
    assert len({end[1] for end in World().resolve(*spelled).ends}) == 1
