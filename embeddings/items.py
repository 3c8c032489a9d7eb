"""Items of lists in running text, and how a list is said: with marks, and in brief where it is long."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ..text import ANNOUNCERS, sentences, without_bullet

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MAX_LIST: Final = 600
"""Characters of a list that is quoted as it stands, at most; set by hand."""

MAX_BRIEF: Final = 4000
"""Characters of a list that is said in brief, at most, in as many sentences as there are; set by hand."""

ENDS: Final = ".!;)\"'\u201d"
"""How sentences and items end, what closes behind a stop last."""

ANNOUNCES: Final = re.compile(r"(?::|\b(?:include|includes|including|following))\s*$")
"""How a sentence ends that announces a list."""

FLAT: Final = re.compile(rf"(?::\s+|\b(?:{ANNOUNCERS})[ \t]+)[-*\u2022\u00b7]\s+(?=\S)")
"""Where a list begins that was flattened into its sentence."""

VERBS: Final = "are|can|has|have|is|may|should|was|were|will"
"""Verbs that tell a sentence from a label, wherever one is looked for."""

TOLD: Final = re.compile(rf"(?=[A-Z])(?:(?!who\b|that\b|which\b)\S+ ){{1,6}}(?:{VERBS}|cannot|must)\b")
"""How a sentence begins, and no label."""

FEWEST: Final = 2
"""Items of a list, at least."""

_HEAD: Final = 20
"""Words of what names what a paragraph explains, at most."""

_SHORT_HEAD: Final = 6
"""As many that are one whatever they say (`Ask about your history. A common sign is ...`)."""

_ASIDE: Final = re.compile(
    r"\([^()]*\)|\b(?:that|which|who|whose)(?:['\u2019]s)?(?: \w+)?|\b(?:because|especially|if|when|where|while)\b.*"
)
_FINITE: Final = re.compile(
    rf"(?:\b(?:{VERBS}|am|could|did|do|does|had|might|must|would|affects|allows|appears"
    r"|becomes|begins|causes|comes|depends|develops|gets|happens|helps|includes|increases|indicates|involves|leads|makes"
    r"|means|needs|occurs|plays|prevents|provides|ranges|reduces|relieves|remains|requires|resolves|results|seems|shows"
    r"|starts|takes|tends|usually|uses|varies|works)|['\u2019](?:re|s (?:an?|not|the))"
    r"|n['\u2019]t)\b"
)
"""Words that a label has in what it adds alone (`Medicines that can disrupt sleep.`)."""

_TOLD_SO: Final = re.compile(
    r"(?:Also|Although|Another|Ask|Avoid|Be|But|Call|Check|Choose|Doctors|Eat|For|Get|Go|He|However|If|In|It|Keep|Learn"
    r"|Make|Many|Most|Other|People(?! who)|Researchers|See|She|Some people|Take|Talk|Tell|These|They|This|Try|Visit"
    r"|When|You|Your)\b"
)
"""How a sentence begins, and no label."""

GAP: Final = re.compile(r"(?<=[\w)])[ \t]{2,}(?=[A-Z])")
"""What stands between an item that is no sentence and a sentence behind it."""

SENTENCE_BEHIND: Final = re.compile(rf"(?:\S+ +){{1,12}}?(?:{VERBS})\b.*[.:!?]\Z", re.DOTALL)
"""A sentence behind such a gap."""

PARAGRAPH: Final = re.compile(r"\n\s*\n")
_GAP: Final = re.compile(r"\S\s*\n\s*\S|\S[ \t]{3,}\S")
"""What stands between paragraphs, and within few sentences."""


def brief(quote: str) -> str:
    r"""Say a list that is too long in brief: of each item its first sentence, or what names it before a colon.

    Args:
        quote: Part of a text: what announces a list, and its items with marks, with what explains them.

    Returns:
        It with a dash before each item; empty where it is no such list, is short enough, or too long in brief, too.

    Example:
        >>> brief("They are:\n- Rest. " + 99 * "It helps. " + "\n- Surgery.")
        'They are: - Rest. - Surgery.'
    """
    if len(" ".join(quote.split())) <= MAX_LIST:
        return ""
    announced, items = _announced(quote)
    names = [item.partition(":")[0].rstrip() for item in items if ": " in item]
    return _marked(announced, items, names if len(names) == len(items) else [])


def _marked(announced: str, *ways: Sequence[str]) -> str:
    """Write a list with marks, in the first way that is short enough."""
    for items in ways:
        said = " ".join(f"{announced} - {' - '.join(items)}".split())
        if len(items) >= FEWEST and len(said) <= MAX_LIST:
            return said
    return ""


def _announced(quote: str) -> tuple[str, list[str]]:
    """Give what announces a list with marks, and of each item its first sentence."""
    spans = sentences(quote)
    first = next((number for number, span in enumerate(spans) if is_item(quote, span)), 0)
    if not first:
        return "", []
    marked = [span for span in spans[first:] if is_item(quote, span)]
    items = [_alone(quote[without_bullet(quote, start) : end]) for start, end in marked]
    end = spans[first - 1][1]
    flat = FLAT.search(quote, 0, end)
    if not flat:
        return quote[:end], items
    _, one = next(span for span in spans if span[1] > flat.end())
    return quote[: flat.end()].rstrip("-*\u2022\u00b7 \t"), [quote[flat.end() : one], *items]


def _alone(item: str) -> str:
    """Leave out the sentence that only a gap parts from an item."""
    gap = GAP.search(item)
    return item[: gap.start()] if gap and SENTENCE_BEHIND.match(item, gap.end()) else item


def itemized(quote: str) -> str:
    r"""Write a list whose items are paragraphs with marks.

    Args:
        quote: Part of a text: what announces a list, and paragraphs.

    Returns:
        It with a dash before each item; of items that a label of their own begins only the labels, where they are long.
        Empty where it is no such list, or has marks.

    Example:
        >>> itemized("They include:\n\nBlurry vision\n\nFever")
        'They include: - Blurry vision - Fever'
    """
    if not _GAP.search(quote):  # nearly all sentences, and each one that is compared is asked
        return ""
    announced, *items = sentences(quote)
    if not ANNOUNCES.search(quote, *announced) or any(is_item(quote, item) for item in items):
        return ""
    parts = list(paragraphs(quote, items))
    labels = [quote[slice(*part[0])] for part in parts]
    whole = [quote[part[0][0] : part[-1][1]] for part in parts]
    if len(items) < FEWEST or (
        any(stops(quote, item) for item in items) and not all(is_headed(quote, part) for part in parts)
    ):
        return ""
    # Of `they are treated as follows` the labels alone tell nothing.
    lead = quote[slice(*announced)]
    return _marked(lead, whole, [] if lead.endswith("as follows:") else labels)


def paragraphs(text: str, spans: Sequence[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    """Group sentences by paragraphs, as many as may be said in brief.

    Args:
        text: A text.
        spans: Where its sentences begin and end.

    Yields:
        The sentences of each paragraph.
    """
    part: list[tuple[int, int]] = []
    for span in spans:
        if part and PARAGRAPH.search(text, part[-1][1], span[0]):
            yield part
            part = []
        if span[1] - spans[0][0] > MAX_BRIEF:
            return
        part.append(span)
    if part:
        yield part


def is_headed(text: str, paragraph: Sequence[tuple[int, int]]) -> bool:
    """Tell whether a paragraph begins with a label that the rest of it explains.

    Args:
        text: A text.
        paragraph: Where the sentences of one of its paragraphs begin and end.

    Returns:
        True for `Diabetes. It is a disease ...`, and where it is such a label alone.
    """
    label = text[slice(*paragraph[0])]
    length = len(label.split())
    if not label.endswith(".") or length > _HEAD or TOLD.match(label):
        return False
    if length <= _SHORT_HEAD and len(paragraph) > 1:
        return True
    return not (_TOLD_SO.match(label) or _FINITE.search(_ASIDE.sub(" ", label)))


def stops(text: str, span: tuple[int, int]) -> bool:
    """Tell whether a sentence ends with a stop, whatever closes behind it.

    Args:
        text: A text.
        span: Where the sentence begins and ends.

    Returns:
        False for a label or a heading.
    """
    return text[slice(*span)].rstrip(ENDS[3:]).endswith((".", "!", "?", ":"))


def is_item(text: str, span: tuple[int, int]) -> bool:
    """Tell whether a sentence is an item with a mark.

    Args:
        text: A text.
        span: Where the sentence begins and ends.

    Returns:
        False for a mark alone, too.
    """
    return span[0] < without_bullet(text, span[0]) < span[1]
