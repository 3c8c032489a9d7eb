"""How many of the relations between concepts that sections tell are right, by those that people labelled."""

from __future__ import annotations

from collections import defaultdict
from random import Random
from typing import TYPE_CHECKING, Any, Final

from ..errors import SourceFileError
from ..files import write_whole
from ..graph import catalogue
from ..linking.roles import ROLES
from ..text import sentences

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ..graph.database import Database

    Row = dict[str, Any]



_CURVE: Final = (0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 1.01)
"""Where the bins of a reliability curve begin."""


_LABELLED: Final = ("set", "head", "relation", "tail", "section", "surface", "right")
"""Columns of a table of labelled relations."""


def measure_relations(database: Database, path: Path) -> list[Row]:
    """Measure how many of the relations that sections tell are right, by those that people labelled.

    Returns:
        A row a set and relation: of the labelled ones that the graph still holds, the share that is right; of those
        labelled right, the share that it holds.

    Raises:
        SourceFileError: The table cannot be read.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SourceFileError(f"cannot be read: {error}", path) from error
    if not lines or tuple(lines[0].split("\t")) != _LABELLED:
        raise SourceFileError(f"needs the columns {', '.join(_LABELLED)}", path, 1)
    rows: list[dict[str, str]] = []
    for number, line in enumerate(lines[1:], start=2):
        cells = line.split("\t")
        if len(cells) != len(_LABELLED) or cells[-1] not in {"yes", "no"}:
            raise SourceFileError(f"needs {len(_LABELLED)} cells, the last one yes or no", path, number)
        rows.append(dict(zip(_LABELLED, cells, strict=True)))
    found = database.read(catalogue.get("found_relations"), rows=rows)
    held = {(row["head"], row["relation"], row["tail"]) for row in found}
    groups: dict[tuple[str, str], list[tuple[bool, bool]]] = defaultdict(list)
    for row in rows:
        judged = (row["right"] == "yes", (row["head"], row["relation"], row["tail"]) in held)
        groups[row["set"], row["relation"]].append(judged)
    return [_kept(f"relations of sections, {name}, {relation}", judged) for (name, relation), judged in groups.items()]










def measure_labelled(path: Path) -> list[Row]:
    """Measure how many drawn relations are right, by type, and by score."""
    groups: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    for number, row in _rows(path, ("relation", "score", "right")):
        if row["right"] not in {"yes", "no"}:
            raise SourceFileError("needs yes or no in the column right", path, number)
        judged = (float(row["score"]), row["right"] == "yes")
        groups[row["relation"]].append(judged)
        low = max(edge for edge in _CURVE if edge <= judged[0])
        groups[f"score from {low:g}"].append(judged)
    return [
        {
            "relations": name,
            "n": len(judged),
            "precision": _share(sum(right for _, right in judged), len(judged)),
            "mean score": round(sum(score for score, _ in judged) / len(judged), 3),
        }
        for name, judged in sorted(groups.items())
    ]


def _rows(path: Path, needed: Sequence[str]) -> list[tuple[int, dict[str, str]]]:
    """Read a table with a line of columns first; each row with the number of its line."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise SourceFileError(f"cannot be read: {error}", path) from error
    columns = lines[0].split("\t")
    if not {*needed} <= {*columns}:
        raise SourceFileError(f"needs the columns {', '.join(needed)}", path, 1)
    numbered = ((number, line.split("\t")) for number, line in enumerate(lines[1:], start=2) if line)
    return [(number, dict(zip(columns, cells, strict=False))) for number, cells in numbered]


def _kept(task: str, judged: Sequence[tuple[bool, bool]]) -> Row:
    kept = [right for right, held in judged if held]
    right = [held for right, held in judged if right]
    return {
        "task": task,
        "n": len(kept),
        "precision": _share(sum(kept), len(kept)),
        "recall": _share(sum(right), len(right)),
        "f1": None,
    }


def _share(part: int, whole: int) -> float:
    return round(part / whole, 3) if whole else 0.0
