"""Tries mappings out: their mistakes, and what they would make of a table, without a database."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Final

from ...errors import SourceFileError
from ...schema import licences
from ..base import Item, Reject, Remark, Row
from ..judged import judged_values
from .source import check, from_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from ...schema.records import Record

    Foretell = Callable[[Iterable[Item], str], Iterator[Item]]

MOST: Final = 1000  # rejects, and remarks, that are listed; all are counted
_KINDS: Final = {"Entity": "entities", "Relation": "relations", "Document": "documents"}


@dataclass(frozen=True, slots=True)
class Finding:
    """Something to mend or to look at, at a line of the mapping or the table."""

    file: str
    line: int
    text: str

    @property
    def where(self) -> str:
        """The file, and the line where it is of one."""
        return f"{self.file}:{self.line}" if self.line else self.file


@dataclass(frozen=True, slots=True)
class Shown:
    """A record that a line of the table would give, without what it leaves open."""

    line: int
    record: dict[str, Any]


@dataclass(slots=True)
class Checked:
    """What a mapping would make of a table.

    The mapping's faults, or the table's; counts and the first records by kind (`entities`, `relations`, `documents`);
    how many would be rejected, with the first; and how many relations wait for entities that the table does not bring,
    which a graph may have. There is no source where the mapping is too broken to tell.
    """

    source: str | None = None
    faults: list[Finding] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    records: dict[str, list[Shown]] = field(default_factory=dict)
    rejected: int = 0
    rejects: list[Finding] = field(default_factory=list)
    remarks: list[Finding] = field(default_factory=list)
    waiting: int = 0
    lacking: list[Finding] = field(default_factory=list)


def try_out(file: Path, table: Path | None = None, show: int = 5, foretell: Foretell | None = None) -> Checked:
    """Check a mapping, and what it makes of a table; `foretell` rejects what a load would reject."""
    checked = Checked()
    try:
        form, faults = check(file)
        checked.faults = [Finding(str(file), line, text) for line, text in faults]
        if form is not None:
            checked.source = form.info.id
            if not licences.identifier(form.info.licence):
                lines = enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
                line = next((number for number, text in lines if form.info.licence in text), 1)
                checked.remarks.append(Finding(str(file), line, licences.no_expression(form.info.licence)))
            table = table or (file if form.graph else None)
            if table is not None:
                items = judged_values(from_file(file).records(table), form.info)
                _check_items(checked, foretell(items, form.info.id) if foretell else items, show)
    except SourceFileError as error:
        where = str(error.path)
        text = str(error).removeprefix(f"{where}:{error.line}: ").removeprefix(f"{where}: ")
        checked.faults.append(Finding(where, error.line or 1, text))
    return checked


def _check_items(checked: Checked, items: Iterable[Item], show: int) -> None:
    for item in items:
        if isinstance(item, Row):
            kind = _KINDS[type(item.record).__name__]
            count = checked.counts[kind] = checked.counts.get(kind, 0) + 1
            if count <= show:
                checked.records.setdefault(kind, []).append(Shown(item.line, plain(item.record)))
        elif isinstance(item, Remark):
            _list(checked.remarks, item, item.text)
        elif item.lacks:
            checked.waiting += 1
            _list(checked.lacking, item, item.reason)
        else:
            checked.rejected += 1
            _list(checked.rejects, item, item.reason)


def _list(listed: list[Finding], item: Reject | Remark, text: str) -> None:
    if len(listed) < MOST:
        listed.append(Finding(item.file, item.line, text))


def plain(record: Record) -> dict[str, Any]:
    """Give the attributes of a record that have not their default value, as plain data."""
    said = ((attribute, getattr(record, attribute.name)) for attribute in fields(record))
    return {attribute.name: _plain(value) for attribute, value in said if value != attribute.default}


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    return plain(value) if hasattr(value, "__dataclass_fields__") else value
