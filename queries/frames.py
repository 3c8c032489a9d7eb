"""Wordings of questions, with a slot for what they are about, from the table `frames.tsv`."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..errors import InputError
from ..files import table_lines
from .patients import SLOT
from .relation_sentences import is_plural, kinds

if TYPE_CHECKING:
    from collections.abc import Sequence

TABLE: Final = Path(__file__).with_name("frames.tsv")

CONDITIONS: Final = frozenset({"Disease", "Symptom", "Phenotype", "SideEffect"})  # labels of what people have
# What a wording may be about: what people have, what they are given for it, or both.
ABOUT: Final = ("condition", "given", "any")
_VERB: Final = re.compile(r"<([^|<>]+)\|([^|<>]+)>")


@dataclass(frozen=True, slots=True)
class Frame:
    """A wording.

    Attributes:
        kind: The kind of section that answers it.
        about: One of `ABOUT`.
        origin: Where it is from: `medquad`, whose pages ask so, or `everyday`, written by hand.
        times: How many questions ask so; 0 where it was written by hand.
        text: The question, with `{x}` for what it is about, and `<is|are>` by its number.
    """

    kind: str
    about: str
    origin: str
    times: int
    text: str


@dataclass(frozen=True, slots=True)
class DraftQuestion:
    """A question that may be asked.

    Attributes:
        wording: The question, with `{x}` for what it is about.
        name: What stands there.
        origin: Where the wording is from.
    """

    wording: str
    name: str
    origin: str

    @property
    def text(self) -> str:
        """The question."""
        asked = self.wording.replace(SLOT, self.name)
        return f"{asked[:1].upper()}{asked[1:]}"


def chosen(text: str, name: str) -> str:
    """Choose the verbs of a wording.

    Example:
        >>> chosen("What <is|are> {x}?", "kidney stones")
        'What are {x}?'
    """
    return _VERB.sub(lambda found: found[2 if is_plural(name) else 1], text)


def read_frames(path: Path = TABLE) -> tuple[Frame, ...]:
    """Read a table of wordings: kind of section, what it is about, origin, times, wording.

    Raises:
        InputError: A line cannot be used.
    """
    found = []
    for number, line in table_lines(path):
        cells = line.split("\t")
        if problem := _problem(cells):
            raise InputError(f"{path}:{number}: {problem}; write kind of section, about, origin, times, wording")
        kind, about, origin, times, text = cells
        found.append(Frame(kind, about, origin, int(times), text))
    return tuple(found)


def _problem(cells: Sequence[str]) -> str:
    """Tell what is wrong with a line, if anything is."""
    if len(cells) != 5:
        return f"there are {len(cells)} columns"
    kind, about, _, times, text = cells
    if kind not in kinds():
        return f"no relation tells {kind!r}"
    if about not in ABOUT:
        return f"{about!r} is none of {', '.join(ABOUT)}"
    if not times.isdecimal():
        return f"{times!r} is no number"
    return "" if text.count(SLOT) == 1 else f"the wording has no {SLOT}, or several"


@cache
def frames() -> tuple[Frame, ...]:
    """Give medgraph's own wordings."""
    return read_frames()


def candidates(kind: str, label: str, names: Sequence[str], key: str, most: int) -> list[DraftQuestion]:
    """Choose wordings for what people may ask of a concept, each once, with its names by turns.

    The same ones each time, and others of another concept, which `key` tells from others.
    """
    about = "condition" if label in CONDITIONS else "given"
    fitting = [frame for frame in frames() if frame.kind == kind and frame.about in {about, "any"}]
    fitting.sort(key=lambda frame: hashlib.blake2b(f"{key} {frame.text}".encode(), digest_size=8).digest())
    several = []
    for place, frame in enumerate(fitting[:most] if names else ()):
        name = names[place % len(names)]
        several.append(DraftQuestion(chosen(frame.text, name), name, frame.origin))
    return several
