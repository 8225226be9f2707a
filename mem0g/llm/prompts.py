"""Prompt templates in Markdown files, which users can override.

A file has the sections ``# system`` (the rules), ``# hints`` (optional; context that may not be available yet) and
``# user`` (the input). ``$name`` is a placeholder. A paragraph whose placeholders are all empty is left out, with its
heading.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from mem0g.errors import InputError
from mem0g.llm.protocol import R, Request
from mem0g.model import Scope

_SECTION = re.compile(r"^# (system|hints|user)$", re.MULTILINE)
_NAME = re.compile(r"\$([a-z_]+)")
_BREAKS = re.compile("[\x7f-\x9f\u2028\u2029]")
"""Line breaks and control characters that JSON does not escape."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """A prompt with its placeholders filled."""

    system: str
    hints: str
    user: str

    def request(
        self,
        *,
        purpose: str,
        function: str,
        description: str,
        reply: type[R],
        check: Callable[[R], None],
        window: str = "",
        scope: Scope | None = None,
    ) -> Request[R]:
        """Return the request that sends this prompt; see Request for the rest."""
        return Request(
            purpose=purpose,
            system=self.system,
            hints=self.hints,
            user=self.user,
            function=function,
            description=description,
            reply=reply,
            check=check,
            window=window,
            scope=scope,
        )


@dataclass(frozen=True, slots=True)
class Prompts:
    """Reads prompts from ``folder`` if it has them, otherwise from the package they belong to."""

    folder: Path | None = None

    def text(self, package: str, name: str) -> str:
        """Return the text of ``name``.md. Raises InputError if ``folder`` or the file in it cannot be read."""
        if self.folder and not self.folder.is_dir():
            raise InputError(f"no such folder: {self.folder}", hint="`mem0g prompts` lists the prompts")
        own = self.folder / f"{name}.md" if self.folder else None
        if own is not None and own.exists():
            try:
                return own.read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError) as error:
                raise InputError(f"cannot read the prompt {own}: {error}", hint="it must be UTF-8 text") from error
        return resources.files(package).joinpath(f"{name}.md").read_text(encoding="utf-8")

    def render(self, package: str, name: str, given: Mapping[str, str], fragments: tuple[str, ...] = ()) -> Rendered:
        """Return the prompt with its placeholders filled from ``given``, and from the files that ``fragments`` name.

        A fragment takes the place of what is given under its name.

        Raises InputError if the prompt lacks a section, or has an unknown placeholder.
        """
        words = dict(given) | {each: self.text(package, each).strip() for each in fragments}
        parts = _SECTION.split(self.text(package, name))[1:]
        sections = dict(zip(parts[::2], parts[1::2], strict=True))
        if not {"system", "user"} <= sections.keys():
            raise self._wrong(name, "has no '# system' or no '# user' section")
        unknown = sorted({each for text in sections.values() for each in _NAME.findall(text)} - words.keys())
        if unknown:
            raise self._wrong(name, f"asks for ${unknown[0]}; it may ask for {', '.join(f'${each}' for each in words)}")
        return Rendered(*(_filled(sections.get(each, ""), words) for each in ("system", "hints", "user")))

    def _wrong(self, name: str, what: str) -> InputError:
        place = self.folder / f"{name}.md" if self.folder else f"{name}.md"
        return InputError(f"the prompt {place} {what}", hint="`mem0g prompts` shows the built-in ones")


def quoted(text: str) -> str:
    """Return the text as a JSON string on one line: with line breaks escaped, it cannot imitate another line."""
    line = json.dumps(text, ensure_ascii=False)
    return _BREAKS.sub(lambda found: f"\\u{ord(found[0]):04x}", line)


def _filled(text: str, words: Mapping[str, str]) -> str:
    """Return the paragraphs with filled placeholders; placeholders in the values are not replaced."""
    kept: list[str] = []
    for block in re.split(r"\n(?=## )|\n\n", text.strip()):
        heading, _, rest = block.partition("\n") if block.startswith("## ") else ("", "", block)
        names = _NAME.findall(block)
        if names and not any(words[each] for each in names):
            continue
        filled = _NAME.sub(lambda found: words[found[1]], rest)
        kept.append(f"{heading}\n{filled}" if heading else filled)
    return "\n\n".join(kept)
