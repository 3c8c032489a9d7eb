"""Lists in running text: kept whole with what announces them, and cut off from what was stuck to their end."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Final

from ..text import sentences, without_bullet
from .items import (
    ANNOUNCES,
    ENDS,
    FEWEST,
    FLAT,
    GAP,
    MAX_BRIEF,
    MAX_LIST,
    PARAGRAPH,
    SENTENCE_BEHIND,
    TOLD,
    VERBS,
    brief,
    is_headed,
    is_item,
    itemized,
    paragraphs,
    stops,
)
from .runs import items_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MAX_PARAGRAPHS: Final = 420
"""Characters of a list without marks, with what announces it, at most; set by hand."""

_EXPLAINED: Final = 3
"""Sentences that explain one item, at most."""

_EXPLAINED_LONG: Final = 8
"""As many of an item of a list that is said in brief."""

OPENING: Final = frozenset(
    "A Although An And As At Because Before Both But By Children Doctors During Each For From How However If In It "
    "Many Men Most Once Other Others Patients People Researchers Scientists Several Since Some Sometimes Talk That The "
    "There These They This Those Though To Treatment Until Usually What When Whether While With Without Women You "
    "Your".split()
)
"""Words with which a sentence begins behind a heading that was stuck to it."""

BEHIND: Final = OPENING | frozenset("Call Contact Get Go See Seek Signs Symptoms".split())
"""Words with which a sentence begins behind a list that it was stuck to."""

_WORD: Final = re.compile(r"[^\W_]+")
_BULLET: Final = re.compile(r"(?:\A|\s)[-*\u2022\u00b7]\s")
_AGAIN: Final = 4
"""Words of a list that follow once more, at least."""

_MARKS: Final = frozenset("-*\u2022\u00b7")
_ITEM: Final = re.compile(r"\s+[-*\u2022\u00b7]\s")
_STUCK: Final = re.compile(r"(?<=[a-z)])\s+(?=([A-Z][a-z]*)\s+[a-z])")
_ANNOUNCING: Final = BEHIND | frozenset("Causes Complications Risks Tests Treatments".split())
"""Words with which a sentence begins that announces a list, behind the item that it was stuck to."""

_TELLS: Final = rf"The following|affects?|could|decreases?|do|does|{VERBS}"
_WITHIN: Final = rf"(?:(?!\s[-*\u2022\u00b7]\s|[a-z)]\s+(?:{'|'.join(sorted(_ANNOUNCING))})\s+[a-z])[^.?!])*"
_NESTED: Final = re.compile(
    rf"\s+[-*\u2022\u00b7]\s+(?={_WITHIN}(?:\b(?:{_TELLS})\b{_WITHIN}(?::|\bfollowing|\bsuch as)|\bincludes?:?)"
    r"\s+[-*\u2022\u00b7]\s)"
)
"""The mark of an item that announces another list."""

_SENTENCE: Final = re.compile(rf"(?:{'|'.join(sorted(OPENING))})\s+[a-z]\S*(?:\s+\S+){{3}}")
_LOST: Final = re.compile(
    r"(?<=[a-z]{3}[.?!])(?=[A-Z][a-z]+ [a-z])|(?<=[A-Za-z][A-Za-z)][.?!])\d{1,2}(?:,\d{1,2})*(?:\s+(?=[A-Z]|- )|\Z)"
    r"|(?<=[a-z]{4}\.)(?<!approx\.)(?<!dept\.)(?<!figs\.)(?<!prof\.)(?<!refs\.)(?<!incl\.)(?<!resp\.)(?<!taph\.)(?<!trep\.)(?<!ubsp\.)"
    r"\s+(?=[a-z]{3,} [a-z])"
    r"|(?<=\.)\[\d+\]\s*(?=[A-Z])"
    r"|(?<=[a-z]{2})\s+(?=The following\b|(?:Although|Doctors|However|Researchers|Some (?:individuals|people)"
    r"|If (?:the|you|your)|In (?:most|some)|It (?:is|may)|The (?:most|treatment|underlying)|They (?:also|may)) [a-z])"
)
"""Where a sentence begins right behind another one without a full stop or a blank, or behind the number of a note."""

_ANNOUNCES_ITEMS: Final = re.compile(rf"(?:\b(?:{_TELLS})\b.*(?::|\bfollowing|\bsuch as)|\bincludes?:?)\s*$", re.DOTALL)
"""How an item ends that is a sentence and announces another list; `Imaging, such as` does not end its own."""

_ADVICE: Final = re.compile(r"(?:Ask|Check with|Speak (?:to|with)|Talk (?:to|with)) your (?:doctor|health)")
"""How an item begins that says what to do in any case."""

_SEVERAL: Final = re.compile(
    r"\b(?:two|three|four|five|six|several) (?:\w+ ){0,2}"
    r"(?:causes|forms|kinds|signs|steps|symptoms|tests|treatments|types|ways)\b",
    re.IGNORECASE,
)
"""How a sentence says that it announces several things."""

_HEADING: Final = re.compile(r"[A-Z][a-z]+(?: [a-z]+){0,2}\.")
_LABEL: Final = 4
"""Words of an item that only names what was to be explained, at most."""

_SHORT_WORD: Final = 3

_APART: Final = 3
"""Blanks between the last item and the sentence behind a list, at least."""


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
        yield min(without_bullet(text, start), end), end, is_list


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
    return bool(ANNOUNCES.search(text, start, end) or FLAT.search(text, start, end))


def _parted(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Part sentences between which white space was lost, or only the number of a note stands, and an item from one."""
    gap = GAP.search(text, start, end) if is_item(text, (start, end)) else None
    if gap and SENTENCE_BEHIND.match(text, gap.end(), end):
        yield start, gap.start()
        start = gap.end()
    for lost in _LOST.finditer(text, start, end):
        if not lost[0] and not text[start : lost.start()].rsplit(None, 1)[-1][0].islower():  # `Cancer.Net`
            continue
        yield start, lost.start()
        start = lost.end()
    if start < end:
        yield start, end


def _unfolded(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Part a sentence behind each list that was flattened into it."""
    while (run := items_of(text[start:end], BEHIND))[0] and run[1] < end - start:
        yield start, start + run[1]
        start += run[1] + len(text[start + run[1] : end]) - len(text[start + run[1] : end].lstrip())
    while flat := FLAT.search(text, start, end):
        nested = _NESTED.search(text, flat.end(), end)
        ends = [*itertools.islice(_stuck(text, flat.end(), end), 1), *([nested.span()] if nested else [])]
        if not ends:
            break
        stuck = min(ends)
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
        if gap[1] in BEHIND:
            yield gap.span()
        elif item:
            announces.append(gap.span())
    yield from announces  # whatever a sentence begins with that announces another list
    marks = [*_ITEM.finditer(text, start, end)]
    begins, ends = [start, *(mark.end() for mark in marks)], [*(mark.start() for mark in marks), end]
    items = list(zip(begins, ends, strict=True))
    if (
        marks
        and text[end - 1] == "."
        and (
            (_SENTENCE.match(text, begins[-1]) and not _SENTENCE.match(text, start))  # or a whole page is a list
            or (len(items) > FEWEST and (_is_sentence(text, items) or _is_heading(text, items)))
        )
    ):
        yield marks[-1].span()


def _list(text: str, spans: Sequence[tuple[int, int]], at: int) -> tuple[int, int, bool]:
    """Take in the items that follow what announces them: the next number of a span, the end, and whether any did."""
    start, first = spans[at - 1]
    flat = FLAT.search(text, start, first)
    if flat and first - start > MAX_LIST:
        ends = [item.start() for item in _ITEM.finditer(text, flat.end(), first) if item.start() - start <= MAX_LIST]
        return at, max(ends, default=first), bool(ends)
    if flat and _ITEM.search(text, flat.end(), first):
        return at, first, True
    if flat or (at < len(spans) and is_item(text, spans[at])):
        at, end = _items(text, spans, at)
        return at, end, bool(flat) or end > first
    taken = list(itertools.takewhile(lambda span: span[1] - start <= MAX_PARAGRAPHS, spans[at:]))
    if taken and not stops(text, taken[0]):
        taken = list(itertools.takewhile(lambda span: not stops(text, span), taken))
        items = [is_item(text, span) for span in taken]
        further = spans[at + len(taken) :][:1] if len(taken) > FEWEST else []
        if further and ((any(items) and not items[-1]) or _is_title(text, taken, further[0])):
            taken.pop()
        at += len(taken)
        return at, spans[at - 1][1], len(taken) >= FEWEST
    parts = list(itertools.takewhile(lambda part: is_headed(text, part), paragraphs(text, spans[at:])))
    last = at + sum(map(len, parts))
    is_whole = not is_headed(text, next(paragraphs(text, spans[last:]), [(start, start)]))
    if len(parts) >= FEWEST and is_whole and itemized(text[start : parts[-1][-1][1]]):
        return last, parts[-1][-1][1], True
    # What does not stop is the heading of something else.
    taken = list(itertools.takewhile(lambda span: stops(text, span), taken))
    explained = any(not _is_label(text, span) for span in taken)
    behind = spans[at + len(taken) :][:1]
    if explained and behind and _is_label(text, taken[-1]) and not PARAGRAPH.search(text, taken[-1][1], behind[0][0]):
        taken.pop()  # what explains it is left out
    if _SEVERAL.search(text, start, first) and len(list(paragraphs(text, taken))) == 1 < len(taken):
        taken = []  # one of many
    end = taken[-1][1] if taken else first
    return at + len(taken), end, end > first and text[end - 1] in ENDS


def _is_title(text: str, items: Sequence[tuple[int, int]], behind: tuple[int, int]) -> bool:
    """Tell whether the last of some paragraphs is the heading of the sentence behind it, and no item as they are."""
    *others, last = [text[start:end] for start, end in items]
    if last.lower() in text[slice(*behind)].lower() or any(last in one for one in others):
        return True
    return _in_capitals(last) and not any(map(_in_capitals, others))


def _in_capitals(label: str) -> bool:
    words = [word for word in label.split() if len(word) > _SHORT_WORD]
    return len(words) > 1 and all(word[0].isupper() for word in words)


def _items(text: str, spans: Sequence[tuple[int, int]], at: int) -> tuple[int, int]:
    """Take in items with marks, each with the sentences that explain it if another one follows."""
    start, _ = spans[at - 1]
    taken, explained = _taken(text, spans, at, MAX_LIST, _EXPLAINED)
    if taken < len(spans) and (is_item(text, spans[taken]) or _explains(text, spans, taken)):
        further, _ = _taken(text, spans, at, MAX_BRIEF, _EXPLAINED_LONG)
        marked = [number for number in range(at, further) if is_item(text, spans[number])]
        if marked and _tells_alone(text, [spans[number] for number in marked]):
            further = marked[-1]
        if further > taken and brief(text[start : spans[further - 1][1]]):
            return further, spans[further - 1][1]
    if explained and all(explained) and taken < len(spans):
        return _explained(text, spans, start, taken, min(explained))
    items = spans[at:taken]
    several = sum(is_item(text, span) for span in items) >= FEWEST
    advised = [bool(_ADVICE.match(text, without_bullet(text, one), end)) for one, end in items]
    is_advice = several and advised[-1] and sum(advised) == 1
    if is_advice or (several and (_is_heading(text, items) or _is_sentence(text, items))):
        taken -= 1
    return taken, spans[taken - 1][1]


def _taken(
    text: str, spans: Sequence[tuple[int, int]], at: int, longest: int, sentences_each: int
) -> tuple[int, list[int]]:
    """Count in items: the number of the span behind the last one, and how many sentences explain each before it."""
    start, end = spans[at - 1]
    explained: list[int] = []
    first = at
    while at < len(spans):
        following = at
        while following < len(spans) and _explains(text, spans, following):
            following += 1
        if following == len(spans) or not is_item(text, spans[following]) or following - at > sentences_each:
            break
        behind = spans[following + 1 : following + 2]
        if behind and is_item(text, behind[0]) and _ANNOUNCES_ITEMS.search(text, *spans[following]):
            break  # what follows is of another list
        if spans[following][1] - start > longest or (
            following > at and PARAGRAPH.search(text, end, spans[following][0])
        ):
            break
        if at > first or following > at:
            explained.append(following - at)
        at, end = following + 1, spans[following][1]
    return at, explained


def _is_label(text: str, span: tuple[int, int]) -> bool:
    return len(text[without_bullet(text, span[0]) : span[1]].split()) <= _LABEL


def _is_sentence(text: str, items: Sequence[tuple[int, int]]) -> bool:
    """Tell whether the last of some items is a sentence behind them: none of them has a stop or a verb."""
    *others, last = items
    ends = text[last[1] - 1] == "." and not any(stops(text, one) for one in others)
    return ends and _tells_alone(text, items)


def _tells_alone(text: str, items: Sequence[tuple[int, int]]) -> bool:
    """Tell whether the last of some items, and none of the others, begins as a sentence does."""
    *others, last = [text[without_bullet(text, start) : end] for start, end in items]
    told = TOLD.match(last)
    if told is None or ":" in told[0]:
        return False
    return not any(one.split()[:1] == last.split()[:1] or TOLD.match(one) for one in others)


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
    if not _is_label(text, last) or _is_apart(text, spans, at):
        return at, end
    behind = spans[at : at + sentences_each]
    if (
        len(behind) == sentences_each
        and behind[-1][1] - start <= MAX_LIST
        and all(_explains(text, spans, at + number) for number in range(sentences_each))
        and not PARAGRAPH.search(text, end, behind[-1][0])
    ):
        return at + sentences_each, behind[-1][1]
    return at - 1, spans[at - 2][1]


def _is_apart(text: str, spans: Sequence[tuple[int, int]], at: int) -> bool:
    """Tell whether a sentence stands apart from the item before it, as those that explain one do not."""
    return spans[at][0] - spans[at - 1][1] >= _APART and not text[spans[at - 1][1] : spans[at][0]].strip()


def _explains(text: str, spans: Sequence[tuple[int, int]], number: int) -> bool:
    start, end = spans[number]
    told = text[start:end] not in _MARKS and not _announces(text, start, end) and not text[start].islower()
    return told and not is_item(text, spans[number])
