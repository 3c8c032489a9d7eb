"""Text into sentences, by offsets; and which words are English."""

from __future__ import annotations

import itertools
import re
from functools import cache, lru_cache
from importlib import util
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

_ABBREVIATIONS: Final = frozenset(
    "al approx ca cf co dept dr e.g eg etc ex fig figs gov i.e ie inc jr ltd max min mr mrs ms no nos p pp prof ref "
    "refs sr st vol vs u.s u.k ph.d m.d d.c a.m p.m".split()
)
_END = re.compile(
    # A full stop, with what closes behind it; possessive, so that a long row of dots is read once.
    r"(?<![.!?])[.!?]++[\"'\u2019\u201d)\]]*+(?=\s)"
    r"|\n[ \t]*\n"  # a paragraph
    r"|\n(?=[ \t]*(?:[-*\u2022\u00b7]|\d{1,2}[.)])[ \t])"  # an item of a list
    r"|(?<=\S)[ \t]{3,}(?=[A-Z\"(])"  # a paragraph that was flattened into blanks
)
_BLANK = re.compile(r"\s*")
_LAST_WORD = re.compile(r"[^\s(\[\"']*$")
# Words behind which the items of a list stand in its sentence.
ANNOUNCERS: Final = r"are|includ(?:es?|ing)|involves?|such as"
_FLAT: Final = re.compile(
    rf"^- |(?:[:,]|\b(?:{ANNOUNCERS}"
    r"|(?:if|when) (?:it|they|you|(?:a|the|your) \w+)(?: also)?)) - "
)
_MARK: Final = re.compile(r"(?<=\S)[ \t]{2,}(?=[-*\u2022\u00b7][ \t])")
_DASH: Final = re.compile(r"(?<!\d) - | - (?!\d)")
_SENTENCES: Final = re.compile(r"[.;] - ")
# A dash before the first of four items, whatever announces them.
_MANY: Final = re.compile(r"(?<!\d) - (?=[A-Z](?:.* - [A-Z]){3})")
_FEWEST_ITEMS: Final = 3  # items that a flattened list has, at least
_FEWEST_ANNOUNCED: Final = 2  # as many where it is announced
_FEWEST_NAMES: Final = 2

_ASIDE: Final = 3  # parts of an item that has an aside between dashes, and words of the aside, at most
_DASHED: Final = re.compile(r"[-*\u2022\u00b7][ \t]")
_BULLET = re.compile(r"(?:[-*\u2022\u00b7]|\d{1,2}[.)])[ \t]+")


def counted(count: int, name: str) -> str:
    """Write a number with what it counts, which is named in the singular: `1 remark`, `2,000 entities`."""
    several = f"{name[:-1]}ies" if name.endswith("y") and name[-2] not in "aeiou" else f"{name}s"
    return f"{count:,} {name if count == 1 else several}"


def did_you_mean(word: str, known: Collection[str]) -> str:
    """Say which known word somebody may have meant: `; did you mean 'synonyms'? known are …`."""
    from rapidfuzz import fuzz, process

    found = process.extractOne(word, list(known), scorer=fuzz.ratio, score_cutoff=65, processor=str.lower)
    meant = f"; did you mean {found[0]!r}?" if found else ";"
    return f"{meant} known are {', '.join(known)}"


def sentences(text: str) -> list[tuple[int, int]]:
    """Find the sentences of a text; items of lists and paragraphs without a full stop count as sentences.

    Returns:
        Pairs of start and end offsets, in order, without surrounding white space; together they cover every character
        that is not white space.

    Example:
        >>> [("Dr. Who is ill. Why?")[a:b] for a, b in sentences("Dr. Who is ill. Why?")]
        ['Dr. Who is ill.', 'Why?']
    """
    spans = []
    start = _skip(text, 0)
    for end in _END.finditer(text):
        if end.start() < start or not _ends(text, start, end):
            continue
        stop = start + len(text[start : end.end()].rstrip())
        if stop > start:
            spans.append((start, stop))
        start = _skip(text, end.end())
    stop = len(text.rstrip())
    if stop > start:
        spans.append((start, stop))
    return spans


def _skip(text: str, position: int) -> int:
    blank = _BLANK.match(text, position)
    return blank.end() if blank else position


def _ends(text: str, start: int, end: re.Match[str]) -> bool:
    """Tell whether a mark really ends a sentence: not after an abbreviation, an initial or before a small letter."""
    if end[0].isspace():  # a paragraph, a list item, or a paragraph that was flattened into blanks
        return True
    following = _skip(text, end.end())
    if text[following : following + 1].islower():
        return False
    if not end[0].startswith("."):
        return True
    before = text[max(start, end.start() - 20) : end.start()]
    word = (_LAST_WORD.search(before) or [""])[0].lower()
    if word in _ABBREVIATIONS:
        return "\n" in text[end.end() : following]
    is_initial = len(word) == 1 and word.isalpha() and before[-1:].isupper() and not _DASHED.match(text, following)
    is_number = word.isdigit() and not text[start : end.start() - len(word)].strip()
    return not is_initial and not is_number


_WORD: Final = re.compile(r"\S+")
_LEAST_REPEATED: Final = 2  # words of a list that is said again, at least


def repeated_lists(text: str) -> Iterator[tuple[int, int]]:
    """Find where a list with marks stands a second time right behind itself, without them.

    Yields:
        Start and end offsets of each second copy, in order.

    Example:
        >>> text = "Signs are - fever  - chills. fever chills. They pass."
        >>> [text[start:end] for start, end in repeated_lists(text)]
        ['fever chills.']
    """
    found = list(_WORD.finditer(text))
    words = [word for word in found if word[0] != "-"]
    dashes = itertools.accumulate((word[0] != "-" for word in found), initial=0)
    marked = frozenset(before for before, word in zip(dashes, found, strict=False) if word[0] == "-")
    told, done = [word[0] for word in words], 0
    for first in sorted(marked):
        if first >= done and (again := _again(told, first, marked)):
            done = 2 * again - first
            yield words[again].start(), words[done - 1].end()


def _again(words: Sequence[str], first: int, marked: frozenset[int]) -> int:
    """Find the word with which what begins at `first` is said again without a mark; 0 where it is not."""
    for again in range(first + _LEAST_REPEATED, (first + len(words)) // 2 + 1):
        if again not in marked and words[first:again] == words[again : 2 * again - first]:
            return again
    return 0


def without_bullet(text: str, start: int) -> int:
    """Find the offset of a sentence's first word, behind a list mark."""
    bullet = _BULLET.match(text, start)
    return bullet.end() if bullet else start


def context(title: str, question: str) -> str:
    """Give what stands before a chunk when it is embedded: what it is about, by title and question or heading."""
    parts = [question] if title.lower() in question.lower() else [f"{title}.", question]
    return " ".join(" ".join(parts).split())


def lines_of(text: str) -> list[str]:
    """Cut a quotation into its lines that are not blank, with single blanks; several items in one line are lines."""
    parts = (part for line in text.splitlines() for part in _marked(line))
    return [item for part in parts if (line := " ".join(part.split())) for item in _items(line)]


def _marked(line: str) -> list[str]:
    """Cut a line before marks that several blanks part from what stands before; and before the first one, too."""
    lead, *items = _MARK.split(line)
    announced, mark, first = lead.partition(" - ")
    if items and mark and announced.strip():
        return [announced, f"- {first}", *items]
    return [lead, *items]


def _items(line: str) -> list[str]:
    """Cut a list that was flattened into a line; a dash or two may as well stand within a sentence."""
    first = _FLAT.search(line) or _MANY.search(line)
    if not first:
        return [line]
    items = _DASH.split(line[first.end() :])
    goes_on = first.end() == len("- ") or any(item.startswith(("and ", "or ")) for item in items)
    aside = len(items) == _ASIDE and items[0][:1].isupper() and len(items[1].split()) <= _ASIDE
    if first.end() == len("- ") and aside and not any(one[:1].isupper() for one in items[1:]):
        return [line]  # an item with dashes within: `- Put it in warm - not hot - water.`
    fewest = _FEWEST_ITEMS if goes_on else _FEWEST_ANNOUNCED
    if len(items) < fewest and not _SENTENCES.search(line, first.end()):
        return [line]
    announced = line[: first.end()].rstrip("- ")
    return [announced] * bool(announced) + [f"- {item}" for item in _with_meanings(items)]


def _with_meanings(items: list[str]) -> list[str]:
    """Put what things mean behind their names (`Heatstroke - an illness - Heat rash - an irritation`)."""
    names, meanings = items[::2], items[1::2]
    alternate = (
        len(items) % 2 == 0
        and all(one[:1].isupper() for one in names)
        and not any(one[:1].isupper() for one in meanings)
    )
    if not alternate or len(names) < _FEWEST_NAMES:
        return items
    return [f"{name}: {meaning}" for name, meaning in zip(names, meanings, strict=True)]


def plain_question(question: str) -> str:
    """Write a source's question as people do: `What is Gout?` for `What is (are) Gout ?`."""
    return question.replace(" (are) ", " ").replace(" ?", "?")


def sendable(text: str) -> str:
    """Replace halves of characters, which a command line or a request may hold and no database can take."""
    return text.encode("utf-8", "replace").decode("utf-8")


def is_english(word: str) -> bool:
    """Tell whether a lexicon of English has a word, a name of somebody or something among them."""
    return word in _tags()


_SHORT, _LONG = 5, 8  # letters from which on a word may have one slip, and two; set by hand


@lru_cache(maxsize=10_000)
def put_right(word: str, known: tuple[str, ...]) -> str:
    """Replace a word that is none in English by the known one that it all but is."""
    if len(word) < _SHORT or not word.isalpha():
        return word
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    slips = 2 if len(word) >= _LONG else 1
    near = process.extractOne(word, known, scorer=OSA.distance, score_cutoff=slips)
    return near[0] if near and not is_english(word) else word


def is_word(word: str) -> bool:
    """Tell whether a word is one of English in small letters: `cruise`, not what only looks so (`hiv`)."""
    return word.islower() and word.isalpha() and word in _lexicon()


def is_adjective(word: str) -> bool:
    """Tell whether a lexicon has a word as an adjective or a participle first, so that it names nothing."""
    return _tags().get(word, "").startswith(("JJ", "VBN", "VBD"))


def is_quality(word: str) -> bool:
    """Tell whether a lexicon has a word as an adjective first."""
    return _tags().get(word, "").startswith("JJ")


def is_verb(word: str) -> bool:
    """Tell whether a lexicon has a word as a verb or an adverb first, so that it names nothing."""
    return _tags().get(word, "").startswith(("VB", "RB"))


def is_predicate(word: str) -> bool:
    """Tell whether a lexicon has a word as a verb first, with or without its `s`, and not as a participle."""
    tags = (_tags().get(one, "") for one in (word, word.removesuffix("s")))
    return any(tag.startswith(("VB", "MD")) and tag not in {"VBN", "VBG"} for tag in tags)


_BEHIND: Final = frozenset(
    "about also although and are because but called can could especially even for from has have how if into may more "
    "must should such than that the their then there these they this those through until was were when where which "
    "while who will with without would your you".split()
)
# Words between which no blank is lost unseen, as the other word goes on to stand by itself.
_BEFORE: Final = frozenset("and can for from of that the this which with your".split())
_ENDING: Final = _BEHIND | {"in", "is", "of", "or", "to"}  # words that may end three that run together
_LEAST_BEFORE: Final = 4
_LEAST_BEHIND: Final = 5


def run_together(word: str) -> tuple[int, ...]:
    """Find where two or three words of English lost the blanks between them, of which one joins what it stands between.

    Returns:
        The offsets at which they meet; none in a word, or in what may be one that the lexicon has not (`paronychia`).

    Example:
        >>> run_together("fromgenesor"), run_together("kelpmay"), run_together("therapist")
        ((4, 9), (4,), ())
    """
    if is_english(word):
        return ()
    for at in range(2, len(word) - 1):
        one, other = word[:at], word[at:]
        if len(one) >= _LEAST_BEFORE and other in _BEHIND and is_word(one):
            return (at,)
        if one not in _BEFORE or len(other) < _LEAST_BEHIND:
            continue
        if is_word(other):
            return (at,)
        for end in range(_LEAST_BEFORE, len(other) - 1):
            if other[end:] in _ENDING and is_word(other[:end]):
                return at, at + end
    return ()


@cache
def _tags() -> Mapping[str, str]:
    return {word.lower(): tag for word, tag in _lexicon().items()} | _lexicon()


@cache
def _lexicon() -> dict[str, str]:
    """Give the words of TextBlob's lexicon with their tags."""
    return textblob_words("en-lexicon.txt")


def textblob_words(file: str) -> dict[str, str]:
    """Read what a list of TextBlob's says of each English word, without what importing it brings along."""
    package = util.find_spec("textblob")
    folder = Path((package and package.origin) or "").parent
    lines = (folder / "en" / file).read_text(encoding="utf-8").splitlines()
    parts = (line.partition(" ") for line in lines if line and not line.startswith(";"))
    return {word: said for word, _, said in parts}


def spaced(words: str) -> str:
    """Write a regular expression that finds words whatever white space a text has between them."""
    return r"\s+".join(map(re.escape, words.split()))


def passage_of(title: str, text: str) -> str:
    """Write a passage as the reranker reads it."""
    return f"{title}: {text}"


def headed(title: str, heading: str, sentence: str) -> str:
    """Write a sentence as it is read: under its page's title and its section's heading, where that is another."""
    head = f"{title}: {heading}" if heading and heading != title else title
    return f"{head}. {sentence}"
