"""Remarks that are made once, not about each thing: on a prefix that nobody knows, say, and on what is left out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..schema import prefixes
from .base import Remark

if TYPE_CHECKING:
    from collections.abc import Iterator


def unknown_prefix(text: str) -> tuple[str, str]:
    """Say that nobody knows the prefix of an id: what the remark is about, the same for all such ids, and its text."""
    start = _start(text)
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]*://", text):
        said = f"addresses like {text[:60]!r} stand for themselves, for no prefix is known for {start[:60]!r}"
        return f"prefix {start}", f"{said}; if there is one, add it to {prefixes.TABLE.name}"
    what = f"the prefix {start[:60]!r} is unknown" if start else "an id has no prefix"
    said = f"{what}: ids like {text[:60]!r} are kept as they are written"
    return f"prefix {start}", f"{said}; check the spelling, or add it to {prefixes.TABLE.name}"


def _start(text: str) -> str:
    return re.sub(r"[^/#]*$", "", text) if "://" in text else text.partition(":")[0] if ":" in text else ""


class Remarks:
    """Collects remarks until they are taken, each once for a load; a source's own prefix needs none."""

    def __init__(self, own: str = "") -> None:
        self._made: set[str] = set()
        self._new: list[Remark] = []
        self._looked_at: set[str] = {own} if own else set()

    def add(self, key: str, file: str, line: int, text: str) -> None:
        """Make a remark, unless one of the same key was made before."""
        if key not in self._made:
            self._made.add(key)
            self._new.append(Remark(file, line, text))

    def curie(self, text: str, file: str, line: int) -> str:
        """Give the standard form of an id; what has an unknown prefix stays as it is, with a remark."""
        found = prefixes.standard(text)
        if found is None:
            about, said = unknown_prefix(text)
            self.add(about, file, line, said)
        return found or text

    def look_at(self, text: str, file: str, line: int) -> None:
        """Make a remark on an id that stays as it is, if it is the first of its prefix and nobody knows that."""
        if (start := _start(text)) not in self._looked_at:
            self._looked_at.add(start)
            self.curie(text, file, line)

    def take(self) -> Iterator[Remark]:
        """Hand out the remarks that were made since the last time, in their order."""
        new, self._new = self._new, []
        yield from new


class LeftOut:
    """Counts what a reader leaves out, by kind, with the first of each; `medgraph audit --check unread` lists it."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[int, str, str, int]] = {}

    def add(self, what: str, example: str, file: str, line: int, count: int = 1) -> None:
        """Count something, in the plural and with the reason."""
        if count:
            before = self._found.get(what, (0, example, file, line))
            self._found[what] = before[0] + count, *before[1:]

    def remarks(self) -> Iterator[Remark]:
        """Make a remark for each kind of thing that was left out, with its count, at the place of the first."""
        for what, (count, example, file, line) in sorted(self._found.items()):
            first = f", the first is {example[:200]}" if example else ""
            yield Remark(file, line, f"{what}: {count:,}{first}", what, count, example[:200])
