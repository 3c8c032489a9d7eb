"""Steps computed by Ray Data: workers read and write shards in a folder that all of them see, and need no database.

A page becomes a shard: a Parquet file of rows in MessagePack, which keeps their types, with its manifest (input, model,
rows, version) in the metadata. It is named by a hash of the page and of the model. A finished shard is never computed
again, and goes once its rows are stored; so whatever is killed, the next run goes on where this one was.
"""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
import sys
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

import msgspec

from .. import __version__
from ..errors import EncoderMismatchError, InputError, MedgraphError, install_line
from ..files import locked
from ..progress import note
from .engine import Engine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from .engine import Page, Step

# Variables of Ray, where the user has not set them: it tells nobody that it is used, and warns of nothing here.
QUIET: Final = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_BACKEND_LOG_LEVEL": "fatal",
}
END: Final = object()
ROUND: Final = 1000  # pages that are handed over at once


@dataclass(frozen=True, slots=True)
class RayEngine(Engine):
    """Computes steps on the Ray cluster that this process has joined."""

    folder: Path  # where shards are; every worker sees it under this name
    load: Callable[[], Any] = lambda: None  # loads the model in a worker

    def loading(self, load: Callable[[], Any]) -> RayEngine:
        """Give the engine with another model, which `load` loads in a worker."""
        return replace(self, load=load)

    def rows(self, step: Step, _model: Any, pages: Iterable[Page]) -> Iterator[Page]:
        """Give the rows of pages in their order; their shards stay until `forget`."""
        for shard in self._shards(step, pages):
            yield read_shard(shard, _manifest(step, shard))

    def forget(self, step: Step) -> None:
        """Delete the shards of a step."""
        shutil.rmtree(self.folder / step.name, ignore_errors=True)

    def store(self, step: Step, _model: Any, pages: Iterable[Page], write: Callable[[Page], object]) -> Iterator[Page]:
        """Compute pages and store their rows, `step.writers` pages at once; give the rows of each page then."""

        def stored(shard: Path) -> Page:
            rows = read_shard(shard, _manifest(step, shard))
            try:
                write(rows)
            except EncoderMismatchError:  # once workers have the right model, it must be computed anew
                shard.unlink()
                raise
            shard.unlink()
            return rows

        running: deque[Future[Page]] = deque()
        with ThreadPoolExecutor(step.writers, thread_name_prefix="store") as pool:
            for shard in self._shards(step, pages):
                running.append(pool.submit(stored, shard))
                while len(running) > step.writers:
                    yield running.popleft().result()
            while running:
                yield running.popleft().result()

    def _shards(self, step: Step, pages: Iterable[Page]) -> Iterator[Path]:
        folder = self.folder / step.name
        folder.mkdir(parents=True, exist_ok=True)
        with locked(folder / "lock", lambda: note(f"another command works in {folder}; waiting for it")):
            for path in folder.glob("*.part"):
                path.unlink(missing_ok=True)
            left, known = iter(pages), {folder / "lock"}
            while shards := [_request_page(folder, step, page) for page in islice(left, ROUND)]:
                known.update(shards)
                finished = self._finished([shard for shard in shards if not shard.exists()], step)
                for shard in shards:
                    while not shard.exists():
                        if next(finished, END) is END and not shard.exists():
                            raise InputError(
                                f"{shard} was computed and is not here; do all machines see {self.folder}?"
                            )
                    yield shard
                deque(finished, maxlen=0)  # a shard is there before Ray knows so
            for path in set(folder.iterdir()) - known:  # of pages that have changed since
                path.unlink(missing_ok=True)

    def _finished(self, shards: list[Path], step: Step) -> Iterator[None]:
        if not shards:
            return
        import ray
        from ray.exceptions import RayError

        cpus = max(1, int(ray.cluster_resources().get("CPU", 1)))
        pool = ray.data.ActorPoolStrategy(min_size=1, max_size=None, initial_size=min(cpus, len(shards)))
        asked = ray.data.from_items([{"shard": str(shard)} for shard in shards], override_num_blocks=len(shards))
        done = asked.map_batches(
            Worker, fn_constructor_args=(step, self.load), batch_size=1, batch_format="numpy", num_cpus=1, compute=pool
        )
        try:
            for batch in done.iter_batches(batch_size=None, batch_format="numpy", prefetch_batches=0):
                if fault := "".join(batch["fault"]):
                    raise InputError(f"a worker failed: {fault}")
                yield
        except RayError as error:
            raise InputError(f"Ray failed: {str(error).splitlines()[0]}; run the command again") from error


@dataclass(frozen=True, eq=False)
class Worker:
    """Computes shards in a process of its own, with a model that it loads once."""

    step: Step
    load: Callable[[], Any]

    @cached_property
    def _model(self) -> Any:
        return self.load()

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        """Compute the shard whose path is given as `shard`, unless it is there.

        Returns:
            As `fault` why it cannot be computed, or nothing: an error itself would come without its message.
        """
        try:
            self._compute(Path(str(batch["shard"][0])))
        except MedgraphError as error:
            return {"fault": [str(error)]}
        except Exception as error:  # noqa: BLE001 # whatever it is, who waits elsewhere is to be told
            return {"fault": [f"{type(error).__name__}: {error}; mend that, and run the command again"]}
        return {"fault": [""]}

    def _compute(self, shard: Path) -> None:
        # A worker of a killed driver may have finished it since, and the driver may have stored it.
        if not shard.exists() and _input(shard).exists():
            manifest = _manifest(self.step, shard)
            page = read_shard(_input(shard), manifest)
            write_shard(shard, self.step.compute(page, self._model), manifest)
        _input(shard).unlink(missing_ok=True)


def _request_page(folder: Path, step: Step, page: Page) -> Path:
    """Write down a page for workers, unless its shard is there, and give the shard's name."""
    shard = folder / f"{key_of(page, step.made_by)}.parquet"
    if not shard.exists():
        write_shard(_input(shard), page, _manifest(step, shard))
    return shard


def _input(shard: Path) -> Path:
    return shard.with_suffix(".input")


def _manifest(step: Step, shard: Path) -> dict[str, str]:
    return {"input": shard.stem, "model": step.made_by, "medgraph": __version__}


def key_of(page: Page, made_by: str) -> str:
    """Name the shard of a page: the same page and the same model give the same name."""
    return hashlib.blake2b(msgspec.msgpack.encode((made_by, page)), digest_size=16).hexdigest()


def write_shard(path: Path, rows: Page, manifest: Mapping[str, str]) -> None:
    """Write a shard that others see whole or not at all; InputError where there is no room, or no right, for it."""
    import pyarrow
    from pyarrow import parquet

    column = pyarrow.array([msgspec.msgpack.encode(row) for row in rows], pyarrow.binary())
    table = pyarrow.table({"row": column}).replace_schema_metadata({**manifest, "rows": str(len(rows))})
    # A worker whose driver was killed may still be at the same shard.
    partial = path.with_name(f"{path.stem}-{uuid4().hex}.part")
    try:
        parquet.write_table(table, partial, compression="zstd", use_dictionary=False)
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise InputError(
            f"{path} cannot be written: {error}; make room, or set --shards to another folder, "
            "and run the command again"
        ) from error


def read_shard(path: Path, expected: Mapping[str, str]) -> Page:
    """Read the rows of a shard; InputError where it is damaged, or its manifest does not say what is expected."""
    import pyarrow
    from pyarrow import parquet

    try:
        table = parquet.read_table(path)
    except (OSError, pyarrow.ArrowException) as error:
        raise InputError(f"{path} cannot be read: {error}; delete it, and run the command again") from error
    found = {name.decode(): value.decode() for name, value in table.schema.metadata.items()}
    wanted = {**expected, "rows": str(table.num_rows)}
    for name, value in wanted.items():
        if found.get(name) != value:
            raise InputError(
                f"{path} has {name} {found.get(name)!r}, not {value!r}: workers need the same medgraph and models "
                "as this process; delete the file, and run the command again"
            )
    return [msgspec.msgpack.decode(row) for row in table["row"].to_pylist()]


@contextmanager
def ray_engine(address: str, folder: Path, threads: int = 0) -> Iterator[RayEngine]:
    """Join a Ray cluster, or start one on this machine; in the block standard output goes to standard error.

    Args:
        address: Where the cluster is, as `ray.init` takes it; empty for one on this machine that ends with the block.
        folder: Where shards go; every machine of the cluster sees it under this name.
        threads: Processors of this machine to use; 0 means all.

    Raises:
        InputError: Ray is not installed, or there is no such cluster.
    """
    for name, value in QUIET.items():
        os.environ.setdefault(name, value)
    try:
        import ray
        import ray.data
    except ImportError as error:
        raise InputError(f"--engine ray needs Ray ({error}); {install_line('ray')}") from error
    local: dict[str, Any] = {"num_cpus": threads or os.cpu_count(), "include_dashboard": False}
    try:
        ray.init(address or "local", log_to_driver=False, logging_level=logging.ERROR, **({} if address else local))
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise InputError(f"there is no Ray cluster at {address}: {error}") from error
    logging.getLogger("ray.data").setLevel(logging.CRITICAL)
    ray.data.DataContext.get_current().enable_progress_bars = False
    try:
        with redirect_stdout(sys.stderr):  # where Ray tells of workers that died
            yield RayEngine(folder.absolute())
    finally:
        ray.shutdown()
