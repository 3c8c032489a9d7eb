"""Mappings of the graph as a table of SSSOM, with its metadata in front."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ..files import writing_whole
from ..schema import licences, prefixes
from ..schema.exchange import sssom
from ..schema.exchange.statements import apart
from ..schema.exchange.table_cells import guard
from ..schema.vocabulary import ENTITY_LABELS
from .kgx import Spool

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path
    from typing import TextIO

    from ..schema.records import Relation, SourceInfo, Value

_TITLE: Final = "Mappings of "
_QUOTED: Final = re.compile('[\t\n\r"]')
_PARTS: Final = re.compile(r"([a-z][a-z0-9+.-]*://.*[/#])(.+)")
_BASES: Final = {prefix: base for prefix, (base,) in sssom.TABLE["base"].items()}


@dataclass(frozen=True, slots=True)
class Mapping:
    """A mapping with what its ends are called."""

    source: str
    relation: Relation
    subject: tuple[str, str] = ("", "")  # label and name of its subject; empty where the graph does not know it
    object: tuple[str, str] = ("", "")  # label and name of its object; empty where the graph does not know it
    negated: bool = False  # whether it says that it is not so


def write(path: Path, sources: Sequence[SourceInfo], mappings: Iterable[Mapping], *, force: bool = False) -> list[str]:
    """Write a set of mappings, replacing a file that is there where `force` says so.

    Returns:
        What the file cannot say: a line for mappings with an id that has no prefix, one for prefixes that nobody
        declares, and one for a licence without an address.
    """
    left_out, known = 0, _Prefixes(sources)
    hints: dict[str, set[str]] = {}
    with Spool() as spool, writing_whole([path], force=force) as (file,):
        for mapping in mappings:
            ends = (mapping.relation.subject, mapping.relation.object)
            if not all(prefix and local for prefix, _, local in (end.partition(":") for end in ends)):
                left_out += 1
                continue
            for row, others in _rows(mapping, several=len(sources) > 1):
                for name, value in others.items():
                    hints.setdefault(name, set()).add(sssom.hint(value))
                spool.add(known.written(row) | others)
        # A column whose values are of several types holds JSON, which tells them apart.
        kinds = {name: found.pop() if len(found) == 1 else sssom.JSON for name, found in sorted(hints.items())}
        said = _metadata(file, sources, known.bases, kinds)
        _table(file, spool, kinds)
    if left_out:
        said = [f"{left_out:,} mappings were left out: an end of theirs has an id without a prefix", *said]
    if unknown := sorted(prefix for prefix, base in known.bases.items() if base.startswith(sssom.BASE)):
        names = ", ".join(unknown[:10]) + (" …" if unknown[10:] else "")
        said.append(f"what no source declares stands in the curie_map under {sssom.BASE}, as SSSOM asks: {names}")
    return said


def _table(file: TextIO, spool: Spool, kinds: dict[str, str]) -> None:
    names = [name for name in sssom.SLOTS if name in spool.columns or name in sssom.NEEDED] + list(kinds)
    file.write("\t".join(names) + "\n")
    for row in spool:
        row |= {name: sssom.extension(row[name], kind) for name, kind in kinds.items() if name in row}
        file.write("\t".join(_quoted(row.get(name, "")) for name in names) + "\n")


def _quoted(cell: str) -> str:
    """Quote a cell where it must be; the standard library leaves carriage returns alone."""
    return '"' + cell.replace('"', '""') + '"' if _QUOTED.search(cell) else cell


def _rows(mapping: Mapping, *, several: bool) -> Iterator[tuple[dict[str, str], dict[str, Value]]]:
    more = {"mapping_source": f"medgraph.source:{mapping.source}"} if several else {}
    for end, (label, name) in (("subject", mapping.subject), ("object", mapping.object)):
        if name:
            more |= {f"{end}_label": guard(name), f"{end}_category": ENTITY_LABELS.get(label, "")}
    if mapping.negated:
        more["predicate_modifier"] = "Not"
    for relation in apart(mapping.relation):
        row, others = sssom.to_row(relation)
        exact = {end: getattr(relation, end) for end in ("subject", "object")}
        others |= {f"ext_{end}_ID": text for end, text in exact.items() if sssom.encoded(text) != text}
        yield more | row, others


def _metadata(file: TextIO, sources: Sequence[SourceInfo], bases: dict[str, str], kinds: dict[str, str]) -> list[str]:
    import yaml

    name = "+".join(source.id for source in sources)
    bases |= {"medgraph.property": _BASES["medgraph.property"]} if kinds else {}
    licence = " AND ".join(sorted({source.licence for source in sources}))
    address = licences.address(licence)
    said: dict[str, Any] = {
        "curie_map": {prefix: base for prefix, base in sorted(bases.items()) if prefix not in sssom.BUILT_IN},
        "mapping_set_id": f"urn:medgraph:mappings-{name}"[:400],
        "mapping_set_version": "+".join(source.version for source in sources)[:400] or "unversioned",
        "mapping_set_title": _TITLE + ", ".join(source.title.removeprefix(_TITLE) for source in sources),
        "license": address,
        "other": sssom.OURS,
    }
    if not sssom.is_address(address):
        del said["license"]
    if kinds:
        said["extension_definitions"] = [
            {"slot_name": column, "property": sssom.EXTENSION + column.removeprefix("ext_"), "type_hint": kind}
            for column, kind in kinds.items()
        ]
    lines = yaml.safe_dump(said, sort_keys=False, width=1000).split("\n")
    file.writelines(f"#{line}\n" for line in lines if line)
    if "license" in said:
        return []
    return [f"the file names no licence: {licence or 'none'} is no single one with an address, which SSSOM asks for"]


class _Prefixes:
    """What the prefixes of an export stand for; addresses are shortened by the names that the sources' files gave."""

    def __init__(self, sources: Sequence[SourceInfo]) -> None:
        # Prefix → what its addresses begin with.
        self.bases = {"medgraph.source": _BASES["medgraph.source"]}
        self._own = prefixes.bases(text for source in sources for text in source.namespaces)
        said = (prefixes.bases([text]) for source in sources for text in source.namespaces)
        self._names = {base: prefix for one in said for prefix, base in one.items()}
        self._longest = sorted(self._names, key=len, reverse=True)
        self._made: dict[str, str] = {}

    def written(self, row: dict[str, str]) -> dict[str, str]:
        """Shorten the addresses in a row, and note what its prefixes stand for."""
        for name in sssom.REFERENCES & row.keys():
            if "://" in row[name]:
                row[name] = "|".join(map(self._short, sssom.items_of(name, row[name])))
        for prefix in sssom.prefixes_in(row) - self.bases.keys():
            self.bases[prefix] = _base(prefix, self._own.get(prefix, ""))
        return row

    def _short(self, address: str) -> str:
        if not (found := _PARTS.fullmatch(address)):
            return address
        declared = (base for base in self._longest if address.startswith(base) and len(address) > len(base))
        base = next(declared, found[1])
        if base not in self._made:
            wanted = name = self._names.get(base, "ns")
            number = 1
            while self.bases.get(name, base) != base or _base(name) not in {base, f"{sssom.BASE}{name}:"}:
                number += 1
                name = f"{wanted}{number}"
            self._made[base] = name
            self.bases[name] = base
        return f"{self._made[base]}:{address[len(base) :]}"


def _base(prefix: str, own: str = "") -> str:
    """Give the beginning of URIs for a prefix, one of our own where neither a source nor anybody else has it."""
    known = prefixes.uri(f"{prefix}:0")
    return _BASES.get(prefix) or (known[:-1] if known else own or sssom.base_of(f"{prefix}:"))
