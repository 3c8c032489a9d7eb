"""What to do first, where a message tells of an emergency, and where that advice stands.

The advice stands in `emergencies.tsv`, what an emergency is recognised by in `cues.tsv`,
and who asks what to do in one in `first_aid.tsv`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..errors import InputError
from ..files import table_lines
from .answer import NUMBER, Urgent
from .cues import emergencies_in
from .first_aid import first_aid_in

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST: Final = 3
"""Emergencies that an answer begins with, at most, so that the first is read."""

_TABLE: Final = Path(__file__).with_name("emergencies.tsv")
_COLUMNS: Final = 5


def urgent_in(text: str) -> tuple[Urgent, ...]:
    """Say what to do first, where a message tells of an emergency or asks what to do in one.

    Returns:
        What to do, the most pressing first; nothing for a message that tells of none, or only mentions one.
    """
    told = {*emergencies_in(text), *first_aid_in(text)}
    return tuple(urgent for kind, urgent in advice().items() if kind in told)[:MOST]


@cache
def advice() -> Mapping[str, Urgent]:
    """Read what to do in each kind of emergency.

    Returns:
        The advice by kind, the most pressing first.
    """
    return read_advice(_TABLE)


def read_advice(path: Path) -> dict[str, Urgent]:
    """Read a table of what to do in emergencies.

    Args:
        path: The table: kind, what it may be, what to do, source and address a line, with tabs between.

    Returns:
        The advice by kind, in the order of the table.

    Raises:
        InputError: A line lacks a column.
    """
    found = {}
    for number, line in table_lines(path):
        cells = line.split("\t")
        if len(cells) != _COLUMNS or not all(map(str.strip, cells)):
            raise InputError(f"{path}:{number}: write kind, what it may be, what to do, source and address, with tabs")
        kind, title, what, source, url = cells
        found[kind] = Urgent(kind, title, what.replace("{number}", NUMBER), source, url)
    return found
