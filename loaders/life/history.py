"""Keeps records that a load changes or removes until the source's next load, so that it can be undone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...graph import catalogue
from ...schema import rows as as_rows
from ...schema.attributes import title

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...graph.database import Run
    from .kinds.kind import StoredKind
    from .kinds.states import KeyRow


def keep(run: Run, load: int, kind: StoredKind, keys: Sequence[KeyRow]) -> None:
    """Keep records as they are, in the transaction that changes or removes them.

    Args:
        load: The id of the load that changes them.
    """
    rows = [
        {
            "kind": kind.name,
            "key": title(stored.record),
            "record": as_rows.to_json(stored.record),
            "source": stored.source,
            "hash": stored.hash,
            "load": stored.load,
        }
        for stored in kind.stored(run, keys)
    ]
    if rows:
        run(catalogue.get("write_formers"), rows=rows, load=load)
