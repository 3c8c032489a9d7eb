"""Terms: phrases that a section is plainly about, and that no vocabulary has.

Items of lists are taken, of tables, and of enumerations in sentences, where they are noun phrases by TextBlob's tagger;
the words that tell stand in `terms.tsv`.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ..graph.imports import absent
from ..patterns import read_patterns, small, threshold, thresholds
from ..schema.vocabulary import kind_values
from .statements import names_subject, states
from .words import LITTLE, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

TERMS_OF: Final = kind_values("relation")  # section type → the relation that its terms have to the condition
PREFIX: Final = "term:"  # what ids of terms begin with
LIKELY: Final = thresholds("linking.terms.likely")  # where a phrase stands → how likely it is a term there
ENOUGH: Final = threshold("linking.terms.enough")
_LONGEST: Final = 7  # words of a term, at most
_COVERED: Final = threshold("linking.terms.covered")
_HEAD: Final = 700  # characters before a list that are looked at for its head
_LIST: Final = 300  # characters of a list in a sentence, at most
_FEWEST: Final = 3  # items of a list in a sentence, at least: of two, nobody knows where they end
_PART: Final = 4  # letters of each of two words that a page has glued together, at least
_RULES: Final = read_patterns(Path(__file__).with_name("terms.tsv"))
_NOUN: Final = frozenset({"NN", "NNS", "NNP", "NNPS"})
_WITHIN: Final = _NOUN | {"JJ", "JJR", "JJS", "VBN", "VBD", "VBG", "CD", "IN", "DT", "CC", "TO", "RB", "POS"}
_FIRST: Final = _NOUN | {"JJ", "JJR", "JJS", "VBN", "VBG"}


@dataclass(frozen=True, slots=True)
class Term:
    """A phrase that a section is about."""

    name: str  # what it is called: the phrase with single blanks, in small letters but for short forms
    relation: str
    start: int
    end: int
    method: str  # where it stands: in a `table`, a `bullet` or a `list` in a sentence
    score: float  # how sure it is, from 0 to 1

    @property
    def id(self) -> str:
        """The id of what is called so."""
        return term_id(self.name)


def term_id(name: str) -> str:
    """Give the id of what is called so: `term:` and its words, the same for both numbers, and British and American."""
    return PREFIX + "-".join(word.normal for word in words(name))


def find_terms(
    section: Mapping[str, str], spans: Sequence[tuple[int, int]], named: Iterable[tuple[int, int]]
) -> list[Term]:
    """Find the phrases that a section is plainly about, and that no vocabulary has, as `scored_terms` does."""
    return [term for term in scored_terms(section, spans, named) if term.score >= ENOUGH]


def scored_terms(
    section: Mapping[str, str], spans: Sequence[tuple[int, int]], named: Iterable[tuple[int, int]]
) -> list[Term]:
    """Find what may be a term, however unsure, where no name is: each phrase once, in the order of the text."""
    relation, text = TERMS_OF.get(section["type"], ""), section["text"]
    if not relation:
        return []
    covered = bytearray(len(text))
    for start, end in named:
        covered[start:end] = b"\1" * (end - start)
    found: dict[str, Term] = {}
    for method, start, end in _phrases(relation, text):
        phrase = text[start:end]
        if not _speaks(relation, phrase) or _is_covered(phrase, covered[start:end]):
            continue
        if names_subject(section["title"], phrase):
            continue
        sentence = next((span for span in spans if span[0] <= start < span[1]), (start, end))
        if not states(relation, text, sentence, (start, end)):
            continue
        term = Term(_called(phrase), relation, start, end, method, _score(method, phrase))
        found.setdefault(term.name.casefold(), term)
    return sorted(found.values(), key=lambda term: term.start)


def _phrases(relation: str, text: str) -> Iterator[tuple[str, int, int]]:
    """Give where items of tables and lists stand, without articles and what explains them."""
    lower = small(text)
    for method, start, end in (*_cells(text, lower), *_bullets(relation, text, lower), *_lists(relation, text, lower)):
        outer = _RULES["outer"].match(text, start, end)
        begin = outer.end() if outer else start
        stop = begin + len(text[begin:end].rstrip(" ,\t\n*"))
        if stop > begin and len(text[begin:stop].split()) <= _LONGEST:
            yield method, begin, stop


def _cells(text: str, lower: str) -> Iterator[tuple[str, int, int]]:
    for head in _RULES["table"].finditer(lower):
        place = head.end()
        while cell := _RULES["cell"].match(text, place):
            yield "table", cell.start("item"), cell.end("item")
            place = cell.end()


def _bullets(relation: str, text: str, lower: str) -> Iterator[tuple[str, int, int]]:
    if _found("section not", lower):
        return
    for bullet in _RULES["bullet"].finditer(text):
        start = bullet.end()
        head = _head(lower, bullet.start())
        if any(_found(kind, head) for kind in ("list not", f"{relation} list not")):
            continue
        end = _RULES["item end"].search(text, start)
        lead = _RULES["lead end"].search(text, start, end.start() if end else len(text))
        stop = lead.start() if lead else len(text)
        if "," not in text[start:stop]:
            yield "bullet", start, stop


def _lists(relation: str, text: str, lower: str) -> Iterator[tuple[str, int, int]]:
    heads = _RULES.get(f"{relation} head")
    for head in heads.finditer(lower) if heads else ():
        place = head.end() + (text[head.end() : head.end() + 1] == ":")
        stop = _RULES["lead end"].search(text, place)
        end = stop.start() if stop else len(text)
        parts = list(_RULES["comma"].finditer(text, place, end))
        if len(parts) < _FEWEST - 1 or end - place > _LIST:
            continue
        starts = [place, *(part.end() for part in parts)]
        for start, last in zip(starts, [*(part.start() for part in parts), end], strict=True):
            begin = start + len(text[start:last]) - len(text[start:last].lstrip())
            if not _RULES["joined"].search(text, begin, last):
                yield "list", begin, last


def _head(lower: str, start: int) -> str:
    """Give what stands before an item's list: no item itself, or an item with a list of its own."""
    parts = _RULES["bullet"].split(lower[max(0, start - _HEAD) : start])
    for number in range(len(parts) - 1, -1, -1):
        lines = [line.strip() for line in parts[number].split("\n") if line.strip()]
        if lines and (not number or len(lines) > 1 or lines[-1].endswith(":")):
            return lines[-1].rpartition(". ")[2]
    return ""


def _speaks(relation: str, phrase: str) -> bool:
    """Tell whether a phrase is a noun phrase that says something."""
    if not (phrase[:1].isalpha() and phrase[:1].isascii()) or _RULES["address"].search(phrase):
        return False
    lower = small(phrase)
    if any(_found(kind, lower) for kind in ("not", f"{relation} not")) or _RULES["alone"].fullmatch(lower):
        return False
    if _RULES["glued"].search(phrase) or any(map(_is_glued, lower.split())):
        return False
    tags = [tag for _, tag in _tagger().tag(phrase, tokenize=True)]
    if not tags or any(tag not in _WITHIN for tag in tags) or _RULES["adverb"].search(" ".join(tags)):
        return False
    return tags[0] in _FIRST and tags[-1] in _NOUN | {"VBG"} and any(tag in _NOUN for tag in tags)


def _found(kind: str, text: str) -> bool:
    pattern = _RULES.get(kind)
    return pattern is not None and bool(pattern.search(text))


@lru_cache(maxsize=10_000)
def _is_glued(word: str) -> bool:
    """Tell whether a page lost what stood between two words: `frequencyurination`, `stonessolid`."""
    _tagger()
    from textblob.en import lexicon

    if word in lexicon or not word.isalpha():
        return False
    return any(word[:cut] in lexicon and word[cut:] in lexicon for cut in range(_PART, len(word) - _PART + 1))


def _is_covered(phrase: str, covered: bytes | bytearray) -> bool:
    said = [word for word in words(phrase) if word.normal not in LITTLE]
    named = sum(covered[word.start] for word in said)
    return not said or named > _COVERED * len(said)


def _called(phrase: str) -> str:
    name = " ".join(phrase.split())
    return name if _RULES["proper"].search(name) else name[0].lower() + name[1:]


def _score(method: str, phrase: str) -> float:
    count = len(phrase.split())
    return round(LIKELY[method] * (0.9 if count == 1 else 0.95 if count > 5 else 1.0), 3)


@cache
def _tagger() -> Any:
    with absent("pandas", "scipy", "sklearn"):  # NLTK imports them where they are installed, in seconds
        from textblob.taggers import PatternTagger

    tagger = PatternTagger()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # it leaves the files of its words to be closed by themselves
        tagger.tag("read them all", tokenize=True)
    return tagger
