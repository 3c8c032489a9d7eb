"""Workbench for papers' tables: rows, intervals, data files, and results of items that are kept once done."""

from __future__ import annotations

import functools
import importlib
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

import msgspec
import numpy as np

from medgraph.answers.part_answers import no_model
from medgraph.errors import InputError, RequestsWaitError, SourceFileError, install_line
from medgraph.files import KeptLines, locked, write_whole
from medgraph.progress import progress

from ..sets.grades import json_rows
from ..statistics import SAMPLES, Mean, compare, number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from medgraph.answers.assembly import Assembly
    from medgraph.models.protocol import Model

    from ..statistics import Measured

    Floats = NDArray[np.float64]

Item = TypeVar("Item")

NO_MODEL: Final = "none"  # what rows name that no language model has a part in
NEEDS_MODEL: Final = "needs a language model: set MEDGRAPH_MODEL, and --batch FOLDER for batch files"
ITEMS: Final = "items.jsonl"
_MADE: Final = "made.json"
_AT_ONCE: Final = 500


@dataclass(frozen=True, slots=True)
class Row:
    """A figure beside the paper's."""

    table: str
    row: str  # what is measured, as the paper calls it where it does
    measure: str
    ours: float | None = None  # what is reached here; None where it cannot be measured
    low: float | None = None  # where the interval of 95 % begins: the bootstrap over items
    high: float | None = None
    items: int = 0  # questions, claims or answers
    printed: float | None = None  # what the paper prints; None where it prints nothing like it
    model: str = NO_MODEL  # the language model that has a part in it
    note: str = ""  # why it cannot be measured, or compared with what is printed


@dataclass(frozen=True, slots=True)
class Plot:
    """What a page shows beside the rows of a table."""

    table: str
    kind: Literal["curves", "points", "densities", "intervals", "counts"]  # how it is drawn: see `report.draw`
    title: str
    labels: tuple[str, str]  # what stands at the axes, x and y
    series: Mapping[str, Sequence[Any]]  # by name, what the kind takes


def missing(table: str, row: str, why: str = NEEDS_MODEL) -> Row:
    """Give a row that says why it is not measured."""
    return Row(table, row, "", note=why)


def measured(table: str, row: str, measure: str, values: Measured | Floats | Sequence[float], **told: Any) -> Row:
    """Give a row with its interval, of what is measured, or of the mean of a value an item."""
    found: Any = Mean(np.array(values, dtype=float)) if isinstance(values, list | tuple | np.ndarray) else values
    if not found.questions:
        return Row(table, row, measure, **told | {"note": "no item is left to measure"})
    places = np.random.default_rng(0).integers(0, found.questions, (SAMPLES // 5, found.questions))
    drawn = np.concatenate([found.drawn(places[at : at + _AT_ONCE]) for at in range(0, len(places), _AT_ONCE)])
    low, high = (float(one) for one in np.nanquantile(drawn, [0.025, 0.975]))
    if isinstance(values, list) and {*values} in ({True}, {False}) and isinstance(values[0], bool | np.bool_):
        bound = 0.025 ** (1 / len(values))  # samples of what is always or never so tell nothing: Clopper and Pearson
        low, high = (bound, 1.0) if values[0] else (0.0, 1 - bound)
    return Row(table, row, measure, found.value(), low, high, found.questions, **told)


def difference(
    table: str,
    row: str,
    measure: str,
    first: Floats | Sequence[float],
    second: Floats | Sequence[float],
    note: str = "",
) -> Row:
    """Give a row of how much more one way reaches for the same items, with a note or how likely chance makes it."""
    mine, other = (Mean(np.array(values, dtype=float)) for values in (first, second))
    more = compare(mine, other)
    return Row(table, row, measure, more.more, more.low, more.high, mine.questions, note=note or f"p {more.p:.4f}")


def needed(module: str, extra: str = "evaluate") -> Any:
    """Import a library of an extra."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        name = module.partition(".")[0].replace("sklearn", "scikit-learn")
        raise InputError(f"this table needs {name}; {install_line(extra)}") from error


class KeptItem(msgspec.Struct, frozen=True):
    """What was found for an item of a table: a line of the file."""

    table: str
    item: str
    value: Any


@dataclass
class Workbench:
    """What a paper is measured with."""

    assembly: Assembly
    data: Path
    sample: int | None = None  # items of each table, at most; None for all
    load_model: Callable[[], Model] | None = None  # opens the language model; None where none is set
    model_name: str = NO_MODEL  # what rows call it
    kept: KeptLines[tuple[str, str], KeptItem] | None = None  # items that are done; None where nothing is kept
    orders: int = 1  # in how many orders a model sees options of multiple choice
    waiting: int = field(default=0, init=False)  # how many items wait for replies of a batch
    plots: list[Plot] = field(default_factory=list, init=False)  # what pages show beside the rows

    def file(self, name: str) -> Path:
        """Give a file or folder of the data."""
        path = self.data / name
        if not path.exists():
            raise SourceFileError("is missing; name a folder that has it with --data", path)
        return path

    def lines(self, name: str, *keys: str) -> list[dict[str, Any]]:
        """Read a file of JSON lines, each with some keys; a file that cannot be used raises SourceFileError."""
        return json_rows(self.file(name), *keys)

    def chosen(self, items: Mapping[str, Item]) -> dict[str, Item]:
        """Choose as many items as are to be measured, always the same; by what they are called."""
        wanted = {*sorted(items, key=number)[: self.sample]}
        return {name: item for name, item in items.items() if name in wanted}

    def each(self, table: str, items: Mapping[str, Item], find: Callable[[Item], Any]) -> dict[str, Any]:
        """Find something for each item, but for what is kept; those that wait for a reply are left out."""
        found: dict[str, Any] = {}
        done = self.kept.found if self.kept else {}
        with progress(table, "item", len(items)) as bar:
            for name, item in items.items():
                if (table, name) in done:
                    found[name] = done[table, name].value
                else:
                    try:
                        found[name] = msgspec.to_builtins(find(item))
                    except RequestsWaitError:
                        self.waiting += 1
                    else:
                        if self.kept:
                            self.kept.add(KeptItem(table, name, found[name]))
                bar.update(1)
        return found

    @functools.cached_property
    def quoting(self) -> Assembly:
        """What answers as if no language model were set."""
        return replace(self.assembly, load_model=no_model, model_reads=())

    @functools.cached_property
    def writing(self) -> Assembly:
        """What lets a language model write, and reads nothing by it."""
        return replace(self.assembly, model_reads=())

    @functools.cached_property
    def model(self) -> Model:
        """The language model; only where `load_model` is there."""
        assert self.load_model is not None
        return self.load_model()


@contextmanager
def kept_in(folder: Path, made_with: Mapping[str, str]) -> Iterator[KeptLines[tuple[str, str], KeptItem]]:
    """Open the items that a folder keeps, made with one encoder and precision; no other run may write them then."""

    def refuse() -> None:
        raise InputError(f"another run writes into {folder}; wait for it, or name another folder with --out")

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder} cannot be used: {error.strerror}; name another folder with --out") from error
    with locked(folder / "lock", refuse):
        noted, now = folder / _MADE, msgspec.json.encode(dict(made_with))
        if noted.exists() and noted.read_bytes() != now:
            raise InputError(
                f"{folder} has items made with {noted.read_text()}, not {now.decode()}; name another --out"
            )
        write_whole(noted, now)
        yield KeptLines(folder / ITEMS, KeptItem, lambda one: (one.table, one.item), "item of a table")
