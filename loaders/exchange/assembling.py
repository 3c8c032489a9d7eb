"""Shared parts of the exchange-format loaders: assembles documents, and identifies a file's source."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ...errors import RecordError
from ...schema.exchange.flat import restore
from ...schema.records import SourceInfo
from ..base import Reject, Row

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...schema.exchange.flat import Flat
    from ...schema.records import Question, Section
    from ..base import Item


def info_of(default: SourceInfo, sources: Sequence[SourceInfo], name: str) -> SourceInfo:
    """Tell which source an export is.

    Args:
        default: What holds where nothing else is known.
        name: The file's name without what tells its form.

    Returns:
        Its only source; otherwise one that is called after the file, under the licences of all of them.
    """
    if len(sources) == 1:
        return sources[0]
    word = re.sub(r"[^a-z0-9_-]+", "-", name.lower()).strip("-_")[:60] or default.id
    licences = " AND ".join(sorted({source.licence for source in sources})) or default.licence
    return replace(default, id=word, title=name or default.title, licence=licences, url="")


def without_only(items: Iterator[Item], sources: Sequence[SourceInfo]) -> Iterator[Item]:
    """Take an export of one source for that source itself, which has no part.

    Yields:
        The items; if there is one source, without what announces it, and its rows without its id.
    """
    only = sources[0].id if len(sources) == 1 else None
    for item in items:
        if only is None or not isinstance(item, Row):
            yield item
        elif not isinstance(item.record, SourceInfo):
            yield replace(item, source="" if item.source == only else item.source)


@dataclass(slots=True)
class Assembler:
    """Takes things in the order of the file, and hands out documents.

    Attributes:
        file: The file that they are from.
    """

    file: str
    _document: Flat | None = None
    _line: int = 0
    _source: str = ""
    _sections: list[Section] = field(default_factory=list)
    _questions: list[Question] = field(default_factory=list)
    _faults: list[str] = field(default_factory=list)

    def add(self, flat: Flat, source: str, line: int) -> Iterator[Item]:
        """Take a document, section or question.

        Yields:
            The document before, once another begins; a reject for what belongs to none.
        """
        if flat.kind == "document":
            yield from self.finish()
            self._document, self._line, self._source = flat, line, source
            return
        owner = flat.values.get("document")
        if self._document is None or self._document.values.get("id") != owner:
            reason = f"belongs to the document {str(owner)[:60]!r}, which is not the one before it"
            yield Reject(self.file, line, f"the {flat.kind} {reason}; keep the order of the file")
            return
        try:
            (self._sections if flat.kind == "section" else self._questions).append(restore(flat))
        except RecordError as error:
            self._faults.append(f"line {line}: {error}")

    def finish(self) -> Iterator[Item]:
        """Hand out the last document.

        Yields:
            A row with it, or a reject where it or a part of it cannot be stored.
        """
        document, self._document = self._document, None
        if document is None:
            return
        fault = self._faults[0] if self._faults else ""
        try:
            record = restore(document, self._sections, self._questions)
        except RecordError as error:
            fault = fault or str(error)
        if fault:
            yield Reject(self.file, self._line, f"the document {str(document.values.get('id', ''))[:60]!r}: {fault}")
        else:
            yield Row(record, self.file, self._line, self._source)
        self._sections, self._questions, self._faults = [], [], []
