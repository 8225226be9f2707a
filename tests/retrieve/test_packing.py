"""The best hits that fit a token budget."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mem0g.model import Context, Entity, Fact, Hit, Message
from mem0g.retrieve.context.context_builder import MESSAGES, Requests
from mem0g.retrieve.context.filler import is_filler
from mem0g.retrieve.context.packing import (
    FOR_DETAILS,
    FOR_LISTS,
    REPEATED,
    TOKENS_PER_TURN,
    WHOLE_SENTENCES,
    pack,
    pack_excerpt,
)
from mem0g.retrieve.context.rendering import clause, sentence
from mem0g.text.token_count import TOKENS_PER_WORD, count_words, estimate_tokens
from mem0g.times import Moment
from tests.making import AT, day, entity, fact, message

ANN, BOB = entity("Ann"), entity("Bob")
NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20).filter(str.strip)
SENTENCES = st.lists(
    st.sampled_from('Ann likes the tea 北京 in Oslo\n "a quote" 2023 naïve 🦄 दिल्ली said:'.split(" ")),
    min_size=1,
    max_size=60,
).map(" ".join)


def likes(number: int, subject: Entity = ANN, **given: Any) -> Fact:
    """A fact with nothing else in it."""
    return fact(subject, "LIKES", entity(f"thing-{number}"), said_at=None, **given)


def hit(found: Fact | Message, score: float = 0.0) -> Hit:
    """A hit of a fact or a message."""
    if isinstance(found, Fact):
        return Hit(score=score, reasons=(), fact=found)
    return Hit(score=score, reasons=(), message=found)


@st.composite
def hits(draw: st.DrawFn) -> list[Hit]:
    """Hits of facts and messages, best first, some of the facts citing some of the messages."""
    said = [
        message(text, place, speaker=draw(NAMES)) for place, text in enumerate(draw(st.lists(SENTENCES, max_size=8)))
    ]
    ids = [each.id for each in said]
    found: list[Fact | Message] = list(said)
    for text in draw(st.lists(SENTENCES, max_size=12)):
        evidence = tuple(draw(st.lists(st.sampled_from(ids), unique=True, max_size=2))) if ids else ()
        begun = draw(st.sampled_from([None, Moment.parse("2023-05")]))
        found.append(fact(entity(draw(NAMES)), "LIKES", entity(draw(NAMES)), text, evidence=evidence, valid_from=begun))
    scores = [draw(st.floats(-5, 5)) for _ in found]
    made = [hit(each, score) for each, score in zip(found, scores, strict=True)]
    return sorted(made, key=lambda each: -each.score)


@given(hits(), st.integers(1, 500))
def test_never_more_than_the_budget(found: Sequence[Hit], tokens: int) -> None:
    """The text has at most the tokens asked for, says truly how many, and holds each hit at most once."""
    context = pack(found, ("tea", "北京"), tokens)
    assert context.tokens == math.ceil(TOKENS_PER_WORD * count_words(context.text)) <= tokens
    assert len({id(each) for each in context.hits}) == len(context.hits)
    assert all(any(each is other for other in found) for each in context.hits)
    assert bool(context.text) == bool(context.hits)


LONG = st.builds(
    lambda parts: " ".join(letter * length for letter, length in parts),
    st.lists(
        st.tuples(st.sampled_from(["x", "é", "北", "🦄", "ส", ";"]), st.integers(1, 3000)), min_size=1, max_size=6
    ),
)


@given(st.lists(LONG, max_size=4), st.lists(st.tuples(LONG, LONG), max_size=4), st.integers(1, 600))
def test_a_budget_bounds_the_characters(said: list[str], known: list[tuple[str, str]], tokens: int) -> None:
    """However long the words of messages and facts are, the text stays within its tokens, and within 20 characters
    for each of them."""
    found = [hit(message(text, place), 9 - place) for place, text in enumerate(said)]
    found += [hit(fact(ANN, "LIKES", entity(name[:1000]), text), 3) for name, text in known]
    context = pack(found, (), tokens)
    assert estimate_tokens(context.text) <= context.tokens <= tokens
    assert len(context.text) <= 20 * tokens


@given(hits())
def test_with_room_all_facts_are_there(found: Sequence[Hit]) -> None:
    """A budget beyond all leaves no fact out, and every turn is quoted or covered by the facts that cite it."""
    context = pack(found, (), 100_000)
    told = {id(each) for each in context.hits}
    covered = {each for there in context.hits for each in there.evidence}
    quoted = {each.message.text for each in context.hits if each.message}
    for each in found:
        if each.message:
            assert is_filler(each.message) or set(each.evidence) <= covered or each.message.text in quoted
        elif each.fact:
            assert id(each) in told or any(str(form(each.fact)) in context.text for form in (sentence, clause))


@given(hits(), st.integers(1, 500))
def test_the_same_hits_make_the_same_text(found: Sequence[Hit], tokens: int) -> None:
    """Packing depends on nothing but what it is given."""
    assert pack(found, ("tea",), tokens) == pack(list(found), ("tea",), tokens)


def test_nothing_found() -> None:
    """No hits make an empty text."""
    assert pack([], (), 500) == Context("", (), 0)


def test_facts_stand_under_their_subjects() -> None:
    """One heading a subject, in the order of the best fact of each; the turns come last."""
    said = message("Tea is so lovely.", speaker="Cho")
    found = [hit(said, 5), hit(likes(1), 4), hit(likes(2, BOB), 3), hit(likes(3), 2)]
    assert pack(found, (), 2000).text.splitlines() == [
        "Ann:",
        "  likes thing-1; thing-3",
        "Bob:",
        "  likes thing-2",
        MESSAGES,
        "  Cho, 2024-06-01: Tea is so lovely.",
    ]


def test_someone_called_messages() -> None:
    """Facts about a person of that name do not mix with the turns."""
    found = [hit(message("Tea is so lovely."), 3), hit(likes(1, entity("Messages")), 2)]
    assert pack(found, (), 2000).text.splitlines() == [
        "Messages:",
        "  likes thing-1",
        "Messages:",
        "  Ann, 2024-06-01: Tea is so lovely.",
    ]


def test_a_name_of_several_lines_is_one_heading() -> None:
    """Every line of the text is a heading or a line under one, whatever the names hold."""
    found = [hit(likes(1, entity("A\nMessages:\n  Bob: no")), 1)]
    assert pack(found, (), 500).text.splitlines()[0] == "A Messages: Bob: no:"


def test_sentences_first_then_phrases() -> None:
    """A quarter of the budget goes to whole sentences, the rest to relation and objects."""
    found = [
        hit(fact(ANN, "LIKES", entity(f"t{n}"), f"Ann likes t{n} more and more these days.", said_at=None), -n)
        for n in range(40)
    ]
    *whole, short = pack(found, (), 260).text.splitlines()[1:]
    assert whole == [f"  likes t{n} more and more these days" for n in range(len(whole))]
    assert TOKENS_PER_WORD * (1 + sum(map(count_words, whole))) >= WHOLE_SENTENCES * 260
    assert TOKENS_PER_WORD * (1 + sum(map(count_words, whole))) < WHOLE_SENTENCES * 260 + TOKENS_PER_WORD * 8
    assert short == "  likes " + "; ".join(f"t{n}" for n in range(len(whole), 40))


def test_a_list_of_places_has_the_places() -> None:
    """Items of a list are relation and object, but not where places are asked for: these stand behind the object."""
    brief = "went camping with her kids, who had fun, in deep forest"
    first = fact(ANN, "LIKES", entity("tea"), f"Ann likes tea {'very ' * 14}", said_at=None)
    told = [hit(first, 1), hit(fact(ANN, "WENT", entity("camping"), f"Ann {brief}.", said_at=None, brief=brief), 0)]
    assert pack(told, (), 40, question="What activities has Ann done?").text.splitlines()[-1] == "  went camping"
    assert pack(told, (), 40, question="Where has Ann camped?").text.splitlines()[-1] == f"  {brief}"


def test_objects_of_one_relation_share_a_line() -> None:
    """In few words, what a subject likes is one line; another relation is another line, and so are dated facts, so that
    no date seems to be that of another thing."""
    facts = [
        fact(ANN, relation, entity(name), f"Ann {relation} {name} {'very ' * 40}", said_at=None, valid_from=when)
        for relation, name, when in (
            ("LIKES", "tea", None),
            ("OWNS", "cat", None),
            ("LIKES", "chess", Moment.parse("2023-05")),
            ("LIKES", "figs", None),
            ("LIKES", "snow", Moment.parse("2023-06")),
        )
    ]
    assert pack([hit(each, -n) for n, each in enumerate(facts)], (), 40).text.splitlines() == [
        "Ann:",
        "  likes tea; figs",
        "  owns cat",
        "  likes chess (2023-05); snow (2023-06)",
    ]


def test_the_same_words_are_told_once() -> None:
    """Facts that are the same in few words make one line, and only the first is a hit; a date is added to it."""
    oslo = entity("Oslo")
    texts = [f"Ann lived in Oslo for a long time, {how} enough at all times." for how in ("glad", "warm", "well")]
    facts = [fact(ANN, "LIVED_IN", oslo, text, said_at=None) for text in texts]
    facts.append(fact(ANN, "LIVED_IN", oslo, texts[0], said_at=None, valid_from=Moment.parse("2023-05")))
    filler = hit(fact(BOB, "SAID", entity("much"), "Bob " + "said " * 40, said_at=None), 10)
    context = pack([filler, *(hit(each, -place) for place, each in enumerate(facts))], (), 80)
    assert context.text.splitlines()[-2:] == ["Ann:", "  lived in Oslo (2023-05)"]
    assert [each.fact for each in context.hits[1:]] == [facts[0], facts[3]]


def test_a_sentence_of_several_facts_is_told_once() -> None:
    """What one sentence says of several objects is not repeated in parts below it."""
    told = "Ann speaks Dutch, French, German and Thai."
    found = [fact(ANN, "SPEAKS", entity(each), told, said_at=None) for each in ("Dutch", "French", "German", "Thai")]
    others = [likes(number) for number in range(9)]
    ranked = [hit(found[0], 9), *(hit(each, 8) for each in others), *(hit(each, 7) for each in found[1:])]
    text = pack(ranked, (), 60).text
    assert text.splitlines()[:2] == ["Ann:", "  speaks Dutch, French, German and Thai"]
    assert text.count("speaks") == 1


def test_short_facts_before_long_ones() -> None:
    """Of two facts that fit the question alike, the one that takes fewer words comes first."""
    facts = [fact(ANN, "LIKES", entity(f"thing-{n}"), said_at=None) for n in range(240)]
    long = fact(ANN, "LIKES", entity("tea with milk and honey and some more of it"), said_at=None)
    short = fact(ANN, "OWNS", entity("cat"), said_at=None)
    found = [*(hit(each, 5) for each in facts), hit(long, 1.0), hit(short, 0.9)]
    assert [each.fact for each in pack(found, (), 900).hits][-2:] == [short, long]


def test_a_small_budget_takes_few_words() -> None:
    """Where no sentence fits, the fact is said in relation and object; where nothing fits, nothing is said."""
    long = fact(ANN, "LIKES", entity("tea"), "Ann likes tea " + "very " * 50 + "much.", said_at=None)
    assert pack([hit(long)], (), 5).text == "Ann:\n  likes tea"
    assert pack([hit(long)], (), 3) == Context("", (), 0)


def test_covered_facts_come_later() -> None:
    """A fact whose turns are there already loses half a point, once, and so lets others go before it."""
    said = message("I like it all.")
    best, again = likes(1, evidence=(said.id,)), likes(2, evidence=(said.id,))
    other, worse = likes(3), likes(4)
    found = [hit(best, 1.0), hit(again, 0.9), hit(other, 0.9 - REPEATED + 0.1), hit(worse, 0.9 - REPEATED - 0.1)]
    assert [each.fact for each in pack(found, (), 500).hits] == [best, other, again, worse]


def test_covered_turns_are_not_quoted() -> None:
    """A turn that the facts say already is left out, however good it is among the rest."""
    said, unsaid = message("I like thing-1."), message("It rains a lot.", 1)
    found = [hit(likes(1, evidence=(said.id,)), 3), hit(said, 2), hit(unsaid, 1)]
    assert [each.text for each in pack(found, (), 500).hits] == ["Ann likes thing-1.", "It rains a lot."]


def test_raw_turns_are_quoted_for_each_500_tokens() -> None:
    """Poor turns get their place among plenty of good facts: none under 500 tokens, then one for each 500."""
    facts = [hit(fact(ANN, f"LIKES_{n}", entity("tea"), said_at=None), 10 - n / 1000) for n in range(900)]
    turns = [hit(message(f"turn number {n}", n), -n) for n in range(9)]
    for tokens, quoted in ((499, 0), (500, 1), (999, 1), (1000, 2), (2000, 2000 // TOKENS_PER_TURN)):
        context = pack([*facts, *turns], (), tokens)
        told = [each.message.position for each in context.hits if each.message]
        assert told == list(range(quoted))
        assert context.tokens > tokens - 10


def test_turns_that_are_there_count() -> None:
    """Good turns that came by themselves are not followed by poor ones for insurance."""
    facts = [hit(fact(ANN, f"LIKES_{n}", entity("tea"), said_at=None), 10 - n / 1000) for n in range(900)]
    turns = [hit(message("I am ill", 0), 20), hit(message("I am ill too", 1), 19), hit(message("I am poor", 2), -5)]
    context = pack([*turns[:2], *facts, turns[2]], (), 500)
    assert [each.text for each in context.hits if each.message] == ["I am ill", "I am ill too"]


def test_filler_is_not_quoted() -> None:
    """Acknowledgements and the output of tools are no evidence, however good their scores are."""
    noise = [message("YES!!"), message("Patch applied.", 1), message("The run of all tests is over", 2, role="tool")]
    found = [*(hit(each, 9) for each in noise), hit(message("I quit", 3), 1)]
    assert [each.text for each in pack(found, (), 500).hits] == ["I quit"]


def test_the_same_words_are_quoted_once() -> None:
    """What somebody says again is quoted once, what an assistant says again not at all."""
    again = [message("Got it, thanks for telling me!", n, role="assistant", speaker="Bot") for n in range(3)]
    mine = [message("I love to walk along the river.", n) for n in (3, 4)]
    context = pack([*(hit(each, 9) for each in again), *(hit(each, 1) for each in mine)], (), 500)
    assert [each.message for each in context.hits] == mine[:1]


def test_a_message_is_quoted_once() -> None:
    """What insures against gaps is not quoted again, though its quotation leaves the name of who is greeted out."""
    said = message("Thanks Jon! I got the idea from a magazine.", 0)
    facts = [hit(fact(ANN, f"LIKES_{n}", entity("tea"), said_at=None), 10 - n / 100) for n in range(60)]
    text = pack([*facts, hit(said, -1)], (), 500).text
    assert text.count("I got the idea") == 1


@pytest.mark.parametrize(
    ("question", "share"),
    [
        ("Why does Ann like t1?", FOR_DETAILS),
        ("Does Ann like t1?", WHOLE_SENTENCES),
        ("What things does Ann like?", FOR_LISTS),
    ],
)
def test_details_take_more_sentences(question: str, share: float) -> None:
    """A question for a detail of one thing gets more whole sentences than another, one for a list fewer."""
    found = [
        hit(fact(ANN, "LIKES", entity(f"t{n}"), f"Ann likes t{n} more and more these days.", said_at=None), -n)
        for n in range(60)
    ]
    whole = [line for line in pack(found, (), 260, question=question).text.splitlines() if "more and more" in line]
    words = count_words(ANN.name) + sum(map(count_words, whole))
    assert share * 260 <= TOKENS_PER_WORD * words < share * 260 + TOKENS_PER_WORD * 8


def test_a_message_with_more_names_or_numbers_is_quoted() -> None:
    """A fact does not hide the message that has the year, or the name of the other one."""
    plain, full = message("I like thing-1."), message("I like thing-1 since May 1990.", 1)
    short = hit(likes(1, evidence=(plain.id, full.id)), 3)
    context = pack([short, hit(plain, 2), hit(full, 1)], (), 500)
    assert [each.text for each in context.hits] == ["Ann likes thing-1.", "I like thing-1 since May 1990."]


def speaks(*languages: str, **given: Any) -> list[Fact]:
    """Facts of one sentence about several languages."""
    text = "Ann speaks Dutch, French and Thai."
    return [fact(ANN, "SPEAKS", entity(each), text, said_at=None, **given) for each in languages]


@pytest.mark.parametrize("tokens", [40, 500])
def test_facts_that_share_a_sentence_are_one_line(tokens: int) -> None:
    """The sentence, whole and once, however many of them are found, as a sentence or in short."""
    found = [hit(each, 3) for each in speaks("French", "Thai")]
    other = hit(likes(1, text="Ann likes thing-1 " + "so much " * 20), 4)
    assert pack([*found, hit(likes(1), 2)], (), tokens).text == "Ann:\n  speaks Dutch, French and Thai\n  likes thing-1"
    assert "  speaks Dutch, French and Thai\n" in pack([other, *found], (), 100).text + "\n"


def test_one_of_a_sentence_that_is_no_longer_true() -> None:
    """It is told by its object, and so are those that still are: the sentence says what is no longer so."""
    found = [*speaks("Dutch", "Thai"), *speaks("French", retired_at=AT)]
    lines = ["Ann:", "  speaks Dutch; Thai", "  no longer speaks French"]
    assert pack([hit(each, 3) for each in found], (), 500).text.splitlines() == lines
    ended = speaks("French", retired_at=AT, valid_to=Moment.parse("2024-03"))
    assert pack([hit(ended[0], 3)], (), 500).text.splitlines() == ["Ann:", "  spoke French (until 2024-03)"]
    gone = speaks("Dutch", "French", "Thai", retired_at=AT)
    assert pack([hit(each, 3) for each in gone], (), 500).text == "Ann:\n  no longer speaks Dutch, French and Thai"


def test_an_object_is_listed_once() -> None:
    """With all its dates; what is said of two kinds of things stands on two lines."""
    times = [likes(1, valid_from=Moment.parse(each)) for each in ("2023-05", "2023-07")]
    assert pack([hit(each) for each in times], (), 500).text == "Ann:\n  likes thing-1 (2023-05, 2023-07)"
    said = [fact(ANN, "LIKES", entity("Bo"), said_at=day(each)) for each in ("2023-05-01", "2023-06-02")]
    context = pack([hit(each) for each in said], (), 500, question="When did Ann like Bo?")
    assert context.text == "Ann:\n  likes Bo (said 2023-05-01, 2023-06-02)"
    assert len(context.hits) == 2
    doing = fact(ANN, "LIKES", entity("getting up at five"), said_at=None)
    assert pack([hit(likes(1)), hit(doing)], (), 500).text == "Ann:\n  likes thing-1\n  likes getting up at five"


def test_a_line_that_another_one_contains_is_left_out() -> None:
    """Whichever comes first; not one that says something else."""
    maths, both = (fact(ANN, "TEACHES", entity(each), said_at=None) for each in ("maths", "maths and physics"))
    for found in ([maths, both], [both, maths]):
        context = pack([hit(each) for each in found], (), 500)
        assert context.text == "Ann:\n  teaches maths and physics"
        assert len(context.hits) == 2
    vegan, hopes = (
        fact(ANN, "IS", entity("it"), f"Ann {each}.", said_at=None) for each in ("is vegan", "is not vegan")
    )
    assert len(pack([hit(vegan), hit(hopes)], (), 500).text.splitlines()) == 3


def test_no_retired_twin_beside_a_live_fact() -> None:
    """What was retired and is true again is shown once, as true; what is no longer true is marked."""
    before, again = likes(1, retired_at=AT), likes(1, text="Ann likes thing-1 again.")
    gone = likes(2, retired_at=AT, valid_to=Moment.parse("2024-03"))
    context = pack([hit(before, 3), hit(again, 2), hit(gone, 1)], (), 500)
    assert context.text.splitlines() == ["Ann:", "  likes thing-1 again", "  liked thing-2 (until 2024-03)"]


def test_questions_for_a_time() -> None:
    """Only they are shown when an undated fact was said."""
    found = [hit(fact(ANN, "LIKES", entity("tea")))]
    assert pack(found, (), 500).text == "Ann:\n  likes tea"
    assert pack(found, (), 500, question="When did Ann like tea?").text == "Ann:\n  likes tea (said 2024-06-01)"


def test_a_question_for_several_things_gets_relation_and_object() -> None:
    """More of them fit than of the extractor's short forms; one that asks for a single thing keeps these.

    Where relation and object do not stand in the sentence, the short form is cut instead.
    """
    long = "went to a fair at the harbour with Bob to show off her bakery, and met two of her oldest friends there"
    told = fact(ANN, "WENT_TO", entity("a fair"), f"Ann {long}, and was glad.", brief=long)
    found = [hit(told, score=1.0)]
    tokens = math.ceil((count_words(long) + 1) * TOKENS_PER_WORD)
    assert pack(found, (), tokens, question="What did Ann do?").text == f"Ann:\n  {long}"
    assert pack(found, (), tokens, question="Which events has Ann been to?").text == "Ann:\n  went to a fair"
    brief = f"was an example for Bob, {long}"
    other = hit(fact(ANN, "INSPIRED", BOB, f"Ann was an example for Bob; she {long}.", brief=brief), score=1.0)
    assert pack([other], (), 20, question="What has Ann done?").text == "Ann:\n  was an example for Bob"
    told = fact(
        ANN, "ADVISED", BOB, "Ann advised Bob to rest, as he was ill.", brief="advised Bob to rest, as he was ill"
    )
    assert pack([hit(told, score=1.0)], (), 9, question="What has Ann done?").text == "Ann:\n  advised Bob to rest"


def test_each_line_of_a_list_adds_a_thing() -> None:
    """Of what a list may have, what names the same thing again comes after what names another one, although less like
    the question; not so for a question about one thing.
    """
    found = [
        hit(fact(ANN, "VISITED", entity("Rome")), 1.0),
        hit(fact(ANN, "LOVED", entity("Rome")), 0.5),
        hit(fact(ANN, "WENT_TO", entity("Oslo")), 0.3),
    ]
    assert pack(found, (), 100, question="Where was Ann?").hits == tuple(found)
    assert pack(found, (), 100, question="Which towns has Ann been to?").hits == (found[0], found[2], found[1])


def test_two_things_of_a_list_may_be_told_in_one_message() -> None:
    """A fact from a message that is covered comes before one that fits less, if a list is asked for."""
    found = [
        hit(fact(ANN, "VISITED", entity("Rome"), evidence=("m",)), 1.0),
        hit(fact(ANN, "VISITED", entity("Pisa"), evidence=("m",)), 0.6),
        hit(fact(ANN, "LIKES", entity("tea"), evidence=("n",)), 0.2),
    ]
    assert pack(found, (), 100, question="Where was Ann?").hits == (found[0], found[2], found[1])
    assert pack(found, (), 100, question="Which towns has Ann been to?").hits == tuple(found)


def replied(*, quoted: bool) -> tuple[list[Hit], Requests]:
    """Two replies to one request, and how it is shown; ``quoted``: whether the request is a hit itself."""
    asked = message("How do I water a cactus in winter?", 0, speaker="Ann")
    texts = ("Once a month is enough.", "Use rain water only.")
    replies = [message(text, place, speaker="bot", role="assistant") for place, text in enumerate(texts, 1)]
    other = message("Rex barks at the postman.", 9, speaker="Ann")
    found = [replies[0], other, *([asked] if quoted else []), replies[1]]
    requests = Requests(lambda _: {each.id: asked for each in replies}, lambda text: " ".join(text.split()[3:6]))
    return [hit(each, 9 - place) for place, each in enumerate(found)], requests


def test_a_reply_is_quoted_with_its_request() -> None:
    """In a few words where there is room for it; the hits have it whole in any case."""
    found, requests = replied(quoted=False)
    context = pack(found, (), 500, requests=requests)
    assert context.text.splitlines() == [
        MESSAGES,
        '  bot, 2024-06-01, to "water a cactus": Once a month is enough.',
        "  Ann, 2024-06-01: Rex barks at the postman.",
        '  bot, 2024-06-01, to "water a cactus": Use rain water only.',
    ]
    assert [each.answers and each.answers.text for each in context.hits] == [
        "How do I water a cactus in winter?",
        None,
        "How do I water a cactus in winter?",
    ]
    bare = pack(found, (), 500)
    least = bare.tokens + 2
    assert 'to "' not in pack(found, (), least, requests=requests).text
    assert pack(found, (), least, requests=Requests(requests.before, requests.shortened, 50)).text == context.text
    assert 'to "' not in pack(found, (), 500, requests=Requests(requests.before, lambda _: "")).text


def test_a_quoted_request_stands_before_its_replies() -> None:
    """Then it is not repeated."""
    found, requests = replied(quoted=True)
    assert [line.split(": ", 1)[1] for line in pack(found, (), 500, requests=requests).text.splitlines()[1:]] == [
        "How do I water a cactus in winter?",
        "Once a month is enough.",
        "Use rain water only.",
        "Rex barks at the postman.",
    ]


@given(hits(), st.integers(1, 60))
def test_an_excerpt_keeps_to_the_budget(found: Sequence[Hit], tokens: int) -> None:
    """A part of a hit has at most the tokens asked for, says truly how many, and names its hit."""
    context = pack_excerpt(found, ("tea", "北京"), tokens, question="Does Ann like tea?", now=AT)
    assert context.tokens == math.ceil(TOKENS_PER_WORD * count_words(context.text)) <= tokens
    assert len(context.hits) == bool(context.text)


def test_an_excerpt_is_about_what_is_asked() -> None:
    """Of a message it is the part with the words asked for, of a fact the beginning; what is too short says nothing."""
    walk = "We walked all day long over the hills, and later in the pub Tom told us about Peru, and then we slept."
    rain = "that it rains " * 20
    said, noted = message(walk, speaker="Ann"), fact(ANN, "NOTED", entity(rain.strip()), f"Ann noted {rain}")
    asked: dict[str, Any] = {"question": "What did Tom tell?", "now": AT}
    assert pack([hit(said)], ("tom",), 25).text == ""
    assert "… and later in the pub Tom told us about Peru, and" in pack_excerpt([hit(said)], ("tom",), 25, **asked).text
    assert pack_excerpt([hit(noted)], ("rains",), 15, **asked).text.startswith("Ann:\n  noted that it rains")
    assert pack_excerpt([hit(said)], ("tom",), 8, **asked).text == ""


def test_a_good_message_that_says_more_than_its_fact_is_quoted() -> None:
    """Among the best hits a fact hides its message only if it has half of its words: of "the best mentor" not why."""
    said = message("You are the best mentor. Your patience and humour will lift your students.", 0)
    short = fact(BOB, "CALLED", entity("best mentor"), "Bob is the best mentor.", evidence=(said.id,), said_at=None)
    others = [hit(likes(number), -number) for number in range(20)]
    assert said in [each.message for each in pack([hit(short, 3), hit(said, 2), *others], (), 400).hits]
    assert said not in [each.message for each in pack([hit(short, 3), *others[:6], hit(said, -7)], (), 400).hits]


def test_a_message_that_its_fact_says_is_not_quoted() -> None:
    """However good it is."""
    said = message("I love the old boat by the river.", 0)
    whole = fact(ANN, "LOVES", entity("boat"), "Ann loves the old boat by the river.", evidence=(said.id,))
    assert [each.message for each in pack([hit(whole, 3), hit(said, 2)], (), 400).hits] == [None]


@pytest.mark.parametrize(
    ("question", "terms", "shown"),
    [
        ("What does Ann like?", ("like",), False),
        ("What is Ann called?", ("call",), True),
        ("Who is Ann?", (), True),
        ("What does Annie like?", ("anni", "like"), True),
    ],
)
def test_other_names(question: str, terms: tuple[str, ...], shown: bool) -> None:
    """Another name of somebody is shown where the question asks for names or has it."""
    for other in (entity("Annie"), ANN):  # before both are one entity, and after
        named = fact(ANN, "ALSO_KNOWN_AS", other, "Ann is also called Annie.", said_at=None)
        found = [hit(named, 2.0), hit(likes(1), 1.0)]
        assert ("Annie" in pack(found, terms, 100, question=question).text) == shown


def test_another_name_that_is_all_that_is_found() -> None:
    """It is better than nothing."""
    named = fact(ANN, "ALSO_KNOWN_AS", entity("Annie"), "Ann is also called Annie.", said_at=None)
    assert "Annie" in pack([hit(named)], ("like",), 100, question="What does Ann like?").text
