"""Whether a question is about the past."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mem0g import Memory, Triple
from mem0g.retrieve.question.query import masked_names
from mem0g.retrieve.question.temporal_intent import asks_about_past
from mem0g.testing import HashingEmbedder
from mem0g.times import Moment
from tests.making import day, entity

NOW = day("2026-06-15")

PAST = """
Where did Nora live before?
Where did Nora live in 2021?
Since when has she lived in Bergen?
How long did Nora live in Leeds?
Where did Nora use to live, and where does she no longer live?
What was her previous city?
Why did she change jobs?
Where did Ann live before?
Where did she live before Lisbon?
Where did she use to work
where was she in May 2023
What was her job in 2021?
How long did she live there
since when does he play the cello
What changed?
What has changed since last year?
Has her phone number changed?
Who used to be his landlord?
What did the twins use to collect?
Which pub did they used to meet in?
Who is her former employer?
What is Tom's previous address?
Who is Mia's ex-husband?
Is she still friends with her ex?
Which languages did he speak as a child?
Where had they lived until the flood?
Does Paul smoke anymore?
Which medicine does she no longer take?
What is his employment history?
Tell me the history of her back pain.
Who lived here before the Nguyens?
Which team did he play for at first?
Where was the office originally?
Did he ever work nights?
Has she ever owned a dog?
Have they been vegetarian in the past?
Where did the family live when Leo was small?
What car did she drive ten years ago?
How long ago was the wedding?
Which diet was he on last winter?
What did she believe in her twenties?
Where did you live back then?
What was Ann's job?
Who was their coach?
Was Kim a vegetarian?
Where did Karim live?
Which flat did they rent?
Which company did he work for?
Did he work at the harbour?
How have her hobbies changed over time?
When did he stop drinking coffee?
Has she quit the choir?
Who stopped coming to practice?
Why did it end?
When did Ivo switch banks?
Where did he once live?
Which city did she call home in the nineties?
What was she studying in the early 2000s?
Who was mayor in 1998?
What did her kitchen look like in June 2024?
Where was he on 3 March 2025?
Which gym did he go to in March?
What did she do last May?
Where does she live in 2019?
What is Nate building on 9 November, 2022?
How long has the bakery been theirs?
What did she want to become when she was little?
Until when did they share a flat?
Which phone did he have earlier?
What did they argue about in college?
""".strip().splitlines()

PRESENT = """
Where does Nora live?
Where is she living now?
What did Nora buy?
Who is Nora's sister?
May I ask?
Which bus stop is near where Ann lives?
Which history museum does she like?
Where is Ann in May?
How do I get 2000 euros to her?
What is at the end of the street?
What does she take before breakfast?
Where does she change trains?
how long is the bridge
Which pill does he take once a week?
Does she live near the tram stop?
Who is her history teacher?
What is she going to do in May?
Is the flat 2000 euros a month?
Can the hall hold 2000 people?
Which room is it, room 2012?
What is her door code, code 1987?
What costs $2019?
How many steps, 2000 steps or more?
Which shops are open until nine?
Is the museum open till 6 pm?
When does the season end?
Does he want to quit?
Is she planning to stop smoking?
Which button do I stop it with?
Who can switch off the alarm?
Does he own a Switch?
Is there a light switch in the hall?
Which flight is earlier?
Can she come earlier?
Does the meeting start before ten?
What should I know before I call her?
Is he used to the cold?
What is this tool used to cut?
Are they getting used to the new house?
How long does the drive take?
How long are the holidays?
Can it wait no longer than an hour?
Does she need any more chairs?
Would she like any more of those books?
Answer at once: who is her doctor?
Once she arrives, who picks her up?
How often is once in a while?
Is the price subject to change?
Does he carry small change?
What is the climate change course called?
Who cooks on the weekend, and at the end of the month?
Will he end up in Lyon?
What are her goals for 2027?
Which conference will he attend in 2028?
What is the plan for 3 March 2027?
Is she free on 7 May?
Who is on call in December?
What does the march in August look like?
Which wine is from 20 hectares?
Who is the previous message from?
Which version do you need, and what is the first stop?
What is her favourite book?
What does Ann do for work?
How long will he stay?
What may she eat?
Is the old town pretty?
Which train stops here?
Does Ann have an ending in mind for her novel?
Who answers the phone in the morning?
What is the dead end near the house called?
""".strip().splitlines()


@pytest.mark.parametrize("text", PAST)
def test_about_the_past(text: str) -> None:
    """Its words ask for what was, or it names a date that is over."""
    assert asks_about_past(text, NOW)


@pytest.mark.parametrize("text", PRESENT)
def test_about_now(text: str) -> None:
    """What is so, what will be, and what happened, which stays true, is not the past."""
    assert not asks_about_past(text, NOW)


@pytest.mark.parametrize(
    "text",
    [
        "Wo hat sie früher gewohnt?",
        "¿Dónde vivía ella antes?",
        "Où est-ce qu'elle habitait avant ?",
        "Waar woonde ze vroeger?",
    ],
)
def test_about_the_past_in_other_languages(text: str) -> None:
    """A few words ask about the past in German, Spanish, French and Dutch."""
    assert asks_about_past(text, NOW)


@pytest.mark.parametrize(
    "text",
    [
        "Wo wohnt sie jetzt?",
        "Wann ist der Umzug?",
        "¿Qué hace ella antes de dormir?",
        "Où est-ce qu'elle habite ?",
        "Waar woont ze nu?",
    ],
)
def test_about_now_in_other_languages(text: str) -> None:
    """A question without such a word is about the present."""
    assert not asks_about_past(text, NOW)


def test_a_date_is_past_once_it_is_over() -> None:
    """A year that runs counts beside a verb in the past only, one to come never."""
    assert not asks_about_past("What are her goals for 2026?", NOW)
    assert asks_about_past("Where did she work in 2026?", NOW)
    assert asks_about_past("What are her goals for 2026?", day("2027-01-01"))
    assert not asks_about_past("Where did she say she would spend 2027?", NOW)


def test_the_words_of_names_do_not_count() -> None:
    """A film called "Before Sunset" and a man called August are not the past; the words around them still are."""
    film, man = entity("Before Sunset"), entity("Clemens August")
    for text, past in (
        ("What did Ann think of Before Sunset?", False),
        ("What did Clemens August buy?", False),
        ("Where did Clemens August live before?", True),
    ):
        assert asks_about_past(masked_names(text, (film, man)), NOW) is past


@given(st.text(alphabet="did use to was she before 2019 'x-.$", max_size=300))
def test_any_text_is_judged(text: str) -> None:
    """Whatever is asked, it is judged, and the same in capitals."""
    assert asks_about_past(text, NOW) == asks_about_past(f"  {text}  ", NOW)


@pytest.mark.parametrize("piece", ["did ", "is x ", "has a ", "what was x's ", "used to ", "in march ", "a-", "'s'"])
def test_a_long_question_takes_no_longer(piece: str) -> None:
    """What stands behind the first 2,000 characters is not looked at."""
    assert asks_about_past(piece * 20_000, NOW) == asks_about_past((piece * 20_000)[:2000], NOW)


@pytest.fixture
def moved(tmp_path: Path) -> Memory:
    """Nora lived in Leeds, then moved to Bergen."""
    memory = Memory.open(tmp_path / "memory.db", embedder=HashingEmbedder(256), extractor="none")
    triples = [
        Triple(
            subject="Nora",
            subject_type="person",
            relation="LIVES_IN",
            object=city,
            object_type="city",
            text=f"Nora lives in {city}.",
            valid_from=Moment.parse(since),
        )
        for city, since in (("Leeds", "2020-03"), ("Bergen", "2023-05"))
    ]
    memory.add_triples(triples, user_id="nora")
    return memory


@pytest.mark.parametrize("text", [each for each in PAST if "Nora" in each])
def test_questions_about_the_past_see_retired_facts(moved: Memory, text: str) -> None:
    """What was true is found and marked with its interval."""
    with moved as memory:
        assert {"Nora lives in Leeds.", "Nora lives in Bergen."} == {
            hit.text for hit in memory.search(text, user_id="nora")
        }
        assert "lived in Leeds (2020-03 to 2023-05)" in memory.context(text, user_id="nora").text


@pytest.mark.parametrize(
    "text",
    [
        "Where does Nora live?",
        "Where is Nora living now?",
        "Which bus stop is near where Nora lives?",
        "Is there a history museum where Nora lives?",
        "Where does Nora live in May?",
        "Does Nora live on 2000 euros?",
    ],
)
def test_questions_about_now_never_do(moved: Memory, text: str) -> None:
    """What is no longer true is not in the answer, unless it is asked for."""
    with moved as memory:
        assert [hit.text for hit in memory.search(text, user_id="nora")] == ["Nora lives in Bergen."]
        assert "Leeds" not in memory.context(text, user_id="nora").text
        assert len(memory.search(text, user_id="nora", include_retired=True)) == 2


def test_an_instant_that_is_given_decides(moved: Memory) -> None:
    """Asked as of a day, only what was true then is seen, whatever the words are."""
    with moved as memory:
        found = memory.search("Where did Nora live before?", user_id="nora", as_of="2021-01-01")
        assert [hit.text for hit in found] == ["Nora lives in Leeds."]


def test_what_was_said_of_the_past_is_found_like_its_facts(tmp_path: Path) -> None:
    """A message that tells only what is no longer true is a hit for a question about the past, not about now."""
    with Memory.open(tmp_path / "memory.db", embedder=HashingEmbedder(256), extractor="rules") as memory:
        said = {"2020-03-01": "I live in Leeds.", "2023-05-01": "I moved to Bergen, so I live in Bergen now."}
        for date, text in said.items():
            memory.add([{"role": "user", "content": text, "timestamp": date}], user_id="nora")
        assert [fact.object for fact in memory.facts(user_id="nora") if fact.relation == "LIVES_IN"] == ["Bergen"]
        now = memory.context("Where does Nora live?", user_id="nora").text
        assert "Bergen" in now
        assert "Leeds" not in now
        past = memory.search("Where did Nora live before?", user_id="nora")
        assert {"nora lives in Leeds.", "I live in Leeds."} <= {hit.text for hit in past}


def test_what_was_put_in_other_words_did_not_end(tmp_path: Path) -> None:
    """A question about the past finds what ended, not what was wrong or is said better by the fact that replaced it."""
    with Memory.open(tmp_path / "memory.db") as memory:
        memory.add([{"role": "user", "content": "I have a dog called Mex."}], user_id="Nora")
        (wrong,) = memory.facts(user_id="Nora")
        memory.correct(wrong.id, "Nora has a dog called Max.", user_id="Nora")
        context = memory.context("Which dog did Nora have before?", user_id="Nora").text
        found = [hit.text for hit in memory.search("Which dog did Nora have before?", user_id="Nora")]
        assert wrong.text in {fact.text for fact in memory.facts(user_id="Nora", include_retired=True)}
    assert "Nora has a dog called Max." in found
    assert wrong.text not in found
    assert "no longer" not in context


def test_what_was_said_later_hardly_answers_what_was_so_then(tmp_path: Path) -> None:
    """Asked as of a day, what was said by then comes before what was said after it, and the latest by then first."""
    said = {
        "2023-01-10": "We pay 900 euros for the flat.",
        "2023-06-01": "The flat is 950 euros a month now.",
        "2024-02-01": "The flat costs us 1100 euros a month now.",
    }
    with Memory.open(tmp_path / "memory.db", extractor="none") as memory:
        for date, text in said.items():
            memory.add([{"role": "user", "content": text, "timestamp": date}], user_id="nora")
        first, second, third = said.values()

        def asked(as_of: str | None) -> list[str]:
            return [hit.text for hit in memory.search("How much is the flat?", user_id="nora", as_of=as_of)]

        assert asked(None)[0] == third
        assert asked("2023-12")[0] == second
        assert asked("2023-02")[0] == first
        assert set(asked("2023-02")) == set(said.values())


def test_a_fact_counts_as_told_on_the_day_that_is_asked_about(tmp_path: Path) -> None:
    """What a fact says holds as of that day by its dates, whenever it was said: a later word on it is no update."""
    with Memory.open(tmp_path / "memory.db", extractor="rules") as memory:
        for date, text in {
            "2024-01-14": "I've lived in Bergen for nine years.",
            "2024-02-03": "It's a small studio that makes games, in Lisbon.",
            "2024-04-28": "I moved to Lisbon on 6 April.",
        }.items():
            memory.add([{"role": "user", "content": text, "timestamp": date}], user_id="Nora")
        assert "Bergen" in memory.search("Where does Nora live?", user_id="Nora", as_of="2024-02-10")[0].text
        assert "6 April" in memory.search("Where does Nora live?", user_id="Nora")[0].text
