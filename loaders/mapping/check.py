"""What a mapping would make of a table, without a database."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Final

from ...errors import SourceFileError
from ..base import Reject, Row
from . import source

if TYPE_CHECKING:
    from pathlib import Path

    from ...schema.records import Record
    from ..base import Remark

MOST: Final = 1000
"""Rejects, and remarks, that are listed; all are counted."""

_KINDS: Final = {"Entity": "entities", "Relation": "relations", "Document": "documents"}


def check(file: Path, table: Path | None = None, show: int = 5) -> dict[str, Any]:
    """Check a mapping, and what it makes of a table.

    Args:
        file: The mapping.
        table: The table; None to check the mapping alone.
        show: How many records of each kind to give.

    Returns:
        The source's id, the mapping's faults, and for a table the counts of records, the first of each kind, how many
        were rejected, and the first rejects and remarks; each with file, line and text.
    """
    found: dict[str, Any] = {"source": None, "faults": [], "counts": {}, "records": {}}
    found |= {"rejected": 0, "rejects": [], "remarks": []}
    try:
        form, faults = source.check(file)
        found["faults"] = [{"file": str(file), "line": line, "text": text} for line, text in faults]
        if form is not None:
            found["source"] = form.info.id
            if table is not None:
                _read(found, file, table, show)
    except SourceFileError as error:
        where = str(error.path)
        text = str(error).removeprefix(f"{where}:{error.line}: ").removeprefix(f"{where}: ")
        found["faults"].append({"file": where, "line": error.line or 1, "text": text})
    return found


def _read(found: dict[str, Any], file: Path, table: Path, show: int) -> None:
    counts: Counter[str] = Counter()
    try:
        for item in source.from_file(file).records(table):
            if isinstance(item, Row):
                kind = _KINDS[type(item.record).__name__]
                counts[kind] += 1
                if counts[kind] <= show:
                    found["records"].setdefault(kind, []).append({"line": item.line, "record": plain(item.record)})
                continue
            listed = found["rejects" if isinstance(item, Reject) else "remarks"]
            found["rejected"] += isinstance(item, Reject)
            if len(listed) < MOST:
                listed.append(_told(item))
    finally:
        found["counts"] = dict(counts)


def _told(item: Reject | Remark) -> dict[str, Any]:
    return {"file": item.file, "line": item.line, "text": item.reason if isinstance(item, Reject) else item.text}


def plain(record: Record) -> dict[str, Any]:
    """Give what a record says, without what it leaves open.

    Args:
        record: The record.

    Returns:
        Its attributes that have not their default value, as plain data.
    """
    said = ((field, getattr(record, field.name)) for field in fields(record))
    return {field.name: _plain(value) for field, value in said if value != field.default}


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    return plain(value) if hasattr(value, "__dataclass_fields__") else value
