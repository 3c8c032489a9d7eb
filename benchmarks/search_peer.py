"""The peer of `search.py`: neo4j-graphrag's HybridRetriever, run by its own Python, timed from inside.

`search.py` starts it, writes `start end` lines to its input and reads a JSON list of milliseconds for those questions;
null stands for a question that the peer cannot parse.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

import neo4j
import numpy as np
from neo4j_graphrag.exceptions import SearchQueryParseError
from neo4j_graphrag.retrievers import HybridRetriever


def main() -> None:
    """Serve until the input ends."""
    questions = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    vectors = np.load(sys.argv[2]).tolist()
    fulltext, top_k = sys.argv[3], int(sys.argv[4])
    uri, user, database = (os.environ[name] for name in ("NEO4J_URI", "NEO4J_USERNAME", "NEO4J_DATABASE"))
    with neo4j.GraphDatabase.driver(
        uri, auth=(user, os.environ["NEO4J_PASSWORD"]), notifications_min_severity="OFF"
    ) as driver:
        retriever = HybridRetriever(driver, "chunk_embedding", fulltext, neo4j_database=database)
        for line in sys.stdin:
            start, end = map(int, line.split())
            spent = [_milliseconds(retriever, questions[i], vectors[i], top_k) for i in range(start, end)]
            print(json.dumps(spent), flush=True)


def _milliseconds(retriever: HybridRetriever, question: str, vector: list[float], top_k: int) -> float | None:
    start = time.perf_counter()
    try:
        retriever.search(query_text=question, query_vector=vector, top_k=top_k)
    except SearchQueryParseError:
        return None
    except neo4j.exceptions.ClientError as error:
        if "org.apache.lucene.queryparser" not in str(error):
            raise
        return None
    return (time.perf_counter() - start) * 1000


if __name__ == "__main__":
    main()
