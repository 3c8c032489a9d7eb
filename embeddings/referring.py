"""Detects sentences that refer to the one before them and cannot be read alone."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ..patterns import read_patterns

_RULES: Final = read_patterns(Path(__file__).with_name("referring.tsv"))
_STEM: Final = 5


class Referring:
    """A sentence, by its text and its number in its section, from 0, which may stand for what was named before it."""

    __slots__ = ()
    order: int
    text: str

    @property
    def leans(self) -> bool:
        """Whether it begins with what stands for something said before (`They go away`)."""
        return bool(
            _RULES["orphan"].match(self.text)
            or _RULES["points"].match(self.text)
            or (self.order and _RULES["definite"].match(self.text))
        )

    @property
    def needs(self) -> bool:
        """Whether it cannot be read without the sentence before it, however it begins (`You get them often`)."""
        if self.leans or _RULES["elided"].search(self.text):
            return True
        if not self.order:  # before the first, nothing was named but by the title
            return False
        for found in _RULES["named"].finditer(self.text):
            if found["thing"][:_STEM] not in self.text[: found.start()].lower():
                return True
        pronoun = _RULES["pronoun"].match(self.text)
        return pronoun is not None and not _RULES["several"].search(pronoun["before"])

    @property
    def dangles(self) -> bool:
        """Whether it begins with what stands for all that was said before, and not for what a page is about."""
        return bool(_RULES["dangles"].match(self.text))

    @property
    def stands_for_page(self) -> bool:
        """Whether it begins with what may stand for what a page is about (`It is rare`), if it leans."""
        return bool(_RULES["page"].match(self.text)) and not self.dangles

    @property
    def details(self) -> bool:
        """Whether it begins by saying what was meant by the sentence before it."""
        return bool(_RULES["details"].match(self.text))


def unnamed(text: str, before: str) -> bool:
    """Tell whether a sentence points at several things of a kind that neither it names nor what stands before it."""
    found = _RULES["several pointed"].search(text)
    named = f"{before} {text[: found.start()]}".lower() if found else ""
    return found is not None and not any(word[:_STEM] in named for word in found["things"].split())
