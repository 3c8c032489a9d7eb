"""Outcomes of the gate's questions, texts and sentences, and the file in which they are frozen."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final

from medgraph.errors import SourceFileError
from medgraph.files import table_lines, write_whole

from .gate_sets import GateSelection

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class AnswerOutcome:
    """What came of a question or a message."""

    set: str  # a key of `gate_sets.SETS`
    id: str
    asked: str  # `question` or `message`
    answerable: bool
    status: str
    # The grade of the section that is quoted first; None where nobody graded it, or nothing is quoted.
    first: int | None
    best: int
    ndcg: float | None  # nDCG@10 of search; None where no graded section is about it


@dataclass(frozen=True, slots=True)
class ReadingOutcome:
    """How likely the graded sentences of a question help."""

    id: str
    helps: tuple[float, ...]  # how likely each helps; 0 for one that was not looked at
    good: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class LinkingOutcome:
    """What was linked of an abstract."""

    id: str
    right: int
    wrong: int  # mentions that were found and are none, or another one
    missed: int
    named: int  # marked mentions that got one of their ids when looked up


@dataclass(frozen=True, slots=True)
class EmergencyOutcome:
    """What came of a message that is an emergency, or only mentions one."""

    id: str
    kind: str  # the kind of emergency; empty where it is none
    told: bool  # whether the answer begins with what to do in one, of its kind where it is one


Outcome = AnswerOutcome | ReadingOutcome | LinkingOutcome | EmergencyOutcome


@dataclass(frozen=True, slots=True)
class Outcomes:
    """What came of everything."""

    asked: list[AnswerOutcome] = field(default_factory=list)
    read: list[ReadingOutcome] = field(default_factory=list)
    linked: list[LinkingOutcome] = field(default_factory=list)
    alarms: list[EmergencyOutcome] = field(default_factory=list)
    searching: list[float] = field(default_factory=list)
    asking: list[float] = field(default_factory=list)


_KINDS: Final[dict[str, Any]] = {
    "asked": AnswerOutcome,
    "read": ReadingOutcome,
    "linked": LinkingOutcome,
    "alarms": EmergencyOutcome,
}
_REMEDY: Final = "write it anew with: medgraph evaluate gate --freeze REASON"


def write(path: Path, reason: str, chosen: GateSelection, outcomes: Outcomes) -> None:
    """Freeze outcomes: a line with what was chosen, and one for each outcome."""
    lines: list[dict[str, Any]] = [{"reason": reason} | asdict(chosen)]
    lines += [{"of": kind} | asdict(one) for kind in _KINDS for one in getattr(outcomes, kind)]
    write_whole(path, "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode())


def read(path: Path) -> tuple[GateSelection, Outcomes]:
    """Read what was frozen."""
    if not path.is_file():
        raise SourceFileError(f"there is no such file; {_REMEDY}", path)
    outcomes, chosen = Outcomes(), None
    for number, line in table_lines(path):
        try:
            row = json.loads(line)
            if chosen is None:
                chosen = GateSelection(row["questions"], row["files"])
                continue
            kind = row.pop("of")
            given = {name: tuple(value) if isinstance(value, list) else value for name, value in row.items()}
            getattr(outcomes, kind).append(_KINDS[kind](**given))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise SourceFileError(f"is not what the gate froze: {error!r}; {_REMEDY}", path, number) from error
    if chosen is None:
        raise SourceFileError(f"holds nothing; {_REMEDY}", path)
    return chosen, outcomes
