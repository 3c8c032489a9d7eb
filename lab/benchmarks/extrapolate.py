"""Extrapolates the cost of PubMed's 25.5 million abstracts from figures that other benchmarks have measured.

    python lab/benchmarks/extrapolate.py [--abstracts 25500000]

Nothing is measured here: each figure names the command that gave it, and a curve is fitted through its last two points.
"""

from __future__ import annotations

import math

from harness import options, table

# Of an abstract: BioASQ's 1,809, as `medgraph load documents` and `medgraph index` store them.
SECTIONS, CHUNKS, SENTENCES, WORDS, MENTIONS = 1.0, 1.99, 8.75, 203, 14.7
HEADINGS = 12  # MeSH headings of a citation, about; each is a relation
# Chunks -> seconds of the vector index, GB of the server and on disk, ms of a hybrid search: scale.py.
SCALE = {301_810: (190, 2.5, 3.1, 12.6), 1_001_917: (858, 3.6, 7.3, 15.3)}
NUMBERS = 384
# Processor time to encode: 71.0 texts a second of two cores, int8 (encode.py); a sentence is taken as a quarter.
CHUNK_MS, SENTENCE_MS = 28.2, 7.0
RECORDS = 90_721 / 34.1  # nodes a second that an ordinary load stores, three transactions at once (load.py)
READ = 3371  # citations a second that are read (reading.py)
LINKED = {"64 thousand names": 42_009, "4 million names": 7_948}  # words a second of one processor (linking.py)


def exponent(column: int) -> float:
    (few, first), (many, last) = ((n, row[column]) for n, row in SCALE.items())
    return math.log(last / first) / math.log(many / few)


def at(chunks: float, column: int) -> float:
    most = max(SCALE)
    return SCALE[most][column] * (chunks / most) ** exponent(column)


def along(chunks: float, column: int) -> float:
    """By a straight line: of what is stored each chunk takes the same."""
    (few, first), (many, last) = ((n, row[column]) for n, row in SCALE.items())
    return last + (chunks - many) * (last - first) / (many - few)


def rows(abstracts: int) -> list[tuple[str, str]]:
    chunks, sentences = abstracts * CHUNKS, abstracts * SENTENCES
    nodes = abstracts * (1 + SECTIONS) + chunks
    cores = (chunks * CHUNK_MS + sentences * SENTENCE_MS) / 3.6e6
    found = {
        "nodes": f"{nodes / 1e6:,.0f} million, and {abstracts * (HEADINGS + SECTIONS + CHUNKS + MENTIONS) / 1e6:,.0f} "
        "million relations",
        "chunks, sentences": f"{chunks / 1e6:,.0f} and {sentences / 1e6:,.0f} million",
        "disk": f"{along(chunks, 2) + sentences * (NUMBERS + 12) / 1e9:,.0f} GB, of which sentence vectors "
        f"{sentences * (NUMBERS + 12) / 1e9:,.0f}",
        "vectors in the index: float32, int8, binary": ", ".join(
            f"{chunks * NUMBERS * width / 8e9:,.0f}" for width in (32, 8, 1)
        )
        + " GB",
        "page cache that holds chunks' vectors and the index": f"{chunks * NUMBERS * 33 / 8e9:,.0f} GB",
        "encoding": f"{cores:,.0f} core-hours: {cores / 2:,.0f} h on 2 cores, {cores / 64:,.0f} h on 64, "
        f"{cores / 640:,.1f} h on ten machines of 64",
        "reading XML": f"{abstracts / READ / 3600:,.1f} core-hours",
        "ordinary load": f"{abstracts * (1 + SECTIONS) / RECORDS / 3600:,.0f} h by one writer, headings apart",
        **{
            f"linking by {names}": f"{abstracts * WORDS / rate / 3600:,.0f} core-hours"
            for names, rate in LINKED.items()
        },
        f"vector index (exponent {exponent(0):.2f})": f"{at(chunks, 0) / 3600:,.0f} h on 2 cores",
        f"hybrid search, p50 (exponent {exponent(3):.2f})": f"{at(chunks, 3):,.0f} ms, while all of it is in memory",
    }
    return list(found.items())


def main() -> None:
    abstracts = options(__doc__, abstracts=(25_500_000, 1_000_000, "abstracts")).abstracts
    table(f"{abstracts:,} abstracts, by what was measured on 2 cores:", ["what", "takes"], rows(abstracts))


if __name__ == "__main__":
    main()
