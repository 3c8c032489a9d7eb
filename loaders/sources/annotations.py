"""Annotations: rows that say of one thing and a term what a reference shows, with its evidence; brought to relations.

Rows on the same two things become one relation. Its `evidence` are the references, its properties list what rows say,
and `statements` keeps what each row says together, such as `PMID:1; evidence_code PCS; frequency 1/2`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...errors import RecordError
from ...schema.records import Relation
from .. import polarity
from ..base import Reject, Remark, Row
from ..files.on_disk import grouped
from ..remarks import LeftOut

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..base import Item
    from ..files.on_disk import Part


@dataclass(frozen=True, slots=True)
class Annotation:
    """A row: key (subject, type, object, predicate), line, references, what else it says by property, and NOT."""

    key: tuple[str, str, str, str]
    line: int
    references: tuple[str, ...] = ()
    said: dict[str, str] = field(default_factory=dict)
    qualifier: str = ""


def relations(file: str, items: Iterable[Item | Annotation], unread: Sequence[str] = ()) -> Iterator[Item]:
    """Make relations of annotations.

    Args:
        items: Rows with entities, rejects and remarks, which go through; and annotations.
        unread: Columns that the reader passes over.

    Yields:
        What goes through, then relations in the order in which they are first stated, then remarks that count what is
        not read, and what is left out since the file denies it.
    """
    left_out = LeftOut()
    left_out.add(f"columns are not read ({', '.join(unread)})", "", file, 0, len(unread))

    def parts() -> Iterator[tuple[str, int, tuple[str, ...]] | Row | Reject | Remark]:
        for item in items:
            if not isinstance(item, Annotation):
                yield item
            elif why := polarity.denial(item.key[3], {**item.said, "qualifier": item.qualifier}):
                left_out.add(why, " ".join(filter(None, item.key)), file, item.line)
            else:
                said = {name: value for name, value in item.said.items() if value}
                yield json.dumps(item.key), item.line, (json.dumps(item.references), json.dumps(said))

    for item in grouped(parts()):
        yield _relation(file, *item) if isinstance(item, tuple) else item
    yield from left_out.remarks()


def _relation(file: str, key: str, parts: list[Part]) -> Item:
    evidence: dict[str, None] = {}
    properties: dict[str, dict[str, None]] = {}
    for _, (listed, written) in parts:
        references, said = json.loads(listed), json.loads(written)
        evidence.update(dict.fromkeys(references))
        for name, value in said.items():
            properties.setdefault(name, {})[value] = None
        if together := "; ".join([", ".join(references), *(f"{name} {value}" for name, value in said.items())]):
            properties.setdefault("statements", {})[together.removeprefix("; ")] = None
    every = tuple((name, tuple(values)) for name, values in sorted(properties.items()))
    subject, kind, target, predicate = json.loads(key)
    try:
        record = Relation(subject, kind, target, predicate, evidence=tuple(evidence), properties=every)
        return Row(record, file, parts[0][0])
    except RecordError as error:
        return Reject(file, parts[0][0], str(error))
