"""Parts of structured abstracts: from the labels that journals print to a few section types."""

from __future__ import annotations

import re
from typing import Final

from .vocabulary import SECTION_TYPES, section_type

# What the National Library of Medicine sorts labels into (its NlmCategory)
CATEGORIES: Final = frozenset({"background", "objective", "methods", "results", "conclusions"})

# In this order: "background and aims" is an objective, "methods and results" are results.
_WORDS: Final = (
    ("conclusions", "conclu discuss interpret implic signific"),
    ("results", "result finding"),
    ("objective", "objectiv aim purpose hypothes goal question"),
    ("background", "background introduc context rational importan"),
    (
        "methods",
        "method material design setting patient participant subject measur intervent data sampl selection analys "
        "procedure outcome population animal",
    ),
)
_PATTERNS: Final = tuple(
    (kind, re.compile(rf"\b(?:{'|'.join(stems.split())})", re.IGNORECASE)) for kind, stems in _WORDS
)


def part_type(label: str, category: str = "") -> str:
    """Tell what a part of an abstract is about."""
    given = category.lower()
    if given in CATEGORIES:
        return given
    if label.strip().upper() in {"", "UNLABELLED", "UNASSIGNED"}:
        return "information"
    if (known := section_type(label)) in SECTION_TYPES:
        return known
    return next((kind for kind, pattern in _PATTERNS if pattern.search(label)), "other information")
