"""Findings of the doctor: each a fact with its severity, its place and the command that mends it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

Level = Literal["ok", "warning", "broken"]

LEVELS: Final[tuple[Level, ...]] = ("broken", "warning", "ok")


@dataclass(frozen=True, slots=True)
class Finding:
    """One fact about the installation.

    Attributes:
        id: What was looked at, such as `index` or `index:chunk_embedding`; the same in every examination.
        level: `broken`: something fails, or answers wrongly; `warning`: it works, and could be better; or `ok`.
        what: The fact.
        where: The machine, folder, server or package that it is about.
        remedy: What to run or to set; empty where all is well.
    """

    id: str
    level: Level
    what: str
    where: str
    remedy: str = ""


def ok(what_id: str, what: str, where: str) -> Finding:
    """Say that something is as it should be."""
    return Finding(what_id, "ok", what, where)


def warning(what_id: str, what: str, where: str, remedy: str) -> Finding:
    """Say that something works and could be better, and what to run or to set."""
    return Finding(what_id, "warning", what, where, remedy)


def broken(what_id: str, what: str, where: str, remedy: str) -> Finding:
    """Say that something fails, or answers wrongly, and what to run or to set."""
    return Finding(what_id, "broken", what, where, remedy)


def as_dict(findings: Sequence[Finding]) -> dict[str, Any]:
    """Give findings as plain data: whether all is sound, how many there are of each level, and the findings."""
    counts: dict[str, int] = {level: sum(1 for finding in findings if finding.level == level) for level in LEVELS}
    return {"sound": not counts["broken"], **counts, "findings": [asdict(finding) for finding in findings]}


def size(count: float) -> str:
    """Write a number of bytes for people, such as `1.5 GB`, by powers of 1024 as Java and Neo4j count."""
    return f"{count / (1 << 30):.1f} GB" if count >= 1 << 30 else f"{count / (1 << 20):.0f} MB"
