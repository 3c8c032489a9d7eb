"""Report on a load: its counts, and a file of the records that could not be stored."""

from __future__ import annotations

import threading
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final, Self

from ...errors import InputError
from ..base import Reject

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from ..base import Remark
    from .outcome import Counts

_HEADER: Final = "record\tkind\tfile\tline\treason\n"


@dataclass(frozen=True, slots=True)
class LoadReport:
    """What a load did, or would do.

    Attributes:
        source: The source's id.
        load: The load's id; 0 for a dry run.
        added: Records that were not in the graph.
        changed: Records that were there with other content.
        unchanged: Records that were there as they are.
        withdrawn: Records that were there and are not any more.
        rejected: Records that could not be stored.
        remarks: Things that a curator should look at, though nothing is lost.
        position: How many items the file has given so far.
        resumed_at: How many of them an interrupted run had dealt with before.
        rejects_file: Where rejects and remarks are listed; None when there are none.
        known: Whether the same file was loaded before, so that nothing had to be read.
        stubs: Withdrawn entities that stay as stubs, since others point to them.
        left: Entities and documents of the source's earlier loads that this file lacks and that stay.
        lacking: Of a file that is known, records that were rejected, of which some wait for entities.
    """

    source: str
    load: int = 0
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    withdrawn: int = 0
    rejected: int = 0
    remarks: int = 0
    position: int = 0
    resumed_at: int = 0
    rejects_file: Path | None = None
    known: bool = False
    stubs: int = 0
    left: int = 0
    lacking: int = 0

    @classmethod
    def of(
        cls,
        source: str,
        counts: Counts,
        load: int = 0,
        resumed_at: int = 0,
        rejects_file: Path | None = None,
        left: int = 0,
    ) -> Self:
        """Report what counts say.

        Args:
            load: The load's id; 0 for a dry run.
            resumed_at: How many items an interrupted run had dealt with before.
            rejects_file: Where rejects and remarks are listed.
            left: Entities and documents of earlier loads that stay.
        """
        return cls(source, load, **asdict(counts), resumed_at=resumed_at, rejects_file=rejects_file, left=left)

    def as_dict(self) -> dict[str, Any]:
        """Give the report as plain data.

        Returns:
            Data that `json.dumps` takes.
        """
        return asdict(self) | {"rejects_file": str(self.rejects_file) if self.rejects_file else None}

    def summary(self) -> str:
        """Say what happened."""
        if self.known:
            waiting = (
                f"; {self.lacking:,} records were rejected, and what they lack has not come" if self.lacking else ""
            )
            return f"{self.source}: this file is loaded already; nothing changed ({self.unchanged:,} records{waiting})"
        verb = "" if self.load else "would be "
        stubs = f" ({self.stubs:,} {verb or 'were '}kept as stubs, as others point to them)" if self.stubs else ""
        withdrawn = f"{self.withdrawn:,} {verb}withdrawn{stubs}, " if self.withdrawn else ""
        remarks = f", {self.remarks:,} remarks" if self.remarks else ""
        resumed = f" (taken up at record {self.resumed_at:,})" if self.resumed_at else ""
        left = f"; {self.left:,} of earlier loads stay: --replace withdraws what this file lacks" if self.left else ""
        return (
            f"{self.source}: {self.added:,} records {verb}added, {self.changed:,} {verb}changed, "
            f"{withdrawn}{self.unchanged:,} unchanged, {self.rejected:,} rejected{remarks}{resumed}{left}"
        )


class RejectsFile:
    """The list of what could not be stored, or deserves a look.

    Lines are written before the transaction that counts them is over, so that none is lost; what is there twice or too
    much after an interruption goes when the load is taken up or ends.

    Args:
        path: The file; it is made with the first line.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()

    def append(self, lines: Iterable[tuple[int, Reject | Remark]]) -> None:
        """Write lines.

        Args:
            lines: Numbers of items in the file, each with its reject or remark.

        Raises:
            InputError: The file cannot be written.
        """
        text = "".join(_line(number, item) for number, item in lines)
        if not text:
            return
        try:
            with self._lock:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                with self.path.open("a", encoding="utf-8", errors="backslashreplace") as file:
                    file.write(text if file.tell() else _HEADER + text)
        except OSError as error:
            raise InputError(
                f"{self.path} cannot be written: {error.strerror}; what is rejected must be listed"
            ) from error

    def keep(self, done: Callable[[int], bool]) -> None:
        """Bring the lines into order, without repeats, and without those of items that are not dealt with yet.

        Args:
            done: Tells whether the load has dealt with the item of a number.
        """
        if not self.path.exists():
            return
        lines = self.path.read_text(encoding="utf-8").splitlines(keepends=True)[1:]
        # The last line of a run that was cut off may be a part of one.
        numbered = sorted(
            {(int(line.split("\t", 1)[0]), line) for line in lines if line.endswith("\n") and "\t" in line}
        )
        kept = [line for number, line in numbered if done(number)]
        if kept:
            self.path.write_text(_HEADER + "".join(kept), encoding="utf-8")
        else:
            self.path.unlink()


def _line(number: int, item: Reject | Remark) -> str:
    reason = item.reason if isinstance(item, Reject) else item.text
    kind = type(item).__name__.lower()
    where, what = (" ".join(text.split()) for text in (item.file, reason))
    return f"{number}\t{kind}\t{where}\t{item.line or ''}\t{what}\n"
