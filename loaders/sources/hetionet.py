"""Hetionet 1.0: an integrative network of biology, by Himmelstein and others (github.com/hetio/hetionet, `hetnet/tsv`).

`hetionet-v1.0-nodes.tsv` has columns `id` (`Disease::DOID:1234`), `name` and `kind`; `hetionet-v1.0-edges.sif.gz`
has `source`, `metaedge` (`CtD`: Compound treats Disease) and `target`. The tables leave out which database an edge is
from; methods here are those that `describe/definitions.json` gives for a metaedge as a whole.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from ...errors import RecordError, SourceFileError
from ...files import table_cells
from ...schema.records import Entity, Relation
from ..base import INFOS, Item, Reject, Source, made
from ..files import cell_values, tables
from ..files.texts import tells_of_others
from ..mending import LeftOut

if TYPE_CHECKING:
    from collections.abc import Iterator


INFO: Final = INFOS["hetionet"]

_NODES: Final = ("id", "name", "kind")
_EDGES: Final = ("source", "metaedge", "target")


class _Kind(NamedTuple):
    label: str
    prefix: str
    local: re.Pattern[str]


_FOLDER: Final = Path(__file__).parent
_KINDS: Final = {
    kind: _Kind(label, prefix.strip("-"), re.compile(local))
    for _, (kind, label, prefix, local) in table_cells(_FOLDER / "hetionet_kinds.tsv", 4, "KIND, LABEL, PREFIX, FORM")
}
_METAEDGES: Final = {
    name: cells
    for _, (name, *cells) in table_cells(_FOLDER / "hetionet_edges.tsv", 5, "NAME, SOURCE, TYPE, TARGET, METHOD")
}


def records(path: Path) -> Iterator[Item]:
    """Read the folder with nodes and, where there are any, edges, or the file of nodes alone."""
    nodes, edges = _files(path)
    yield from cell_values.unread(nodes, _NODES)
    if edges:
        yield from cell_values.unread(edges, _EDGES, delimiter="\t")
    beside = {file for file in path.iterdir() if not tells_of_others(file)} - {nodes, edges} if path.is_dir() else ()
    if beside:
        yield from LeftOut.files([file.name for file in beside], str(path))
    for item in tables.read(nodes, _NODES):
        yield item if isinstance(item, Reject) else made(str(nodes), item[0], _node, item[1])
    for item in tables.read(edges, _EDGES, delimiter="\t") if edges else ():
        yield item if isinstance(item, Reject) else made(str(edges), item[0], _edge, item[1])


def _recognise(path: Path) -> bool:
    if path.is_dir():
        return len(_named(path, "nodes.tsv")) == 1
    row = cell_values.first_row(path)
    return set(row) == set(_NODES) and row["id"].startswith(f"{row['kind']}::")


SOURCE: Final = Source(INFO, records, order=24, recognise=_recognise)


def _files(path: Path) -> tuple[Path, Path | None]:
    if not path.is_dir():
        if ".sif" in path.name:
            raise SourceFileError("has edges alone; give the folder, with hetionet-v1.0-nodes.tsv beside it", path)
        return path, None
    nodes, edges = _named(path, "nodes.tsv"), _named(path, "edges.sif")
    if len(nodes) != 1 or len(edges) > 1:
        found = ", ".join(file.name for file in (*nodes, *edges)) or "neither"
        said = f"needs one hetionet-…-nodes.tsv, and at most one hetionet-…-edges.sif.gz, packed or not; has {found}"
        raise SourceFileError(said, path)
    return nodes[0], edges[0] if edges else None


def _named(folder: Path, ending: str) -> list[Path]:
    return sorted(file for file in folder.glob("hetionet-*") if file.name.removesuffix(".gz").endswith(ending))


def _node(row: dict[str, str]) -> Entity:
    kind, _, local = row["id"].partition("::")
    if kind != row["kind"]:
        raise RecordError(f"the id {row['id'][:80]!r} is not of the kind {row['kind'][:80]!r}; it begins with kind::")
    curie = _curie(row["id"])
    revision = _KINDS[kind].local.fullmatch(local)
    return Entity(
        id=curie,
        label=_KINDS[kind].label,
        name=row["name"].strip(),
        concepts=(local,) if kind == "Side Effect" else (),
        properties=(("wikipathways_revision", revision[2]),) if revision and kind == "Pathway" and revision[2] else (),
    )


def _edge(row: dict[str, str]) -> Relation:
    if row["metaedge"] not in _METAEDGES:
        raise RecordError(f"the metaedge {row['metaedge'][:80]!r} is not one of {', '.join(_METAEDGES)}")
    start, kind, end, method = _METAEDGES[row["metaedge"]]
    ends = (row["source"].partition("::")[0], row["target"].partition("::")[0])
    if ends != (start, end):
        kinds = f"from {start} to {end}"
        raise RecordError(f"{row['metaedge']} goes {kinds}, not from {ends[0][:80]!r} to {ends[1][:80]!r}")
    return Relation(_curie(row["source"]), kind, _curie(row["target"]), row["metaedge"], method)


@lru_cache(maxsize=100_000)
def _curie(node: str) -> str:
    """Give the CURIE of a node; what only Hetionet numbers stays its own."""
    kind, _, local = node.partition("::")
    known = _KINDS.get(kind)
    if known is None:
        raise RecordError(f"{node[:80]!r} is not of a kind that Hetionet has: {', '.join(_KINDS)}")
    found = known.local.fullmatch(local)
    if found is None:
        raise RecordError(f"{node[:80]!r} is no id of the kind {kind}, which look like {known.local.pattern}")
    if kind == "Pathway":
        return f"WIKIPATHWAYS:{found[1]}" if found[1] else f"hetionet:{local}"
    return known.prefix + local
