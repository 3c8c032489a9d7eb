"""Sentences of evidence that can be quoted, with the lists that they announce, what they rest on, and their vectors."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from ..patterns import read_patterns, read_words
from ..text import ANNOUNCERS, is_predicate, is_quality, is_word, run_together, sentences, without_bullet

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

MAX_LIST: Final = 600  # characters of a list that is quoted, with what announces it, at most; set by hand
_RULES: Final = read_patterns(Path(__file__).with_name("candidate_sentences.tsv"))
# Where a list begins that was flattened into its sentence.
_FLAT: Final = re.compile(rf"(?::\s+|\b(?:{ANNOUNCERS})[ \t]+)[-*\u2022\u00b7]\s+(?=\S)")


def with_lists(text: str) -> Iterator[tuple[int, int, bool]]:
    """Find where the sentences of a text begin, behind a mark of a list, and end; and whether it is a list.

    A list and what announces it are one; one that is too long is cut between items.
    """
    spans, at = sentences(text), 0
    while at < len(spans):
        start, end = first = spans[at]
        at += 1
        flat = _FLAT.search(text, start, end)
        if flat and end - start > MAX_LIST:
            ends = [
                item.start()
                for item in _RULES["item"].finditer(text, flat.end(), end)
                if item.start() - start <= MAX_LIST
            ]
            end = max(ends, default=end)
        elif flat or _RULES["announces"].search(text, start, end):
            while at < len(spans) and _is_item(text, *spans[at]) and spans[at][1] - start <= MAX_LIST:
                end, at = spans[at][1], at + 1
        yield min(without_bullet(text, start), end), end, bool(flat) or end > first[1]


def _is_item(text: str, start: int, end: int) -> bool:
    return start < without_bullet(text, start) < end


_ENDS: Final = ".!;)\"'\u201d"  # how sentences and items end, what closes behind a stop last
_WORDS: Final = read_words(Path(__file__).with_name("word_lists.tsv"))
# Words with which a sentence begins behind a heading that was stuck to it.
_OPENING: Final = _WORDS["opening"]
_SAYING: Final = _WORDS["nouns that say"]  # words that the lexicon has as nouns first, and that say something
MIN_WORDS: Final = 4
MAX_CHARACTERS: Final = 600
MAX_SCANNED: Final = 100
_LONGEST_MARK: Final = 12  # characters of the number of a step, with what parts it from the sentence

# Words that headings have in small letters.
_JOINING: Final = frozenset("a an and are as at be by for from in is of on or the to vs with your".split())
_VERBS: Final = frozenset(("are", "be", "is"))

# Words that stand with a capital in headings alone, and in no name.
_VERBS_OF_HEADINGS: Final = _WORDS["verbs of headings"]
# Words with which a sentence begins behind such a heading, whatever follows them.
_OPENING_NAMES: Final = frozenset("About Although Because If In The When While".split())
# Words that begin a sentence, and stand in capitals within headings and names, too (`Vitamin A is ...`).
_IN_NAMES: Final = frozenset("A An And As At But By From That To Treatment With".split())
_BEHIND_ONE: Final = _OPENING - _IN_NAMES
_LEAST_HEADING: Final = 2
_LONGEST_HEADING: Final = 12
_LONGEST_REPEATED: Final = 8
_REPEATED_WITHIN: Final = 5
_LONGEST_VAGUE: Final = 160  # characters from which on such a sentence goes on to say it

# A list without marks that could not be told apart, and the sentence that was stuck to it.
_RUNS_ON: Final = re.compile(rf": [^.]*[a-z)] (?:{'|'.join(sorted(_OPENING - {'A', 'An'}))}) [a-z]+ ")
_FEWEST_UNMARKED: Final = 3
_STEM: Final = 5


class Referring:
    """A sentence, by its text and its number in its section, from 0, which may stand for what was named before it."""

    __slots__ = ()
    order: int
    text: str
    step: int

    @property
    def leans(self) -> bool:
        """Whether it begins with what stands for something said before (`They go away`)."""
        return bool(
            _RULES["orphan"].match(self.text)
            or _RULES["points back"].match(self.text)
            or (self.order and _RULES["definite"].match(self.text))
        )

    @property
    def needs(self) -> bool:
        """Whether it cannot be read without the sentence before it, however it begins (`You get them often`)."""
        if self.leans or self.step > 1 or _RULES["elided"].search(self.text):
            return True
        if not self.order:  # before the first, nothing was named but by the title
            return False
        for found in _RULES["named"].finditer(self.text):
            if found["thing"][:_STEM] not in self.text[: found.start()].lower():
                return True
        if unnamed(self.text, ""):
            return True
        pronoun = _RULES["pronoun"].match(self.text)
        return pronoun is not None and not _RULES["several"].search(pronoun["before"])

    @property
    def dangles(self) -> bool:
        """Whether it begins with what stands for all that was said before, and not for what a page is about."""
        return bool(_RULES["dangles"].match(self.text))

    @property
    def stands_for_page(self) -> bool:
        """Whether it begins with what may stand for what a page is about (`It is rare`), if it leans."""
        return bool(_RULES["page"].match(self.text)) and not self.dangles

    @property
    def details(self) -> bool:
        """Whether it begins by saying what was meant by the sentence before it."""
        return bool(_RULES["details"].match(self.text))


def unnamed(text: str, before: str) -> bool:
    """Tell whether a sentence points at several things of a kind that neither it names nor what stands before it."""
    found = _RULES["several pointed"].search(text)
    named = f"{before} {text[: found.start()]}".lower() if found else ""
    return found is not None and not any(word[:_STEM] in named for word in found["things"].split())


@dataclass(frozen=True, slots=True)
class CandidateSentence(Referring):
    """A sentence that could be part of an answer, by number of its section in the evidence, and in the section, from 0.

    Its text has single blanks for white space.
    """

    section: int
    order: int
    start: int
    end: int
    text: str
    step: int = 0  # its number, where it is a step of several

    @property
    def broken(self) -> bool:
        """Whether words of it run together, or items of a list without marks, or it lacks what it points at."""
        if _RULES["elsewhere"].search(self.text) or any(
            run_together(word[0]) for word in _RULES["small"].finditer(self.text)
        ):
            return True
        begun = [item["item"].lower() for item in _RULES["unmarked"].finditer(self.text)]
        return " - " not in self.text and sum(map(is_word, begun)) >= _FEWEST_UNMARKED

    @property
    def fragment(self) -> bool:
        """Whether it has no verb, so that only what stands over it tells what it says."""
        if ":" in self.text or self.text.isupper() or _RULES["finite"].search(self.text):
            return False
        words = re.findall(r"[^\W\d_]+", self.text)
        return not any(word in _SAYING or is_predicate(word) for word in (*words, *map(str.lower, words[:1])))

    @property
    def limits(self) -> bool:
        """Whether it begins with a word that takes something back of what was said right before."""
        return bool(_RULES["limits"].match(self.text))

    @property
    def vague(self) -> bool:
        """Whether it only says that there is something to say, or who would know, and announces no list."""
        return len(self.text) <= _LONGEST_VAGUE and ":" not in self.text and bool(_RULES["vague"].match(self.text))


def found_at(section: int, order: int, start: int, end: int, text: str) -> CandidateSentence:
    """Make the candidate that stands at a place of a section's text."""
    step = _RULES["step"].search(text, max(0, start - _LONGEST_MARK), start)
    return CandidateSentence(section, order, start, end, plain_quote(text[start:end]), int(step[1]) if step else 0)


def candidates(number: int, text: str, longest: int = MAX_CHARACTERS) -> list[CandidateSentence]:
    """Find the sentences of a section that can be quoted by themselves, without questions, referrals and fragments.

    A sentence that announces a list is quoted with the items that follow it, as far as they fit; one that only points
    at a list or table elsewhere is not.
    """
    found: list[CandidateSentence] = []
    for start, end, listed in itertools.islice(_spans(text), MAX_SCANNED):
        plain = plain_quote(text[start:end])
        if (
            len(plain) > longest
            or plain.endswith(("?", ":"))
            or _RULES["referral"].search(plain)
            or _RULES["one item"].match(plain)
            or (
                not listed
                and (
                    any(one.match(plain) for one in (_RULES["no verb"], _RULES["aim"], _RULES["names"]))
                    or _RUNS_ON.search(plain)
                )
            )
        ):
            continue
        if listed and plain[:1].islower():  # an item of another list
            continue
        if not listed and (
            plain[-1:] not in _ENDS or _RULES["points"].search(plain) or plain[:1].islower() or plain[:1] == "("
        ):
            continue
        if len(plain.split()) >= MIN_WORDS:
            found.append(found_at(number, len(found), start, end, text))
    return found


def plain_quote(quote: str) -> str:
    """Say what a quotation says, with single blanks, and none before a colon."""
    return _RULES["colon"].sub(":", " ".join(quote.split()))


def _spans(text: str) -> Iterator[tuple[int, int, bool]]:
    """Give the spans of sentences, and of lists with what announces them; and whether it is one of the latter."""
    for start, end, is_list in with_lists(text):
        first = begins(text, start, end)
        alone = _RULES["one of many"].match(text, first, end) if is_list else None
        if alone is None:
            yield first, end, is_list
        elif _RULES["is sentence"].match(text, alone.end(), end):
            yield begins(text, alone.end(), end), end, False


def begins(text: str, start: int, end: int) -> int:
    """Find where a sentence begins behind a label or a heading that was stuck to it."""
    while lead := _RULES["lead"].match(text, start, end) or _RULES["labelled"].match(text, start, end):
        start = lead.end()
    words = list(itertools.islice(_RULES["token"].finditer(text, start, end), _LONGEST_HEADING + 1))
    headed = False
    for place, (word, following) in enumerate(itertools.pairwise(words)):
        if word[0][0].islower() and word[0] not in _JOINING:
            break
        behind_one = word[0] in _BEHIND_ONE and ":" not in text[start : word.start()]
        least = 1 if behind_one else _LEAST_HEADING
        stands = place >= least and word[0][0].isupper() and "." not in word[0] and words[place - 1][0] not in _JOINING
        if stands and word[0] in (_OPENING if following[0][0].islower() else _OPENING_NAMES if headed else ()):
            return word.start()
        goes_on = following[0][0].islower() and following[0] not in _JOINING - _VERBS
        if stands and headed and goes_on and word[0] not in _VERBS_OF_HEADINGS:
            return word.start()
        if place and following[0][0].islower() and _is_name_before(words[place - 1][0], word[0].rstrip(",")):
            return word.start()
        is_month = word[0] == "May" and following[0][0].isdigit()
        headed = headed or (place > 0 and word[0] in _VERBS_OF_HEADINGS and not is_month)
    told = [word[0] for word in words]
    places = range(_LEAST_HEADING, min(_LONGEST_REPEATED, len(words) - 2) + 1)
    return next((words[place].start() for place in places if _is_repeated(told, place)), start)


def _is_name_before(name: str, word: str) -> bool:
    """Tell whether a name is a heading of the sentence that a common adjective begins (`Meperidine Serious harm is …`).

    What is an adjective itself may be a part of a name.
    """
    if not (name.isalpha() and name[0].isupper() and word[0].isupper()) or name in _OPENING:
        return False
    return is_word(word.lower()) and is_quality(word.lower()) and not is_quality(name.lower())


def stuck_before(text: str, start: int) -> str:
    """Give the words of a heading that stood before what is quoted from `start` on, in its sentence."""
    first = next((first for first, end in _cut(text) if first <= start < end), start)
    return _RULES["numbers"].sub("", text[first:start]).strip(" -:\u2013\u2014")


@lru_cache(maxsize=16)  # all sentences of a section are asked about, one after another
def _cut(text: str) -> tuple[tuple[int, int], ...]:
    return tuple(sentences(text))


def _is_repeated(words: Sequence[str], first: int) -> bool:
    """Tell whether words are a heading that the sentence behind them repeats (`Dry Mouth Treating dry mouth helps`)."""
    heading, sentence = words[:first], words[first : first + _REPEATED_WITHIN]
    if any(word[-1] in ",;" for word in heading):
        return False
    if not all(word[0].isupper() or word in _JOINING for word in heading) or not sentence[0][0].isupper():
        return False
    if not sentence[1].islower():
        return False
    told = {word.lower() for word in heading if word not in _JOINING}
    again = {word for word in sentence[1:] if word in told} | ({sentence[0].lower()} & told)
    return len(again) >= _LEAST_HEADING and any(word.islower() for word in again)


# Raised when other sentences are found in a text, so that what was kept of it counts as stale.
VECTORS_VERSION: Final = 5
_LEVELS: Final = 127


def sentences_by(encoder: str) -> str:
    """Name what a section's vectors are made by, with the version of how sentences are found."""
    return f"{VECTORS_VERSION}:{encoder}"


def as_encoded(title: str, sentence: str) -> str:
    """Write a sentence as it is encoded."""
    return f"{title}: {sentence}"


def pack(spans: Sequence[tuple[int, int]], vectors: NDArray[np.float32]) -> bytes:
    """Write spans of n sentences and (n, dimension) vectors for a property: whole numbers with one scale each."""
    rows = np.zeros(len(spans), dtype=row_type(vectors.shape[1]))
    if len(spans):
        scales = np.maximum(np.abs(vectors).max(axis=1), np.finfo(np.float32).tiny) / _LEVELS
        rows["start"], rows["end"] = np.array(spans, dtype=np.int32).T
        rows["scale"], rows["levels"] = scales, np.rint(vectors / scales[:, None])
    return rows.tobytes()


def unpack(kept: bytes, dimension: int) -> tuple[list[tuple[int, int]], NDArray[np.float32]]:
    """Read spans and (n, dimension) float32, near to unit length, that `pack` wrote; ValueError if it did not."""
    rows = np.frombuffer(kept, dtype=row_type(dimension))
    return list(zip(rows["start"].tolist(), rows["end"].tolist(), strict=True)), rows["levels"] * rows["scale"][:, None]


def row_type(dimension: int) -> np.dtype[np.void]:
    """Give how a sentence of a property that `pack` writes is laid out."""
    return np.dtype([("start", "<i4"), ("end", "<i4"), ("scale", "<f4"), ("levels", "i1", (dimension,))])
