"""Outcomes of the gate, the file in which they are frozen, and the table of figures beside the frozen ones.

A figure fails when it is worse than the frozen one by more than the tolerance and the whole 95 % interval of the paired
bootstrap over questions lies on the worse side, so that chance does not explain the loss. Figures of single sets tell
where something moved, and fail nothing: of twenty-five of them one falls so far now and then. Of emergencies none may
be lost that was recognised, and no mention may be taken for one that was not. How long answers take fails nothing.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from medgraph.answers.answer import ANSWERED
from medgraph.errors import InputError, SourceFileError
from medgraph.files import table_lines, write_whole

from .gate_sets import GateSelection
from .sets.grades import GOOD
from .statistics import Auc, Ratio, compare

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from .statistics import Measured

    Counted = tuple[float, float]  # what is counted of a question, and what could be
    Pair = tuple[Any, Any]  # what came of something now, and when it was frozen

TOLERANCE: Final = 0.02
ALL: Final = "all"
SHOWN: Final = 5  # questions that a failing row names
# Measure of answers and search → what it counts: of all, of those answered, of those that can be, of the others.
_ANSWERS: Final[dict[str, Callable[[Any], Counted]]] = {
    "answered": lambda one: (one.status == ANSWERED, 1),
    "right": lambda one: (one.status == ANSWERED and (one.first or 0) >= GOOD, one.status == ANSWERED),
    "helpful": lambda one: (one.answerable and one.best >= GOOD, one.answerable),
    "false": lambda one: (not one.answerable and one.status == ANSWERED, not one.answerable),
    "nDCG@10": lambda one: (one.ndcg or 0.0, one.ndcg is not None),
}
_LINKS: Final[dict[str, Callable[[Any], Counted]]] = {
    "linking F1": lambda one: (2 * one.right, 2 * one.right + one.wrong + one.missed),
    "linking accuracy": lambda one: (one.named, one.right + one.missed),
}
# Measure of emergencies → what it counts, and what is lost.
_ALARMS: Final[dict[str, tuple[Callable[[Any], Counted], Callable[[Any, Any], bool]]]] = {
    "emergency recall": (
        lambda one: (bool(one.kind) and one.told, bool(one.kind)),
        lambda now, frozen: bool(now.kind) and frozen.told and not now.told,
    ),
    "emergency precision": (
        lambda one: (bool(one.kind) and one.told, one.told),
        lambda now, frozen: not now.kind and now.told and not frozen.told,
    ),
}
_WORSE_HIGHER: Final = frozenset(("false",))


@dataclass(frozen=True, slots=True)
class Row:
    """A figure."""

    measure: str
    set: str
    n: int
    now: float
    frozen: float
    more: float
    low: float
    high: float
    tolerance: float | None  # how much may be lost; None where the row fails nothing
    failed: bool = False
    changed: tuple[str, ...] = ()  # what came out otherwise, the first ones; of rows that failed


def rows(now: Outcomes, frozen: Outcomes) -> list[Row]:
    """Compare what came of everything with what was frozen."""
    _check_same(now, frozen)
    asked = list(zip(now.asked, frozen.asked, strict=True))
    made = [
        _counted(measure, name, count, [pair for pair in asked if name in {pair[0].set, ALL}])
        for name in (*dict.fromkeys(one.set for one in frozen.asked), ALL)
        for measure, count in _ANSWERS.items()
    ]
    if frozen.read:
        read = list(zip(now.read, frozen.read, strict=True))
        changed = [pair for pair in read if pair[0].helps != pair[1].helps]
        made.append(_row("sentence AUC", ALL, _auc(now.read), _auc(frozen.read), changed))
    linked = list(zip(now.linked, frozen.linked, strict=True))
    made += [_counted(measure, ALL, count, linked) for measure, count in _LINKS.items() if linked]
    alarms = list(zip(now.alarms, frozen.alarms, strict=True))
    for measure, (count, is_lost) in _ALARMS.items():
        lost = [_describe_change(*pair) for pair in alarms if is_lost(*pair)]
        row = _counted(measure, ALL, count, alarms)
        made.append(replace(row, tolerance=0.0, failed=bool(lost), changed=tuple(lost[:SHOWN])))
    return made


def latency(outcomes: Outcomes) -> list[dict[str, Any]]:
    """Tell how many milliseconds answers took, beside the searches for the same questions, and their ratio."""
    told = []
    for name, quantile in {"p50": 0.5, "p95": 0.95}.items():
        ask, search = (float(np.quantile(spent, quantile)) for spent in (outcomes.asking, outcomes.searching))
        told.append(
            {"quantile": name, "ask": round(ask, 1), "search": round(search, 1), "ratio": round(ask / search, 2)}
        )
    return told


def _check_same(now: Outcomes, frozen: Outcomes) -> None:
    for kind in ("asked", "read", "linked", "alarms"):
        mine, theirs = (
            [(one.id, getattr(one, "asked", ""), getattr(one, "good", ())) for one in getattr(each, kind)]
            for each in (now, frozen)
        )
        if mine != theirs:
            raise InputError(
                f"other questions or grades ({kind}) than were frozen; freeze: medgraph evaluate gate --freeze REASON"
            )


def _counted(measure: str, name: str, count: Callable[[Any], Counted], pairs: Sequence[Pair]) -> Row:
    mine, theirs = (
        Ratio(*np.array([count(one) for one in each], dtype=np.float64).T) for each in zip(*pairs, strict=True)
    )
    return _row(measure, name, mine, theirs, [pair for pair in pairs if count(pair[0]) != count(pair[1])])


def _row(measure: str, name: str, mine: Measured, theirs: Measured, changed: Sequence[Pair]) -> Row:
    found = compare(mine, theirs)
    gain, most = (-found.more, -found.low) if measure in _WORSE_HIGHER else (found.more, found.high)
    tolerance = TOLERANCE if name == ALL else None
    failed = tolerance is not None and gain < -tolerance and most < 0
    values = (mine.value(), theirs.value(), found.more, found.low, found.high)
    reached, was, more, low, high = (round(one, 4) for one in values)
    told = tuple(_describe_change(*pair) for pair in changed[:SHOWN]) if failed else ()
    return Row(measure, name, mine.questions, reached, was, more, low, high, tolerance, failed, told)


def _describe_change(now: Outcome, frozen: Outcome) -> str:
    if isinstance(now, AnswerOutcome) and isinstance(frozen, AnswerOutcome):
        was, became = (
            f"{one.status}, first {one.first}, best {one.best}, nDCG {one.ndcg or 0:.2f}" for one in (frozen, now)
        )
        return f"{now.id} ({now.asked}): {was} → {became}"
    return now.id


def _auc(read: Sequence[ReadingOutcome]) -> Auc:
    owners = np.repeat(np.arange(len(read)), [len(one.helps) for one in read])
    scores, good = ([value for one in read for value in getattr(one, name)] for name in ("helps", "good"))
    return Auc(np.array(scores, dtype=np.float64), np.array(good, dtype=np.bool_), owners)


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


def load(path: Path) -> tuple[GateSelection, Outcomes]:
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
