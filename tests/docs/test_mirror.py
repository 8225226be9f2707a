"""The example of examples/mirror, with its kept replies and with what a model should not reply."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import ROOT
from tests.llm.server import Reply, call, serving

MIRROR = ROOT / "examples" / "mirror"

pytestmark = pytest.mark.slow


def run(cwd: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("OPENAI_", "MEM0G_MODEL"))}
    command = [sys.executable, str(MIRROR / "mirror.py"), "--name", "the maintainer", *arguments]
    return subprocess.run(command, cwd=cwd, env=kept | environment, capture_output=True, text=True, check=False)


def test_the_demo_runs_on_kept_replies(tmp_path: Path, minilm: None) -> None:
    """Two rounds and a page, with no server to ask; no reply is missing, and a second run reads nothing anew."""
    replies = tmp_path / "replies.jsonl"
    shutil.copy(MIRROR / "demo" / "replies.jsonl", replies)
    files = [f"--read={MIRROR / 'demo' / name}" for name in ("chat.jsonl", "commits.log", "notes.md")]
    done = run(tmp_path, *files, f"--replies={replies}", MEM0G_MODEL="example")
    assert done.returncode == 0, done.stderr
    assert "2 given up" in done.stdout
    assert "round 2: 88 of 100" in done.stdout
    assert replies.read_text() == (MIRROR / "demo" / "replies.jsonl").read_text()
    page = (tmp_path / "mirror.html").read_text()
    assert page.count('class="exchange"') == 8
    assert page.count('class="ended"') == 2
    assert "<script" not in page
    again = run(tmp_path, *files, f"--replies={replies}", MEM0G_MODEL="example")
    assert again.returncode == 0, again.stderr
    assert {row for row in again.stdout.splitlines() if row.startswith("read")} <= {
        "read 0 messages: 0 facts, 0 given up"
    }


def test_what_the_model_replies_is_escaped_and_checked(tmp_path: Path) -> None:
    """Markup in facts and answers is text; a fact that is not there is refused, with what is wrong."""
    (tmp_path / "note.md").write_text("# Work\n\nI prefer <b>simple</b> code to general code, always and everywhere.\n")
    habit = {"relation": "prefers", "object": "<i>simple</i> code", "object_is_a_thing": False}
    habit |= {
        "sentence": "the maintainer prefers <script>alert(1)</script> code.",
        "messages": [1, 7],
        "given_up": False,
    }
    challenge = {"kind": "blind spot", "finding": "<img src=x>", "facts": [1], "question": "Why simple?"}
    shadow = {"answer": "Because <b>I</b> do.", "facts": [1]}
    verdict = {"question": 1, "support": 50, "verdict": "thin"}
    replies: list[Reply] = [
        call({"habits": [habit]}, name="write"),
        call({"challenges": [challenge | {"facts": [9]}]}, name="write"),
        call({"challenges": [challenge]}, name="write"),
        call(shadow, name="write"),
        call({"verdicts": [], "advice": "x"}, name="write"),
        call({"verdicts": [verdict], "advice": "Think <i>again</i>."}, name="write"),
    ]
    with serving(replies) as server:
        done = run(tmp_path, "--read=note.md", "--rounds=1", OPENAI_BASE_URL=server.base_url)
        corrections = [asked.texts[-1][1] for asked in server.requests if "cannot be used" in asked.texts[-1][1]]
    assert done.returncode == 0, done.stderr
    assert ["there is no fact 9" in corrections[0], "one verdict for each of the 1" in corrections[1]] == [True, True]
    page = (tmp_path / "mirror.html").read_text()
    for hostile in ("<script>alert", "<img src=x>", "<b>I</b>", "<i>again</i>", "<b>simple</b>"):
        assert hostile not in page


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(["--read=missing.md"], "missing.md"), (["--git=."], "git"), (["--read=note.md"], "OPENAI")],
)
def test_what_cannot_be_done_is_said_in_a_line(tmp_path: Path, arguments: list[str], words: str) -> None:
    """A missing file, a folder without a repository, no model."""
    (tmp_path / "note.md").write_text("# Work\n\nI prefer simple code to general code, always and everywhere.\n")
    done = run(tmp_path, *arguments)
    assert done.returncode != 0
    assert words in done.stderr
    assert "Traceback" not in done.stderr
