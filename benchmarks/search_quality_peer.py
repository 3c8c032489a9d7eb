"""The peer of `search_quality.py`: neo4j-graphrag's HybridRetriever, run by its own Python.

Reads a JSON object of `texts`, `plain` (the same without what Lucene understands) and `vectors`, and prints one of
`chunks`, ids of chunks by ranker (`naive`, or the weight of the linear one), best first, and `unparsed`.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import neo4j
from neo4j_graphrag.exceptions import SearchQueryParseError
from neo4j_graphrag.retrievers import HybridRetriever

FETCH = 30
"""Chunks of each branch, as medgraph has at least; several may be of one section, and ten of these count."""


def main() -> None:
    """Search and print."""
    given = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    rankers = {"naive": {}} | {str(weight): {"ranker": "linear", "alpha": weight} for weight in json.loads(sys.argv[3])}
    uri, user, database = (os.environ[name] for name in ("NEO4J_URI", "NEO4J_USERNAME", "NEO4J_DATABASE"))
    chunks: dict[str, list[list[str]]] = {name: [] for name in rankers}
    unparsed = 0
    with neo4j.GraphDatabase.driver(
        uri, auth=(user, os.environ["NEO4J_PASSWORD"]), notifications_min_severity="OFF"
    ) as driver:
        retriever = HybridRetriever(
            driver, "chunk_embedding", sys.argv[2], return_properties=["id"], neo4j_database=database
        )
        for text, plain, vector in zip(given["texts"], given["plain"], given["vectors"], strict=True):
            try:
                _search(retriever, text, vector, {})
            except (SearchQueryParseError, neo4j.exceptions.ClientError):
                text, unparsed = plain, unparsed + 1  # noqa: PLW2901 # asked again in plain words
            for name, options in rankers.items():
                chunks[name].append(_search(retriever, text, vector, options))
    print(json.dumps({"chunks": chunks, "unparsed": unparsed}))


def _search(retriever: HybridRetriever, text: str, vector: list[float], options: dict[str, object]) -> list[str]:
    found = retriever.get_search_results(query_text=text, query_vector=vector, top_k=FETCH, **options)
    return [record["node"]["id"] for record in found.records]


if __name__ == "__main__":
    main()
