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

_DRAWN: Final = (
    *("relation", "score", "head", "head_name", "tail", "tail_name", "section", "surface", "role_score", "right"),
    *("title", "kind", "sentence"),
)
"""Columns of a table of relations that are drawn."""

_ROLES: Final = {relation: role for role, (relation, _) in ROLES.items() if relation}

_CURVE: Final = (0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 1.01)
"""Where the bins of a reliability curve begin."""

_AROUND: Final = 300
"""Characters of a sentence before and behind a mention that a drawn relation shows."""

_LABELLED: Final = ("set", "head", "relation", "tail", "section", "surface", "right")
"""Columns of a table of labelled relations."""


def measure_relations(database: Database, path: Path) -> list[Row]:
    """Measure how many of the relations that sections tell are right, by those that people labelled.

    Args:
        database: The graph.
        path: A table with the columns `set`, `head`, `relation`, `tail`, `section`, `surface` and `right` (yes or no).

    Returns:
        A row a set and relation: of the labelled ones that the graph still holds, the share that is right; of those
        labelled right, the share that it holds.

    Raises:
        SourceFileError: The table cannot be read.
        DatabaseError: The database refused or went away.
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


def draw(database: Database, path: Path, each: int, seed: int, without: Sequence[Path] = ()) -> int:
    """Draw relations that sections tell, and write each with the sentence that tells it best.

    Args:
        database: The graph.
        path: The table; replaced.
        each: Relations of each type, at most.
        seed: Of what is drawn.
        without: Tables with a column `section`: relations that rest on a document of these are left out.

    Returns:
        How many were drawn.

    Raises:
        SourceFileError: A table cannot be read.
        DatabaseError: The database refused or went away.
    """
    known = {_document(row["section"]) for table in without for _, row in _rows(table, ("section",))}
    found: dict[str, list[Row]] = defaultdict(list)
    for row in database.read(catalogue.get("told_relations")):
        if known.isdisjoint(map(_document, row["evidence"])):
            found[row["relation"]].append(row)
    chance = Random(seed)  # noqa: S311 # not for secrets
    drawn = [row for _, rows in sorted(found.items()) for row in chance.sample(rows, min(each, len(rows)))]
    places = database.read(catalogue.get("told_places"), roles=_ROLES, rows=drawn)
    best = {(row["head"], row["relation"], row["tail"]): row for row in places}
    lines = [
        [_cell(cells[name]) for name in _DRAWN]
        for row in drawn
        if (place := best.get((row["head"], row["relation"], row["tail"])))
        and (cells := row | place | {"right": "", "sentence": _sentence(place)})
    ]
    write_whole(path, "\n".join(["\t".join(row) for row in (_DRAWN, *lines)] + [""]).encode())
    return len(lines)


def _cell(value: object) -> str:
    return " ".join(str(value).split())


def _document(section: str) -> str:
    return section.partition("#")[0]


def _sentence(place: Row) -> str:
    """Give the sentence of a mention, which stands in two brackets, and the one before."""
    text, start, end = place["text"], place["start"], place["end"]
    spans = [span for span in sentences(text) if span[0] <= start]
    begin = max(spans[-2][0] if len(spans) > 1 else 0, start - _AROUND)
    stop = min(max(end, spans[-1][1] if spans else end), end + _AROUND)
    return f"{text[begin:start]}[[{text[start:end]}]]{text[end:stop]}"


def measure_labelled(path: Path) -> list[Row]:
    """Measure how many drawn relations are right, by type, and by score.

    Args:
        path: What `draw` wrote, with `yes` or `no` in its column `right`.

    Returns:
        A row a type, and a row a bin of scores: how many, the share that is right, and the mean score.

    Raises:
        SourceFileError: The table cannot be read, or a row is not labelled.
    """
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
