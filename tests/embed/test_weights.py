from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from mem0g.embed.weights import CHECKSUMS, INSTALL, MODEL, Weights, verify
from mem0g.errors import ChecksumError, EmbedderError, WeightsMissingError
from tests.embed.server import Reply, Request, Server, serving

FILES = {"model.safetensors": b"numbers" * 1000, "tokenizer.json": b"{}"}
SUMS = {name: hashlib.sha256(content).hexdigest() for name, content in FILES.items()}


def hub(request: Request) -> Reply:
    name = request.path.removeprefix("/repo/")
    return Reply(FILES[name]) if name in FILES else Reply(b"no such file", status=404)


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(hub) as running:
        yield running


def fill(folder: Path, files: dict[str, bytes] = FILES) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder


def places(tmp_path: Path, **given: object) -> Weights:
    """Places with nothing in them but what is given; the files are small ones."""
    nothing: dict[str, object] = {"package": "no_such_package", "cache": tmp_path / "cache", "hub": None}
    return Weights(**{**nothing, "checksums": SUMS, **given})  # type: ignore[arg-type]


def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed package with weights, which must not be imported."""
    fill(tmp_path / "site" / "packed_weights" / "model")
    (tmp_path / "site" / "packed_weights" / "__init__.py").write_text("raise RuntimeError('imported')")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    return tmp_path / "site" / "packed_weights" / "model"


def test_given_folder_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A given folder is taken before an installed package."""
    package(tmp_path, monkeypatch)
    folder = fill(tmp_path / "given")
    assert places(tmp_path, folder=folder, package="packed_weights").obtain() == folder


def test_given_folder_without_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A given folder without the files is an error, even where weights are installed."""
    package(tmp_path, monkeypatch)
    with pytest.raises(WeightsMissingError, match="given") as caught:
        places(tmp_path, folder=tmp_path / "given", package="packed_weights", hub="http://unused").obtain()
    assert caught.value.hint is not None
    assert "model.safetensors and tokenizer.json" in caught.value.hint


def test_package_comes_before_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed package is found without being imported, before what was downloaded."""
    model = package(tmp_path, monkeypatch)
    fill(tmp_path / "cache" / MODEL)
    assert places(tmp_path, package="packed_weights").obtain() == model


def test_cache_comes_before_hub(tmp_path: Path, server: Server) -> None:
    """What was downloaded once is not downloaded again."""
    weights = places(tmp_path, hub=f"{server.url}/repo")
    assert weights.obtain() == weights.obtain() == tmp_path / "cache" / MODEL
    assert [request.path for request in server.requests] == ["/repo/model.safetensors", "/repo/tokenizer.json"]


def test_download(tmp_path: Path, server: Server, capfd: pytest.CaptureFixture[str]) -> None:
    """The hub's files arrive whole, alone in their folder, and stderr says what is going on."""
    folder = places(tmp_path, hub=f"{server.url}/repo/").obtain()
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == FILES
    written = capfd.readouterr()
    assert server.url in written.err
    assert not written.out


def test_half_a_folder_is_none(tmp_path: Path) -> None:
    """A folder that lacks one of the files does not count as found."""
    fill(tmp_path / "cache" / MODEL, {"model.safetensors": FILES["model.safetensors"]})
    assert places(tmp_path).find() is None


def test_nowhere(tmp_path: Path) -> None:
    """Without any weights and without a hub, the error says the command to run."""
    with pytest.raises(WeightsMissingError, match=MODEL) as caught:
        places(tmp_path).obtain()
    assert caught.value.hint == INSTALL


def test_hub_not_reached(tmp_path: Path, nowhere: str) -> None:
    """With no network, the error names the address and the command to run instead."""
    with pytest.raises(WeightsMissingError, match=nowhere) as caught:
        places(tmp_path, hub=nowhere).obtain()
    assert caught.value.hint == INSTALL


def test_hub_without_the_file(tmp_path: Path, server: Server) -> None:
    """A 404 names the file that is not there."""
    with pytest.raises(WeightsMissingError, match=r"elsewhere/model\.safetensors .*404"):
        places(tmp_path, hub=f"{server.url}/elsewhere").obtain()
    assert not list((tmp_path / "cache" / MODEL).iterdir())


@pytest.mark.parametrize("body", [b"numbers", b""], ids=["short", "nothing"])
def test_interrupted_download(tmp_path: Path, body: bytes) -> None:
    """A download that breaks off is an error and leaves nothing behind, so that the next try begins anew."""
    with serving(lambda request: Reply(body, size=7000)) as server, pytest.raises(WeightsMissingError) as caught:
        places(tmp_path, hub=server.url).obtain()
    assert f"broke off after {len(body)} bytes" in str(caught.value)
    assert not list((tmp_path / "cache" / MODEL).iterdir())


def test_hub_gives_another_file(tmp_path: Path) -> None:
    """A file with the wrong checksum is refused, naming its address, and not kept."""
    with serving(lambda request: Reply(b"an error page")) as server, pytest.raises(ChecksumError) as caught:
        places(tmp_path, hub=server.url).obtain()
    assert f"{server.url}/model.safetensors" in str(caught.value)
    assert not list((tmp_path / "cache" / MODEL).iterdir())


def test_hub_of_another_scheme(tmp_path: Path) -> None:
    """Only HTTP is spoken: an address of this machine's files is refused."""
    with pytest.raises(EmbedderError, match="file:///etc"):
        places(tmp_path, hub="file:///etc").obtain()


def test_cache_that_cannot_be_written(tmp_path: Path, server: Server) -> None:
    """Weights that cannot be kept are an error that names the folder."""
    (tmp_path / "cache").write_text("a file, not a folder")
    with pytest.raises(EmbedderError, match="cache"):
        places(tmp_path, hub=f"{server.url}/repo").obtain()


def test_wrong_checksum(tmp_path: Path) -> None:
    """A changed file is refused, naming it."""
    folder = fill(tmp_path / "given", {**FILES, "tokenizer.json": b"{ }"})
    with pytest.raises(ChecksumError, match=r"given.tokenizer\.json"):
        places(tmp_path, folder=folder).obtain()


def test_verified_once(tmp_path: Path) -> None:
    """A file of the same size and time as when it was verified is not read again."""
    path = fill(tmp_path / "given") / "tokenizer.json"
    verify(path, SUMS["tokenizer.json"], stamps=tmp_path / "stamps")
    state = path.stat()
    path.write_bytes(b"[]")
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))
    verify(path, SUMS["tokenizer.json"], stamps=tmp_path / "stamps")


@pytest.mark.parametrize(("content", "later"), [(b"[]", 1), (b"{ }", 0)], ids=["time", "size"])
def test_stamp_of_another_state(tmp_path: Path, content: bytes, later: int) -> None:
    """A file with another time or another size than the stamp's is read again."""
    path = fill(tmp_path / "given") / "tokenizer.json"
    verify(path, SUMS["tokenizer.json"], stamps=tmp_path / "stamps")
    state = path.stat()
    path.write_bytes(content)
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns + later))
    with pytest.raises(ChecksumError):
        verify(path, SUMS["tokenizer.json"], stamps=tmp_path / "stamps")


def test_stamp_of_another_checksum(tmp_path: Path) -> None:
    """A stamp says only that the file had the checksum asked for at the time."""
    path = fill(tmp_path / "given") / "tokenizer.json"
    verify(path, SUMS["tokenizer.json"], stamps=tmp_path / "stamps")
    with pytest.raises(ChecksumError):
        verify(path, SUMS["model.safetensors"], stamps=tmp_path / "stamps")


@pytest.mark.parametrize("stamp", [b"", b"{", b"[]", b"\xff", b"null"])
def test_broken_stamp(tmp_path: Path, stamp: bytes) -> None:
    """A stamp that cannot be read is no stamp, and is written anew."""
    path = fill(tmp_path / "given") / "tokenizer.json"
    verify(path, SUMS["tokenizer.json"], stamps=tmp_path / "stamps")
    (written,) = (tmp_path / "stamps").iterdir()
    good = written.read_bytes()
    written.write_bytes(stamp)
    verify(path, SUMS["tokenizer.json"], stamps=tmp_path / "stamps")
    assert written.read_bytes() == good


def test_stamps_that_cannot_be_written(tmp_path: Path) -> None:
    """Where no stamp can be kept, the file is verified all the same."""
    path = fill(tmp_path / "given") / "tokenizer.json"
    (tmp_path / "stamps").write_text("a file, not a folder")
    verify(path, SUMS["tokenizer.json"], stamps=tmp_path / "stamps")
    with pytest.raises(ChecksumError):
        verify(path, SUMS["model.safetensors"], stamps=tmp_path / "stamps")


def test_installed_weights_are_the_ones_expected(folder: Path) -> None:
    """The files on this machine have the checksums that are written in the source."""
    for name, sha256 in CHECKSUMS.items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == sha256
