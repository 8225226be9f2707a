"""The FactConsolidation half of the conflict benchmark, on a small world of facts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.__main__ import main
from benchmarks.conflict.command import measure
from benchmarks.conflict.factconsolidation import FactFile, ceiling, lead_to_answer, on_the_way, read_fact_file
from benchmarks.conflict.methods import last_written
from benchmarks.conflict.outcomes import Shown, multi_hop, single_hop
from benchmarks.embedders import TimedEmbedder
from benchmarks.timing import QueryTimes
from mem0g.testing import HashingEmbedder

FACTS = [
    ("Ann Bell is a citizen of Norway.", "Ann Bell", "citizen_of", "Norway."),
    ("The capital of Norway is Oslo.", "Norway", "capital", "Oslo."),
    ("The author of Blue Harbour is Ann Bell.", "Blue Harbour", "author", "Ann Bell."),
    ("Ann Bell is a citizen of Chile.", "Ann Bell", "citizen_of", "Chile."),
    ("The capital of Chile is Santiago.", "Chile", "capital", "Santiago."),
    ("Tom Reyes is married to Ann Bell.", "Tom Reyes", "married_to", "Ann Bell."),
    ("The author of Red Hill is Tom Reyes.", "Red Hill", "author", "Tom Reyes."),
    ("Skyball was created in the country of Norway.", "Skyball", "country_of_origin", "Norway."),
    ("The capital of Chile is Valdivia.", "Chile", "capital", "Valdivia."),
    ("Blue Harbour was published by Fjord Press Inc..", "Blue Harbour", "published_by", "Fjord Press Inc.."),
]
SINGLE = [
    ("Which country is Ann Bell a citizen of?", "Chile"),
    ("What is the capital of Chile?", "Valdivia"),
    ("Who published Blue Harbour?", "Fjord Press Inc."),
    ("Who is the author of Red Hill?", "Ann Bell"),  # against the facts
]
MULTI = [
    ("What is the capital of the country of which the author of Blue Harbour is a citizen?", "Valdivia"),
    ("Which country is the spouse of the author of Red Hill a citizen of?", "Chile"),
    ("What is the capital of the country where Skyball was created?", "Oslo"),
]


def written(folder: Path, name: str, **changed: Any) -> Path:
    """A file in the published shape."""
    asked = MULTI if name.startswith("mh") else SINGLE
    keys = ("text", "subject", "relation", "object")
    file = {
        "source": f"factconsolidation_{name}",
        "facts": [{"serial": place, **dict(zip(keys, fact, strict=True))} for place, fact in enumerate(FACTS)],
        "questions": [{"question": question, "answers": [answer]} for question, answer in asked],
        **changed,
    }
    path = folder / f"{name}.json"
    path.write_text(json.dumps(file), encoding="utf-8")
    return path


@pytest.fixture
def single(tmp_path: Path) -> FactFile:
    """The file of questions that one fact answers."""
    return read_fact_file(written(tmp_path, "sh_1k"))


@pytest.fixture
def multi(tmp_path: Path) -> FactFile:
    """The file of questions that several facts answer together."""
    return read_fact_file(written(tmp_path, "mh_1k"))


def shown(file: FactFile, *places: int) -> Shown:
    """Statements as the result of a method."""
    items = [file.statements[place] for place in places]
    return Shown("\n".join(each.text for each in items), [[each] for each in items])


def test_reading(single: FactFile, multi: FactFile) -> None:
    """Objects lose only the full stop of their sentence; the last statement of a subject and relation holds."""
    assert (single.hops, multi.hops) == (False, True)
    assert single.statements[9].object == "Fjord Press Inc."
    assert [each.place for each in single.statements if not single.holds(each)] == [0, 4]
    assert single.relations[:2] == ("citizen_of", "capital")


def test_the_first_hit_counts(single: FactFile) -> None:
    """A current fact about the question comes first, or a stale one stands above it or in its place."""
    asked = single.questions[1]
    assert single_hop(single, asked, shown(single, 8, 4)) == "correct"
    assert single_hop(single, asked, shown(single, 4, 8)) == "both"
    assert single_hop(single, asked, shown(single, 4, 1)) == "stale"
    assert single_hop(single, asked, shown(single, 1, 8)) == "none"
    assert single_hop(single, asked, shown(single)) == "none"


def test_the_answer_must_be_of_what_is_asked_about(single: FactFile) -> None:
    """The same object of another subject is no answer."""
    assert single_hop(single, single.questions[0], shown(single, 7)) == "none"


def test_nothing_stale_in_the_context(multi: FactFile) -> None:
    """The answer as whole words, and no overridden fact about a step on the way to it."""
    asked = multi.questions[0]
    assert on_the_way(multi, asked) == {("blue harbour", "author"), ("ann bell", "citizen_of"), ("chile", "capital")}
    assert multi_hop(multi, multi.questions[2], shown(multi, 1, 4, 7)) == "correct"
    assert multi_hop(multi, asked, shown(multi, 2, 3, 8)) == "correct"
    assert multi_hop(multi, asked, shown(multi, 0, 8)) == "both"
    assert multi_hop(multi, asked, shown(multi, 4)) == "stale"
    assert multi_hop(multi, asked, Shown("valdivians", [])) == "none"


def test_the_ceiling(single: FactFile, multi: FactFile) -> None:
    """A question whose answer contradicts the facts can never be correct."""
    assert ceiling(single) == 75
    assert ceiling(multi) == 100


def test_the_way_to_an_answer(multi: FactFile) -> None:
    """Facts lead from subject to object, from a name in the question to the answer, without gaps."""
    author, citizen, capital = (multi.statements[place] for place in (2, 3, 8))
    assert lead_to_answer([capital, author, citizen], multi.questions[0])
    assert not lead_to_answer([capital, author], multi.questions[0])
    assert not lead_to_answer([capital, author, citizen], multi.questions[0], hops=2)


def test_last_write_wins() -> None:
    """A text replaces the nearest earlier one, and no other."""
    vectors = HashingEmbedder(256).embed(["Ann lives in Oslo.", "tea is good", "Ann lives in Rome.", "Bo sings"])
    assert last_written(vectors, 0.5) == {1, 2, 3}
    assert last_written(vectors, 1.1) == {0, 1, 2, 3}


def test_rows(single: FactFile, multi: FactFile) -> None:
    """Every method has a row per file, adding up to 100%; mem0g with the file's cardinality shows nothing stale."""
    embedder = TimedEmbedder(HashingEmbedder(512))
    rows = measure([single, multi], embedder, QueryTimes(embedder))
    for row in rows:
        assert sum(row[each] for each in ("correct", "stale", "both", "none")) == pytest.approx(100, abs=0.2)
    of = {(row["method"], row["data"]): row for row in rows}
    assert len(of) == len(rows)
    assert of["mem0g", "sh_1k"]["correct"] == of["mem0g", "sh_1k"]["ceiling"] == 75
    assert of["mem0g", "mh_1k"]["correct"] == of["mem0g", "mh_1k"]["way"] == 100
    assert of["mem0g", "mh_1k"]["clean"] == 100
    assert of["dense", "mh_1k"]["correct"] == of["dense", "mh_1k"]["clean"] + 33.3 == 33.3
    assert of["dense", "mh_1k"]["n"] == 3


@pytest.mark.slow
def test_from_the_command_line(tmp_path: Path, minilm: None, capsys: pytest.CaptureFixture[str]) -> None:
    """The command prints its table and writes OUT.json."""
    files = [written(tmp_path, "sh_1k"), written(tmp_path, "mh_1k")]
    out = tmp_path / "out.json"
    with pytest.raises(SystemExit) as ended:
        main(["conflict", *(part for file in files for part in ("--factconsolidation", str(file))), "--out", str(out)])
    assert ended.value.code == 0
    made = json.loads(out.read_text())
    assert {row["data"] for row in made["rows"]} == {"sh_1k", "mh_1k"}
    assert len(made["data_sha256"]) == 2
    assert "mem0g" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "changed", "problem"),
    [
        ("sh_1k", {"facts": []}, "has no facts"),
        ("sh_1k", {"questions": [{"question": "Who?"}]}, "questions.0.answers"),
        ("facts", {"source": ""}, "neither single-hop (sh) nor multi-hop (mh)"),
    ],
)
def test_a_bad_file_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, changed: dict[str, Any], problem: str
) -> None:
    """A file of another format ends with one line, a hint and exit code 1."""
    given = written(tmp_path, name, **changed)
    with pytest.raises(SystemExit) as ended:
        main(["conflict", "--factconsolidation", str(given), "--out", str(tmp_path / "out.json")])
    assert ended.value.code == 1
    line, hint = capsys.readouterr().err.strip().splitlines()
    assert problem in line
    assert hint.startswith("hint: ")


def test_nothing_to_measure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without files there is nothing to measure."""
    with pytest.raises(SystemExit) as ended:
        main(["conflict", "--out", str(tmp_path / "out.json")])
    assert ended.value.code == 1
    assert "nothing to measure" in capsys.readouterr().err
