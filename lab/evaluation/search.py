"""All sets that search is measured on while it is made, as one table: every way beside a floor, and how surely."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from medgraph.errors import InputError, SourceFileError

from .retrieval import compared
from .sets import mediqa, medquad, meqsum, pubmedqa

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from .retrieval import Bench, SearchResult

# Set → its files in the folder of data; the graph has MedQuAD.
FILES: Final = {
    "mediqa": tuple(f"mediqa/{name}" for name, _ in mediqa.FILES.values()),
    "medquad": (),
    "meqsum": ("questions/meqsum.csv",),
    "pubmedqa": ("pubmedqa/pqal_dev.json",),
}
_MEASURES: Final[dict[str, Callable[[Bench], Iterator[SearchResult]]]] = {
    "mediqa": lambda bench: mediqa.results(bench, bench.data / "mediqa"),
    "medquad": medquad.results,
    "meqsum": lambda bench: meqsum.results(bench, bench.data / FILES["meqsum"][0]),
    "pubmedqa": lambda bench: pubmedqa.results(bench, bench.data / FILES["pubmedqa"][0]),
}


def check(data: Path, names: Sequence[str]) -> None:
    """Make sure that there is what sets are made of."""
    for name in names:
        if name not in FILES:
            raise InputError(f"there is no set {name!r}; known are {', '.join(FILES)}")
        for file in FILES[name]:
            if not (data / file).is_file():
                raise SourceFileError(
                    f"is missing, and the set {name} is made of it; choose others by --set", data / file
                )


def evaluate(bench: Bench, names: Sequence[str]) -> list[dict[str, Any]]:
    """Measure sets; all when none is named. The rows are those of `retrieval.compared`."""
    check(bench.data, names)
    results: list[SearchResult] = []
    for name in names or FILES:
        results += _MEASURES[name](bench)
    return compared(results)
