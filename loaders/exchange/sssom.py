"""SSSOM: mappings between vocabularies as a table, JSON or RDF (mapping-commons.github.io/sssom).

Mappings become relations: SKOS's predicates and the like become matches, others `RELATED_TO` with their predicate. What
a mapping calls its ends is yielded as entities of the lowest rank, so that a word from a vocabulary itself goes before
it; an end without a name adds to the entity that is there, or is a stub until one comes. An end that is a concept of
the UMLS is what the other one stands for, if they match exactly. Mappings of one triple, such as have several
justifications, become one relation that says what all of them say. What is valid and no relation is remarked: a mapping
to a text, one that says what is not so, or that there is no term.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from ...errors import RecordError, SourceFileError
from ...schema import licences, prefixes
from ...schema.checks import check_id
from ...schema.exchange import sssom
from ...schema.exchange.flat import sorted_properties
from ...schema.records import UMLS, Entity, Properties, Relation, SourceInfo, Value
from .. import polarity
from ..base import INFOS, Item, Reject, Remark, Row, Source
from ..mending import LeftOut, Remarks, finite, salvaged, storable
from . import sssom_rows
from .assembling import label_of, united

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from .sssom_rows import Cells

INFO: Final = INFOS["sssom"]

_ENDS: Final = ("subject", "object")
_OF_ENDS: Final = ("label", "category")
_NO_TERM: Final = {"sssom:NoTermFound", "https://w3id.org/sssom/NoTermFound"}
_EXACT: Final = "EXACT_MATCH"
_LITERAL: Final = "rdfs literal"
_NAME: Final = re.compile(r"\.(tsv|csv|json|jsonld|ttl|rdf|owl|nt|xml)(\.gz)?$", re.IGNORECASE)
# What is read of what a file says of all its mappings
_READ_OF_SETS: Final = {
    *("curie_map", "extension_definitions", "license", "sssom_version", "@type", "other"),
    *(f"mapping_set_{word}" for word in ("id", "title", "version")),
    *sssom.SHARED,
}
_READ: Final = {*sssom.NEEDED, "predicate_modifier", *(f"{end}_{what}" for end in _ENDS for what in _OF_ENDS)}


def records(path: Path) -> Iterator[Item]:
    """Read a set of mappings; a table has its metadata in front or in a file beside it."""
    reader = _Reader(path)
    yield from united(reader.gather(), reader.items())


def describe(path: Path) -> SourceInfo:
    """Tell which set of mappings a file is, as far as its metadata say."""
    header = sssom_rows.header(path)
    set_id = header.text("mapping_set_id")
    name = re.split(r"[/#]", set_id.rstrip("/"))[-1] or path.name
    ending = r"(\.sssom)?(\.(tsv|csv|txt|json|jsonld|ttl|rdf|owl|nt|xml))?(\.gz)?$"
    name = re.sub(ending, "", name.removeprefix("urn:medgraph:"))
    return replace(
        INFO,
        id=re.sub(r"[^a-z0-9_-]+", "-", name.lower()).strip("-_")[:60] or INFO.id,
        title=(header.text("mapping_set_title") or name or INFO.title)[:500],
        version=header.text("mapping_set_version")[:500] or INFO.version,
        licence=licences.spdx(header.text("license"))[:500] or INFO.licence,
        url=set_id[:500] if set_id.startswith("http") else "",
        namespaces=prefixes.own(header.prefixes),
    )


def recognise(path: Path) -> bool:
    """Tell whether a file is a table, JSON or RDF that begins like a set of mappings."""
    if not _NAME.search(path.name) or not path.is_file():
        return False
    try:
        return sssom_rows.looks_right(path)
    except SourceFileError:
        return False


SOURCE: Final = Source(INFO, records, order=32, describe=describe, recognise=recognise, beside=sssom_rows.header_file)


@dataclass(frozen=True, slots=True)
class _Mapping:
    """A mapping as a file has it: its ends, and its predicate, as written and by the prefixes that it explains."""

    row: Cells
    line: int
    written: list[str]
    ends: list[str]
    predicate: str

    def cell(self, column: str) -> str:
        return self.row.get(column, "").strip()

    def __str__(self) -> str:
        ends = [id_ or repr(self.row.get(f"{end}_label", "")) for end, id_ in zip(_ENDS, self.written, strict=True)]
        return " ".join(text[:100] for text in (ends[0], self.row.get("predicate_id", ""), ends[1]))


class _Reader:
    def __init__(self, path: Path) -> None:
        self._remarks = Remarks()
        self._left_out = LeftOut()
        self._path = path
        # Hashes of the ids that some mapping gives a name; by id, CUIs of what stands for concepts, and how they came
        # about; hashes of the ids that were yielded, with those of their names.
        self._named: set[int] = set()
        self._concepts: dict[str, dict[str, str]] = {}
        self._seen: dict[int, int] = {}
        self._header = sssom_rows.header(path)
        self._ours = self._header.text("other") == sssom.OURS
        # What is said of the whole set holds for its mappings, unless some of them speak for themselves.
        self._shared: Cells = {name: text for name in sssom.SHARED if (text := self._header.text(name))}

    def mappings(self) -> Iterator[_Mapping | Reject]:
        for item in sssom_rows.rows(self._path, self._header):
            if isinstance(item, Reject):
                yield item
                continue
            line, row = item
            for name in self._shared.keys() & row.keys():
                del self._shared[name]
            row = {name: cell for name, cell in row.items() if cell}
            row = self._ours_of(row) if self._ours else row
            *written, predicate = (row.get(name, "").strip() for name in ("subject_id", "object_id", "predicate_id"))
            if self._ours:
                yield _Mapping(row, line, written, written, sssom.restored(predicate, self._header.prefixes))
            else:
                subject, target, predicate = (self._header.curie(text) or text for text in (*written, predicate))
                yield _Mapping(row, line, written, [subject, target], predicate)

    def _ours_of(self, row: Cells) -> Cells:
        """Read a row of an export: without marks in front of cells, with ids as the graph had them."""
        row = {name: cell.removeprefix("'") for name, cell in row.items()}
        for end in _ENDS:
            written = sssom.restored(row.get(f"{end}_id", ""), self._header.prefixes)
            row[f"{end}_id"] = row.pop(f"ext_{end}_ID", written)
        return row

    def gather(self) -> Iterator[list[str]]:
        """Yield the ids of the ends of each mapping; note which have names, and which stand for concepts."""
        for mapping in self.mappings():
            if isinstance(mapping, Reject):
                continue
            named = zip(_ENDS, mapping.ends, strict=True)
            self._named |= {hash(one) for end, one in named if mapping.cell(f"{end}_label")}
            if pair := self._concept(mapping):
                self._concepts.setdefault(pair[0], {})[pair[1]] = mapping.cell("mapping_justification")
            yield mapping.ends

    def items(self) -> Iterator[Item]:
        """Yield the ends of all mappings, then the mappings; both were looked through before."""
        for mapping in self.mappings():
            if not isinstance(mapping, Reject):
                yield from self._entities(mapping)
        for mapping in self.mappings():
            if isinstance(mapping, Reject):
                yield mapping
                continue
            try:
                yield from self._stated(mapping)
            except RecordError as error:
                yield Reject(str(self._path), mapping.line, f"{mapping}: {error}")
            yield from self._remarks.take()
        for name, value in self._header.said.items():
            if name not in _READ_OF_SETS and value:
                what = f"{name[:60]} of the set of mappings is not read"
                self._left_out.add(what, str(value)[:200], str(self._path), 1)
        yield from self._left_out.remarks()

    def _entities(self, mapping: _Mapping) -> Iterator[Item]:
        """Yield the ends of a mapping, each once: by its name if any mapping gives it one."""
        whole = _is_whole(mapping) and all(self._is_id(mapping, end) for end in _ENDS)
        alone = bool(self._no_relation(mapping)) or not whole
        for end, written in zip(_ENDS, mapping.written, strict=True):
            if not written or written in _NO_TERM or self._is_text(mapping, end):
                continue
            if not self._is_id(mapping, end):
                continue
            name, entity_id = mapping.row.get(f"{end}_label", ""), mapping.ends[_ENDS.index(end)]
            aside = UMLS.fullmatch(entity_id) and self._concept(mapping)  # it says what the other end stands for
            if not name.strip() and (alone or hash(entity_id) in self._named or aside):
                continue
            known = self._seen.get(hash(entity_id))
            self._seen.setdefault(hash(entity_id), hash(name))
            category = mapping.row.get(f"{end}_category", "")
            if known is None and (entity := self._entity(entity_id, name, category)) is not None:
                yield Row(entity, str(self._path), mapping.line)
            elif known not in {None, hash(name)}:
                said = f"{entity_id} has several names; the first one is taken"
                self._remarks.add(f"names {entity_id}", str(self._path), mapping.line, said)

    def _concept(self, mapping: _Mapping) -> tuple[str, str] | None:
        """Give the end of a mapping that stands for a concept of the UMLS, and its CUI; None where neither does."""
        # Our own exports write concepts as cross-references, and relations as what they are.
        if self._ours or self._no_relation(mapping) or sssom.relation_type(mapping.predicate)[0] != _EXACT:
            return None
        subject, target = mapping.ends
        found = [UMLS.fullmatch(end) for end in mapping.ends]
        if not subject or not target or bool(found[0]) is bool(found[1]):
            return None
        return (target, found[0][1]) if found[0] else (subject, str(found[1] and found[1][1]))

    def _stated(self, mapping: _Mapping) -> Iterator[Item]:
        """Yield the relation that a mapping is, or a remark on why it is none."""
        file, line = str(self._path), mapping.line
        if self._concept(mapping):
            self._method(mapping)
        elif why := polarity.denial(mapping.predicate, mapping.row):
            self._left_out.add(why, str(mapping), file, line)
        elif why := self._no_relation(mapping):
            said = f"{mapping} {why}, which the graph does not hold; left out"
            yield Remark(file, line, said, f"mappings of which each {why}", 1, str(mapping))
        else:
            yield Row(self._relation(mapping), file, line)

    def _no_relation(self, mapping: _Mapping) -> str:
        if why := polarity.denial(mapping.predicate, mapping.row):
            return why
        if not _NO_TERM.isdisjoint(mapping.written):
            return "says that there is no term (sssom:NoTermFound)"
        return "maps a text" if any(self._is_text(mapping, end) for end in _ENDS) else ""

    def _is_text(self, mapping: _Mapping, end: str) -> bool:
        name = f"{end}_type"
        return (mapping.row.get(name) or self._shared.get(name, "")).strip() == _LITERAL

    def _is_id(self, mapping: _Mapping, end: str) -> bool:
        return self._ours or prefixes.is_id(mapping.ends[_ENDS.index(end)])

    def _entity(self, entity_id: str, name: str, category: str) -> Entity | None:
        itself = UMLS.fullmatch(entity_id)
        stands = {itself[1]: ""} if itself else self._concepts.get(entity_id, {})
        methods = tuple(sorted({method for method in stands.values() if method}))
        properties: Properties = (("concept_methods", methods),) if methods else ()
        named = (label_of([category], entity_id), name) if name.strip() else ("", "")
        try:
            return Entity(entity_id, *named, concepts=tuple(sorted(stands)), properties=properties)
        except RecordError:
            return None  # the mapping is rejected for the same reason, if its id is to blame

    def _relation(self, mapping: _Mapping) -> Relation:
        for name in ("subject_id", "predicate_id", "object_id"):
            if not mapping.cell(name):
                raise RecordError(f"the mapping has no {name}; give it one")
        for end in _ENDS:
            if not self._is_id(mapping, end):
                cell = mapping.cell(f"{end}_id")[:60]
                raise RecordError(f"{end}_id is {cell!r}, no id such as DOID:13189 and no address; is it a label?")
        kind, predicate = sssom.relation_type(mapping.predicate)
        if kind == "RELATED_TO" and predicate:
            why = f"the predicate {predicate[:60]!r} is none that the graph has a type for; it is kept as {kind}"
            self._remarks.add(why, str(self._path), mapping.line, why)
        properties, score = self._attributes(self._shared | mapping.row, mapping.line)
        extra, number = properties.pop("predicate", ""), properties.pop("score", score)
        method = properties.pop("method", "") or self._method(mapping)
        evidence = properties.pop("evidence", ())
        said = {
            "subject": mapping.ends[0],
            "type": kind,
            "object": mapping.ends[1],
            "predicate": predicate or str(extra),
            "method": str(method),
            "evidence": evidence if isinstance(evidence, tuple) else (str(evidence),),
            "score": number if isinstance(number, float) else None,
            "properties": sorted_properties(properties),
        }
        relation, lost = salvaged(Relation, said)
        for what in lost:
            left = f"{what}; it is left out, the rest of the mapping is kept"
            self._remarks.add(what, str(self._path), mapping.line, left)
        return relation

    def _method(self, mapping: _Mapping) -> str:
        text = mapping.cell("mapping_justification")
        if not text:
            said = f"mappings have no mapping_justification; {sssom.UNSPECIFIED} stands for it"
        elif text not in sssom.JUSTIFICATIONS:
            said = f"the mapping_justification {text[:60]!r} is none of SSSOM's; it is kept as it is written"
        else:
            return text
        self._remarks.add(f"justification {text}", str(self._path), mapping.line, said)
        return text or sssom.UNSPECIFIED

    def _attributes(self, row: Cells, line: int) -> tuple[dict[str, Value], float | None]:
        score: float | None = None
        properties: dict[str, Value] = {}
        names = {column: pair[0] for column, pair in self._header.extensions.items()}
        for column, cell in row.items():
            if column == "confidence" and (score := finite(cell)) is not None:
                continue
            if column == "confidence":
                properties[column] = cell
                said = f"the confidence {cell[:60]!r} is not a number as 0.9 is one; it is kept as a text"
                self._remarks.add(said, str(self._path), line, said)
            elif column not in _READ:
                key = sssom.property_name(column, names)
                if column not in sssom.SLOTS and column not in names:
                    said = f"the column {column[:60]!r} is none of SSSOM's; it is stored as {key!r}"
                    self._remarks.add(f"column {column}", str(self._path), line, said)
                value = sssom.of_cell(column, cell, self._header.extensions.get(column, ("", ""))[1])
                properties[key] = storable(self._in_full(value) if column in sssom.REFERENCES else value)
        return properties, score

    def _in_full(self, value: Value) -> Value:
        of = self._header.reference
        return tuple(map(of, value)) if isinstance(value, tuple) else of(value) if isinstance(value, str) else value


def _is_whole(mapping: _Mapping) -> bool:
    """Tell whether a mapping has a predicate, and two ends that can be entities."""
    try:
        for end in mapping.ends:
            check_id(end)
    except RecordError:
        return False
    return bool(mapping.cell("predicate_id"))
