"""RQE (AMIA 2016): a clinical question, a short one, and whether an answer of the short one answers it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from defusedxml import ElementTree

from medgraph.errors import SourceFileError

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class QuestionPair:
    """Two questions."""

    asked: str
    short: str
    entails: bool  # whether an answer of the other one answers it, at least in part


def read_pairs(path: Path) -> list[QuestionPair]:
    """Read pairs of RQE (AMIA 2016): XML with `pair` elements of `chq`, `faq` and the attribute `value`."""
    try:
        root = ElementTree.parse(path).getroot()
    except (OSError, ValueError, ElementTree.ParseError) as error:  # of forbidden entities, too
        raise SourceFileError(f"cannot be read: {error}; give RQE's training file", path) from error
    found = []
    for element in root.iter("pair") if root is not None else ():
        asked, short = (" ".join((element.findtext(name) or "").split()) for name in ("chq", "faq"))
        if asked and short and asked.lower() != short.lower():
            found.append(QuestionPair(asked, short, element.get("value") == "true"))
    if len({pair.entails for pair in found}) < 2:
        raise SourceFileError("has not pairs of both values, true and false; give RQE's training file", path)
    return found
