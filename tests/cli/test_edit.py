"""The commands that change things by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from mem0g import Memory
from tests.cli.conftest import Shell

ANN = ("--user", "ann")


@pytest.fixture
def lived(shell: Shell) -> Shell:
    """Ann lives in Oslo and likes tea, and said neither."""
    shell.ok("add-fact", "I live in Oslo.", *ANN)
    shell.ok("add-fact", "--subject", "ann", "--relation", "likes", "--object", "tea", *ANN)
    return shell


def ids(shell: Shell) -> dict[str, str]:
    """Ids of the facts, by object."""
    return {each["object"]: each["id"] for each in shell.json("facts", "--include-retired", *ANN)}


def test_add_fact_and_correct_say_what_changed(lived: Shell) -> None:
    """Each tells the fact that came of it and what it stands in place of; as JSON too."""
    said = lived.ok("correct", ids(lived)["Oslo"], "I live in Rome.", *ANN)
    assert said.startswith("updated f_")
    assert said.endswith("ann lives in Rome. (instead of: ann lives in Oslo.)\n")
    report = lived.json("add-fact", "I live in Lima.", *ANN)
    assert [(each["kind"], each["text"]) for each in report["changes"]] == [
        ("updated", "ann lives in Lima."),
        ("retired", "ann lives in Rome."),
    ]


def test_add_fact_names_what_may_be_outdated(shell: Shell) -> None:
    """A further fact of a relation that may have one object at a time; nothing is said of it in JSON, and of a list."""
    atlas = ("add-fact", "--subject", "Atlas", "--relation", "listens_on_port", "--object")
    assert "outdated" not in shell.ok(*atlas, "8443", *ANN)
    said = shell.ok(*atlas, "9443", *ANN)
    assert "Possibly outdated; `mem0g retire` ends what is no longer true:\n  f_" in said
    assert said.endswith("Atlas listens on port 8443.\n")
    assert "outdated" not in str(shell.json(*atlas, "7443", *ANN))
    assert "outdated" not in shell.ok(*atlas, "6443", *ANN)


def test_add_names_what_changed(shell: Shell) -> None:
    """``add --verbose`` lists every fact; so does ``--json``; without it the counts alone are shown."""
    assert "added f_" in shell.ok("add", "I live in Oslo.", "--verbose", *ANN)
    assert "confirmed f_" in shell.ok("add", "I live in Oslo.", "-v", *ANN)
    assert "f_" not in shell.ok("add", "I live in Rome.", *ANN)
    changes = shell.json("add", "I live in Lima.", *ANN)["changes"]
    assert [each["kind"] for each in changes] == ["updated", "retired"]
    assert changes[0]["others"][0]["text"] == "ann lives in Rome."


def test_ingest_names_what_changed(shell: Shell) -> None:
    """``ingest --verbose`` lists the facts of all windows."""
    line = '{"role": "user", "name": "Ann", "content": "I live in Oslo."}'
    assert "added f_" in shell.ok("ingest", "-", "--verbose", *ANN, stdin=line)


def test_retire_log_undo(lived: Shell) -> None:
    """A fact is retired, the log shows the decision's id, undoing it brings the fact back."""
    tea = ids(lived)["tea"]
    assert "she stopped" in lived.ok("retire", tea, "--reason", "she stopped", *ANN)
    assert "tea" not in lived.ok("facts", *ANN)
    (decision,) = lived.json("log", tea, "--limit", "1", *ANN)
    assert (decision["operation"], decision["decided_by"]) == ("DELETE", "user")
    assert decision["id"] in lived.ok("log", *ANN)
    assert "UNDO" in lived.ok("undo", decision["id"], *ANN)
    assert "tea" in lived.ok("facts", *ANN)


def test_undo_names_what_stands_in_the_way(lived: Shell) -> None:
    """Without --cascade it fails with the ids of later decisions; with it they are undone as well."""
    lived.ok("add-fact", "I live in Rome.", *ANN)
    oslo = next(each for each in lived.json("log", *ANN) if each["triple"]["object"] == "Oslo")
    later = lived.json("log", "--limit", "1", *ANN)[0]["id"]
    failed = lived.fails("undo", oslo["id"], *ANN)
    assert later in failed
    assert "--cascade" in failed
    assert len(lived.json("undo", oslo["id"], "--cascade", *ANN)) == 2
    assert [each["object"] for each in lived.json("facts", *ANN)] == ["tea"]


def test_merge_and_unmerge(lived: Shell) -> None:
    """Two names become one entity's and are taken apart again; the history of an entity has all its facts."""
    lived.ok("add-fact", "--subject", "Quinn", "--relation", "likes", "--object", "rain", *ANN)
    assert "MERGE" in lived.ok("merge", "ann", "Quinn", *ANN)
    assert "rain" in lived.ok("history", "ann", *ANN)
    assert "UNMERGE" in lived.ok("unmerge", "ann", "Quinn", *ANN)
    assert "rain" not in lived.ok("history", "ann", *ANN)


def test_erase_asks_and_leaves_a_receipt(lived: Shell) -> None:
    """It asks unless told not to; a diff says that something was forgotten, and not what."""
    tea = ids(lived)["tea"]
    assert lived("erase", tea, *ANN, stdin="n\n").exit_code == 1
    assert "tea" in lived.ok("facts", *ANN)
    receipt = lived.json("erase", tea, "--yes", *ANN)
    assert receipt["facts"] == 1
    said = lived.ok("diff", "--since", "2020", *ANN)
    assert "+ ann lives in Oslo." in said
    assert "forgotten: 0 messages, 1 entities, 1 facts" in said
    assert "tea" not in said
    assert lived.json("diff", "--since", "2020", *ANN)["forgotten"][0]["id"] == receipt["id"]
    assert "nothing changed" in lived.ok("diff", "--since", "2100", *ANN)


def test_the_messages_of_an_erased_fact_are_named(shell: Shell) -> None:
    """They stay, and erasing them by the ids that are printed leaves nothing; so do those of an entity's facts."""
    for text in ("I am allergic to pollen.", "I work at Acme."):
        shell.ok("add", text, *ANN)
    said = {each["text"]: each["id"] for each in shell.json("messages", *ANN)}
    found = ids(shell)
    erased = shell.ok("erase", found["pollen"], "--yes", *ANN)
    assert f"`mem0g erase {said['I am allergic to pollen.']}`" in erased
    assert "allergic" in shell.ok("search", "allergic", *ANN)
    shell.ok("erase", said["I am allergic to pollen."], "--yes", *ANN)
    (acme,) = (each["id"] for each in shell.json("entities", *ANN) if each["name"] == "Acme")
    assert shell.json("erase", acme, "--yes", *ANN)["stated_by"] == [said["I work at Acme."]]
    assert "stays" not in shell.ok("erase", said["I work at Acme."], "--yes", *ANN)
    assert shell.json("messages", *ANN) == []


def test_of_many_messages_that_stay_ten_are_named(shell: Shell) -> None:
    """The last line says how many more there are."""
    with Memory.open(shell.store, extractor="rules") as memory:
        memory.add([{"role": "user", "content": f"I visited Oslo in {2000 + n}."} for n in range(12)], user_id="ann")
        oslo = memory.entity("Oslo", user_id="ann")
    lines = shell.ok("erase", oslo.id, "--yes", *ANN).splitlines()
    assert sum(line.startswith("the message m_") for line in lines) == 10
    assert lines[-1] == "and 2 more messages; `mem0g messages` shows them"


def test_a_store_is_not_made_by_changing_it(shell: Shell, tmp_path: Path) -> None:
    """Retiring in a store that is not there fails, and makes none."""
    place = tmp_path / "none.db"
    shell.fails("retire", "f_x", "--store", str(place), *ANN)
    assert not place.exists()
