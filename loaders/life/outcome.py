"""Results of storing records: of a batch one by one, as counts, as a report, and the limit on rejects."""

from __future__ import annotations

import re
import threading
from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING, Any, Final, Literal, Self

from ...errors import InputError
from ...schema.licences import no_expression
from ...text import counted
from ..base import Item, Reject, Remark, Row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    Verdict = Literal["added", "changed", "unchanged", "withdrawn"]


@dataclass(slots=True)
class Outcome:
    """What became of the rows of a batch, by verdict.

    Rejects are numbers in the batch, each with why; `former` are changed and withdrawn ones of earlier loads.
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

    The file has given `position` items; `stubs` are withdrawn entities that stay, since others point to them.
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
    def total(self) -> int:
        """How many records there were."""
        return self.position - self.remarks

    @property
    def records(self) -> int:
        """How many sound records there were."""
        return self.total - self.rejected

    def by_name(self) -> dict[str, int]:
        """Give the figures that batches add up as a load's node records them."""
        figures = asdict(self)
        del figures["position"], figures["stubs"]
        return figures

    @classmethod
    def stored(cls, row: Mapping[str, int | None]) -> Counts:
        """Read the figures of a load's node from a row of the query `begin_load` or `finish_load`."""
        return cls(**{name: row.get(name) or 0 for name in _NAMES})

    @classmethod
    def of(cls, batch: Sequence[Item], outcome: Outcome) -> Counts:
        """Count what became of a batch."""
        verdicts = {name: len(getattr(outcome, name)) for name in ("added", "changed", "unchanged", "withdrawn")}
        rejected = len(outcome.rejects) + sum(1 for item in batch if isinstance(item, Reject))
        remarks = sum(1 for item in batch if isinstance(item, Remark))
        return cls(**verdicts, rejected=rejected, remarks=remarks, position=len(batch))


_NAMES = tuple(figure.name for figure in fields(Counts))

ENOUGH: Final = 1000  # So many records tell whether a file is worth going on with
_WRITTEN: Final = re.compile(r"([0-9][0-9_,]*)(%?)|all")


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How many rejects a curator puts up with: a count, and a share, from 0 to 1, of what was read."""

    count: int = 10
    share: float = 0.1

    @classmethod
    def of(cls, text: str) -> Self:
        """Read what a curator writes: a number such as `500`, a share such as `20%`, or `all`; else an `InputError`."""
        found = _WRITTEN.fullmatch(text.strip().lower())
        if not found:
            raise InputError(f"{text!r} is no limit of rejects; write a number, a share such as 20%, or all")
        if not found[1]:
            return cls(0, 1.0)
        value = int(re.sub("[_,]", "", found[1]))
        if not found[2]:
            return cls(value, 0.0)
        if value > 100:
            raise InputError(f"{text!r} is no limit of rejects: a share is at most 100%")
        return cls(0, value / 100)

    def exceeded(self, counts: Counts) -> bool:
        """Tell whether more of a file was rejected than is borne."""
        return counts.rejected > max(self.count, self.share * counts.position)

    def hopeless(self, counts: Counts) -> bool:
        """Tell whether enough of a file was read, and too much of it rejected, to go on."""
        # A plain number is a limit for the whole file; a share is judged by what was read so far.
        return counts.position >= ENOUGH and self.exceeded(counts)


_HEADER: Final = "record\tkind\tfile\tline\treason\n"
_IN_REPORTS: Final = (
    "source load added changed unchanged withdrawn rejected remarks position resumed_at rejects_file known stubs left "
    "lacking"
).split()


@dataclass(frozen=True, slots=True)
class LoadReport(Counts):
    """What a load did, or would do."""

    source: str = ""
    load: int = 0
    resumed_at: int = 0
    rejects_file: Path | None = None  # where rejects and remarks are listed; None when there are none
    known: bool = False  # whether the same file was loaded before, so that nothing had to be read
    left: int = 0  # entities and documents of the source's earlier loads that this file lacks and that stay
    reasons: tuple[str, ...] = ()  # of a dry run, why the first records would be rejected, with their places
    licence: str = ""  # what the source states as its licence, where that is no SPDX expression
    lacking: int = 0  # of a file that is known, records that were rejected, of which some wait for entities

    def as_dict(self) -> dict[str, Any]:
        """Give the report as data that `json.dumps` takes."""
        figures = asdict(self) | {"rejects_file": str(self.rejects_file) if self.rejects_file else None}
        return {name: figures[name] for name in _IN_REPORTS}

    def summary(self) -> str:
        """Say what happened."""
        if self.known:
            lacking, held = counted(self.lacking, "record"), counted(self.unchanged, "record")
            waiting = f"; {lacking} rejected, and what they lack has not come" if self.lacking else ""
            return f"{self.source}: this file is loaded already; nothing changed ({held}{waiting})"
        verb = "" if self.load else "would be "
        stubs = f" ({self.stubs:,} {verb or 'were '}kept as stubs, as others point to them)" if self.stubs else ""
        withdrawn = f"{self.withdrawn:,} {verb}withdrawn{stubs}, " if self.withdrawn else ""
        remarks = f", {counted(self.remarks, 'remark')}" if self.remarks else ""
        resumed = f" (taken up at record {self.resumed_at:,})" if self.resumed_at else ""
        left = (
            f"; {self.left:,} entities and documents of earlier loads stay: --replace withdraws them"
            if self.left
            else ""
        )
        licence = f"; {no_expression(self.licence)}" if self.licence else ""
        return (
            f"{self.source}: {counted(self.added, 'record')} {verb}added, {self.changed:,} {verb}changed, "
            f"{withdrawn}{self.unchanged:,} unchanged, {self.rejected:,} rejected{remarks}{resumed}{left}{licence}"
        )


# What tells one record from another in a reason: ids, words in quotes, numbers.
_APART: Final = re.compile(r"[^\s:]+:\S+|'[^']*'|\"[^\"]*\"|[0-9][0-9,.]*")
_KINDS: Final = 1000  # reasons that are told apart


class RejectsFile:
    """The list of what could not be stored, or deserves a look, in a file that is made with its first line.

    Lines are written before the transaction that counts them is over, so that none is lost; what is there twice or too
    much after an interruption goes when the load is taken up or ends.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._reasons: dict[str, tuple[int, str]] = {}  # how often, and the first, without what tells records apart
        self.remark = ""  # the first one

    @property
    def commonest(self) -> str:
        """Say which reason most rejects have, with the first of them; empty where there are none."""
        if not self._reasons:
            return ""
        count, first = max(self._reasons.values(), key=lambda reason: reason[0])
        total = sum(times for times, _ in self._reasons.values())
        return f"The commonest reason, of {count:,} of {total:,}: {first}"

    def _count(self, items: Iterable[Reject | Remark]) -> None:
        for item in items:
            if isinstance(item, Remark):
                self.remark = self.remark or item.text
                continue
            kind = _APART.sub("…", item.reason)
            if kind in self._reasons or len(self._reasons) < _KINDS:
                count, first = self._reasons.get(kind, (0, f"{item.reason} ({item.where})"))
                self._reasons[kind] = count + 1, first

    def append(self, lines: Iterable[tuple[int, Reject | Remark]]) -> None:
        """Write rejects and remarks, each with its number in the file; an `InputError` where that fails."""
        lines = list(lines)
        text = "".join(_line(number, item) for number, item in lines)
        if not text:
            return
        try:
            with self._lock:
                self._count(item for _, item in lines)
                self.path.parent.mkdir(parents=True, exist_ok=True)
                with self.path.open("a", encoding="utf-8", errors="backslashreplace") as file:
                    file.write(text if file.tell() else _HEADER + text)
        except OSError as error:
            remedy = "what is rejected must be listed"
            raise InputError(f"{self.path} cannot be written: {error.strerror}; {remedy}") from error

    def keep(self, done: Callable[[int], bool]) -> None:
        """Bring the lines into order, without repeats, and without those of items that are not `done` yet."""
        if not self.path.exists():
            return
        lines = self.path.read_text(encoding="utf-8").splitlines(keepends=True)[1:]
        # The last line of a run that was cut off may be a part of one.
        whole = {(int(line.split("\t", 1)[0]), line) for line in lines if line.endswith("\n") and "\t" in line}
        kept = [line for number, line in sorted(whole) if done(number)]
        if kept:
            self.path.write_text(_HEADER + "".join(kept), encoding="utf-8")
        else:
            self.path.unlink()


def _line(number: int, item: Reject | Remark) -> str:
    reason = item.reason if isinstance(item, Reject) else item.text
    kind = type(item).__name__.lower()
    where, what = (" ".join(text.split()) for text in (item.file, reason))
    return f"{number}\t{kind}\t{where}\t{item.line or ''}\t{what}\n"
