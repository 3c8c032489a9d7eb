"""Remarks that are made once: about a prefix that nobody knows, say, and not about each id that has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..schema import prefixes
from .base import Remark

if TYPE_CHECKING:
    from collections.abc import Iterator


class Remarks:
    """Collects remarks until they are taken, each once for a load."""

    def __init__(self) -> None:
        self._made: set[str] = set()
        self._new: list[Remark] = []

    def add(self, key: str, file: str, line: int, text: str) -> None:
        """Make a remark, unless one of the same key was made before.

        Args:
            key: What it is about.
            file: The file.
            line: The line.
            text: What was noticed.
        """
        if key not in self._made:
            self._made.add(key)
            self._new.append(Remark(file, line, text))

    def curie(self, text: str, file: str, line: int) -> str:
        """Give the standard form of an id; what has an unknown prefix stays as it is, with a remark.

        Args:
            text: A CURIE or a URI.
            file: The file.
            line: The line.

        Returns:
            The id.
        """
        found = prefixes.standard(text)
        if found is None:
            prefix, colon, _ = text.partition(":")
            said = f"the prefix {prefix[:60]!r} is unknown" if colon else "an id has no prefix"
            self.add(
                f"prefix {prefix if colon else ''}", file, line, f"{said}; ids like {text[:60]!r} are kept as they are"
            )
        return found or text

    def take(self) -> Iterator[Remark]:
        """Hand out the remarks that were made since the last time.

        Yields:
            Remarks in the order they were made.
        """
        new, self._new = self._new, []
        yield from new
