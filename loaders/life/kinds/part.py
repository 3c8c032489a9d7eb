"""Parts of a source: what it says of each, such as its version and licence."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ....graph import catalogue
from ....schema.records import SourceInfo
from ...base import facts_of
from ..standing import standing_of
from .kind import Kind
from .states import HeldError, Known

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ....graph.database import Run
    from ...base import Row
    from ..outcome import Outcome, Verdict
    from .kind import Judge
    from .states import Former, Key, KeyRow, Loading


class Parts(Kind):
    """What a load does with the parts of its source."""

    name = "SourceInfo"

    def key(self, row: Row) -> Key:
        """Name a part: its id."""
        return (_info(row).id,)

    def key_row(self, row: Row) -> KeyRow:
        """Give the id, and the source."""
        return {"id": _info(row).id, "source": row.source}

    def look_up(self, run: Run, rows: Sequence[Row]) -> Known:
        """Read what is recorded of the sources of these names."""
        found = run(catalogue.get("source_facts"), ids=[_info(row).id for row in rows])
        return Known(facts={row["id"]: row for row in found})

    def judge(self, row: Row, judge: Judge) -> Verdict:
        """Say whether something else was recorded before."""
        info = _info(row)
        recorded = judge.known.facts.get(info.id)
        if recorded and recorded["part_of"] != judge.source:
            whole = f"a part of {recorded['part_of']}" if recorded["part_of"] else "loaded by itself"
            raise HeldError(
                f"the source {info.id} is {whole}; to load it from here, run first: medgraph unload {info.id}",
                recorded["part_of"] or info.id,
            )
        if not recorded:
            return "added"
        return "unchanged" if recorded["facts"] == facts_of(info) else "changed"

    def write(self, run: Run, outcome: Outcome, loading: Loading) -> None:
        """Record what is said of the parts; what was said before is kept, so that it can be taken back."""
        for known in run(catalogue.get("source_facts"), ids=[_info(row).id for row in outcome.changed]):
            kept = {"kind": self.name, "key": known["id"], "source": known["part_of"], "hash": 0, "load": loading.load}
            run(catalogue.get("keep_source"), row=kept | {"record": json.dumps(known["facts"])})
        for row in (*outcome.added, *outcome.changed):
            info = _info(row)
            facts = facts_of(info)
            run(catalogue.get("write_source"), facts=facts, whole=loading.source, standing=standing_of(info))

    @staticmethod
    def restore(run: Run, formers: Sequence[Former]) -> None:
        """Record what was said of the parts before."""
        for former in formers:
            run(catalogue.get("write_source"), facts=json.loads(former.record), whole=former.source, standing="")


def _info(row: Row) -> SourceInfo:
    assert isinstance(row.record, SourceInfo)
    return row.record
