"""Mappings of the graph as a table of SSSOM, with its metadata in front."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ..files import writing_whole
from ..schema import licences, prefixes
from ..schema.exchange import sssom
from ..schema.exchange.table_cells import guard
from ..schema.vocabulary import ENTITY_LABELS
from .spool import Spool

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path
    from typing import TextIO

    from ..schema.records import Relation, SourceInfo, Value

_BUILT_IN: Final = frozenset({"owl", "rdf", "rdfs", "semapv", "skos", "sssom", "xsd", "linkml"})
_QUOTED: Final = re.compile('[\t\n\r"]')
_BASES: Final = {
    "biolink": "https://w3id.org/biolink/vocab/",
    "medgraph.property": "urn:medgraph:property:",
    "medgraph.source": "urn:medgraph:source:",
    "oboInOwl": "http://www.geneontology.org/formats/oboInOwl#",
}


@dataclass(frozen=True, slots=True)
class Mapping:
    """A mapping with what its ends are called.

    Attributes:
        source: The id of the source that states it.
        relation: The mapping itself.
        subject: Label and name of its subject; empty where the graph does not know it.
        object: Label and name of its object; empty where the graph does not know it.
    """

    source: str
    relation: Relation
    subject: tuple[str, str] = ("", "")
    object: tuple[str, str] = ("", "")


def write(path: Path, sources: Sequence[SourceInfo], mappings: Iterable[Mapping], *, force: bool = False) -> int:
    """Write a set of mappings.

    Args:
        path: The file, `.sssom.tsv` by custom.
        sources: The sources that state them.
        mappings: The mappings.
        force: Replace a file that is there.

    Returns:
        How many were left out, since an end of theirs has an id that is no CURIE.

    Raises:
        InputError: The file cannot be written; what was there is there still.
    """
    left_out, used = 0, {"medgraph.source"}
    hints: dict[str, set[str]] = {}
    with Spool() as spool, writing_whole([path], force=force) as (file,):
        for mapping in mappings:
            ends = (mapping.relation.subject, mapping.relation.object)
            if not all(prefix and local for prefix, _, local in (end.partition(":") for end in ends)):
                left_out += 1
                continue
            row, others = _row(mapping, several=len(sources) > 1)
            for name, value in others.items():
                hints.setdefault(name, set()).add(sssom.hint(value))
            used.update(row[name].partition(":")[0].removeprefix("'") for name in sssom.NEEDED)
            spool.add(row | others)
        # A column whose values are of several types holds JSON, which tells them apart.
        kinds = {name: found.pop() if len(found) == 1 else sssom.JSON for name, found in sorted(hints.items())}
        _metadata(file, sources, used, kinds)
        _table(file, spool, kinds)
    return left_out


def _table(file: TextIO, spool: Spool, kinds: dict[str, str]) -> None:
    names = [name for name in sssom.SLOTS if name in spool.columns or name in sssom.NEEDED] + list(kinds)
    file.write("\t".join(names) + "\n")
    for row in spool:
        row |= {name: sssom.extension(row[name], kind) for name, kind in kinds.items() if name in row}
        file.write("\t".join(_quoted(row.get(name, "")) for name in names) + "\n")


def _quoted(cell: str) -> str:
    """Quote a cell where it must be; the standard library leaves carriage returns alone."""
    return '"' + cell.replace('"', '""') + '"' if _QUOTED.search(cell) else cell


def _row(mapping: Mapping, *, several: bool) -> tuple[dict[str, str], dict[str, Value]]:
    row, others = sssom.to_row(mapping.relation)
    for end, (label, name) in (("subject", mapping.subject), ("object", mapping.object)):
        if name:
            row |= {f"{end}_label": guard(name), f"{end}_category": ENTITY_LABELS.get(label, "")}
    return row | ({"mapping_source": f"medgraph.source:{mapping.source}"} if several else {}), others


def _metadata(file: TextIO, sources: Sequence[SourceInfo], used: set[str], kinds: dict[str, str]) -> None:
    import yaml

    name = "+".join(source.id for source in sources)
    used |= {"medgraph.property"} if kinds else set()
    known = {prefix: _base(prefix) for prefix in sorted(used - _BUILT_IN)}
    said: dict[str, Any] = {
        "curie_map": known,
        "mapping_set_id": f"urn:medgraph:mappings-{name}"[:400],
        "mapping_set_version": "+".join(source.version for source in sources)[:400] or "unversioned",
        "mapping_set_title": "Mappings of " + ", ".join(source.title for source in sources),
        "license": licences.address(" AND ".join(sorted({source.licence for source in sources}))),
        "other": sssom.OURS,
    }
    if kinds:
        said["extension_definitions"] = [
            {"slot_name": column, "property": sssom.EXTENSION + column.removeprefix("ext_"), "type_hint": kind}
            for column, kind in kinds.items()
        ]
    lines = yaml.safe_dump(said, sort_keys=False, width=1000).split("\n")
    file.writelines(f"#{line}\n" for line in lines if line)


def _base(prefix: str) -> str:
    """Give the beginning of URIs for a prefix, one of our own where nobody is known to have it."""
    return _BASES.get(prefix) or (prefixes.uri(f"{prefix}:0") or f"urn:medgraph:id:{prefix}:0")[:-1]
