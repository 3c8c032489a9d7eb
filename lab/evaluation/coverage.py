"""Accuracy of answers against coverage at every confidence threshold, and the cost of each threshold.

A wrong answer costs more than a silent one: `COST` times as much, and a right one nothing. So answers pay where more
than 1 - 1 / COST of them are right, and the cheapest threshold is the one with the least of COST x wrong + silent.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from medgraph.answers.signs import ANSWERS, KINDS
from medgraph.errors import InputError, install_line
from medgraph.files import write_whole
from medgraph.progress import progress

from .graded import text_of
from .sets.grades import GOOD

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from medgraph.answers.answerer import Answerer

    from .sets.grades import Grades
    from .sets.meqsum import Message

    Place = tuple[float, float]
    # A name, points of questions answered and answers that are right, and the points that are marked.
    Line = tuple[str, Sequence[Place], Sequence[tuple[Place, str]]]

COST: Final = 3  # how much worse a wrong answer is than none; given, not measured
_NAMES: Final = {"question": "short questions", "message": "messages"}
_WHICH: Final = {"used": "threshold used", "cheapest": "cheapest threshold"}


@dataclass(frozen=True, slots=True)
class TriedAnswer:
    """What would be answered to a question, whatever the threshold."""

    sure: float
    right: bool  # whether a section that answers would be quoted first


@dataclass(frozen=True, slots=True)
class Point:
    """What comes of a threshold."""

    threshold: float
    answered: float
    right: float  # of those, the share that is right; 1 where nothing is answered
    cost: float  # COST for each wrong answer and 1 for each silence, a question


def tried(answerer: Answerer, messages: Sequence[Message], grades: Grades) -> dict[str, list[TriedAnswer]]:
    """Find what would be answered to short questions and messages."""
    found: dict[str, list[TriedAnswer]] = {}
    with progress("weighing", "question", len(KINDS) * len(messages)) as bar:
        for kind in KINDS:
            found[kind] = []
            for one in messages:
                if text := text_of(one, kind):
                    found[kind].append(_tried(answerer, text, grades[one.id]))
                bar.update(1)
    return found


def _tried(answerer: Answerer, text: str, grades: Mapping[str, int]) -> TriedAnswer:
    sure, sentences = answerer.quoted(text)
    first = next((citation.section for sentence in sentences for citation in sentence.citations), "")
    return TriedAnswer(sure if first else 0.0, grades.get(first, 0) >= GOOD)


def at(some: Sequence[TriedAnswer], threshold: float) -> Point:
    """Tell what comes of a threshold."""
    given = [one for one in some if one.sure >= threshold]
    wrong = sum(not one.right for one in given)
    cost = (COST * wrong + len(some) - len(given)) / len(some)
    return Point(threshold, len(given) / len(some), 1 - wrong / len(given) if given else 1.0, cost)


def curve(some: Sequence[TriedAnswer]) -> list[Point]:
    """Tell what comes of every threshold that makes a difference."""
    return [at(some, threshold) for threshold in sorted({one.sure for one in some if one.sure}, reverse=True)]


def table(found: Mapping[str, Sequence[TriedAnswer]], used: Mapping[str, float] = ANSWERS) -> list[dict[str, Any]]:
    """Sum up the threshold that is used, and the cheapest one: two rows for each form of question."""
    rows = []
    for kind, some in found.items():
        marked = _marked(some, used[kind])
        rows += [
            {"asked": kind, "which": which}
            | {name: getattr(point, name) for name in ("threshold", "answered", "right", "cost")}
            for which, point in marked.items()
        ]
    return rows


def _marked(some: Sequence[TriedAnswer], used: float) -> dict[str, Point]:
    silent = at(some, 2.0)
    return {"used": at(some, used), "cheapest": min([silent, *curve(some)], key=lambda point: point.cost)}


def lines_of(found: Mapping[str, Sequence[TriedAnswer]], used: Mapping[str, float] = ANSWERS) -> list[Line]:
    """Give accuracy against coverage as lines that can be drawn."""
    lines: list[Line] = []
    for kind, some in found.items():
        marked = [
            (
                (point.answered, point.right),
                f"{_WHICH[which]} {point.threshold:.2f}: {point.answered:.0%} answered, {point.right:.0%} right,"
                f" cost {point.cost:.2f}",
            )
            for which, point in _marked(some, used[kind]).items()
            if point.answered
        ]
        lines.append((f"{_NAMES[kind]} ({len(some)})", [(p.answered, p.right) for p in curve(some)], marked))
    return lines


def save_coverage(lines: Sequence[Line], path: Path) -> None:
    """Plot how accurate answers are against how much is answered, a line a kind of question, as .svg or .png."""
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
        from matplotlib.ticker import PercentFormatter
    except ImportError as error:
        raise InputError(f"plots need matplotlib ({error}); {install_line('plots')}") from error
    figure = Figure(figsize=(8, 6), layout="constrained")
    axes = figure.subplots()
    for name, points, marked in lines:
        (drawn,) = axes.plot(*zip(*points, strict=True), label=name) if points else axes.plot([], label=name)
        for at, text in marked:
            axes.plot(*at, "o", color=drawn.get_color(), label=text)
    level = 1 - 1 / COST
    told = f"below {level:.0%} answers cost more than silence: {COST} for a wrong one, 1 for none"
    axes.axhline(level, color="grey", linestyle=":", label=told)
    axes.set(title="Accuracy against coverage", xlabel="questions answered", ylabel="answers that are right")
    axes.set(xlim=(0, 1.02), ylim=(0, 1.02))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(PercentFormatter(1.0))
    figure.legend(loc="outside lower center", fontsize="small")
    drawing = io.BytesIO()
    with mpl.rc_context({"svg.fonttype": "none"}):
        figure.savefig(drawing, format=path.suffix.lower().removeprefix("."))
    write_whole(path, drawing.getvalue())
