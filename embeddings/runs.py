"""Lists whose marks were lost when they were flattened, so that one item runs into the next (`Fever Chills Cough`)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

_START: Final = re.compile(
    r"(?<=\s)(?!on:)[a-z]+:\s+(?=[A-Z][a-z])"
    r"|\b(?:includ(?:es?|ing)|causes?|(?:causes|factors|signs|symptoms|tests|treatments|triggers|types) are)"
    r" (?=[A-Z][a-z]+ [a-z])"
)
"""Where such a list begins: behind what announces it."""

_GAP: Final = re.compile(
    r"(?<=[a-z)])\s+(?=[A-Z][a-z]+(?:-[a-z]+)*(?![-'\u2019\w.])|An? [a-z]|[A-Z]{2,} (?:is|are|may|can|has|also)\b)"
)
_JOINING: Final = frozenset(
    "a an and are as at be both by can does for from had has have in is its like may not of on or than that the their "
    "this to was were when who with your".split()
)
"""Words behind which a capital begins a name, and no item."""

_NAMED: Final = re.compile(
    r"\w+ (?:(?:[Ss]yndromes?|[Dd]iseases?|virus|palsy|tumou?rs?|lymphomas?|sarcomas?|anemia|reflex|score|scale|gene"
    r"|protein)\b"
    r"|(?:[A-Z]\w+ ){1,3}\([A-Z]{2,}|[A-Z]\w+ (?:syndromes?|diseases?|virus|Disease|Syndrome|Scale)\b|(?:and|or) [A-Z])"
)
"""How a name goes on that begins with a capital."""

_VERB: Final = re.compile(
    r"\b(?:is|are|was|were|may|can|could|might|will|would|should|must|depends?|var(?:y|ies)|occurs?|focuse[sd]|"
    r"helps?|develops?|recommends?|happens?|reveals?|shows?|includes?|provides?|causes?)\b"
)
_HEADING: Final = frozenset(("Angina", "Count", "Exam", "Exams", "History", "Test", "Tests"))
"""How headings of two words end, in capitals both, that stand behind a list; those of the pages of MedQuAD."""
_LONGEST_HEADING: Final = 3
_FEWEST: Final = 2
_FEWEST_WITHOUT_COLON: Final = 3
_LONGEST_ITEM: Final = 160
"""Characters of an item, at most; set by hand."""


def items_of(text: str, begins: Sequence[str] | frozenset[str] = ()) -> tuple[list[int], int]:
    """Find the items of a list without marks, and where a sentence begins that was stuck to the last one.

    Args:
        text: A sentence.
        begins: Words with which a sentence begins that may be stuck to a list.

    Returns:
        Offsets at which items begin, none where it is no such list; and the offset at which the list ends, behind its
        last item.

    Example:
        >>> items_of("They include: Blurry vision Confusion Feeling tired The pain may go.", ["The"])
        ([14, 28, 38], 51)
    """
    start = _START.search(text)
    if not start:
        return [], len(text)
    starts, end = [start.end()], len(text.rstrip())
    for gap in _GAP.finditer(text, start.end()):
        at, before = gap.end(), text[starts[-1] : gap.start()].split()
        word, is_name = text[at:].split(None, 1)[0], len(before) > 1 and before[-1][0].isupper()
        if before[-1].lower() in _JOINING or is_name or _NAMED.match(text, at):
            continue
        later = _GAP.search(text, at)
        told = _VERB.search(text, at, later.start() if later else end)
        if text[end - 1] in ".!" and (
            word in begins or (told and not any(map(_VERB.search, _cut(text, starts, gap.start()))))
        ):
            end = gap.start()
            break
        starts.append(at)
    items = _cut(text, starts, end)
    headed = _headed(items, text[end:]) if end < len(text.rstrip()) else 0
    if headed:
        end, starts, items = len(text[: starts[-headed]].rstrip()), starts[:-headed], items[:-headed]
    fewest = _FEWEST if ":" in start[0] else _FEWEST_WITHOUT_COLON
    if len(items) < fewest or not all(map(_is_item, items)) or (_VERB.search(items[-1]) and not _VERB.search(items[0])):
        return [], len(text)
    return starts, end


def _headed(items: Sequence[str], stuck: str) -> int:
    """Count the items that are the words of a heading, in capitals each, of the sentence that was stuck to a list."""
    alone = next((count for count, item in enumerate(reversed(items)) if " " in item), len(items))
    if alone > 1 and (items[-1] in _HEADING or items[-1].lower() in stuck.lower()):
        return min(alone, _LONGEST_HEADING)
    return int(items[-1] in items[:-1])


def _is_item(item: str) -> bool:
    return len(item) <= _LONGEST_ITEM and not any(mark in item for mark in (". ", "; ", ": ", " - "))


def _cut(text: str, starts: Sequence[int], end: int) -> list[str]:
    return [text[start:stop].rstrip() for start, stop in zip(starts, [*starts[1:], end], strict=True)]


def marked(text: str) -> str:
    """Write such a list with marks.

    Args:
        text: What is quoted, with single blanks.

    Returns:
        It with a dash before each item; as it is where it is no such list.

    Example:
        >>> marked("They include: Blurry vision Confusion Feeling tired")
        'They include: - Blurry vision - Confusion - Feeling tired'
    """
    starts, end = items_of(text)
    if not starts or end < len(text.rstrip()):
        return text
    announced = text[: starts[0]].rstrip()
    announced += "" if announced.endswith(":") else ":"
    return f"{announced} - {' - '.join(_cut(text, starts, end))}"
