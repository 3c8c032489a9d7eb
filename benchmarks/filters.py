"""What a narrow filter finds, against a search without it whose results are cut to what the filter lets pass.

    python benchmarks/filters.py [--filters 20] [--questions 10] [--cut 100]

Needs a graph with MedQuAD and PubMedQA loaded, indexed and linked where the usual settings point. PubMedQA names no
journals: for the run its abstracts are given fifty made-up ones, by chance with a seed, and lose them afterwards.
Concepts are drawn from those that few sections mention, headings from PubMedQA's.
"""

from __future__ import annotations

import argparse
import random
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
from report import quantile, sampled, statement, table

from medgraph.embeddings.encoders.encoder import load_encoder
from medgraph.graph import catalogue
from medgraph.graph.connect import connect
from medgraph.linking.names import GraphNames
from medgraph.queries.filters import Filters, restrict
from medgraph.queries.retriever import Retriever
from medgraph.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from medgraph.graph.database import Database

JOURNALS = 50
TOP = 10
MODES = ("lexical", "semantic", "hybrid", "learned")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--filters", type=int, default=20, help="filters of each kind")
    parser.add_argument("--questions", type=int, default=10, help="questions asked with each")
    parser.add_argument("--cut", type=int, default=100, help="results without filter that are cut")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    settings = Settings.from_environment()
    with connect(settings) as database, journals(database, options.seed):
        encoder, linker = load_encoder(settings), GraphNames(settings, database)
        retriever = Retriever(database, lambda: encoder, linker)
        chance = random.Random(options.seed)
        questions = sampled(database, 100)
        rows = []
        for kind, values in drawn(database, chance, options.filters).items():
            for mode in MODES:
                found = [
                    compared(retriever, mode, question, Filters(**{kind: (value,)}), database, linker, options.cut)
                    for value in values
                    for question in chance.sample(questions, options.questions)
                ]
                rows.append([kind, mode, *summed(found)])
    table(
        f"{options.filters} filters of a kind, {options.questions} questions each: sections among the first {TOP} of "
        f"those that pass, with the filter inside the search, and cut from the first {options.cut} of a search "
        "without it. A list is full where it has ten, or all that pass.",
        ["filter", "mode", "sections that pass", "inside", "cut", "full inside", "full cut", "p50 / unfiltered p50"],
        rows,
    )


@contextmanager
def journals(database: Database, seed: int) -> Iterator[None]:
    """Let PubMedQA's abstracts come from made-up journals, for a while."""
    rows = database.run(
        statement("MATCH (d:Document {source: 'pubmedqa'}) WHERE d.journal IS NULL RETURN d.id AS id ORDER BY id")
    )
    chance = random.Random(seed)
    given = [[row["id"], f"Journal of made-up things {chance.randrange(JOURNALS)}"] for row in rows]
    ids = [row["id"] for row in rows]
    try:
        text = "UNWIND $given AS row MATCH (d:Document {id: row[0]}) SET d.journal = row[1]"
        database.run(statement(text), given=given)
        database.write(catalogue.get("refresh_fulltext"))
        yield
    finally:
        database.run(statement("UNWIND $ids AS id MATCH (d:Document {id: id}) REMOVE d.journal"), ids=ids)


def drawn(database: Database, chance: random.Random, count: int) -> dict[str, list[str]]:
    """Draw filters that a few sections pass."""
    texts = {
        "journals": "MATCH (d:Document {source: 'pubmedqa'}) RETURN d.journal AS name, count(*) AS n",
        "headings": "MATCH (d:Document {source: 'pubmedqa'}) UNWIND d.mesh_headings AS name RETURN name, count(*) AS n",
        "concepts": "MATCH (c:Concept)<-[:MENTIONS]-(:Chunk)<-[:HAS_CHUNK]-(s:Section) "
        "RETURN c.cui AS name, count(DISTINCT s) AS n",
    }
    names = {
        kind: sorted(row["name"] for row in database.run(statement(text)) if row["name"] and 10 <= row["n"] <= 100)
        for kind, text in texts.items()
    }
    return {kind: chance.sample(known, min(count, len(known))) for kind, known in names.items()}


def compared(
    retriever: Retriever, mode: str, question: str, filters: Filters, database: Database, linker: Any, cut: int
) -> tuple[int, int, int, float, float]:
    """Search with a filter, and without one; gives what passes, what each finds, and how long each takes."""
    within = restrict(database, filters, linker).within
    sections = statement("MATCH (s:Section) WHERE s.id IN $ids RETURN s.id AS id")
    passes = {row["id"] for row in database.run(sections, ids=within)}
    start = time.perf_counter()
    inside = retriever.search(question, mode=mode, filters=filters, top_k=TOP)
    between = time.perf_counter()
    plain = retriever.search(question, mode=mode, top_k=TOP)
    end = time.perf_counter()
    assert len(plain) <= TOP
    assert {hit.section for hit in inside} <= passes
    found = [hit for hit in retriever.search(question, mode=mode, top_k=cut) if hit.section in passes][:TOP]
    return len(passes), len(inside), len(found), between - start, end - between


def summed(found: list[tuple[int, int, int, float, float]]) -> list[str]:
    """Give the cells of a row."""
    passes, inside, cut, spent, plain = map(np.array, zip(*found, strict=True))
    most = np.minimum(passes, TOP)
    return [
        f"{np.median(passes):.0f}",
        f"{inside.mean():.1f}",
        f"{cut.mean():.1f}",
        f"{np.mean(inside >= most):.0%}",
        f"{np.mean(cut >= most):.0%}",
        f"{quantile(spent, 0.5) / quantile(plain, 0.5):.2f}",
    ]


if __name__ == "__main__":
    main()
