"""Curated stop list: words that never name something, whatever a source says.

A table has three columns with tabs between: the words, the id of a concept or entity that they never name, or `*` for
anything at all, and why. One is shipped beside this file; `never.tsv` in the data folder adds to it.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..errors import SourceFileError
from ..files import table_lines
from .words import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from .words import Word

SHIPPED: Final = Path(__file__).with_name("never.tsv")
OWN: Final = "never.tsv"  # what the user's table is called, in the data folder
# Stands for the id of whatever words in a text would name; who looks up just these words means something.
ANYTHING: Final = "*"
_COLUMNS: Final = 3


class StopNames:
    """Words that are no names: in their form for comparison → ids of what they never name, or `*`."""

    def __init__(self, settled: Mapping[str, frozenset[str]]) -> None:
        self._settled = settled

    @property
    def fingerprint(self) -> str:
        """What tells one list from another."""
        lines = sorted(f"{said}\t{' '.join(sorted(ids))}" for said, ids in self._settled.items())
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:8]

    def settled(self, run: Sequence[Word]) -> frozenset[str]:
        """Give the ids of concepts and entities that words never name, or `*`; mostly nothing."""
        return self._settled.get(_key(run), frozenset())


def read_never(home: Path | None = None) -> StopNames:
    """Read what is settled, in the data folder (`home`), too.

    Raises:
        SourceFileError: A table cannot be read, or a line has not the three columns.
    """
    settled: dict[str, set[str]] = defaultdict(set)
    for path in _tables(home):
        for said, concept in _lines(path):
            settled[said].add(concept)
    return StopNames({said: frozenset(ids) for said, ids in settled.items()})


def _tables(home: Path | None) -> Iterable[Path]:
    own = home / OWN if home else None
    return (SHIPPED, own) if own and own.exists() else (SHIPPED,)


def _lines(path: Path) -> Iterator[tuple[str, str]]:
    try:
        for number, line in table_lines(path):
            cells = [cell.strip() for cell in line.split("\t")]
            said = _key(words(cells[0]))
            if len(cells) != _COLUMNS or not all(cells) or not said:
                raise SourceFileError("write words, a tab, an id or *, a tab, and why", path, number)
            yield said, cells[1]
    except (OSError, UnicodeDecodeError) as error:
        raise SourceFileError(f"cannot be read: {error}", path) from error


def _key(run: Iterable[Word]) -> str:
    return " ".join(word.normal for word in run)
