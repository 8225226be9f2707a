"""The commands, as a user meets them."""

from __future__ import annotations

import dataclasses
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest

from mem0g import Thresholds
from tests.cli.conftest import EXAMPLE, Shell


def test_a_transcript_in_german_needs_a_model(shell: Shell) -> None:
    """The rules read English only: ingest says so, once, of a transcript in another language."""
    lines = [json.dumps({"role": "user", "content": f"Ich wohne jetzt in der Gasse {n}"}) for n in range(3)]
    done = shell("ingest", "-", "--user", "ann", stdin="\n".join(lines))
    assert "this looks like German" in done.stderr
    assert "--embedder" in done.stderr
    assert "German" not in shell("ingest", "-", "--user", "ann", stdin="\n".join(lines)).stderr
    assert "German" not in shell("ingest", "-", "--user", "bo", "--extractor", "none", stdin=lines[0]).stderr
    english = shell.file("chat.txt", "Ann: I live in Oslo now, and I like it.\nBen: So do I, and I moved there.\n" * 2)
    assert "German" not in shell("ingest", english, "--user", "demo").stderr


def test_metadata_and_filters(shell: Shell) -> None:
    """KEY=VALUE or JSON on ingest and add; conditions or JSON on search, context and facts."""
    notes = shell.file("n.txt", "Ann: I live in Oslo.\n")
    shell.ok("ingest", notes, "--user", "ann", "--metadata", "topic=home", "--metadata", '{"n": 5}')
    shell.ok("add", "I like tea.", "--user", "ann", "--metadata", "topic=food", "--metadata", "n=7")

    def objects(*filters: str) -> set[str]:
        options = [each for text in filters for each in ("--filter", text)]
        facts = shell.json("facts", "--user", "ann", *options)
        hits = shell.json("search", "x", "--user", "ann", *options)
        assert {hit["fact"]["id"] for hit in hits if hit["fact"]} == {fact["id"] for fact in facts}
        return {fact["object"] for fact in facts}

    assert objects("metadata.topic=home") == {"Oslo"}
    assert objects("metadata.n > 5", "relation!=lives_in") == {"tea"}
    assert objects("metadata.n>=5", "metadata.n<7") == {"Oslo"}
    assert objects('{"relation": {"$in": ["likes", "lives_in"]}}', "said_at>=2024-05") == {"tea"}
    assert "tea" in shell.ok("context", "x", "--user", "ann", "--filter", "relation=likes", "--fill")
    for options, problem in (
        (("--filter", "relation"), "--filter is 'relation'"),
        (("--filter", "{"), "no JSON"),
        (("--filter", "colour=red"), "unknown field 'colour'"),
        (("--filter", "relation=a", "--filter", "relation=b"), "two conditions alike"),
        (("--filter", "relation>a"), "relation has '$gt'"),
    ):
        done = shell("facts", "--user", "ann", *options)
        assert done.exit_code == 1
        assert problem in done.stderr
    before = shell.ok("export", "--all")
    for given, problem in (("topic", "--metadata is 'topic'"), ("{", "no JSON"), ('{"a": NaN}', "the value nan")):
        done = shell("add", "I like jam.", "--user", "ann", "--metadata", given)
        assert done.exit_code == 1
        assert problem in done.stderr
    assert shell.ok("export", "--all") == before


def test_ingesting_again_changes_nothing_and_says_so(shell: Shell) -> None:
    """The second ingest of a file adds no message, no fact and no decision."""
    file = shell.file("chat.txt", "Ann: I live in Oslo.\nBen: I moved to Rome in 2023.\nAnn: I like tea.\n")
    shell.ok("ingest", file, "--user", "demo")
    before = shell.ok("export", "--all")
    assert "nothing new" in shell.ok("ingest", file, "--user", "demo")
    assert shell.ok("export", "--all") == before


@pytest.mark.slow
def test_a_grown_file_adds_what_is_new(shell: Shell) -> None:
    """Only the lines that were added are read as new; the result is that of the whole file at once."""
    text = EXAMPLE.read_text(encoding="utf-8")
    half = text[: text.index("# 2024-04-28")]
    file = shell.file("chat.txt", half)
    first = shell.json("ingest", file, "--user", "demo")
    shell.file("chat.txt", text)
    second = shell.json("ingest", file, "--user", "demo")
    assert second["known"] == first["messages"]
    assert shell.json("stats", "--all")["messages"] == first["messages"] + second["messages"]
    assert first["messages"] + second["messages"] == shell.json("ingest", file, "--user", "other")["messages"]


def test_tables_and_notes(shell: Shell) -> None:
    """--column names what a table has, --speaker who wrote notes; by default the user of the scope did."""
    table = shell.file("t.csv", "who,what\nAnn,I live in Oslo.\n")
    shell.ok("ingest", table, "--user", "ann", "--column", "text=what", "--column", "speaker=who")
    assert "Ann lives in Oslo" in shell.ok("facts", "--user", "ann").replace("I live", "Ann lives")
    notes = shell.file("n.md", "# Home\n\nI live in a small flat in Bergen.\n")
    shell.ok("ingest", notes, "--user", "bo", "--extractor", "none")
    shell.ok("ingest", notes, "--user", "cy", "--speaker", "Cleo", "--extractor", "none")
    assert "bo" in shell.ok("search", "flat in Bergen", "--user", "bo")
    assert "Cleo" in shell.ok("search", "flat in Bergen", "--user", "cy")
    assert "--column is 'what'" in shell.fails("ingest", table, "--user", "ann", "--column", "what")
    assert "unknown kind of column 'words'" in shell.fails("ingest", table, "--user", "ann", "--column", "words=what")
    assert "t.csv has no column 'nil'" in shell.fails(
        "ingest", table, "--user", "ann", "--format", "csv", "--column", "text=nil"
    )


def test_standard_input(shell: Shell) -> None:
    """- reads standard input."""
    line = json.dumps({"role": "user", "name": "Ann", "content": "I live in Oslo."})
    assert "1 messages, 1 facts" in shell.ok("ingest", "-", "--user", "ann", stdin=line)


def test_add_then_search(shell: Shell) -> None:
    """One message added is found as a fact about the user whose scope it is."""
    shell.ok("add", "I live in Oslo.", "--user", "ann")
    (hit, *_) = shell.json("search", "Where does ann live?", "--user", "ann")
    assert hit["fact"]["object"] == "Oslo"
    assert hit["fact"]["subject"] == "ann"
    assert {reason["channel"] for reason in hit["reasons"]} >= {"anchor", "similarity"}


def test_search_tells_why_when_and_by_whom(told: Shell) -> None:
    """A hit shows its id, why it was found, and the words it stands on."""
    said = told.ok("search", "Where does Olivia live?", "--user", "demo", "--limit", "3")
    assert "Lisbon" in said
    assert "said by Olivia (2024-" in said
    assert "anchor: Olivia → LIVES_IN" in said
    assert "f_" in said


def test_facts_of_one_sentence_are_one_hit(shell: Shell) -> None:
    """Its line has the ids and relations of both; in JSON they are two hits."""
    shell.ok("add", "I work as a baker at Lindt.", "--user", "ann")
    search = ("search", "What is ann's job?", "--user", "ann")
    (line,) = (each for each in shell.ok(*search).splitlines() if "ann works as a baker at Lindt." in each)
    facts = {hit["fact"]["relation"]: hit["fact"]["id"] for hit in shell.json(*search) if hit["fact"]}
    assert facts.keys() == {"WORKS_AS", "WORKS_AT"}
    assert all(f"{fact_id} {relation}" in line for relation, fact_id in facts.items())


def test_context_keeps_its_budget(told: Shell) -> None:
    """The text to paste is at most as long as asked."""
    text = told.ok("context", "What do Olivia and Ben do?", "--user", "demo", "--tokens", "100")
    assert 20 < len(text.split()) * 1.3 <= 100


def test_as_of_shows_the_past(told: Shell) -> None:
    """Before the move nothing says Lisbon."""
    for hit in told.json("search", "Where does Olivia live?", "--user", "demo", "--as-of", "2024-02-10"):
        if hit["fact"]:
            assert (hit["fact"]["relation"], hit["fact"]["object"]) != ("LIVES_IN", "Lisbon")


def test_show_history_and_why(told: Shell) -> None:
    """An entity is shown with its edges; a fact with its history, its evidence and the decisions."""
    assert "Pepper" in told.ok("show", "Olivia", "--user", "demo")
    retired = [fact for fact in told.json("facts", "--user", "demo", "--include-retired") if not fact["current"]]
    assert retired
    for fact in retired:
        history = told.json("history", fact["id"], "--user", "demo")
        assert any(link["fact_id"] == fact["id"] for link in history["successions"])
        why = told.json("why", fact["id"], "--user", "demo")
        assert why["evidence"]
        assert {decision["operation"] for decision in why["decisions"]} & {"UPDATE", "DELETE"}
        assert fact["text"] in told.ok("show", fact["id"], "--user", "demo")


def test_lists(told: Shell) -> None:
    """Entities, facts, relations and counts, for people and for programs."""
    assert told.json("entities", "--user", "demo", "--limit", "2")[0]["name"] in ("Olivia", "Ben")
    assert all(fact["current"] for fact in told.json("facts", "--user", "demo"))
    assert "HAS_PET" in told.ok("relations", "--user", "demo")
    stats = told.json("stats", "--user", "demo")
    assert stats["sessions"] == 6
    assert stats["retired"] > 0
    assert "messages" in told.ok("stats", "--all")


def test_a_relation_can_be_defined(shell: Shell) -> None:
    """What the user says of a relation holds for what is added later."""
    shell.ok("add", "hello", "--user", "ann")
    shell.ok("relations", "--user", "ann", "--define", "mentored by", "--one-object")
    lines = [
        json.dumps({"subject": "Ann", "relation": "mentored_by", "object": who, "text": f"Ann is mentored by {who}."})
        for who in ("Bea", "Cleo")
    ]
    talk = shell.file("a.jsonl", json.dumps({"role": "user", "content": "hello there"}))
    shell.ok("ingest", talk, "--user", "ann", "--triples", shell.file("t.jsonl", "\n".join(lines)))
    assert [fact["object"] for fact in shell.json("facts", "--user", "ann")] == ["Cleo"]


def test_the_whole_memory_is_drawn(told: Shell) -> None:
    """Without an entity, around those with the most facts; a note says what is left out."""
    assert "Olivia" in told.ok("graph", "--user", "demo")
    few = told("graph", "--user", "demo", "--limit", "3", "--format", "json")
    assert len(json.loads(few.stdout)["edges"]) == 3
    assert "drawn are 3 of" in few.stderr
    assert "drawn are" not in told("graph", "--user", "demo").stderr


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("a.html", "<!doctype html"),
        ("a.SVG", "<svg"),
        ("a.graphml", "<?xml"),
        ("a.json", "{"),
        ("a.mmd", "flowchart"),
        ("a.dot", "digraph"),
        ("a.gv", "digraph"),
    ],
)
def test_the_suffix_chooses_the_format(told: Shell, name: str, start: str) -> None:
    """A file's name is enough; --format comes before it."""
    file = told.folder / name
    told.ok("graph", "Olivia", "--user", "demo", "-o", str(file))
    assert file.read_text(encoding="utf-8").lower().startswith(start)
    told.ok("graph", "Olivia", "--user", "demo", "-o", str(file), "--format", "dot")
    assert file.read_text(encoding="utf-8").startswith("digraph")


def test_a_file_without_a_format(told: Shell) -> None:
    """A suffix that tells nothing, a tree in a file, an unknown format: one line, and nothing is written."""
    file = told.folder / "a.xyz"
    assert "has no suffix of a known format" in told.fails("graph", "Olivia", "--user", "demo", "-o", str(file))
    assert "a tree is for the terminal" in told.fails(
        "graph", "Olivia", "--user", "demo", "-o", str(file), "--format", "tree"
    )
    assert "unknown format 'gif'" in told.fails("graph", "Olivia", "--user", "demo", "--format", "gif")
    assert not file.exists()


def test_users(told: Shell) -> None:
    """Each scope with its counts, by its keys."""
    told.ok("add", "I live in Rome.", "--user", "bea", "--run", "r1")
    bea, demo = told.json("users")
    assert (bea["user_id"], bea["agent_id"], bea["run_id"], bea["messages"]) == ("bea", None, "r1", 1)
    assert (demo["user_id"], demo["messages"]) == ("demo", told.json("stats", "--user", "demo")["messages"])
    assert "bea" in told.ok("users")
    assert [each["user_id"] for each in told.json("users", "--limit", "1", "--offset", "1")] == ["demo"]


def test_messages(told: Shell) -> None:
    """They are listed in order; one is shown whole, with those around it in its session."""
    listed = told.json("messages", "--user", "demo")
    assert len(listed) == told.json("stats", "--user", "demo")["messages"]
    assert told.json("messages", "--user", "demo", "--limit", "2", "--offset", "3") == listed[3:5]
    assert listed[0]["id"] in told.ok("messages", "--user", "demo")
    session = [each for each in listed if each["session"] == listed[0]["session"]]
    shown = told.json("messages", session[2]["id"][:14], "--user", "demo", "--turns", "1")
    assert shown == session[1:4]
    assert told.json("messages", session[0]["id"], "--user", "demo", "--turns", "2") == session[:3]
    text = told.ok("messages", session[2]["id"], "--user", "demo", "--turns", "1")
    assert all(each["id"] in text for each in session[1:4])
    for unknown in ("m_0000", "m_", "hello", "f_x"):
        assert f"no message '{unknown}'" in told.fails("messages", unknown, "--user", "demo").replace(
            "'m_' is the start of several messages' ids", "no message 'm_'"
        )
    assert "nothing is stored for user_id=someone" in told.fails("messages", session[0]["id"], "--user", "someone")


def test_every_id_can_be_shown(told: Shell) -> None:
    """Those of facts, entities, messages and decisions, whole or cut."""
    fact = told.json("facts", "--user", "demo")[0]
    assert fact["text"] in told.ok("show", fact["id"], "--user", "demo")
    assert fact["subject"] in told.ok("show", fact["subject_id"], "--user", "demo")
    assert fact["evidence"][0] in told.ok("show", fact["evidence"][0], "--user", "demo")
    assert told.json("show", fact["evidence"][0], "--user", "demo")
    decision = told.json("log", "--user", "demo", "--limit", "500")[-1]
    assert told.json("show", decision["id"], "--user", "demo") == decision
    shown = told.ok("show", decision["id"][:14], "--user", "demo")
    assert decision["id"] in shown
    assert f"rule {decision['rule']}" in shown
    assert "no decision 'd_0000'" in told.fails("show", "d_0000", "--user", "demo")


def test_did_you_mean(told: Shell) -> None:
    """A name that is not known is answered with those that are near; so is a scope that holds nothing."""
    assert "did you mean 'Olivia'" in told.fails("show", "Oliva", "--user", "demo")
    assert "did you mean" not in told.fails("show", "Zzyzx", "--user", "demo")
    assert "nothing is stored for user_id=dmo; did you mean user 'demo'?" in told("facts", "--user", "dmo").stderr
    assert "`mem0g users` lists the scopes" in told("facts", "--user", "qqqqqq").stderr
    assert "nothing is stored" not in told("facts", "--user", "demo").stderr
    assert json.loads(told("facts", "--user", "dmo", "--json").stdout) == []


def test_did_you_mean_a_relation(told: Shell) -> None:
    """A relation that nothing has and that is no relation of mem0g's is an error, as for an entity."""
    facts = ("facts", "--user", "demo", "--relation")
    failed = told.fails(*facts, "livs_in")
    assert "no relation 'LIVS_IN' in user_id=demo" in failed
    assert "did you mean 'LIVES_IN' or" in failed
    assert "? `mem0g relations` lists them" in failed
    assert "did you mean" not in told.fails(*facts, "zzyzx", "--json")
    assert told.json(*facts, "speaks") == []
    assert told.json(*facts, "lives in", "--as-of", "1900") == []
    assert "nothing is stored for user_id=dmo" in told.fails("facts", "--user", "dmo", "--relation", "zzyzx")


def test_graph_formats(told: Shell, tmp_path: Path) -> None:
    """Each drawing names the entity; the page is one file."""
    for form in ("tree", "graphml", "json", "mermaid", "dot"):
        assert "Olivia" in told.ok("graph", "Olivia", "--user", "demo", "--format", form)
    page = tmp_path / "page.html"
    told.ok("graph", "Olivia", "--user", "demo", "--format", "html", "--output", str(page))
    assert "Pepper" in page.read_text(encoding="utf-8")


def test_export_and_import(told: Shell, shell: Shell) -> None:
    """An export, imported into an empty store, exports the same; imported twice it changes nothing, and says so."""
    exported = told.ok("export", "--user", "demo")
    for already in (False, True):
        said = shell.ok("import", shell.file("export.jsonl", exported))
        assert ("0 messages, 0 entities, 0 facts imported; all of it was there already" in said) is already
        assert shell.ok("export", "--user", "demo") == exported


def test_a_refused_import_makes_no_store(told: Shell, shell: Shell) -> None:
    """Notes, half an export, and a part that refers to what is not there are refused, and leave no file."""
    lines = told.ok("export", "--user", "demo").splitlines(keepends=True)
    kinds = {kind: [line for line in lines if f'"kind":"{kind}"' in line] for kind in ("facts", "messages", "entities")}
    for words, name, text in (
        ([], "notes.md", "# Notes"),
        ([], "half.jsonl", "".join(lines[: len(lines) // 2])),
        (["--part"], "facts.jsonl", "".join([lines[0], *kinds["facts"]])),
        (["mem0-neo4j", "--part"], "none", ""),
    ):
        shell.fails("import", shell.file(name, text), *words) if name != "none" else shell.fails("import", *words)
        assert not shell.store.exists(), name
    half = shell.file("half.jsonl", "".join([lines[0], *kinds["messages"], *kinds["entities"]]))
    assert "--part" in shell.fails("import", half)
    assert f"{len(kinds['messages'])} messages" in shell.ok("import", half, "--part")
    shell.ok("import", shell.file("facts.jsonl", "".join([lines[0], *kinds["facts"]])), "--part")
    assert shell.json("stats", "--all")["facts"] == len(kinds["facts"])


def test_add_reads_standard_input(shell: Shell) -> None:
    """`mem0g add -` stores what is piped into it, and nothing where that is empty."""
    shell.ok("add", "-", "--user", "ann", stdin="I live in Oslo.\nI like tea.\n")
    assert [each["text"] for each in shell.json("messages", "--user", "ann")] == ["I live in Oslo.\nI like tea."]
    assert "without text" in shell.fails("add", "-", "--user", "ann", stdin="\n")


def test_forget_asks_first(shell: Shell) -> None:
    """Without a yes nothing is forgotten; with it the scope is empty, and others are not."""
    for user in ("ann", "bob"):
        shell.ok("add", "I live in Oslo.", "--user", user)
    assert shell("forget", "--user", "ann", stdin="n\n").exit_code == 1
    assert shell.json("stats", "--user", "ann")["messages"] == 1
    shell.ok("forget", "--user", "ann", "--yes")
    assert shell.json("stats", "--user", "ann")["messages"] == 0
    assert shell.json("stats", "--user", "bob")["facts"] == 1


def test_forget_prints_a_receipt(shell: Shell) -> None:
    """The receipt counts what is gone, the model's replies too, and names nobody."""
    shell.ok("add", "I live in Oslo.", "--user", "ann")
    replies = shell.file("replies.jsonl", "")
    said = shell.ok("forget", "--user", "ann", "--yes", "--llm-cache", str(replies))
    assert said.startswith("forgot 1 messages, 2 entities, 1 facts, 1 decisions, 0 notes, 0 replies; receipt r_")
    assert "ann" not in said


def test_backup(shell: Shell) -> None:
    """A backup holds what the store holds; an existing file is not overwritten."""
    shell.ok("add", "I live in Oslo.", "--user", "ann")
    copy = shell.folder / "copies" / "memory.db"
    assert str(copy) in shell.ok("backup", str(copy))
    assert shell("export", "--all", store=str(copy)).stdout == shell.ok("export", "--all")
    again = shell("backup", str(copy))
    assert again.exit_code == 1
    assert "exists already" in again.stderr


@pytest.mark.slow
def test_doctor_calibrates(told: Shell, shell: Shell) -> None:
    """The thresholds of the embedder are estimated on the store's texts; as JSON they are the file to be read."""
    found = told.json("doctor", "--calibrate")
    assert found["embedder"]
    assert set(found) == {each.name for each in dataclasses.fields(Thresholds)}
    assert "no embedder 'nobody'" in shell.fails("doctor", "--calibrate", "--embedder", "nobody")


@pytest.mark.slow
def test_doctor_calibrates_without_a_store(shell: Shell, quick_embedder: str) -> None:
    """Where there is no store yet, the built-in texts are used; the table has MiniLM's thresholds beside them."""
    shown = shell.ok("doctor", "--calibrate", "--embedder", quick_embedder)
    assert "on 0 names" in shown
    assert "same_name" in shown


def test_doctor(told: Shell, shell: Shell) -> None:
    """All is well with a good store; a bad one is told with what to do."""
    assert "✗" not in told.ok("doctor")
    bad = shell("doctor", store=shell.file("notes.txt", "x" * 2000))
    assert bad.exit_code == 1
    assert "✗ store" in bad.stdout


@pytest.mark.slow
def test_python_m_and_version() -> None:
    """`python -m mem0g` is the program."""
    done = subprocess.run([sys.executable, "-m", "mem0g", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("mem0g 0.")


@pytest.mark.slow
def test_ctrl_c_stops_after_the_window_and_a_second_run_goes_on(shell: Shell) -> None:
    """What was committed stays whole; the second run ends where one run would have."""
    lines = [
        json.dumps({"role": "user", "name": "Ann", "content": f"I visited city{n} in 2020. I like food{n} a lot."})
        for n in range(240)
    ]
    file = shell.file("long.jsonl", "\n".join(lines))
    environment = {**os.environ, "MEM0G_STORE": str(shell.store)}
    command = [sys.executable, "-m", "mem0g", "ingest", file, "--user", "ann"]
    running = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while running.poll() is None and not _has_messages(shell.store):
        time.sleep(0.02)
    running.send_signal(signal.SIGINT)
    _, said = running.communicate()
    assert running.returncode == 130
    assert "run the command again" in said
    kept = _messages(shell)
    assert 0 < kept < 240
    assert kept % 20 == 0
    assert shell.json("ingest", file, "--user", "ann")["known"] == kept
    assert _messages(shell) == 240


def _messages(shell: Shell) -> int:
    return int(shell.json("stats", "--all")["messages"])


def _has_messages(file: Path) -> bool:
    """Whether the file holds a message, asked past the program, which takes longer than a window."""
    if not file.exists():
        return False
    with closing(sqlite3.connect(file)) as connection, suppress(sqlite3.OperationalError):  # no table yet, or locked
        return bool(connection.execute("SELECT EXISTS (SELECT 1 FROM message)").fetchone()[0])
    return False


def test_a_plan_whose_day_has_passed(shell: Shell) -> None:
    """Commands show what a plan is for, and that nothing answered it when its day is over; --as-of asks about a day."""
    line = {
        "subject": "Ann",
        "relation": "plans_to_visit",
        "object": "Japan",
        "text": "Ann plans to visit Japan.",
        "observed": "2024-01-05",
        "planned_for": "2024-05",
    }
    talk = shell.file("a.jsonl", '{"role": "user", "content": "Japan!", "timestamp": "2024-01-05T10:00:00Z"}')
    shell.ok(
        "ingest", talk, "--user", "ann", "--triples", shell.file("t.jsonl", json.dumps(line)), "--extractor", "none"
    )
    (fact,) = shell.json("facts", "--user", "ann")
    assert (fact["planned_for"], fact["observed"], fact["past_plan"]) == ("2024-05", "2024-01-05", True)
    (then,) = shell.json("facts", "--user", "ann", "--as-of", "2024-05-20")
    assert then["past_plan"] is False
    assert "[observed 2024-01-05 planned for 2024-05 unanswered f_" in shell.ok("why", fact["id"], "--user", "ann")
    assert shell.json("why", fact["id"], "--user", "ann")["fact"]["past_plan"] is True
    for as_of, past in (("2024-05-20", False), ("2024-06-02", True)):
        (hit,) = [each for each in shell.json("search", "Japan", "--user", "ann", "--as-of", as_of) if each["fact"]]
        assert hit["fact"]["past_plan"] is past


@pytest.mark.slow
def test_the_shell_completes_commands() -> None:
    """The script for a shell is printed, and what it calls answers with the commands that begin so."""
    program = [sys.executable, "-m", "mem0g"]
    shown = subprocess.run(
        [*program, "--show-completion", "bash"],
        env={**os.environ, "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "complete -o default -F _mem0g_completion mem0g" in shown.stdout
    completing = {"_MEM0G_COMPLETE": "complete_bash", "COMP_WORDS": "mem0g imp", "COMP_CWORD": "1"}
    words = subprocess.run(program, env={**os.environ, **completing}, capture_output=True, text=True, check=False)
    assert words.stdout.split() == ["import"]
