"""A message, taken apart: its heading, what it asks, of which section types, and what it tells."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..patterns import read_patterns, read_words
from ..schema.vocabulary import GENERAL, patterns
from . import lucene

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LONGEST_PREVIOUS: Final = 1000  # characters of an earlier question of a dialogue, at most
_LONGEST_HEADING: Final = 9  # words of a first sentence that may be the message's heading, at most
_RULES: Final = read_patterns(Path(__file__).with_name("message.tsv"))
# Words with which a sentence says nothing about what is asked.
_EMPTY: Final = read_words(Path(__file__).with_name("word_lists.tsv"))["empty"]

_KEYWORDS: Final = (
    "symptoms treatment treatments diagnosed diagnosis causes complications prevention prevented prevent prognosis "
    "inherited hereditary genetic surgery medicine effects research stages dosage"
).split()
MIN_KEYWORD: Final = 82.0
# Words that are no key words misspelt, however near they are to one.
_SPELT_SO: Final = read_words(Path(__file__).with_name("word_lists.tsv"))["spelt so"]


@dataclass(frozen=True, slots=True)
class MessagePart:
    """A sentence of a message: its kind is `heading`, `asks`, `tells` or `courtesy`."""

    text: str
    kind: str


def without_masks(text: str) -> str:
    """Blank out addresses, numbers to call, names that were taken out, and what a form put before the message.

    Everything else stands where it stood.
    """
    return _RULES["mask"].sub(lambda found: " " * len(found[0]), text)


def parts_of(text: str) -> list[MessagePart]:
    """Take a message apart: its sentences in order, the heading first.

    Example:
        >>> [part.kind for part in parts_of("Gout. I am 60. My toe hurts. What can I eat? Thanks")]
        ['heading', 'tells', 'asks', 'courtesy']
    """
    text = without_masks(text)
    headed = _RULES["headed"].match(text)
    heading = _one_line(headed["heading"] or "") if headed else ""
    sentences = _sentences(text[headed.end() :] if headed else text)
    if not heading and len(sentences) > 1 and _is_heading(sentences[0]):
        heading, sentences = sentences[0], sentences[1:]
    found = [MessagePart(heading, "heading")] if has_content(heading) else []
    return found + [MessagePart(sentence, _kind(sentence)) for sentence in sentences]


def asking_first(text: str) -> str:
    """Put what a message asks first, then its heading, and what it tells; the text itself where it says nothing."""
    parts = parts_of(text)
    said = [part.text for kind in ("asks", "heading", "tells") for part in parts if part.kind == kind]
    return " ".join(said) if said else " ".join(text.split())


def is_message(parts: Sequence[MessagePart]) -> bool:
    """Tell a message, of more than one sentence, from a question."""
    return len(parts) > 1


def frame_of(text: str) -> str:
    """Give the last sentence of a text that asks."""
    parts = parts_of(text)
    asking = [part for part in parts if part.kind == "asks"] or parts
    return asking[-1].text if is_message(parts) else " ".join(text.split())


def brief(text: str) -> str:
    """Give a question on one line as it may be sent along with the next one; of one that is too long what asks."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_PREVIOUS else frame_of(text)[:LONGEST_PREVIOUS]


def has_content(sentence: str) -> bool:
    """Tell whether a sentence has a word about what is asked, and is no greeting, thanks or bare plea."""
    return any(word not in _EMPTY for word in lucene.content_words(lucene.all_words(sentence)))


def points_back(sentence: str) -> bool:
    """Tell whether a sentence asks something of what was told before it: `What could it be?`."""
    return bool(_RULES["points"].fullmatch(sentence))


def plainly(sentence: str) -> str:
    """Leave out how a sentence goes on from the one before it: `So why are my joints stiff?`."""
    begun = _RULES["opening"].sub("", sentence)
    return f"{begun[:1].upper()}{begun[1:]}" if begun != sentence else sentence


def _kind(sentence: str) -> str:
    if points_back(sentence):
        return "asks"
    if not has_content(sentence):
        return "courtesy"
    if _RULES["asks"].search(sentence):
        return "asks"
    return "courtesy" if _RULES["courtesy"].search(sentence) else "tells"


def _is_heading(sentence: str) -> bool:
    return len(sentence.split()) <= _LONGEST_HEADING and not _RULES["sentence"].search(sentence)


def _sentences(text: str) -> list[str]:
    found, start = [], 0
    for end in _RULES["end"].finditer(text):
        if end[0] == "." and _RULES["abbreviation"].search(text[start : end.end()]):
            continue
        found.append(text[start : end.end()])
        start = end.end()
    sentences = [part for sentence in [*found, text[start:]] for part in _with_question(sentence)]
    return [_one_line(sentence) for sentence in sentences if any(c.isalpha() for c in sentence)]


def _with_question(sentence: str) -> list[str]:
    """Cut off what asks something of the rest of a sentence: `My feet burn, what helps?`."""
    told, _, asked = sentence.rpartition(",")
    return [f"{told},", asked] if told and points_back(asked) else [sentence]


def _one_line(text: str) -> str:
    return " ".join(text.split())


# Kind → kinds that its words ask for, too, and that are then not asked for: `50 mg` and `look like` of a tablet.
_SAME_WORDS: Final = {"appearance": {"dose", "symptoms"}, "availability": {"dose"}, "stopping": {"dose"}}


def find_intents(question: str) -> tuple[str, ...]:
    """Find the section types that a question asks for, its key words misspelt or not, the plainest first.

    What something is counts only where nothing else is asked.
    """
    return _matched(question) or _matched(_corrected(question))


def has_answer_words(sentence: str, intents: Iterable[str]) -> bool:
    """Tell whether a sentence has words with which one says what a question asks for."""
    telling = patterns("tells")
    return any(name in telling and telling[name].search(sentence) for name in intents)


def without_kind(question: str, intents: Iterable[str]) -> str:
    """Leave out the words by which a question asks for section types, and words that tell nothing.

    A word that tells more than a kind (`contagious`) stays.
    """
    question = question if _matched(question) else _corrected(question)
    for name in intents:
        question = patterns("asks")[name].sub(
            lambda found: found[0] if _RULES["telling more"].match(found[0]) else " ", question
        )
    return _RULES["telling nothing"].sub(" ", question)


def in_order(question: str, intents: Iterable[str]) -> dict[str, int]:
    """Put section types in the order in which a question asks for them, each with where its key word stands."""
    ends = len(question)
    places = {name: found.start() if (found := patterns("asks")[name].search(question)) else ends for name in intents}
    return dict(sorted(places.items(), key=lambda item: item[1]))


def _matched(question: str) -> tuple[str, ...]:
    found = [name for name, pattern in patterns("asks").items() if pattern.search(question)]
    also = set().union(*(_SAME_WORDS.get(name, ()) for name in found))
    found = [name for name in found if name not in also]
    return tuple(name for name in found if name != GENERAL or len(found) == 1)


def _corrected(question: str) -> str:
    from rapidfuzz import fuzz, process

    words = []
    for word in question.lower().split():
        near = None
        if len(word) > 4 and word.strip("?.,!") not in _SPELT_SO:
            near = process.extractOne(word, _KEYWORDS, scorer=fuzz.ratio, score_cutoff=MIN_KEYWORD)
        words.append(near[0] if near else word)
    return " ".join(words)
