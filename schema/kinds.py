"""Kinds of section, from `kinds.tsv`: their other names, questions, relations, and the words that ask and tell."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..files import table_lines

if TYPE_CHECKING:
    from collections.abc import Mapping

GENERAL: Final = "information"  # The kind that counts only where nothing else is asked
_TABLE: Final = Path(__file__).with_name("kinds.tsv")


@cache
def said(what: str) -> Mapping[str, str]:
    """Give one thing that the table says of kinds, in its order; several lines of a kind are joined by `|`."""
    found: dict[str, str] = {}
    for _, line in table_lines(_TABLE):
        kind, name, value = line.split("\t")
        if name == what:
            found[kind] = f"{found[kind]}|{value}" if kind in found else value
    return found


def lists(what: str) -> dict[str, tuple[str, ...]]:
    """Give what the table lists for kinds with `;` between, as `said` does."""
    return {kind: tuple(filter(None, value.split("; "))) for kind, value in said(what).items()}


@cache
def patterns(what: str) -> Mapping[str, re.Pattern[str]]:
    """Compile what the table says of kinds as regular expressions, which begin with a word, as `said` does."""
    return {kind: re.compile(rf"(?<!\w)(?:{value})", re.IGNORECASE) for kind, value in said(what).items()}
