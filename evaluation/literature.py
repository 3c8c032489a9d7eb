"""PubMedQA: is the abstract found that a question was made from?

A question is its article's title. The graph has neither: the loader of PubMedQA leaves out what the set asks, and calls
a document by its PMID, so that nothing but what the abstract says can find it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from ..errors import InputError, SourceFileError
from .questions import number, part_of
from .rankings import Case

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

SOURCE: Final = "pubmedqa"


def read(path: Path, documents: Collection[str], part: str, sample: int) -> list[Case]:
    """Read questions."""
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
        questions = {f"{SOURCE}:{pmid}": entry["QUESTION"] for pmid, entry in entries.items()}
    except (OSError, ValueError, AttributeError, KeyError, TypeError) as error:
        raise SourceFileError(f"is not PubMedQA's file of questions: {error!r}", path) from error
    known = sorted((one for one in questions.keys() & set(documents) if part_of(one) == part), key=number)
    if not known:
        raise InputError(f"the graph has no abstract of PubMedQA's half {part}; run: medgraph load pubmedqa {path}")
    return [Case(one, str(questions[one]), frozenset({one}), kind="document") for one in known[:sample]]
