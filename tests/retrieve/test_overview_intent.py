"""Which questions are about the whole of a conversation."""

import time

import pytest

from mem0g.retrieve.question.kinds import read_overview


@pytest.mark.parametrize(
    ("question", "kind", "topic"),
    [
        ("In which order did I bring up my travel plans?", "order", "did I bring up my travel plans"),
        (
            "Can you list the order in which I mentioned different aspects of my garden? Mention ONLY three items.",
            "order",
            "of my garden",
        ),
        ("Give me a timeline of the move.", "order", "the move"),
        ("Can you summarize our discussions about the boat?", "summary", "our discussions about the boat"),
        ("Give me a summary of my trip, with a timeline.", "summary", "my trip, with a"),
        ("Recap everything we've covered so far.", "summary", ""),
        ("What have we talked about?", "summary", ""),
        ("How did my running improve over time?", "development", "How did my running improve"),
        ("How has the budget changed throughout our conversations?", "development", "How has the budget changed"),
        ("Considering my choices across all sessions, does my plan fit?", "development", None),
        ("Considering all of my plans and dates, how do I best go on?", "development", None),
        ("Thanks. Taking into account my trips, where next?", "development", None),
        ("Unter Berücksichtigung meiner Pläne: was fehlt noch?", "development", None),
        ("Summarize all our conversations so far.", "summary", ""),
        ("Give me an overview of everything.", "summary", ""),
        ("Fasse unsere Gespräche zusammen.", "summary", ""),
        ("How many recipes did I try across all my sessions?", "count", "recipes did I try"),
        ("How much did I spend on tools in total?", "count", "did I spend on tools"),
        ("Fass unsere Gespräche über den Garten zusammen.", "summary", None),
        ("Wie hat sich mein Garten im Laufe der Zeit entwickelt?", "development", None),
        ("In welcher Reihenfolge habe ich das erwähnt?", "order", None),
        ("Wie viele Bücher habe ich insgesamt gelesen?", "count", None),
        ("¿En qué orden mencioné mis viajes?", "order", None),
        ("Hazme un resumen de mis viajes.", "summary", None),
        ("¿Cómo ha cambiado mi dieta a lo largo del tiempo?", "development", None),
        ("Dans quel ordre ai-je parlé de mes voyages ?", "order", None),
        ("Résume nos conversations.", "summary", None),
        ("Comment mon jardin a-t-il évolué au fil du temps ?", "development", None),
        ("In welke volgorde noemde ik mijn reizen?", "order", None),
        ("Geef me een samenvatting van mijn plannen.", "summary", None),
        ("Hoeveel boeken heb ik in totaal gelezen?", "count", None),
    ],
)
def test_a_question_about_the_whole(question: str, kind: str, topic: str | None) -> None:
    """It is recognised by what it asks for, and its topic is what is left without the words that ask."""
    found = read_overview(question)
    assert found is not None
    assert found.kind == kind
    if topic is not None:
        assert found.topic == topic


@pytest.mark.parametrize(
    "question",
    [
        "How many children does Melanie have?",
        "Was she considering my offer?",
        "Is anyone considering a move to my town?",
        "How many times has she been to the beach in 2023?",
        "Can you walk me through the proof?",
        "What did I order at the café?",
        "How should I update my resume?",
        "How did he change the tyre?",
        "What progress did she make with her store?",
        "When does the session end?",
        "How do I change the order of the list items?",
        "What is the total length of the bridge?",
        "?",
        "",
    ],
)
def test_a_question_about_one_thing(question: str) -> None:
    """A count, a change and an order of one thing are no questions about the whole."""
    assert read_overview(question) is None


@pytest.mark.parametrize("text", ["how " * 4000, "in our " * 3000, "fass " * 4000, "in order " * 3000, ", " * 9000])
def test_a_long_text_is_read_quickly(text: str) -> None:
    """A pasted page takes no longer than its first lines."""
    begun = time.process_time()
    read_overview(text)
    assert time.process_time() - begun < 0.5
