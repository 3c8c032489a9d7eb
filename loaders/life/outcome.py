"""Results of storing a batch of records, one by one and as counts."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING, Literal

from ..base import Reject, Remark

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..base import Item, Row

    Verdict = Literal["added", "changed", "unchanged", "withdrawn"]


@dataclass(slots=True)
class Outcome:
    """What became of the rows of a batch.

    Attributes:
        added: Records that were not in the graph.
        changed: Records that were there with other content.
        unchanged: Records that were there as they are.
        withdrawn: Records that took something back which was there.
        rejects: Numbers in the batch of records that cannot be stored, and why.
        former: Which of the changed and withdrawn ones were there before this load.
    """

    added: list[Row] = field(default_factory=list)
    changed: list[Row] = field(default_factory=list)
    unchanged: list[Row] = field(default_factory=list)
    withdrawn: list[Row] = field(default_factory=list)
    rejects: list[tuple[int, Reject]] = field(default_factory=list)
    former: list[Row] = field(default_factory=list)

    @property
    def lacked(self) -> list[str]:
        """The entities whose lack made it reject records."""
        return list(dict.fromkeys(reject.lacks for _, reject in self.rejects if reject.lacks))

    @property
    def held(self) -> list[str]:
        """The sources that have what rejected records claim."""
        return list(dict.fromkeys(reject.held for _, reject in self.rejects if reject.held))


@dataclass(frozen=True, slots=True)
class Counts:
    """What became of items, in figures that add up.

    Attributes:
        added: Records that were not in the graph.
        changed: Records that were there with other content.
        unchanged: Records that were there as they are.
        withdrawn: Records that were there and are not any more.
        rejected: Records that could not be stored.
        remarks: Things that a curator should look at, though nothing is lost.
        position: How many items the file has given.
        stubs: Withdrawn entities that stay as stubs, since others point to them.
    """

    added: int = 0
    changed: int = 0
    unchanged: int = 0
    withdrawn: int = 0
    rejected: int = 0
    remarks: int = 0
    position: int = 0
    stubs: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(*(getattr(self, name) + getattr(other, name) for name in _NAMES))

    @property
    def read(self) -> int:
        """How many records there were."""
        return self.position - self.remarks

    @property
    def records(self) -> int:
        """How many sound records there were."""
        return self.read - self.rejected

    def by_name(self) -> dict[str, int]:
        """Give the figures as a load's node records them.

        Returns:
            All that batches add up, by name.
        """
        figures = asdict(self)
        del figures["position"], figures["stubs"]
        return figures

    @classmethod
    def stored(cls, row: Mapping[str, int | None]) -> Counts:
        """Read the figures of a load's node.

        Args:
            row: A row of the query `begin_load` or `finish_load`.
        """
        return cls(**{name: row.get(name) or 0 for name in _NAMES})

    @classmethod
    def of(cls, batch: Sequence[Item], outcome: Outcome) -> Counts:
        """Count what became of a batch."""
        return cls(
            added=len(outcome.added),
            changed=len(outcome.changed),
            unchanged=len(outcome.unchanged),
            withdrawn=len(outcome.withdrawn),
            rejected=len(outcome.rejects) + sum(1 for item in batch if isinstance(item, Reject)),
            remarks=sum(1 for item in batch if isinstance(item, Remark)),
            position=len(batch),
        )


_NAMES = tuple(figure.name for figure in fields(Counts))
