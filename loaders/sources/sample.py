"""The sample that ships with medgraph: common conditions, described in its own words.

It lets people try every command without fetching anything, and is small enough to read. Its folder's README says how
its concepts were checked.
"""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TextIO

from ...errors import RecordError, SourceFileError
from ...schema.records import Document, Entity, Relation, Section
from ..base import INFOS, Item, Reject, Row, Source
from ..files.cell_values import slug

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


INFO: Final = INFOS["sample"]

_FOLDER: Final = Path(__file__).parent / "sample_files"


def records(path: Path) -> Iterator[Item]:
    """Read the folder: entities, is-a relations and those between them, then a document a condition."""
    conditions = list(_conditions(path))
    tree, related = list(_table(path / "tree.tsv")), list(_table(path / "relations.tsv"))
    known = {data["id"] for _, data in conditions}
    for number, data in conditions:
        yield _row(path / "conditions.jsonl", number, _entity, data)
    groups = {row["id"]: (number, row) for number, row in tree if row["id"] not in known}
    for number, row in groups.values():
        yield _row(path / "tree.tsv", number, _group, row)
    ids = {data["title"]: data["id"] for _, data in conditions}
    things = {row["object"]: (number, row) for number, row in related}
    for number, row in things.values():
        yield _row(path / "relations.tsv", number, _thing, row)
    for number, row in tree:
        if row["parent"]:
            yield _row(path / "tree.tsv", number, _is_a, row)
    for number, row in related:
        subject = ids.get(row["subject"]) or slug(row["subject"])
        yield _row(path / "relations.tsv", number, _related, row | {"subject": subject})
    for number, data in conditions:
        yield _row(path / "conditions.jsonl", number, _document, data)


SOURCE: Final = Source(
    INFO, records, lambda path: sum(1 for _ in _conditions(path)), order=50, unit="document", packaged=_FOLDER
)


def _conditions(folder: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    return _numbered_rows(folder / "conditions.jsonl", 1, lambda file: map(json.loads, file))


def _table(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    return _numbered_rows(path, 2, lambda file: csv.DictReader(file, delimiter="\t"))


def _numbered_rows(
    path: Path, first: int, parse: Callable[[TextIO], Iterable[dict[str, Any]]]
) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        with path.open(encoding="utf-8", newline="") as file:
            yield from enumerate(parse(file), first)
    except (OSError, ValueError) as error:
        raise SourceFileError(f"cannot be read: {error}", path) from error


def _row(path: Path, number: int, make: Any, data: dict[str, Any]) -> Item:
    try:
        return Row(make(data), str(path), number)
    except (KeyError, RecordError) as error:
        return Reject(str(path), number, str(error))


def _entity(data: dict[str, Any]) -> Entity:
    return Entity(
        id=f"sample:{data['id']}",
        label=data["category"],
        name=data["title"],
        synonyms=tuple(data["synonyms"]),
        concepts=(data["cui"],),
        semantic_types=tuple(data["semantic_types"]),
    )


def _group(row: dict[str, str]) -> Entity:
    concepts = (row["cui"],) if row["cui"] else ()
    return Entity(id=f"sample:{row['id']}", label="Disease", name=row["name"], concepts=concepts)


def _thing(row: dict[str, str]) -> Entity:
    return Entity(id=f"sample:{slug(row['object'])}", label=row["label"], name=row["object"])


def _related(row: dict[str, str]) -> Relation:
    subject, object_ = f"sample:{row['subject']}", f"sample:{slug(row['object'])}"
    return Relation(subject, row["type"], object_, predicate=row["words"])


def _is_a(row: dict[str, str]) -> Relation:
    return Relation(f"sample:{row['id']}", "IS_A", f"sample:{row['parent']}")


def _document(data: dict[str, Any]) -> Document:
    document_id = f"sample:{data['id']}"
    return Document(
        id=document_id,
        title=data["title"],
        sections=tuple(
            Section(f"{document_id}#{number}", part["text"], part["type"], part["heading"], part["question"])
            for number, part in enumerate(data["sections"], 1)
        ),
        about=(document_id,),
        aliases=tuple(data["synonyms"]),
    )
