"""The statements of a whole section: sentences, labelled parts of long ones, and lists with what announces them."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Final

from ...embeddings.candidate_sentences import CandidateSentence, plain_quote
from ...patterns import read_patterns
from ...text import sentences

_RULES: Final = read_patterns(Path(__file__).with_name("passages.tsv"))
LEAD: Final = _RULES["lead"]  # what stands before the first sentence of many a page
_LINE: Final = re.compile(r"\S.*")
_LONGEST: Final = 1200  # characters of a list with what announces it, at most; set by hand
_FEWEST_LABELS: Final = 2


def statements(text: str) -> list[CandidateSentence]:
    """Find all statements of a section, in order, whether they can be quoted by themselves or not."""
    body = lead.end() if (lead := LEAD.match(text)) else 0
    told = [(max(start, body), end) for start, end in _with_items(text)]
    told = [span for span in told if not _RULES["no statement"].search(text[slice(*span)])]
    return [CandidateSentence(0, order, *span, plain_quote(text[slice(*span)])) for order, span in enumerate(told)]


def lists(told: str) -> bool:
    """Tell whether a statement is a list with what announces it, or a labelled part."""
    return "\n" in told or bool(_RULES["label"].match(told))


def _with_items(text: str) -> list[tuple[int, int]]:
    """Give the spans of statements; the lines of a list are one with the sentence that announces them."""
    spans: list[tuple[int, int]] = []
    announced = False
    for line in _LINE.finditer(text):
        if announced and _RULES["item"].match(line[0]) and line.end() - spans[-1][0] <= _LONGEST:
            spans[-1] = spans[-1][0], line.end()
        else:
            spans += _parts(text, *line.span())
            announced = bool(_RULES["announces"].search(text, *spans[-1]))
    return spans


def _parts(text: str, first: int, last: int) -> list[tuple[int, int]]:
    """Cut a line into sentences, and one with several labels (`Skin: rash Eyes: pain`) before each of them.

    What stands behind a sentence without being one is left out, as anything may be hung on there.
    """
    spans: list[tuple[int, int]] = []
    for start, end in sentences(text[first:last]):
        labels = [one.start() for one in _RULES["label"].finditer(text, first + start, first + end)]
        cuts = labels if len(labels) >= _FEWEST_LABELS else []
        said = text[first + start : first + end]
        if spans and not cuts and not (_RULES["whole"].match(said) or _RULES["announces"].search(said)):
            continue
        spans += itertools.pairwise((first + start, *(cut for cut in cuts if cut > first + start), first + end))
    return [(start, start + len(text[start:end].rstrip())) for start, end in spans]
