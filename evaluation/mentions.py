"""How many mentions that the graph holds are right, by those that people labelled."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

from ..errors import SourceFileError
from ..files import table_lines
from ..graph import catalogue

if TYPE_CHECKING:
    from pathlib import Path

    from ..graph.database import Database

    Row = dict[str, Any]

_COLUMNS: Final = ("part", "section", "start", "end", "surface", "concept", "name", "label")
_LABELS: Final = {"right", "wrong", "unclear"}


def measure_mentions(database: Database, path: Path) -> list[Row]:
    """Measure how many mentions are right: of labelled ones, those that the graph still holds.

    Returns:
        A row a part: how many labelled mentions the graph holds, the share of them that is right (precision), and the
        share of the right ones that it holds (recall).
    """
    rows = [row for row in _read(path) if row["label"] != "unclear"]
    found = database.read(catalogue.get("found_mentions"), rows=rows)
    held = {(row["section"], row["start"], row["end"]): frozenset(row["ids"]) for row in found}
    judged: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
    for row in rows:
        ids = held.get((row["section"], row["start"], row["end"]), frozenset())
        judged[row["part"]].append((row["label"] == "right", row["concept"] in ids))
    return [_row(part, pairs) for part, pairs in judged.items()]


def _read(path: Path) -> list[Row]:
    rows: list[Row] = []
    try:
        for number, line in table_lines(path):
            cells = line.split("\t")
            if number == 1 and tuple(cells) == _COLUMNS:
                continue
            row: Row = dict(zip(_COLUMNS, cells, strict=False))
            places = [row.get(name, "").isdecimal() for name in ("start", "end")]
            if len(cells) != len(_COLUMNS) or row["label"] not in _LABELS or not all(places):
                raise SourceFileError(f"needs the columns {', '.join(_COLUMNS)}, the last right or wrong", path, number)
            rows.append(row | {"start": int(row["start"]), "end": int(row["end"])})
    except (OSError, UnicodeDecodeError) as error:
        raise SourceFileError(f"cannot be read: {error}", path) from error
    return rows


def _row(part: str, pairs: list[tuple[bool, bool]]) -> Row:
    kept = [right for right, held in pairs if held]
    right = [held for right, held in pairs if right]
    return {
        "part": part,
        "n": len(kept),
        "precision": round(sum(kept) / max(1, len(kept)), 4),
        "recall": round(sum(right) / max(1, len(right)), 4),
    }
