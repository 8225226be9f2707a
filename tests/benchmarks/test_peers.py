"""The peers benchmark: its facts, scripted model, endpoint, child processes, and mem0g on SQLite through all of it."""

from __future__ import annotations

import json
import sys
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.__main__ import main
from benchmarks.peers.child import Setup
from benchmarks.peers.command import Done, in_environments, run
from benchmarks.peers.endpoint import Endpoint, ModelCall, prompt_tokens, sequential, serving
from benchmarks.peers.environments import Environment, Kind, environment
from benchmarks.peers.facts import Facts, described, draw, normal, triple
from benchmarks.peers.replies import ScriptedModel
from benchmarks.peers.running import WARM_UP_PAIRS, Child, Cpu, Plan, SystemFailedError, kept
from mem0g.conflict.decision_case import Judgements, JudgementsAndNames
from mem0g.errors import InputError
from mem0g.extract.llm.replies import Extraction, Summary
from mem0g.testing import HashingEmbedder

FACTS = draw(6, 2, seed=3)
EVENTS = [*FACTS.loaded, *FACTS.added]
SAID = FACTS.pairs[0].messages[0]["content"]


def setup(folder: Path) -> Setup:
    return Setup("http://model", "http://embeddings", 384, "", "", "", str(folder), 5.0)


# ---- facts


def test_no_question_has_two_answers() -> None:
    """Every triple is drawn once, whatever its date; pairs hold five facts each."""
    many = draw(3000, 20, seed=0)
    triples = [normal(triple(event)) for event in (*many.loaded, *many.added)]
    assert len(set(triples)) == len(triples) == 3100
    assert {len(pair.events) for pair in many.pairs} == {5}


def test_pairs_are_the_same_beside_any_number_of_facts() -> None:
    """What is added does not depend on what is there before."""
    assert draw(0, 2, seed=3).pairs == FACTS.pairs
    assert draw(0, 2, seed=4).pairs != FACTS.pairs


def test_half_of_the_questions_are_about_what_was_there_before() -> None:
    """Of few facts there are fewer questions, each about another fact."""
    asked = FACTS.asked(10, seed=1)
    assert len(set(asked) & set(FACTS.loaded)) == 5
    assert len(set(asked) & set(FACTS.added)) == 5
    assert len(set(FACTS.asked(100, seed=1))) == len(EVENTS)
    assert set(FACTS.of_first(1).asked(100, seed=1)) == {*FACTS.loaded, *FACTS.pairs[0].events}


def test_more_facts_than_there_are() -> None:
    """It is said at once: a draw would not end."""
    with pytest.raises(InputError, match="20001 facts are too many"):
        draw(20_001, 0, seed=0)


def test_triples_compare_between_systems() -> None:
    """Each system writes names and relations in its own way."""
    assert normal(("ada_berg", "VISITED", "Lisbon")) == normal(("Ada Berg", "visited", "lisbon"))


# ---- the scripted model


def asked(prompt: str, **form: Any) -> dict[str, Any]:
    return {"messages": [{"role": "system", "content": "-"}, {"role": "user", "content": prompt}], **form}


def tool(name: str) -> dict[str, Any]:
    return {"tools": [{"type": "function", "function": {"name": name}}]}


def schema(name: str) -> dict[str, Any]:
    return {"response_format": {"type": "json_schema", "json_schema": {"name": name, "schema": {}}}}


def replied(prompt: str, **form: Any) -> Any:
    """What the model says, or calls a function with; None where it calls none."""
    message = ScriptedModel(EVENTS).reply(asked(prompt, **form))
    if "tool_calls" in message:
        return json.loads(message["tool_calls"][0]["function"]["arguments"])
    return json.loads(message["content"]) if not form.get("tools") else None


def test_mem0g_is_answered_in_its_forms() -> None:
    """An extraction has the facts of the new messages only, with their number; nothing is decided."""
    before = FACTS.pairs[1].messages[0]["content"]
    prompt = f'Before it:\n[1] user: "{before}"\n\nNew messages:\n[2] user: "{SAID}"\n[3] assistant: "Thanks."'
    extracted = Extraction.model_validate(replied(prompt, **tool("remember")))
    assert [fact.sentence for fact in extracted.facts] == [event.sentence for event in FACTS.pairs[0].events]
    assert {tuple(fact.messages) for fact in extracted.facts} == {(2,)}
    assert not Judgements.model_validate(replied("New facts:", **tool("decide"))).decisions
    JudgementsAndNames.model_validate(replied("Names that may mean one thing:\n[1]", **tool("decide")))
    Summary.model_validate(replied("…", **tool("keep_summary")))


def test_mem0_is_answered_in_its_forms() -> None:
    """Facts, what to do with them, the entities of messages and questions, relations, and nothing to delete."""
    events = FACTS.pairs[0].events
    sentences = [event.sentence for event in events]
    json_object = {"response_format": {"type": "json_object"}}
    assert replied(f"Input:\nuser: {SAID}\n", **json_object) == {"facts": sentences}
    known = str([{"id": "0", "text": FACTS.loaded[0].sentence}])
    update = replied(f"{known}\nThe new retrieved facts are below\n{sentences}\n", **json_object)
    assert [(each["event"], each["text"]) for each in update["memory"]] == [("ADD", text) for text in sentences]
    assert update["memory"][0]["id"] == "1"
    question = replied(events[0].question, **tool("extract_entities"))
    assert [each["entity"] for each in question["entities"]] == [events[0].person, events[0].thing]
    assert len(replied(SAID, **tool("extract_entities"))["entities"]) > 5
    relations = replied(f"List of entities: []. \n\nText: {SAID}", **tool("establish_relationships"))["entities"]
    assert [(each["source"], each["relationship"], each["destination"]) for each in relations] == list(
        map(triple, events)
    )
    assert replied("…", **tool("delete_graph_memory")) is None


def test_graphiti_is_answered_in_its_forms() -> None:
    """Entities and edges of the current message; an entity is the existing one of exactly its name."""
    prompt = f"<PREVIOUS_MESSAGES>{FACTS.pairs[1].messages[0]['content']}</PREVIOUS_MESSAGES>"
    found = replied(f"{prompt}<CURRENT MESSAGE>{SAID}</CURRENT MESSAGE>", **schema("ExtractedEntities"))
    assert {each["name"] for each in found["extracted_entities"]} == {
        name for event in FACTS.pairs[0].events for name in (event.person, event.thing)
    }
    edges = replied(f"{prompt}<CURRENT_MESSAGE>{SAID}</CURRENT_MESSAGE>", **schema("ExtractedEdges"))["edges"]
    assert [each["fact"] for each in edges] == [event.sentence for event in FACTS.pairs[0].events]
    nodes = '<ENTITIES>[{"id": 0, "name": "Ada Berg"}, {"id": 1, "name": "Oslo"}]</ENTITIES>'
    candidates = '[{"candidate_id": 4, "name": "Ada Berg"}, {"candidate_id": 5, "name": "Ada"}]'
    known = f"<EXISTING ENTITIES>{candidates}</EXISTING ENTITIES>"
    resolved = replied(f"{nodes}{known}", **schema("NodeResolutions"))["entity_resolutions"]
    assert [each["duplicate_candidate_id"] for each in resolved] == [4, -1]
    assert [each["name"] for each in replied(nodes, **schema("SummarizedEntities"))["summaries"]] == [
        "Ada Berg",
        "Oslo",
    ]
    facts = '<FACTS>["a", "b"]</FACTS>'
    assert len(replied(facts, **schema("BatchEdgeTimestamps"))["timestamps"]) == 2
    assert replied("…", **schema("EdgeDuplicate")) == {"duplicate_facts": [], "contradicted_facts": []}


@pytest.mark.parametrize(
    ("prompt", "form", "problem"),
    [
        ("…", tool("dance"), "no reply is scripted for 'dance'"),
        ("…", schema("Poem"), "no reply is scripted for 'Poem'"),
        ("…", tool("remember"), "a prompt has no 'New messages:'"),
        ("…", schema("ExtractedEdges"), "a prompt has no "),
    ],
)
def test_a_prompt_that_it_does_not_know(prompt: str, form: dict[str, Any], problem: str) -> None:
    """A changed prompt is an error: a made-up reply would make figures up."""
    with pytest.raises(InputError, match=problem):
        ScriptedModel(EVENTS).reply(asked(prompt, **form))


# ---- the endpoint


@pytest.fixture
def endpoint() -> Iterator[tuple[Endpoint, str]]:
    made = Endpoint(ScriptedModel(EVENTS), HashingEmbedder())
    with serving(made) as url:
        yield made, url


def post(url: str, body: dict[str, Any]) -> Any:
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as reply:
        return json.load(reply)


def test_calls_are_counted(endpoint: tuple[Endpoint, str]) -> None:
    """Model calls with their tokens, embedding calls with their texts; counting begins anew after each reading."""
    made, url = endpoint
    body = asked(SAID, model="scripted", **tool("extract_entities"))
    post(f"{url}/chat/completions", body)
    for given in ("one", ["two", "three"]):
        reply = post(f"{url}/embeddings", {"model": "minilm", "input": given})
        assert {len(each["embedding"]) for each in reply["data"]} == {made.dimensions}
    calls = made.counted()
    assert [call.prompt_tokens for call in calls.model] == [prompt_tokens(body)]
    assert (calls.embeddings, calls.texts) == (2, 3)
    assert made.counted().embeddings == 0


def test_tokens_include_the_form_of_the_reply() -> None:
    """Functions and schemas are sent with each request, and paid for."""
    assert prompt_tokens(asked("one two")) < prompt_tokens(asked("one two", **tool("remember")))


def test_a_refusal_is_kept(endpoint: tuple[Endpoint, str]) -> None:
    """The reason of an unknown prompt is not lost in what a system makes of status 400."""
    made, url = endpoint
    with pytest.raises(urllib.error.HTTPError, match="400"):
        post(f"{url}/chat/completions", asked("…", model="scripted", **tool("dance")))
    assert "dance" in str(made.refused[0])


def test_calls_side_by_side_are_no_sequence() -> None:
    """Two calls at once count as one; a call that begins after another has ended follows it."""
    spans = [(0.0, 1.0), (0.1, 1.1), (1.2, 2.2), (2.3, 3.3)]
    assert sequential([ModelCall(start, end, 0) for start, end in spans]) == 3
    assert sequential([]) == 0


# ---- child processes

FAKE = "tests.benchmarks.fake_peer"


def test_a_child_does_what_it_is_told(tmp_path: Path) -> None:
    """Orders are answered in turn, whatever the system prints."""
    with Child(Path(sys.executable), FAKE, tmp_path / "log") as child:
        child.order("open", settings=vars_of(setup(tmp_path)))
        child.order("load", facts=[described(event) for event in FACTS.loaded])
        found = child.order("search", question="?", limit=2)
        assert found.value == [f"opened in {tmp_path.name}", FACTS.loaded[0].sentence, list(triple(FACTS.loaded[0]))]
        assert (found.queries, found.seconds < 1) == (0, True)
        assert child.order("cpu").value > 0
        assert child.order("close").value is None
    assert "a library prints" in (tmp_path / "log").read_text()


def test_what_goes_wrong_in_a_child(tmp_path: Path) -> None:
    """An error of a system is reported, and it goes on; the end of its process is reported with its last words."""
    with Child(Path(sys.executable), FAKE, tmp_path / "log") as child:
        child.order("open", settings=vars_of(setup(tmp_path)))
        with pytest.raises(SystemFailedError, match="search: ValueError: it failed"):
            child.order("search", question="fail", limit=1)
        assert child.order("search", question="?", limit=1).value
        with pytest.raises(SystemFailedError, match="the process ended at 'search': it died"):
            child.order("search", question="die", limit=1)


def vars_of(made: Setup) -> dict[str, Any]:
    return {name: getattr(made, name) for name in made.__dataclass_fields__}


def test_triples_that_are_kept() -> None:
    """What was given and is there is right; what nobody gave is wrong; what was there before is neither."""
    stored = [*map(triple, FACTS.loaded), *map(triple, FACTS.added[:3]), ("Ada", "visited", "Mars")]
    assert kept(stored, FACTS) == {"triples_added": 10, "stored_right": 3, "stored_wrong": 1}


def test_cpu_time_of_client_and_server() -> None:
    """Both are added up, for one add or search; a system without a server has only its own."""
    spent = Cpu(3.0, 7.0) - Cpu(1.0, 6.0)
    assert spent.figures("add", 10) == {
        "cpu_ms_per_add": 300.0,
        "client_cpu_ms_per_add": 200.0,
        "server_cpu_ms_per_add": 100.0,
    }
    alone = Cpu(3.0, None) - Cpu(1.0, None)
    assert alone.figures("search", 4) == {"cpu_ms_per_search": 500.0, "client_cpu_ms_per_search": 500.0}


@pytest.mark.slow
def test_mem0g_through_all_of_it() -> None:
    """mem0g on SQLite, at two durations of a reply: one call a pair, everything stored and found."""
    facts = draw(20, WARM_UP_PAIRS + 3, seed=0)
    early = facts.of_first(WARM_UP_PAIRS + 2)
    plan = Plan(facts=facts, pairs=2, slow_pairs=1, slow=0.1, asked=early.asked(6, 0), slow_asked=early.asked(2, 1))
    here = Environment(Path(sys.executable), "0", 0.0, 0, 0.0)
    done = Done()
    assert len(list(run([plan], {"mem0g-sqlite": here}, HashingEmbedder(), None, done))) == 1
    assert done.failed == {}
    fast, slow = done.rows
    assert (fast["pairs"], fast["searches"], slow["pairs"], slow["searches"]) == (2, 6, 1, 2)
    assert (fast["method"], fast["facts"], fast["seconds_a_reply"], slow["seconds_a_reply"]) == (
        "mem0g-sqlite",
        20,
        0.0,
        0.1,
    )
    assert slow["sequential_calls_per_add"] == 1
    assert slow["add_p50_seconds"] >= 0.1
    assert fast["model_calls_per_search"] == 0
    assert fast["found_in_ten"] == 100.0
    assert fast["cpu_ms_per_add"] == fast["client_cpu_ms_per_add"] > 0
    assert (fast["triples_added"], fast["stored_right"], fast["stored_wrong"]) == (30, 30, 0)


@pytest.mark.slow
def test_a_system_that_fails_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """The others are measured all the same."""
    plan = Plan(facts=Facts((), FACTS.pairs), pairs=1, slow_pairs=0, slow=1, asked=[], slow_asked=[])
    nowhere = Environment(Path(sys.executable), "0", 0.0, 0, 0.0)
    monkeypatch.setattr(
        "benchmarks.peers.command.KINDS", {"mem0g-sqlite": Kind((), "mem0g", "", "tests.benchmarks.none", False)}
    )
    done = Done()
    list(run([plan], {"mem0g-sqlite": nowhere}, HashingEmbedder(), None, done))
    assert done.rows == []
    assert "the process ended at 'open'" in done.failed["mem0g-sqlite, 0 facts"]


# ---- environments


@pytest.mark.slow
def test_an_environment_is_made_once(tmp_path: Path) -> None:
    """It has the system's version, size and packages; the second time nothing is installed."""
    wheel = tmp_path / "tiny-1.2-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as made:
        made.writestr("tiny.py", "x = 1\n")
        made.writestr("tiny-1.2.dist-info/METADATA", "Metadata-Version: 2.1\nName: tiny\nVersion: 1.2\n")
        made.writestr("tiny-1.2.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        made.writestr("tiny-1.2.dist-info/RECORD", "")
    kind = Kind((str(wheel),), "tiny", "import tiny", "none")
    found = environment(kind, tmp_path / "environments")
    assert (found.version, found.packages, found.megabytes) == ("1.2", 1, 0.0)
    wheel.unlink()
    assert environment(kind, tmp_path / "environments").version == "1.2"


def test_what_cannot_be_installed_is_missing(tmp_path: Path) -> None:
    """The others are measured all the same; the reason is in the last words of what failed."""
    (tmp_path / "mem0ai").write_text("a file where the environment should be")
    installed, missing = in_environments(["mem0"], tmp_path)
    assert installed == {}
    assert "-m venv" in missing["mem0"]


# ---- the command


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--systems", "mem0g-sqlite,zep"], "no system 'zep'"),
        (["--sizes", "1000,many"], "--sizes '1000,many' are no numbers of facts"),
        (["--sizes", "30000"], "facts are too many"),
        (["--systems", "mem0g-sqlite,mem0"], "mem0 need a Neo4j"),
    ],
)
def test_a_mistake_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], problem: str
) -> None:
    """Invalid options end with one line, a hint and exit code 1, before anything is installed."""
    with pytest.raises(SystemExit) as ended:
        main(["peers", "--out", str(tmp_path / "out.json"), "--environments", str(tmp_path / "e"), *options])
    assert ended.value.code == 1
    line, hint = capsys.readouterr().err.strip().splitlines()
    assert problem in line
    assert hint.startswith("hint: ")
    assert list(tmp_path.iterdir()) == []
