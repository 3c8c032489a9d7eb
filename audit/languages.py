"""Texts that are not English."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from ..graph import catalogue
from ..schema.languages import foreign_language
from .findings import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ..graph.database import Database
    from .findings import Severity

# A text with two of these is English enough, and is left on the server.
COMMON: Final = (" the ", " of ", " and ", " is ", " to ", " with ", " for ", " are ", " in a ", " or ")
CHARACTERS: Final = 600
WORDS: Final = 40  # words of a text that are looked at: a sentence or two
SURE: Final = 0.8


@dataclass(slots=True)
class _Tally:
    count: int = 0
    sureness: float = 0.0
    examples: list[str] = field(default_factory=list)


def find(database: Database, scope: Mapping[str, Any]) -> Iterator[Finding]:
    """Find texts that are not English.

    Args:
        scope: The values of `source` and `examples`.

    Yields:
        A finding for each source and language.
    """
    query = catalogue.get("foreign_texts")
    tallies: dict[tuple[str, str], _Tally] = {}
    for row in database.stream(query, source=scope["source"], words=list(COMMON), characters=CHARACTERS):
        name, sure = foreign_language(" ".join(row["text"].split()[:WORDS]))
        if not name:
            continue
        tally = tallies.setdefault((row["source"], name), _Tally())
        tally.count += 1
        tally.sureness += sure
        if len(tally.examples) < scope["examples"]:
            tally.examples.append(f"{row['id']}: {' '.join(row['text'][:80].split())}… ({sure:.0%})")
    for (source, name), tally in tallies.items():
        sure = tally.sureness / tally.count
        what = f"texts in {name}, by a guess that is {sure:.0%} sure"
        severity: Severity = "warning" if sure >= SURE else "note"
        yield Finding(query.name, severity, source, (source, name), what, tally.count, tuple(tally.examples))
