"""Puts a document's age into words, and remarks on retired sites that its address leads to.

Sites that are retired stand in `retired.tsv`.
"""

from __future__ import annotations

import re
from datetime import date
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ..files import table_lines

if TYPE_CHECKING:
    from collections.abc import Mapping

OLD: Final = 10  # years from which on it is said that a document is older than that
_TABLE: Final = Path(__file__).with_name("retired.tsv")
# How the version of a source begins that is the date of its release.
_RELEASED: Final = re.compile(r"(?:19|20)\d\d(?=\d{4}\Z|\D|\Z)")
_ADDRESS: Final = re.compile(r"https?://", re.IGNORECASE)


def dated(published: str, version: str, today: date | None = None) -> str:
    """Say of when a document is, such as `from 2011, more than ten years old`; empty where nobody says so.

    Args:
        published: When it came out, an ISO date or the first parts of one; empty where nobody says so.
        version: The version of its source, which no document is younger than where it is a date: `from 2019 or before`.
        today: The day from which years are counted back; this one by default.
    """
    today = today or date.today()  # the reader's own day
    released = _RELEASED.match(version)
    if not published and (not released or released[0] > f"{today.year}"):
        return ""
    when = published or (released[0] if released else "")
    said = f"from {published}" if published else f"from {when} or before"
    limit = f"{today.year - OLD:04}-{today:%m-%d}"
    return f"{said}, more than ten years old" if when < limit[: len(when)] else said


def retired(url: str) -> str:
    """Say what became of the site that an address leads to; empty where that is not known to be retired."""
    address = _ADDRESS.sub("", url).lower()
    return next((remark for site, remark in _sites() if f"{address}/".startswith(f"{site}/")), "")


def aged(row: Mapping[str, Any]) -> dict[str, Any]:
    """Say of a row with `url`, `published` and `version` how old it is and where it leads, without the version."""
    told = {"dated": dated(row["published"], row["version"]), "retired": retired(row["url"])}
    return {name: value for name, value in row.items() if name != "version"} | told


@cache
def _sites() -> tuple[tuple[str, str], ...]:
    return tuple((site, remark) for _, line in table_lines(_TABLE) for site, _, remark in [line.partition("\t")])
