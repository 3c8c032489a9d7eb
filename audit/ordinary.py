"""Words of everyday English that texts are linked by, those first that are the most usual and no concept's own name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..graph import catalogue
from ..linking.ordinary import EVERYWHERE, usual
from ..linking.words import words
from .findings import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ..graph.database import Database
    from .findings import Severity

_CONTEXTS: Final = 3
_SCALE: Final = 9  # the logarithm of the number of words among which they are counted


def find(database: Database, scope: Mapping[str, Any]) -> Iterator[Finding]:
    """Find the words that stand for something in texts, and are words of everyday English.

    Args:
        scope: The values of `source` and `examples`.

    Yields:
        A finding for words and a concept: a warning where it is called otherwise, and they stand everywhere.
    """
    query = catalogue.get("ordinary_names")
    examples = min(scope["examples"], _CONTEXTS)
    for row in database.stream(query, source=scope["source"], examples=examples):
        surface, name = row["surface"], row["name"]
        each = [usual(word) for word in surface.split()]
        how_usual = sum(each) - _SCALE * (len(each) - 1)  # as if words stood together by chance
        if all(each):
            called = _normal(surface) == _normal(name)
            severity: Severity = "warning" if how_usual >= EVERYWHERE and not called else "note"
            what = f"“{surface}” as {name} (how usual: {how_usual:.1f})"
            keys, contexts = (surface, row["concept"]), tuple(" ".join(text.split()) for text in row["examples"])
            yield Finding("ordinary_names", severity, scope["source"], keys, what, row["count"], contexts)


def _normal(text: str) -> list[str]:
    return [word.normal for word in words(text)]
