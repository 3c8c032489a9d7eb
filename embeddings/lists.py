"""Lists in running text: kept whole with what announces them, and cut off from what was stuck to their end."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Final

from ..text import sentences, without_bullet
from .runs import items_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MAX_PARAGRAPHS: Final = 420
"""Characters of a list without marks, with what announces it, at most; set by hand."""

MAX_LIST: Final = 600
"""Characters of any other list, at most; set by hand."""

_EXPLAINED: Final = 3
"""Sentences that explain one item, at most."""

ENDS: Final = ".!;)\"'\u201d"

OPENING: Final = frozenset(
    "A Although An And As At Because Before Both But By Children Doctors During Each For From How However If In It "
    "Many Men Most Once Other Others Patients People Researchers Scientists Several Since Some Sometimes Talk That The "
    "There These They This Those Though To Treatment Until Usually What When Whether While With Without Women You "
    "Your".split()
)
"""Words with which a sentence begins behind a heading that was stuck to it."""

_BEHIND: Final = OPENING | frozenset("Call Contact Get Go See Seek Signs Symptoms".split())
"""Words with which a sentence begins behind a list that it was stuck to."""

_ANNOUNCES: Final = re.compile(r"(?::|\b(?:include|includes|including|following))\s*$")
_FLAT: Final = re.compile(r"(?::\s+|\b(?:are|includ(?:es?|ing)|involves?)[ \t]+)[-*\u2022\u00b7]\s+(?=\S)")
"""Where a list begins that was flattened into its sentence."""

_WORD: Final = re.compile(r"[^\W_]+")
_BULLET: Final = re.compile(r"(?:\A|\s)[-*\u2022\u00b7]\s")
_AGAIN: Final = 4
"""Words of a list that follow once more, at least."""

_ITEM: Final = re.compile(r"\s+[-*\u2022\u00b7]\s")
_STUCK: Final = re.compile(r"(?<=[a-z)])\s+(?=([A-Z][a-z]*)\s+[a-z])")
_SENTENCE: Final = re.compile(rf"(?:{'|'.join(sorted(OPENING))})\s+[a-z]\S*(?:\s+\S+){{3}}")
_LOST: Final = re.compile(
    r"(?<=[a-z]{3}[.?!])(?=[A-Z][a-z]+ [a-z])|(?<=[a-z][a-z)][.?!])\d{1,2}(?:,\d{1,2})*(?:\s+(?=[A-Z])|\Z)"
    r"|(?<=[a-z]{2})\s+(?=The following\b)"
)
"""Where a sentence begins right behind another one without a full stop or a blank, or behind the number of a note."""

_HEADING: Final = re.compile(r"[A-Z][a-z]+(?: [a-z]+){0,2}\.")
_TOLD: Final = re.compile(
    r"(?=[A-Z])(?:(?!who\b|that\b|which\b)\S+ ){1,6}(?:is|are|was|were|has|have|may|can|will|should|must)\b"
)
_FEWEST: Final = 2
_LABEL: Final = 4
"""Words of an item that only names what was to be explained, at most."""

_PARAGRAPH: Final = re.compile(r"\n\s*\n")


def with_lists(text: str) -> Iterator[tuple[int, int, bool]]:
    """Find the sentences of a text, a list and what announces it being one.

    Args:
        text: Any text.

    Yields:
        Where each begins, behind a mark of a list, and ends; and whether it is a list. One that is too long is cut
        between items.
    """
    spans = [
        part
        for span in sentences(text)
        for start, end in _parted(text, *span)
        for part in _unfolded(text, start, once(text, start, end))
    ]
    at = 0
    while at < len(spans):
        start, end = spans[at]
        at += 1
        is_list = bool(items_of(text[start:end])[0])
        if not is_list and _announces(text, start, end):
            at, end, is_list = _list(text, spans, at)
        yield without_bullet(text, start), end, is_list


def once(text: str, start: int, end: int) -> int:
    """Find where a list ends whose items follow once more without marks, as if they were of it.

    Args:
        text: A text.
        start: Where a span of it begins.
        end: Where it ends.

    Returns:
        The end of the list, or of the span where nothing is said twice.
    """
    first = _BULLET.search(text, start, end)
    words = list(_WORD.finditer(text, first.end(), end)) if first else []
    told = [word[0] for word in words]
    for half in range(_AGAIN, len(told)):
        again = told[half : 2 * half]  # all of it, or as much as there is
        if len(again) >= _AGAIN and again == told[: len(again)]:
            close = words[half - 1].end()
            if not _BULLET.search(text, close, words[half + len(again) - 1].end()):
                return close + (text[close] in ENDS)
    return end


def _announces(text: str, start: int, end: int) -> bool:
    return bool(_ANNOUNCES.search(text, start, end) or _FLAT.search(text, start, end))


def _parted(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Part sentences between which white space was lost, or only the number of a note stands."""
    for lost in _LOST.finditer(text, start, end):
        if not lost[0] and not text[start : lost.start()].rsplit(None, 1)[-1][0].islower():  # `Cancer.Net`
            continue
        yield start, lost.start()
        start = lost.end()
    if start < end:
        yield start, end


def _unfolded(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Part a sentence behind each list that was flattened into it."""
    while (run := items_of(text[start:end], _BEHIND))[0] and run[1] < end - start:
        yield start, start + run[1]
        start += run[1] + len(text[start + run[1] : end]) - len(text[start + run[1] : end].lstrip())
    while flat := _FLAT.search(text, start, end):
        stuck = next(_stuck(text, flat.end(), end), None)
        if stuck is None:
            break
        yield start, stuck[0]
        start = stuck[1]
    yield start, end


def _stuck(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Find where a list ends, and where the sentence begins that was stuck to it: no item of the same list follows."""
    announces = []
    for gap in _STUCK.finditer(text, start, end):
        item = _ITEM.search(text, gap.end(), end)
        if item and ":" not in text[gap.end() : item.start()]:
            continue
        if gap[1] in _BEHIND:
            yield gap.span()
        elif item:
            announces.append(gap.span())
    yield from announces  # whatever a sentence begins with that announces another list
    items = [*_ITEM.finditer(text, start, end)]
    if items and text[end - 1] == "." and _SENTENCE.match(text, items[-1].end()) and not _SENTENCE.match(text, start):
        yield items[-1].span()  # the last item is a sentence, as where a whole page is a list


def _list(text: str, spans: Sequence[tuple[int, int]], at: int) -> tuple[int, int, bool]:
    """Take in the items that follow what announces them: the next number of a span, the end, and whether any did."""
    start, first = spans[at - 1]
    flat = _FLAT.search(text, start, first)
    if flat and first - start > MAX_LIST:
        ends = [item.start() for item in _ITEM.finditer(text, flat.end(), first) if item.start() - start <= MAX_LIST]
        return at, max(ends, default=first), bool(ends)
    if flat and _ITEM.search(text, flat.end(), first):
        return at, first, True
    if flat or (at < len(spans) and _is_item(text, spans[at])):
        at, end = _items(text, spans, at)
        return at, end, bool(flat) or end > first
    taken = list(itertools.takewhile(lambda span: span[1] - start <= MAX_PARAGRAPHS, spans[at:]))
    explained = any(not _is_label(text, span) for span in taken)
    if explained and at + len(taken) < len(spans) and _is_label(text, taken[-1]):
        taken.pop()  # what explains it is left out
    end = taken[-1][1] if taken else first
    return at + len(taken), end, end > first and text[end - 1] in ENDS


def _items(text: str, spans: Sequence[tuple[int, int]], at: int) -> tuple[int, int]:
    """Take in items with marks, each with the sentences that explain it if another one follows."""
    start, end = spans[at - 1]
    begin, taken = at, 0
    explained: list[int] = []
    while at < len(spans):
        following = at
        while following < len(spans) and _explains(text, spans, following):
            following += 1
        if following == len(spans) or not _is_item(text, spans[following]) or following - at > _EXPLAINED:
            break
        if spans[following][1] - start > MAX_LIST or (
            following > at and _PARAGRAPH.search(text, end, spans[following][0])
        ):
            break
        if taken or following > at:
            explained.append(following - at)
        at, end = following + 1, spans[following][1]
        taken += 1
    if explained and all(explained) and at < len(spans):
        return _explained(text, spans, start, at, min(explained))
    items = spans[begin:at]
    if taken >= _FEWEST and (_is_heading(text, items) or _is_sentence(text, items)):
        return at - 1, spans[at - 2][1]
    return at, end


def _is_label(text: str, span: tuple[int, int]) -> bool:
    return len(text[without_bullet(text, span[0]) : span[1]].split()) <= _LABEL


def _is_sentence(text: str, items: Sequence[tuple[int, int]]) -> bool:
    """Tell whether the last of some items is a sentence behind them: one of many words among labels without a stop."""
    *others, (start, end) = items
    told = _TOLD.match(text, without_bullet(text, start), end) and text[end - 1] == "."
    return bool(told) and all(_is_label(text, one) and text[one[1] - 1] not in ENDS[:3] for one in others)


def _is_heading(text: str, items: Sequence[tuple[int, int]]) -> bool:
    """Tell whether the last of some items is the heading of what follows: a label among items in small letters."""
    begins = [without_bullet(text, start) for start, _ in items]
    label = _HEADING.fullmatch(text, begins[-1], items[-1][1])
    return bool(label) and text[begins[0]].islower() and not any(text[end - 1] in ENDS for _, end in items[:-1])


def _explained(
    text: str, spans: Sequence[tuple[int, int]], start: int, at: int, sentences_each: int
) -> tuple[int, int]:
    """Take in what explains a last item that only names it, as each one before it is explained; or leave it out."""
    _, end = last = spans[at - 1]
    if not _is_label(text, last):
        return at, end
    behind = spans[at : at + sentences_each]
    if (
        len(behind) == sentences_each
        and behind[-1][1] - start <= MAX_LIST
        and all(_explains(text, spans, at + number) for number in range(sentences_each))
        and not _PARAGRAPH.search(text, end, behind[-1][0])
    ):
        return at + sentences_each, behind[-1][1]
    return at - 1, spans[at - 2][1]


def _explains(text: str, spans: Sequence[tuple[int, int]], number: int) -> bool:
    start, end = spans[number]
    return not _is_item(text, spans[number]) and not _announces(text, start, end) and not text[start].islower()


def _is_item(text: str, span: tuple[int, int]) -> bool:
    return without_bullet(text, span[0]) > span[0]
