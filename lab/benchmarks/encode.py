"""Encoding, against sentence-transformers in torch float32, by turns: speed, and how near the vectors are.

    python lab/benchmarks/encode.py [--texts 1000] [--rounds 3] [--threads 2]

The texts are 180 words each, cut from MedQuAD's answers. At the smallest size the floor is medgraph's own encoder with
one text a call.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import harness
import numpy as np
from harness import table
from peers import Peer

from medgraph.embeddings.encoders.encoder import load_encoder
from medgraph.settings import Settings

QUESTIONS = 200
ALONE, PEER = "medgraph, one text a call", "sentence-transformers"


def main() -> None:
    options = harness.options(
        __doc__,
        {"medquad": (harness.DATA / "medquad.zip", harness.SMALL / "medquad")},
        texts=(1000, 4, "texts"),
        words=(180, 10, "words of a text"),
        rounds=(3, 1, "turns of each side"),
        threads=(2, 2, "threads of each side"),
    )
    texts, questions = read_texts(options.medquad, options.texts, options.words)
    encoder = load_encoder(replace(Settings.from_environment(), threads=options.threads))
    own = f"medgraph, {encoder.precision}"
    bulk = {own: lambda these: encoder.encode(these) is None}
    single = {own: lambda text: encoder.encode([text]) is None}
    if options.smallest:
        harness.left_out("sentence-transformers, which needs torch")
        ways = {ALONE: lambda these: [encoder.encode([text]) for text in these]} | bulk
        measure(ways, single, ALONE, texts, questions, options.rounds)
        return
    environment = {"OMP_NUM_THREADS": str(options.threads), "HF_HUB_OFFLINE": "1"}
    with Peer("sentence-transformers", "encode", options.threads, environment=environment) as peer:

        def timed(these: Sequence[str]) -> float:
            return peer.ask({"calls": [these]})["seconds"][0] * 1000

        measure(
            {PEER: timed} | bulk, {PEER: lambda text: timed([text])} | single, PEER, texts, questions, options.rounds
        )
        rows = []
        for what, these in (("texts", texts), ("questions", questions)):
            with tempfile.TemporaryDirectory() as folder:
                peer.ask({"calls": [these], "save": f"{folder}/vectors.npy"})
                cosines = (encoder.encode(these) * np.load(f"{folder}/vectors.npy")).sum(axis=1)
            rows.append([what, f"{cosines.min():.5f}", f"{cosines.mean():.5f}"])
        table("Cosine of medgraph's vectors to the peer's", ["what", "least", "mean"], rows)
        rows = [["medgraph", f"{harness.peak_mb():.0f}"], [PEER, f"{peer.ask({'calls': []})['mb']:.0f}"]]
        table("Resident memory at most", ["what", "MB"], rows)


def measure(bulk: dict, single: dict, floor: str, texts: list[str], questions: list[str], rounds: int) -> None:
    spent = harness.by_turns(bulk, [texts], rounds)
    title = f"{len(texts)} texts of {len(texts[0].split())} words"
    harness.medians(title, {name: [ms / 1000 for ms in values] for name, values in spent.items()}, floor)
    spent = harness.by_turns(single, questions, rounds)
    harness.times(f"{len(questions)} questions, one a call", spent, floor if floor in spent else next(iter(spent)))


def read_texts(archive: Path, count: int, size: int) -> tuple[list[str], list[str]]:
    """Cut texts of some words from MedQuAD's answers, and take as many questions as are timed."""
    pages = harness.documents(archive)
    random.Random(0).shuffle(pages)
    sections = [section for page in pages for section in page.sections]
    words = [word for section in sections for word in section.text.split()]
    texts = [" ".join(words[at : at + size]) for at in range(0, len(words) - size + 1, size)]
    if len(texts) < count:
        sys.exit(f"{archive}: only {len(texts)} texts of {size} words")
    return texts[:count], [section.question for section in sections if section.question][:QUESTIONS]


if __name__ == "__main__":
    main()
