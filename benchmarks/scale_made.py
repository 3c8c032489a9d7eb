"""A graph of up to a million chunks, made up from a real one: what scale.py measures.

Each made-up document is a copy of a real one's sections. In each of its chunks every other sentence is one of another
real chunk about the same kind of thing, its title is the halves of two titles, and it is about what the real one is
about, so that words, headings and entities become as frequent as in a large collection. A chunk's vector is the real
chunk's, moved by the difference of two neighbouring chunks drawn elsewhere, and normalised: noise as large as the
distance between neighbours, and of the shape that such distances have.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from report import statement

from medgraph.graph.database import as_vector

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from medgraph.graph.database import Database

BLOCK = 400
"""Documents a transaction."""

NEIGHBOURS = 10
SEED = 0
SOURCE = "made-up"

READ = statement(
    "MATCH (d:Document)-[:HAS_SECTION]->(s:Section)-[:HAS_CHUNK]->(c:Chunk) "
    "WHERE d.id > $after AND d.source = 'medquad' AND c.embedding IS NOT NULL "
    "WITH d, s, c ORDER BY s.position, c.position "
    "WITH d, s, collect({text: c.text, vector: c.embedding}) AS chunks "
    "WITH d, collect({type: s.type, heading: s.heading, question: s.question, aliases: s.aliases, chunked: s.chunked, "
    "chunks: chunks}) AS sections ORDER BY d.id LIMIT $limit "
    "RETURN d.id AS id, d.title AS title, sections, COLLECT { MATCH (d)-[:ABOUT]->(e:Entity) RETURN e.id } AS about "
    "ORDER BY id"
)
NAME = statement(
    "MERGE (s:Source {id: $id}) SET s.name = 'Made up for a benchmark', s.collections = [], s.types = $types"
)
WRITE = statement(
    "CYPHER 25 MATCH (made:Source {id: $source}) UNWIND $rows AS row "
    "CREATE (d:Document {id: row.id, title: row.title, url: '', source: $source, collection: '', published: ''})"
    "-[:FROM]->(made) WITH d, row "
    "CALL (d, row) { UNWIND row.about AS id MATCH (e:Entity {id: id}) CREATE (d)-[:ABOUT]->(e) } "
    "UNWIND row.sections AS section CREATE (d)-[:HAS_SECTION]->(s:Section {source: $source, collection: '', "
    "published: '', title: row.title}) SET s += section.holds WITH s, section UNWIND section.chunks AS chunk "
    "CREATE (s)-[:HAS_CHUNK]->(c:Chunk {source: $source, collection: '', published: '', type: s.type, "
    "embedding_model: $model}) SET c += chunk.holds WITH c, chunk "
    "CALL db.create.setNodeVectorProperty(c, 'embedding', chunk.vector)"
)
COUNT = statement("MATCH (d:Document {source: $source}) RETURN count(d) AS documents")


@dataclass(frozen=True)
class Real:
    """What documents are made up from.

    Attributes:
        documents: The real ones, without vectors; each chunk has its row.
        vectors: Of all chunks, a row each.
        near: Rows of the neighbours of each.
        kinds: Rows of chunks by the kind of their section.
        texts: The sentences of each chunk.
    """

    documents: list[dict[str, Any]]
    vectors: NDArray[np.float32]
    near: NDArray[np.int32]
    kinds: dict[str, list[int]]
    texts: list[list[str]]

    def blocks(self, chunks: int) -> int:
        """Count the blocks that it takes to have so many made-up chunks at least."""
        held = blocks = 0
        while held < chunks:
            held += len(self.rows(blocks))
            blocks += 1
        return blocks

    def drawn(self, block: int) -> list[dict[str, Any]]:
        """Choose the real documents of a block: all of them have their turn before one has another."""
        count = len(self.documents)
        return [self.documents[number * 7919 % count] for number in range(block * BLOCK, (block + 1) * BLOCK)]

    def rows(self, block: int) -> list[int]:
        """List the real chunks of a block."""
        return [row for document in self.drawn(block) for section in document["sections"] for row in section["rows"]]

    def moved(self, block: int) -> NDArray[np.float32]:
        """Make the vectors of a block, the same ones each time."""
        rows, chance = self.rows(block), np.random.default_rng([SEED, block])
        others = chance.integers(len(self.vectors), size=len(rows))
        beside = self.near[others, chance.integers(self.near.shape[1], size=len(rows))]
        made = self.vectors[rows] + self.vectors[others] - self.vectors[beside]
        made /= np.linalg.norm(made, axis=1, keepdims=True)
        return made

    def documents_of(self, block: int) -> Iterator[dict[str, Any]]:
        """Make the documents of a block, as `WRITE` takes them."""
        chance, vectors = np.random.default_rng([SEED, block, 1]), iter(self.moved(block))
        for number, document in enumerate(self.drawn(block), block * BLOCK):
            other = self.documents[chance.integers(len(self.documents))]
            id_ = f"{SOURCE}:{number}"
            sections = [
                self._section(f"{id_}#{place}", section, vectors, chance)
                for place, section in enumerate(document["sections"], 1)
            ]
            title = halved(document["title"], other["title"])
            yield {"id": id_, "title": title, "about": document["about"], "sections": sections}

    def _section(self, id_: str, section: dict[str, Any], vectors: Iterator[Any], chance: Any) -> dict[str, Any]:
        chunks, texts, start = [], [], 0
        kind = self.kinds[section["type"]]
        for place, row in enumerate(section["rows"], 1):
            text = " ".join(mixed(self.texts[row], self.texts[kind[chance.integers(len(kind))]]))
            holds = {"id": f"{id_}.{place}", "position": place, "start": start, "end": start + len(text), "text": text}
            chunks.append({"holds": holds, "vector": as_vector(next(vectors))})
            texts.append(text)
            start += len(text) + 1
        told = {name: section[name] for name in ("type", "heading", "question", "aliases", "chunked")}
        return {"holds": told | {"id": id_, "position": 1, "text": "\n".join(texts)}, "chunks": chunks}


def halved(one: str, other: str) -> str:
    """Make a title of the first half of one, and the second of another."""
    mine, its = one.split(), other.split()
    return " ".join([*mine[: (len(mine) + 1) // 2], *its[len(its) // 2 :]])


def mixed(one: list[str], other: list[str]) -> list[str]:
    """Put every other sentence of another chunk in the place of one's own."""
    return [other[place % len(other)] if place % 2 else sentence for place, sentence in enumerate(one)]


def read_real(database: Database, folder: Path) -> Real:
    """Read MedQuAD's documents from a graph, and find each chunk's neighbours; kept for the next time."""
    path = folder / "real.json"
    if not path.exists():
        documents = [row for page in database.pages(READ, 500) for row in page]
        vectors = []
        for section in (section for document in documents for section in document["sections"]):
            section["rows"] = list(range(len(vectors), len(vectors) + len(section["chunks"])))
            vectors += [chunk.pop("vector") for chunk in section["chunks"]]
        np.save(folder / "vectors.npy", np.array(vectors, dtype=np.float32))
        np.save(folder / "near.npy", neighbours(np.array(vectors, dtype=np.float32)))
        path.write_text(json.dumps(documents), encoding="utf-8")
    documents = json.loads(path.read_text(encoding="utf-8"))
    sections = [section for document in documents for section in document["sections"]]
    kinds: dict[str, list[int]] = {}
    for section in sections:
        kinds.setdefault(section["type"], []).extend(section["rows"])
    texts = [re.split(r"(?<=[.!?])\s+", chunk["text"]) for section in sections for chunk in section["chunks"]]
    return Real(documents, np.load(folder / "vectors.npy"), np.load(folder / "near.npy"), kinds, texts)


def neighbours(vectors: NDArray[np.float32]) -> NDArray[np.int32]:
    """Find the nearest other chunks of each, those of the same vector left out."""
    found = np.empty((len(vectors), NEIGHBOURS), dtype=np.int32)
    for start in range(0, len(vectors), 1000):
        cosines = vectors[start : start + 1000] @ vectors.T
        cosines[cosines > 1 - 1e-4] = -1
        found[start : start + 1000] = np.argpartition(-cosines, NEIGHBOURS, axis=1)[:, :NEIGHBOURS]
    return found


def name_source(database: Database, real: Real) -> None:
    """Let the graph know whose the made-up documents are, before anything is read of it: a new source counts there."""
    database.write(NAME, id=SOURCE, types=sorted(filter(None, real.kinds)))


def made_blocks(database: Database) -> int:
    """Count the blocks that a graph has already."""
    return int(database.read(COUNT, source=SOURCE)[0]["documents"]) // BLOCK


def write_blocks(database: Database, real: Real, start: int, end: int, model: str, advance: Any) -> None:
    """Write blocks, each in a transaction; interrupted, the next call goes on."""
    for block in range(start, end):
        database.write(WRITE, rows=list(real.documents_of(block)), source=SOURCE, model=model)
        advance(1)
