"""Files that commands write and read: whole or not at all, for their owner alone, clear errors."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from mem0g.cli.files import folder_made, written
from mem0g.errors import InputError
from tests.cli.conftest import Shell

WRITING = (
    ("export", "--user", "demo"),
    ("graph", "Olivia", "--user", "demo", "--format", "html"),
    ("graph", "Olivia", "--user", "demo", "--format", "json"),
)


def mode(path: Path) -> int:
    """The permissions."""
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("words", WRITING, ids=lambda words: words[-1])
def test_what_is_written_is_the_owners_alone(told: Shell, tmp_path: Path, words: tuple[str, ...]) -> None:
    """Nobody else may read it, whatever was there before and whatever the umask; nothing is left beside it."""
    path = tmp_path / "out"
    path.write_text("old")
    path.chmod(0o666)
    before = os.umask(0)
    try:
        told.ok(*words, "--output", str(path))
    finally:
        os.umask(before)
    assert mode(path) == 0o600
    assert path.read_text(encoding="utf-8") != "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("words", WRITING, ids=lambda words: words[-1])
def test_where_nothing_can_be_written(told: Shell, tmp_path: Path, words: tuple[str, ...]) -> None:
    """A missing folder, a folder, a file as a folder, a folder that takes no files, a full disk: one line, one hint."""
    (tmp_path / "file").write_text("x")
    long = "x" * 300
    cases = {
        str(tmp_path / "missing" / "out"): "no such folder",
        str(tmp_path): "it is a folder",
        str(tmp_path / "file" / "out"): "Not a directory",
        "/proc/out": "",
        "/dev/full": "No space left on device",
        str(tmp_path / long / "out"): "too long",
    }
    for path, reason in cases.items():
        said = told.fails(*words, "--output", path)
        assert f"cannot write {path}" in said
        assert reason in said
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
@pytest.mark.parametrize("words", [["facts", "--user", "demo", "--json"], ["facts", "--user", "demo"], ["--version"]])
def test_output_to_a_full_disk(told: Shell, words: list[str]) -> None:
    """A real process whose standard output takes nothing says so on one line with a hint."""
    program = [sys.executable, "-m", "mem0g", *words]
    with Path("/dev/full").open("w") as full:
        environment = os.environ | {"MEM0G_STORE": told.address}
        done = subprocess.run(program, stdout=full, stderr=subprocess.PIPE, text=True, env=environment, check=False)
    assert done.returncode == 1
    assert [line.partition(": ")[0] for line in done.stderr.splitlines()] == ["mem0g", "hint"]
    assert "No space left on device" in done.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission(told: Shell, tmp_path: Path) -> None:
    """The folder may not be written to."""
    tmp_path.chmod(0o500)
    try:
        assert "Permission denied" in told.fails("export", "--user", "demo", "--output", str(tmp_path / "out"))
    finally:
        tmp_path.chmod(0o700)


def test_a_failure_leaves_what_was_there(tmp_path: Path) -> None:
    """Whatever ends the writing, the old file is whole and nothing lies beside it."""
    path = tmp_path / "out"
    path.write_text("old")

    def fail(error: BaseException) -> None:
        with written(path) as file:
            file.write(b"new " * 100_000)
            raise error

    for error in (RuntimeError("power"), KeyboardInterrupt()):
        with pytest.raises(type(error)):
            fail(error)
        assert path.read_text() == "old"
    with pytest.raises(InputError, match="No space"):
        fail(OSError(28, "No space left on device"))
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.slow
def test_a_full_disk_leaves_what_was_there(told: Shell, tmp_path: Path) -> None:
    """A file that may not grow to its size is not written at all."""
    path = tmp_path / "out"
    path.write_text("old")
    command = f"ulimit -f 64; exec {sys.executable} -m mem0g export --user demo --output {path}"
    environment = {**os.environ, "MEM0G_STORE": told.address}
    done = subprocess.run(["bash", "-c", command], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert done.stderr.startswith(f"mem0g: cannot write {path}: File too large\nhint: ")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.slow
def test_links_and_pipes_stay_what_they_are(told: Shell, tmp_path: Path) -> None:
    """A link is followed, a device is written to: neither is replaced by a file."""
    target, link = tmp_path / "target", tmp_path / "link"
    link.symlink_to(target)
    told.ok("export", "--user", "demo", "--output", str(link))
    assert link.is_symlink()
    assert json.loads(target.read_text(encoding="utf-8").split("\n")[0])["mem0g"]
    told.ok("export", "--user", "demo", "--output", "/dev/null")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    command = [sys.executable, "-m", "mem0g", "export", "--user", "demo", "--output", "/dev/stdout"]
    environment = {**os.environ, "MEM0G_STORE": told.address}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == target.read_text(encoding="utf-8")


def test_folders_are_the_owners_alone(tmp_path: Path) -> None:
    """A folder that is made is for its owner; one that is there stays as it is; a file is none."""
    assert mode(folder_made(tmp_path / "a" / "b")) == 0o700
    (tmp_path / "c").mkdir(mode=0o755)
    assert mode(folder_made(tmp_path / "c")) == 0o755
    (tmp_path / "d").write_text("x")
    with pytest.raises(InputError, match="cannot write"):
        folder_made(tmp_path / "d")


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("latin.jsonl", b'{"mem0g":1}\ncaf\xe9', "line 2: not UTF-8"),
        ("utf16.jsonl", '{"mem0g":1}'.encode("utf-16"), "not UTF-8"),
        ("empty.jsonl", b"", "line 1"),
    ],
)
def test_imports_that_cannot_be_read(shell: Shell, name: str, content: bytes, said: str) -> None:
    """What is no export is named with the line, and no store is made of it."""
    message = shell.fails("import", shell.file(name, content))
    assert said in message
    assert not shell.store.exists() or said == "line 1"


@pytest.mark.slow
def test_imports_from_what_is_no_file(shell: Shell, told: Shell) -> None:
    """No file, a folder, a name too long; standard input that is no text; a pipe is read."""
    assert "no such file" in shell.fails("import", str(shell.folder / "nowhere"))
    assert "is a folder" in shell.fails("import", str(shell.folder))
    assert "cannot read" in shell.fails("import", "x" * 5000)
    exported = told.ok("export", "--user", "demo")
    pipe = shell.folder / "pipe"
    os.mkfifo(pipe)
    command = [sys.executable, "-m", "mem0g", "import", str(pipe)]
    environment = {**os.environ, "MEM0G_STORE": shell.address}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as running:
        pipe.write_text(exported, encoding="utf-8")
        said, _ = running.communicate()
    assert running.returncode == 0
    assert "facts imported" in said
    assert shell.ok("export", "--user", "demo") == exported


@pytest.mark.slow
def test_standard_input_that_is_no_text(shell: Shell) -> None:
    """Bytes that are not UTF-8 on standard input are refused with a line."""
    command = [sys.executable, "-m", "mem0g", "import", "-"]
    environment = {**os.environ, "MEM0G_STORE": shell.address}
    done = subprocess.run(command, env=environment, input=b"caf\xe9\n", capture_output=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith(b"mem0g: -, line 1: not UTF-8\nhint: ")
