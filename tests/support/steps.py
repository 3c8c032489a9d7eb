"""Steps that need no model, for tests and benchmarks of engines; each notes what it has computed, and where."""

import os
import resource
import time
from functools import partial
from pathlib import Path
from random import Random

from medgraph.errors import InputError
from medgraph.graph.engine import Step
from medgraph.graph.ray_engine import RayEngine, Worker


class Stub:
    """A model that takes a while, fails, or dies when a page says so."""

    def __init__(self, notes, seconds=0.0):
        self.notes, self.seconds = Path(notes), seconds
        with (self.notes / "workers").open("a") as file:
            file.write(f"{os.getpid()}\n")

    @property
    def computed(self):
        """The first number of each page that was computed, as often as it was."""
        path = self.notes / "computed"
        return [int(line) for line in path.read_text().split()] if path.exists() else []


def square(page, stub):
    """Rows of many types; it notes what it has done once it is done."""
    time.sleep(stub.seconds)
    if any(row.get("fail") for row in page):
        raise ValueError("this page is bad")
    rows = [
        {"id": row["id"], "square": row["n"] ** 2, "half": row["n"] / 2, "none": None, "bytes": bytes([row["n"] % 256])}
        | ({"nested": [{"n": n} for n in range(row["n"] % 3)]} if row["n"] % 2 else {})
        for row in page
    ]
    with (stub.notes / "computed").open("a") as file:
        file.write(f"{page[0]['n']}\n")
    return rows


class Inline(RayEngine):
    """Ray's part done by one worker in this process, in an order of the test's: all but Ray itself is real."""

    order = staticmethod(sorted)

    def _finished(self, shards, step):
        worker = Worker(step, self.load)
        for shard in self.order(shards):
            if fault := worker({"shard": [str(shard)]})["fault"][0]:
                raise InputError(f"a worker failed: {fault}")
            yield


def bulky(page, stub):
    """Rows that need room, more of it than there is where a file called `full` says so."""
    if (stub.notes / "full").exists():
        resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))
    rows = square(page, stub)
    return [row | {"bulk": Random(row["id"]).randbytes(4096)} for row in rows]


BULKY = Step("bulky", "stub", bulky, writers=2)
SQUARE = Step("squares", "stub", square, writers=2)


def loading(notes, seconds=0.0):
    return partial(Stub, notes, seconds)


def pages(sizes, start=0):
    """Pages of so many rows each, numbered throughout."""
    for size in sizes:
        yield [{"id": f"row-{n:06}", "n": n} for n in range(start, start + size)]
        start += size
