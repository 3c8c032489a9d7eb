"""What a question says of something with a verb between: `my sugar is too high` is high sugar."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .words import Word

_VERBS: Final = frozenset(
    "is are was were has have had been be being gets get got getting becomes became become feels feel felt feeling "
    "stays stayed remains keeps kept runs seems looks went goes came comes back".split()
)
_ADVERBS: Final = frozenset(
    "too very so really always still quite a bit little often sometimes extremely constantly running pretty way just "
    "also now again usually rather slightly all".split()
)
_LONGEST: Final = 4
"""Words of what something is said of, at most."""

_MEASURED: Final = ("level", "count")
"""What names have behind what is high or low."""

_BEFORE: Final = frozenset(
    "my your his her our their its the a an this that these those if when because and but so while since whose left "
    "right both is are was were".split()
)
"""Words before which nothing of it stands: of my red blood cell count, blood cell count is but a part."""

_BETWEEN: Final = 4
"""Words between it and what is said, at most."""


def predicates(text: str, found: Sequence[Word]) -> Iterator[tuple[int, int, list[Word]]]:
    """Find what a question says of something.

    Yields:
        Numbers of the first word and of the one behind the last, and the words as a name would have them: `high sugar`.
    """
    said = [text[word.start : word.end].lower() for word in found]
    for at in range(1, len(found)):
        if said[at] not in _VERBS or said[at - 1] in _VERBS:
            continue
        for last in range(at + 1, min(at + 1 + _BETWEEN, len(found))):
            if not _beside(text, found[last - 1], found[last]):
                break
            if said[last] not in _VERBS:
                yield from _of(text, found, at, last)
            if said[last] not in _VERBS | _ADVERBS:
                break


def _of(text: str, found: Sequence[Word], verb: int, last: int) -> Iterator[tuple[int, int, list[Word]]]:
    """Put what is said before what it is said of, of one word and more."""
    for first in range(verb - 1, max(-1, verb - 1 - _LONGEST), -1):
        if not _beside(text, found[first], found[first + 1]):
            return
        before = found[first - 1] if first and _beside(text, found[first - 1], found[first]) else None
        if before is None or text[before.start : before.end].lower() in _BEFORE:
            yield first, last + 1, [found[last], *found[first:verb]]


def _beside(text: str, one: Word, other: Word) -> bool:
    return text[one.end : other.start] == " "


def worded(said: list[Word]) -> Iterator[list[Word]]:
    """Word what is said as names may have it.

    Args:
        said: `low potassium`.

    Yields:
        It, and with what of it is low behind: `low potassium level`.
    """
    yield said
    for measured in _MEASURED:
        yield [*said, replace(said[-1], normal=measured)]
