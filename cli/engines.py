"""The option `--engine` of commands that compute long: here, or on a Ray cluster."""

from __future__ import annotations

import functools
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..graph.engine import LOCAL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..embeddings.encoders.encoder import TextEncoder
    from ..graph.database import Database
    from ..graph.engine import Local
    from ..graph.ray_engine import RayEngine
    from ..linking.mentions import Reading
    from ..settings import Settings

    AnyEngine = Local | RayEngine


def _check(_context: click.Context, _option: click.Parameter, engine: str) -> str:
    if engine.partition(":")[0] not in {"local", "ray"} or engine.startswith("local:"):
        raise click.BadParameter(f"{engine!r} is none; write local, ray, or ray:ADDRESS such as ray:head-node:6379")
    return engine


@dataclass(frozen=True, slots=True)
class ChosenEngine:
    """What `--engine` and `--shards` say.

    Attributes:
        name: `local`, `ray` or `ray:ADDRESS`.
        shards: The folder of shards; None for the usual one.
    """

    name: str
    shards: Path | None

    @property
    def is_local(self) -> bool:
        """Whether this process computes."""
        return self.name == "local"

    @contextmanager
    def opened(self, settings: Settings) -> Iterator[AnyEngine]:
        """Open the engine.

        Raises:
            InputError: Ray is not installed, or there is no such cluster.
        """
        if self.is_local:
            yield LOCAL
            return
        from ..graph.ray_engine import ray_engine

        address = self.name.partition(":")[2]
        with ray_engine(address, self.shards or settings.home / "shards", settings.threads) as opened:
            yield opened


def with_engine(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options `--engine` and `--shards`, and what they say as `engine`."""

    @click.option(
        "--engine",
        default="local",
        show_default=True,
        metavar="local|ray[:ADDRESS]",
        callback=_check,
        help="Where to compute: in this process, or by Ray on this machine or on the cluster at ADDRESS (extra `ray`).",
    )
    @click.option(
        "--shards",
        type=click.Path(path_type=Path, file_okay=False),
        metavar="FOLDER",
        help="With --engine ray: where workers write what they have computed until it is stored; all of them see it."
        " Otherwise `shards` in the data folder.",
    )
    @functools.wraps(command)
    def chosen(*args: Any, engine: str, shards: Path | None, **kwargs: Any) -> None:
        command(*args, engine=ChosenEngine(engine, shards), **kwargs)

    return chosen


def encoder_elsewhere(settings: Settings, encoder: TextEncoder) -> Callable[[], TextEncoder]:
    """Give a function that loads the same encoder in a worker, for one processor and in the same precision."""
    from ..embeddings.encoders.encoder import load_encoder

    return partial(load_encoder, replace(settings, threads=1, precision=encoder.precision))


def linker_elsewhere(settings: Settings, database: Database, pipeline: str) -> Callable[[], Reading]:
    """Give a function that opens the linker of the graph's names in a worker."""
    from ..linking.names import names_folder

    return partial(_reading, names_folder(settings, database), settings.home, pipeline)


def _reading(names: Path, home: Path, pipeline: str) -> Reading:
    from ..linking.context import open_pipeline
    from ..linking.curated import read_never
    from ..linking.mentions import Reading
    from ..linking.names import open_linker

    return Reading(open_linker(names, read_never(home)), open_pipeline(pipeline))
