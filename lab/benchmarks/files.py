"""Other people's files: what their own project's tool reads of each, and what medgraph reads.

    python lab/benchmarks/files.py [--files ../shared/peers]

Ontologies are read by pronto (terms), KGX graphs by kgx (nodes and edges), mappings by sssom-py, which validates them
too, and OBO Graphs as plain JSON (classes, and edges between them). medgraph reads as a dry run does, without a server;
a relation that stands in several places counts as often as they differ. A file's verdict is `whole`; `remarked`, where
each that is missing is named in a remark or reject; `lost N`, where N are missing without a word; `not valid`, where
its own tool refuses it; or `no tool`, where there is none to compare with.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import harness
from harness import SMALL, table
from peers import Peer

from medgraph.errors import MedgraphError
from medgraph.loaders import registry
from medgraph.loaders.base import Reject, Remark, Row
from medgraph.schema.exchange.statements import apart
from medgraph.schema.records import Entity, Relation

TOOLS = ("pronto", "kgx", "sssom")
# What a peer counts, and what that is here.
COMPARED = {"terms": "entities", "nodes": "entities", "edges": "relations", "mappings": "relations"}
LOSS = re.compile("left out|passed over|cannot be kept")


@dataclass
class Ours:
    """What medgraph reads of a file: ids of entities, statements of relations, what it says of them, or an error."""

    entities: set[str] = field(default_factory=set)
    relations: int = 0
    remarks: list[str] = field(default_factory=list)
    rejects: list[str] = field(default_factory=list)
    error: str = ""

    def losses(self) -> list[str]:
        """Give what says that something is missing."""
        return [*self.rejects, *(text for text in self.remarks if LOSS.search(text))]

    def count(self, what: str) -> int:
        return len(self.entities) if what == "entities" else self.relations


def main() -> None:
    options = harness.options(__doc__, {"files": (harness.ROOT.parent / "shared" / "peers", SMALL / "ontology")})
    if options.smallest:
        harness.left_out("tools that are fetched; OBO Graphs alone are compared, as plain JSON")
    rows, verdicts = [], []
    with ExitStack() as stack:
        peers = {} if options.smallest else {name: stack.enter_context(Peer(name, name)) for name in TOOLS}
        for path, parts in units(options.files):
            name = source_of(path)
            ours = measure_ours(name, path) if name else Ours(error="not recognised; a mapping would read it")
            theirs = by_peer(name, parts, peers)
            verdicts.append(verdict(ours, theirs))
            rows.append(line(path.relative_to(options.files), name, ours, theirs, verdicts[-1]))
    kinds = Counter(re.match(r"[a-z ]*[a-z]", found)[0] for found in verdicts)
    title = f"{len(rows)} files: {', '.join(f'{count} {kind}' for kind, count in kinds.most_common())}"
    table(title, ("file", "read as", "the peer reads", "medgraph reads", "remarks", "rejects", "verdict"), rows)


def units(folder: Path) -> Iterator[tuple[Path, list[Path]]]:
    """Yield what is read as one, with its files: nodes and edges of one graph go together."""
    taken: set[Path] = set()
    for path in sorted(p for p in folder.rglob("*") if p.is_file() and p.name != "README.md"):
        if path in taken:
            continue
        if match := re.fullmatch(r"(.*?)_?edges(\.\w+)", path.name):
            nodes = path.with_name(path.name.replace("edges", "nodes"))
            taken |= {path, nodes}
            yield (path.with_name(match[1]) if match[1] else path.parent), [nodes, path]
        else:
            yield path, [path]


def source_of(path: Path) -> str:
    """Tell by which loader a file is read; empty when none recognises it."""
    known = registry.sources()
    if not path.is_file():
        return "kgx"
    return next((name for name, source in known.items() if source.recognise and source.recognise(path)), "")


def measure_ours(name: str, path: Path) -> Ours:
    ours = Ours()
    said: set[str] = set()
    try:
        for item in registry.get(name).records(path):
            if isinstance(item, Reject):
                ours.rejects.append(item.reason)
            elif isinstance(item, Remark):
                ours.remarks.append(item.text)
            elif isinstance(item, Row) and isinstance(item.record, Entity):
                ours.entities.add(item.record.id)
                if name == "sssom" and not item.record.id.startswith("UMLS:"):  # exact matches with concepts
                    said.update(f"{item.record.id} {cui}" for cui in item.record.concepts)
            elif isinstance(item, Row) and isinstance(item.record, Relation):
                said.update(map(repr, apart(item.record)))  # once, whoever else says the same
    except MedgraphError as error:
        ours.error = str(error).partition(": ")[2] or str(error)
    ours.relations = len(said)
    return ours


def by_peer(name: str, paths: list[Path], peers: dict[str, Peer]) -> dict[str, int | str]:
    """Count what the project's own tool reads of a file; nothing where there is no such tool."""
    if name == "obographs":
        return of_json(paths[0])
    tool = name if name in TOOLS else "pronto" if paths[0].suffix in {".obo", ".owl"} else ""
    return peers[tool].reply(list(map(str, paths))) if tool in peers else {}


def of_json(path: Path) -> dict[str, int | str]:
    data = json.loads(gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes())
    classes, edges = set(), set()
    for graph in data["graphs"]:
        classes |= {n["id"] for n in graph.get("nodes", ()) if n.get("type", "CLASS") == "CLASS" and n.get("lbl")}
        edges |= {(edge["sub"], edge["pred"], edge["obj"]) for edge in graph.get("edges", ())}
    return {"nodes": len(classes), "edges": sum(edge[0] in classes and edge[2] in classes for edge in edges)}


def verdict(ours: Ours, theirs: dict[str, int | str]) -> str:
    if "error" in theirs:
        return "not valid"
    if not theirs:
        return "no tool"
    lost = {what: int(n) - ours.count(COMPARED[what]) for what, n in theirs.items()}
    missing = sum(number for number in lost.values() if number > 0)
    if not missing and not ours.rejects:
        return "whole"
    return "remarked" if missing <= len(ours.losses()) else f"lost {missing:,}"


def line(path: Path, name: str, ours: Ours, theirs: dict[str, int | str], found: str) -> tuple[str, ...]:
    peer = str(theirs.get("error") or ", ".join(f"{number:,} {what}" for what, number in theirs.items()) or "-")
    own = ours.error or f"{len(ours.entities):,} entities, {ours.relations:,} relations"
    why = next(iter(ours.losses()), "") if found.startswith(("remarked", "lost")) else ""
    said = f"{found}: {why[:110]}" if why else found
    row = (str(path), name or "-", peer[:110], own[:110], str(len(ours.remarks)), str(len(ours.rejects)), said)
    return tuple(cell.replace("|", "\\|") for cell in row)


if __name__ == "__main__":
    main()
