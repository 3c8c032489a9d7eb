"""Tables of how often symptoms are seen, which sources flattened into running text, read as sentences."""

from __future__ import annotations

import re
from typing import Final

ROW: Final = re.compile(r"\s*([A-Z\d][^.!?%]{2,140}?)\s(\d{1,3}(?:\.\d+)?%|\d{1,3}/\d{1,4}|-)(?=\s|$)")
"""What is seen, and in how many patients; a dash where that is not known."""

HEAD: Final = re.compile(r"Signs and Symptoms Approximate number of patients \(when available\)\s*")

_NO_SYMPTOM: Final = re.compile(
    r"(?:autosomal|x-linked|y-linked|mitochondrial|multifactorial|polygenic|digenic|oligogenic|maternal|paternal)\b.*"
    r"\b(?:inheritance|syndrome)\b.*|contiguous gene syndrome|genetic (?:anticipation|heterogeneity)|heterogeneous"
    r"|somatic (?:mutation|mosaicism)|sporadic|(?:variable|reduced) expressivity|(?:incomplete|complete) penetrance"
    r"|phenotypic variability|(?:(?:adult|childhood|congenital|infantile|insidious|juvenile|late|middle age|neonatal"
    r"|young adult) )?onset|(?:(?:rapid|slow) progression|(?:rapidly |slowly )?progressive|non-?progressive)",
    re.IGNORECASE,
)
"""Rows of such tables that are no symptoms: how it is inherited, when it begins, what course it takes; those that the
pages of MedQuAD have."""

MIN_ROWS: Final = 3
LEAST_SEEN: Final = 2
_READ: Final = re.compile(r"Seen in \S+ of patients: |Signs and symptoms include \(how often is not stated\): ")
_UNKNOWN: Final = "-"


def rows_of(text: str) -> list[tuple[str, str]]:
    """Read the rows that a text begins with.

    Args:
        text: A flattened table, without its head.

    Returns:
        Pairs of what is seen and in how many patients (`90%`, or `-`).
    """
    found, at = [], 0
    while row := ROW.match(text, at):
        found.append((" ".join(row[1].split()), row[2]))
        at = row.end()
    return found


def reading(text: str) -> str:
    """Read a table aloud.

    Args:
        text: A flattened table; without its head, some row must say how often, as a list with dashes is no table.

    Returns:
        Such as `Seen in 90% of patients: nystagmus. Also seen (how often is not stated): red hair.`; empty for what is
        no table, or names no symptom.

    Example:
        >>> reading("Nystagmus 90% Albinism 90% Red hair -")
        'Seen in 90% of patients: Nystagmus, Albinism. Also seen (how often is not stated): Red hair.'
    """
    head = HEAD.match(text)
    groups: dict[str, list[str]] = {}
    rows = rows_of(text[head.end() :] if head else text)
    for seen, share in rows:
        if not _NO_SYMPTOM.fullmatch(seen):
            groups.setdefault(share, []).append(seen)
    is_table = bool(head) or (len(rows) >= MIN_ROWS and any(share != _UNKNOWN for _, share in rows))
    # The only row of a table is often the condition itself.
    if not is_table or sum(map(len, groups.values())) < LEAST_SEEN or _announces(groups):
        return ""
    known = [
        f"{'seen in' if place else 'Seen in'} {share} of patients: {', '.join(seen)}"
        for place, (share, seen) in enumerate((share, seen) for share, seen in groups.items() if share != _UNKNOWN)
    ]
    told = ["; ".join(known)] if known else []
    if _UNKNOWN in groups:
        lead = "Also seen" if known else "Signs and symptoms include"
        told.append(f"{lead} (how often is not stated): {', '.join(groups[_UNKNOWN])}")
    return " ".join(f"{part}." for part in told)


def _announces(groups: dict[str, list[str]]) -> bool:
    """Tell whether a row announces others, as in a list that happens to have a share in it."""
    return any(":" in seen for rows in groups.values() for seen in rows)


def is_reading(sentence: str) -> bool:
    """Tell whether a sentence is what `reading` makes of a table.

    Args:
        sentence: The sentence.

    Returns:
        Whether it tells how often symptoms are seen.
    """
    return bool(_READ.match(sentence))
