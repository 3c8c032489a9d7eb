"""Words that mean the same in names of diseases, and those that most such names have.

`Wilson's syndrome` is Wilson disease, a renal neoplasm is a kidney tumor. The groups stand in `senses.tsv`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from ..files import table_lines
from .words import LITTLE, normalise

_TABLE: Final = Path(__file__).with_name("senses.tsv")

GENERIC: Final = frozenset(
    normalise(word) for word in "disease disorder syndrome condition illness type form variant subtype related".split()
)
"""Words that may be another one, or missing, in another name of the same."""


@cache
def _groups() -> dict[str, str]:
    """Map each word of a group to the first of it."""
    groups = ([normalise(word) for word in line.split()] for _, line in table_lines(_TABLE))
    return {word: group[0] for group in groups for word in group}


def loose(word: str) -> str:
    """Give the word that stands for all that mean the same.

    Args:
        word: A word in its form for comparison.

    Returns:
        The word of its group, or itself; an empty string for words that do not tell a name from another.
    """
    if word in GENERIC or word in LITTLE:
        return ""
    return _groups().get(word, word)
