"""Engines: what Ray adds to a page, how it scales with workers that sleep, and encoding on Ray beside here.

    python lab/benchmarks/engines.py [--pages 40] [--texts 4000]

A page of 1,000 chunks takes some 14 s of two cores to encode; workers that sleep take `SLEEP` for one, so that what Ray
adds can be told on few cores. Starting the pool is told by itself: it happens once for a thousand pages. Texts are
MedQuAD's, 1,024 a page; here two threads encode, on Ray two workers of one thread.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from harness import DATA, options, table

from medgraph.embeddings.encoders.encoder import load_encoder
from medgraph.embeddings.index import EMBED_BATCH, embedded_questions
from medgraph.errors import install_line
from medgraph.graph.engine import LOCAL, Step
from medgraph.graph.ray_engine import RayEngine, ray_engine
from medgraph.loaders import registry
from medgraph.loaders.base import Row
from medgraph.schema.records import Document
from medgraph.settings import Settings

SLEEP = 1.0
ENCODED = 14.0  # seconds of two cores for 1,000 chunks (encode.py: 71 texts a second)
ROWS = 1000
DATA_FILE = DATA / "medquad.zip"


def sleep(page: list[dict[str, Any]], _: None) -> list[dict[str, Any]]:
    time.sleep(SLEEP)
    return [{"id": row["id"], "vector": bytes(1536)} for row in page]


def pages(count: int, mark: str) -> list[list[dict[str, Any]]]:
    return [[{"id": f"{mark}-{n}-{row}", "text": "x" * 750} for row in range(ROWS)] for n in range(count)]


def seconds(engine: RayEngine, count: int, mark: str) -> float:
    begun = time.perf_counter()
    for _ in engine.store(Step("sleeping", mark, sleep, writers=2), None, pages(count, mark), lambda _: None):
        pass
    return time.perf_counter() - begun


def scaling(folder: Path, most: int, at_once: list[int]) -> list[list[str]]:
    found, first = [], 0.0
    for workers in at_once:
        with ray_engine("", folder, workers) as engine:
            few = seconds(engine, workers, f"few-{workers}")
            many = seconds(engine, most + workers, f"many-{workers}")
        page = (many - few) / most
        first = first or page
        added = page - SLEEP / workers
        found.append(
            [
                str(workers),
                f"{few - SLEEP:.1f}",
                f"{page:.3f}",
                f"{added * 1000:.0f}",
                f"{added / ENCODED:.2%}",
                f"{first / page / workers:.2f}",
            ]
        )
    return found


def texts(count: int) -> list[str]:
    items = registry.get("medquad").records(DATA_FILE)
    records = (item.record for item in items if isinstance(item, Row) and isinstance(item.record, Document))
    return list(islice((section.text[:750] for record in records for section in record.sections), count))


def encoding(folder: Path, count: int) -> list[list[str]]:
    told = [{"id": str(n), "text": text} for n, text in enumerate(texts(count))]
    size = min(EMBED_BATCH, count // 4)
    work = [told[start : start + size] for start in range(0, count, size)]
    settings = Settings.from_environment()
    here = load_encoder(Settings(settings.home, settings.cache, threads=2))
    step = Step("encoding", here.name, embedded_questions)
    here.encode([row["text"] for row in work[0][:64]])
    begun = time.perf_counter()
    expected = list(LOCAL.rows(step, here, work))
    local = time.perf_counter() - begun
    own = Settings(settings.home, settings.cache, threads=1, precision=here.precision)
    with ray_engine("", folder, 2) as engine:
        elsewhere = engine.loading(partial(load_encoder, own))
        begun = time.perf_counter()
        rows = [(page, time.perf_counter() - begun) for page in elsewhere.rows(step, None, work)]
        elsewhere.forget(step)
    whole, start = rows[-1][1], rows[0][1]
    steady = (whole - start) / max(1, len(work) - 2)
    return [
        ["here, 2 threads", f"{count / local:.1f}", "1.00"],
        ["Ray, 2 workers, with their start", f"{count / whole:.1f}", f"{local / whole:.2f}"],
        ["Ray, 2 workers, once they run", f"{size / steady:.1f}", f"{local / len(work) / steady:.2f}"],
        ["rows that differ", str(sum(a != b for (a, _), b in zip(rows, expected, strict=True))), "-"],
    ]


def main() -> None:
    given = options(
        __doc__, pages=(40, 2, "pages of workers that sleep"), texts=(4000, 16, "texts to encode on Ray and here")
    )
    os.environ.setdefault("RAY_worker_niceness", "0")
    try:
        import ray  # noqa: F401
    except ImportError:
        sys.exit(f"this needs Ray; {install_line('ray')}")
    with tempfile.TemporaryDirectory() as folder:
        columns = ["workers", "start, s", "s a page", "added ms", "added, of encoding", "of linear"]
        rows = scaling(Path(folder), given.pages, [1, 2] if given.smallest else [1, 2, 4])
        table(f"Ray with workers that sleep {SLEEP:.0f} s a page of {ROWS:,} rows:", columns, rows)
        table("Encoding:", ["engine", "texts/s", "speed / here"], encoding(Path(folder), given.texts))


if __name__ == "__main__":
    main()
