"""Tables beyond the papers: BC5CDR, K-QA, and the harm of retrieval."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import cdr, hyke, kqa

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .bench import Row, Workbench


def rows(bench: Workbench) -> Iterator[Row]:
    """Measure all three."""
    yield from hyke.harm(bench)
    yield from cdr.rows(bench)
    yield from kqa.rows(bench)
