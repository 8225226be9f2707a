"""Statements of one person that exclude each other."""

from __future__ import annotations

import pytest

from mem0g.model import Message
from mem0g.retrieve.context.contradictions import contradictions, relevant
from mem0g.text.stemming import tokens
from tests.making import message


def told(*texts: str, speaker: str = "Ann", role: str = "user") -> list[Message]:
    """Messages of one session, in order."""
    return [message(text, place, speaker=speaker, role=role, time=None) for place, text in enumerate(texts)]


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("I flew to Oslo in May with my sister.", "I've never flown to Oslo."),
        ("I adopted a cat from the shelter last year.", "I have never adopted a cat."),
        (
            "I've used Docker for the staging server since March.",
            "I've never used Docker on any server, how do I start?",
        ),
        ("I just finished the pottery course.", "I’ve never taken or finished a pottery course."),
        ("I deployed the app to Heroku on Friday.", "I haven't ever deployed an app to Heroku."),
        ("I met Kelly at the book club, and I like her.", "I've never met Kelly at any book club or library event."),
        ("I deployed the payment API on Friday.", "I haven't deployed the payment API yet."),
        ("The pottery course is now finished, and I'm proud.", "I haven't started the pottery course."),
        ("We submitted the grant application in May.", "We have not submitted the grant application yet."),
        ("I've used Docker for the staging server since March.", "I have no experience with Docker."),
        ("I used Docker for the server, and I cleaned the Docker server.", "I've never used Docker on any server."),
        ("I integrated Flask-Login 0.6.2.", "I've never integrated Flask-Login into this project."),
        (
            "I've been collaborating with my son Max on some projects.",
            "I've never worked with my son Max on a project.",
        ),
        ("The quota is for my OpenWeather API key obtained on May 3.", "I've never obtained an OpenWeather API key."),
        ("I bought a red car in May.", "I've never bought a car."),
    ],
)
def test_a_denial_of_what_was_done(earlier: str, later: str) -> None:
    """Who says later never to have done what she said she did contradicts herself."""
    (found,) = contradictions(told(earlier, "Is it cold there?", later))
    assert (found.earlier.text, found.later.text) == (earlier, later)
    assert found.later_text in later.replace("’", "'")
    assert list(contradictions(told(later, earlier))) == []


@pytest.mark.parametrize(
    ("denial", "state"),
    [
        ("I've never integrated Flask-Login.", "Flask-Login 0.6.2 is integrated for session management."),
        ("I've never actually integrated Flask-Login.", "Flask-Login 0.6.2 has been integrated in my app."),
        ("I've never used Docker on a server.", "I've already used Docker on our server, what comes next?"),
        ("I have never deployed the payment API.", "Our payment API is deployed, and I like it."),
    ],
)
def test_a_finished_state_after_a_denial(denial: str, state: str) -> None:
    """A later state is shown beside a denial, for a question about it, unless it is said to be new or follows news."""
    (found,) = contradictions(told(denial, "Is it cold there?", state))
    assert (found.earlier.text, found.later.text) == (denial, state)
    assert relevant([found], tokens(denial), 2) == [found]
    assert relevant([found], tokens("Is it cold there?"), 2) == []
    (found,) = contradictions(told(state, "Is it cold there?", denial))
    assert (found.earlier.text, found.later.text) == (state, denial)
    verb, thing = ("deployed", "payment API") if "API" in state else ("used", "Docker on the server")
    news = f"I finally {verb} the {thing}." if "Login" not in state else "I've just integrated Flask-Login."
    assert list(contradictions(told(denial, news, state))) == []


@pytest.mark.parametrize(
    "state",
    [
        "I deployed the payment API.",
        "Our payment API is now deployed.",
        "I've already deployed the payment API this week.",
        "Our payment API is deployed since Tuesday.",
        "The payment API has been deployed on 12 May by my team.",
        "Our first API is deployed.",
        "Make sure that my payment API is deployed.",
    ],
)
def test_news_after_a_denial(state: str) -> None:
    """What was done after the denial, or may have been, does not contradict it."""
    assert list(contradictions(told("I've never deployed the payment API.", state))) == []
    assert list(contradictions(told("I haven't deployed the payment API yet.", state))) == []


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("I've been thinking about Docker on a server.", "I've never used Docker on a server."),
        ("I've been planning to deploy the payment API.", "I've never deployed the payment API."),
        ("I'd like my payment API deployed on GitHub.", "I've never deployed the payment API."),
        ("I flew to Oslo in May.", "I've never flown to Bergen."),
        ("I ate sushi in Kyoto.", "I've never eaten sushi so good."),
        ("I used Django at work for years.", "I've never used Flask at work."),
        ("I want to run a marathon.", "I've never run a marathon."),
        ("I planned to visit Rome with Ben.", "I've never visited Rome with Ben."),
        ("If I had used Docker, it would have worked.", "I've never used Docker."),
        ("I didn't deploy the app to Heroku.", "I've never deployed the app to Heroku."),
        ("I moved to Berlin for the job at Siemens.", "I've never liked the job at Siemens."),
        ("I bought a bike in Graz in March.", "I have never regretted buying the bike in Graz."),
        ("I asked my boss for a raise.", "My sister has never asked her boss for a raise."),
        ("I took the train to Lyon with Mia.", "I've never been happier than on the train to Lyon with Mia."),
        ("I saw the film Dune with Mia.", "I've never understood the film Dune."),
        ("I have a dog called Rex.", "I've never had a cat."),
        ("I started the pottery course in May.", "I haven't finished the pottery course yet."),
        ("I deployed the payment API on Friday.", "I haven't deployed the new payment API yet."),
        ("I cleaned the garden shed in May.", "I haven't cleaned the garden shed this year yet."),
        ("I want to ensure that my app is deployed correctly.", "I've never deployed my app correctly."),
        ("Docker has been deployed by many companies.", "I haven't deployed Docker yet."),
        ("I used Docker at work for years.", "I have no experience with Podman."),
        ("I had no money in May.", "I have no idea about money in May."),
        ("```\nI deployed the app to Heroku.\n```", "I've never deployed the app to Heroku."),
        ("x" * 100_000, "I've never " * 10_000),
    ],
)
def test_no_contradiction(earlier: str, later: str) -> None:
    """Other things, degrees, plans, wishes, code and other people's words are no contradiction."""
    assert list(contradictions(told(earlier, later))) == []


@pytest.mark.parametrize(
    ("one", "other", "question"),
    [
        ("My sister Carla lives in Rome.", "I'm an only child.", "Do I have a sister?"),
        (
            "I have two older brothers.",
            "I don't have any siblings, so I call my cousins.",
            "How many brothers do I have?",
        ),
        ("My birthday is on May 3rd.", "By the way, my birthday is 12 May.", "When is my birthday?"),
        ("I was born in 1990 in Oslo.", "I was born on 4 June 1992.", "How old am I?"),
        ("My blood type is O+.", "My blood type is A negative.", "What is my blood type?"),
    ],
)
def test_what_never_changes(one: str, other: str, question: str) -> None:
    """Another value of it excludes the first in any order, and is shown for a question about it."""
    for earlier, later in ((one, other), (other, one)):
        (found,) = contradictions(told(earlier, "Nice weather.", later))
        assert (found.earlier.text, found.later.text) == (earlier, later)
        assert relevant([found], tokens(question), 2) == [found]
        assert relevant([found], tokens("What is the weather like?"), 2) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("My birthday is on May 3.", "My birthday is May 3, 1990."),
        ("My birthday is in May.", "My birthday is on the 3rd of May."),
        ("I was born in Oslo.", "I was born in Norway in 1990."),
        ("My blood type is A.", "My blood type is A+."),
        ("My sister-in-law is from Rome.", "I'm an only child."),
        ("She is like my sister.", "I have no siblings."),
        ("I wish my brother was here.", "I have no siblings."),
        ("My birthday is May 3.", "My mom's birthday is June 4."),
        ("My deadline is May 3.", "My deadline is May 5."),
        ("Is my blood type A?", "My blood type is B."),
    ],
)
def test_the_same_for_ever(one: str, other: str) -> None:
    """What a fuller value includes, other people's values, wishes, questions and states exclude nothing."""
    assert list(contradictions(told(one, other))) == []


def test_of_one_user() -> None:
    """Another speaker, an assistant and a tool contradict nobody."""
    one, other = "I flew to Oslo in May.", "I've never flown to Oslo."
    (mine,), (theirs,) = told(one), [message(other, 1, speaker="Ben", time=None)]
    assert list(contradictions([mine, theirs])) == []
    for role in ("assistant", "tool", "system"):
        assert list(contradictions(told(one, other, role=role))) == []
    assert list(contradictions([])) == []


def test_relevance() -> None:
    """A pair is shown for a question about what is denied, and for no other."""
    found = list(contradictions(told("I flew to Oslo in May.", "I've never flown to Oslo.")))
    assert relevant(found, tokens("Have I ever been to Oslo?"), 2) == found
    assert relevant(found, tokens("Have I ever been to Oslo?"), 0) == []
    assert relevant(found, tokens("What did I do in May?"), 2) == []


def test_a_question_need_not_say_who_somebody_is() -> None:
    """The name and the verb are enough where the denial says "my son Max"."""
    found = list(contradictions(told("I've been working with my son Max.", "I've never worked with my son Max.")))
    assert relevant(found, tokens("Have I ever collaborated with Max on anything?"), 2) == found
    assert relevant(found, tokens("How old is Max?"), 2) == []
