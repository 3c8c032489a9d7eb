"""The Mondo Disease Ontology as it is given out for graphs: a folder with its KGX graph and its mappings as SSSOM.

Both are one source. Who provided a node or an edge is a part of it, and so is each set of mappings.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ...schema.records import SourceInfo
from ..base import INFOS, Item, Row, Source
from . import kgx, sssom
from .kgx import NAME

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


INFO: Final = INFOS["mondo"]


def records(path: Path) -> Iterator[Item]:
    """Read a folder with `mondo_nodes.tsv`, `mondo_edges.tsv` and any number of `….sssom.tsv`, each a part."""
    graph = [found for file in path.iterdir() if (found := NAME.fullmatch(file.name))] if path.is_dir() else []
    graph.sort(key=lambda found: (not found.string.startswith(INFO.id), found.string))
    # The beginning of the names, so that mappings beside the graph do not count as files that nobody reads.
    start = graph[0].string[: graph[0].start(1)].rstrip("_.-") if graph else ""
    for item in kgx.records(path / start if start else path, INFO.id):
        if isinstance(item, Row) and isinstance(item.record, SourceInfo):
            yield replace(item, record=replace(item.record, rank=INFO.rank, prefixes=INFO.prefixes))
        else:
            yield item
    taken: set[str] = set()
    for number, file in enumerate(_mappings(path)):
        part = sssom.describe(file)
        name = f"{INFO.id}-sssom-{part.id}"[:60]
        part = replace(part, id=f"{name[:54]}-{number}" if name in taken else name)
        taken.add(part.id)
        yield Row(part, str(file), 1)
        for item in sssom.records(file):
            yield replace(item, source=part.id) if isinstance(item, Row) else item


def recognise(path: Path) -> bool:
    """Tell whether a folder holds Mondo's graph and mappings."""
    has_nodes = path.is_dir() and any(file.name.startswith("mondo_nodes") for file in path.iterdir())
    return has_nodes and bool(_mappings(path))


def _mappings(path: Path) -> list[Path]:
    return sorted(file for file in path.iterdir() if sssom.recognise(file)) if path.is_dir() else []


SOURCE: Final = Source(INFO, records, order=29, recognise=recognise)
