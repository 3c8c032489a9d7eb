"""PAPER → ITS TABLES: one file a paper, each measured here as far as public data and the models at hand allow."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .bench import Row, Workbench

# Paper, or `beyond` for what no paper has → the module beside this one whose `rows` measures it.
PAPERS: Final = {
    "joint-reasoning": "joint_reasoning",
    "hyke": "hyke",
    "verifai": "verifai",
    "imapscore": "imapscore",
    "illama": "illama",
    "beyond": "beyond",
}


def rows_of(paper: str, bench: Workbench) -> Iterator[Row]:
    """Measure the tables of a paper, one of `PAPERS`."""
    found: Iterator[Row] = import_module(f".{PAPERS[paper]}", __name__).rows(bench)
    return found
