"""Numbers of projects, tools and counts."""

from __future__ import annotations

import pytest

from mem0g.extract.rules.measured_claims import measured_claims

TOLD = [
    ("My checkout page loads in 1.4 seconds now", "Uma's checkout page", "loads_in", "1.4 seconds"),
    ("Our staging server currently costs $84 a month", "Uma's staging server", "costs", "$84 a month"),
    ("Our nightly job takes 42 minutes", "Uma's nightly job", "takes", "42 minutes"),
    ("The heap limit of my worker is 512 MB", "Uma's worker", "has_heap_limit", "512 MB"),
    ("The error rate for our gateway is now 0.3%", "Uma's gateway", "has_error_rate", "0.3%"),
    ("We have closed 38 tickets so far", "Uma", "has_closed_number_of_tickets", "38"),
    ("I have already translated 61 pages", "Uma", "has_translated_number_of_pages", "61"),
    ("We have 1,250 subscribers now", "Uma", "has_number_of_subscribers", "1,250"),
    ("I have 14 unit tests for the parser", "Uma", "has_number_of_unit_tests", "14"),
    ("The repository has 165 commits", "Uma's repository", "has_number_of_commits", "165"),
    ("The staging database now has 42 tables", "Uma's staging database", "has_number_of_tables", "42"),
    ("Our choir website has 31 pages", "Uma's choir website", "has_number_of_pages", "31"),
    ("My allotment has 6 apple trees", "Uma's allotment", "has_number_of_apple_trees", "6"),
    ("Our team has 12 members", "Uma's team", "has_number_of_members", "12"),
    ("API responds in 250ms", "Uma's API", "responds_in", "250ms"),
    ("The search service responds in 90 ms on average", "Uma's search service", "responds_in", "90 ms"),
    ("I have been to 7 countries", "Uma", "has_visited_number_of_countries", "7"),
    ("I have now visited 9 countries", "Uma", "has_visited_number_of_countries", "9"),
]

SILENT = [
    "I have 2 kids and 3 sisters",
    "I have 5 minutes",
    "I have 3 questions about this",
    "We have 10 days left",
    "You have 20 tickets open",
    "If my page loads in 2 seconds, I am happy with it",
    "The population of Oslo is 700,000",
    "My sister runs 5 km",
    "My dad takes 20 pills",
    "I have to read 30 pages",
    "I had 30 pages",
    "I have never merged 100 commits",
    "Their API responds in 90 ms",
    "I would have 12 tests",
    "My meeting lasts",
    "Their repository has 165 commits",
    "If the repository has 165 commits, tag it",
    "My cousin has 3 rabbits",
    "The client's website has 31 pages",
    "The village has 900 inhabitants",
    "The repository has no commits",
    "The repository had 165 commits",
    "The repository needs 3 reviewers",
    "I have been to 7 of them",
    "I have been to Peru",
    "I have never been to 7 countries",
    "He has been to 7 countries",
    "The model has 7 billion parameters",
]


@pytest.mark.parametrize(("sentence", "subject", "relation", "value"), TOLD)
def test_numbers_are_values(sentence: str, subject: str, relation: str, value: str) -> None:
    """A number with its unit is the value of an attribute of the speaker or of a thing of hers."""
    (made,) = measured_claims(sentence, "Uma", "m_1")
    assert (made.subject, made.relation, made.object) == (subject, relation, value)
    assert made.object_is_literal
    assert made.evidence == ("m_1",)
    assert value in made.text


@pytest.mark.parametrize("sentence", SILENT)
def test_no_number_to_keep(sentence: str) -> None:
    """People, spans of time, others' things, wishes and denials make none."""
    assert list(measured_claims(sentence, "Uma", "m_1")) == []
