"""A language model reads whether sections say a sentence, where words alone find no evidence and nothing against it.

It has to quote the words that say so, which are looked for letter by letter; rules object to a number, a name or a
direction as before. Among the claims stand some whose verdict is known: sentences of a section, which it says, and
sentences of another section, which it does not. A model that gets one of these wrong is not believed at all.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec

from ..errors import ModelReplyError
from ..queries.lucene import all_words
from ..queries.salience import stem
from ..text import is_english
from .answer import SUPPORTED, Claim, Sentence, Span
from .citing import citation_of
from .prompting import escaped, fenced, instructs
from .scoring import sentences_of
from .verify.rules import DIRECTION, NEGATION, NUMBER, UNIT, compare, statement, table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ..embeddings.candidate_sentences import CandidateSentence
    from .prompting import NumberedEvidence

SURE: Final = 0.95  # how likely a sentence is supported that a large model says is; by reading, see `docs/experiments`
CONTROLS: Final = 2  # claims of each known verdict that are asked among the others, at most; set by hand

# The share of a sentence's words that another section may have, at most, to be known not to say it; set by hand.
APART: Final = 0.4

WORDS: Final = 8  # words of a sentence whose verdict is known, at least; set by hand

# Letters, at least, of a word that no lexicon of English has, and that is then taken for a name; set by hand.
NAME: Final = 4

# What rules object to, however a model judges: what differs, and what is said the other way round.
_DIFFERENT: Final = frozenset((NUMBER, UNIT))
_OPPOSED: Final = frozenset((DIRECTION, NEGATION))


@dataclass(frozen=True, slots=True)
class Doubt:
    """A sentence that words alone do not support, with the sections that it cites."""

    text: str
    cited: tuple[NumberedEvidence, ...]


@dataclass(frozen=True, slots=True)
class _Asked:
    """A claim that the model is asked about, with its verdict where that is known."""

    doubt: Doubt
    known: bool | None = None


def is_open(text: str, cited: Sequence[NumberedEvidence]) -> bool:
    """Tell whether a model may say that sections support a sentence: they have its names, and it instructs nobody."""
    if instructs(text) or not cited or any(item.section is None for item in cited):
        return False
    sections = [item.section.section for item in cited if item.section]
    said = " ".join(f"{one.title}. {one.heading}. {one.text}" for one in sections)
    there = set(map(stem, all_words(said)))
    names = {word for word in all_words(text) if len(word) >= NAME and stem(word) not in there and not _is_common(word)}
    drugs = set(statement(text).words) - set(statement(said).words)
    return not names and drugs.isdisjoint(table().substances)


def _is_common(word: str) -> bool:
    """Tell whether a lexicon of English has a word, or what it is the plural of."""
    return is_english(word) or is_english(word.removesuffix("s"))


def read_claims(
    doubts: Sequence[Doubt], items: Sequence[NumberedEvidence], reply: Callable[[Any, dict[str, str]], Any]
) -> list[Sentence | None]:
    """Let a model read whether sections say sentences.

    Args:
        items: All evidence that the sentences could have cited.
        reply: Asks the model: takes a schema and the variables of the prompt, and gives the reply's value.

    Returns:
        Each sentence with what it cites, or None where nothing says it.

    Raises:
        ModelReplyError: The model judged claims wrongly whose verdict is known, or not those that it was given.
    """
    controls = list(_controls([item for item in items if item.section]))
    if not any(one.known is False for one in controls):
        raise ModelReplyError("there is no second section by which its judgement could be checked")
    # By their texts, so that nothing tells which of them are known.
    asked = sorted((*map(_Asked, doubts), *controls), key=lambda one: one.doubt.text)
    named = {f"C{number}": one for number, one in enumerate(asked, 1)}
    given = {item.id: item for one in asked for item in one.doubt.cited}
    told = {
        "claims": "\n".join(_element(name, one.doubt) for name, one in named.items()),
        "evidence": fenced(list(given.values())),
    }
    found = {one.id: one for one in reply(_schema_of(list(named)), told).claims}
    if found.keys() != named.keys():
        raise ModelReplyError("it did not judge the claims that it was given")
    for name, one in named.items():
        if one.known is not None and found[name].says != one.known:
            raise ModelReplyError(f"it judged a claim wrongly whose verdict is known: {one.doubt.text!r}")
    verdicts = {one.doubt.text: found[name] for name, one in named.items() if one.known is None}
    return [_quoted(doubt, verdicts[doubt.text].quotes) if verdicts[doubt.text].says else None for doubt in doubts]


def _controls(items: Sequence[NumberedEvidence]) -> Iterator[_Asked]:
    """Give claims whose verdict is known: what a section says word for word, and what only another section says."""
    pairs = [(item, sentence) for item in items if (sentence := _telling(item))]
    yield from (_Asked(Doubt(sentence, (item,)), known=True) for item, sentence in pairs[:CONTROLS])
    wrong = (
        _Asked(Doubt(sentence, (item,)), known=False)
        for item, (other, sentence) in itertools.product(items, reversed(pairs))
        if item.section and other.section and item.section.section.section != other.section.section.section
        if compare(sentence, item.section.section.text).covered <= APART
    )
    yield from itertools.islice(wrong, CONTROLS)


def _telling(item: NumberedEvidence) -> str:
    """Give a sentence that the model can read of a section."""
    texts = (one.text for one in sentences_of(item.section) if one.text in item.text) if item.section else iter(())
    return next((text for text in texts if len(text.split()) >= WORDS and not instructs(text)), "")


def _quoted(doubt: Doubt, quotes: Sequence[str]) -> Sentence | None:
    """Cite the sentences that quotations stand in; None where one stands nowhere, or a rule objects."""
    titles = " ".join(
        f"{one.section.section.title} {one.section.section.heading}" for one in doubt.cited if one.section
    )
    quotes = [quote for quote in quotes if " ".join(quote.split()) not in titles]
    found = [place for quote in quotes if (place := _place(quote, doubt.cited))]
    if not found or len(found) < len(quotes):
        return None
    said = " ".join(span.text for _, span in found)
    about = " ".join(item.section.section.title for item, _ in found if item.section)
    compared = compare(doubt.text, said, about=about)
    if compared.differ & _DIFFERENT or compared.opposed & _OPPOSED:
        return None
    spans = [(item.section.section, span) for item, span in found if item.section]
    citations = tuple(dict.fromkeys(citation_of(section, span) for section, span in spans))
    first = citations[0]
    span = Span(first.section, first.start, first.end, first.quote)
    return Sentence(doubt.text, citations, SUPPORTED, SURE, (Claim(doubt.text, SUPPORTED, SURE, span),))


def _place(quote: str, cited: Sequence[NumberedEvidence]) -> tuple[NumberedEvidence, CandidateSentence] | None:
    """Find the sentences that a quotation stands in."""
    words = quote.split()
    if len(words) < 2:
        return None
    pattern = re.compile(r"\s+".join(map(re.escape, words)))
    for item in cited:
        if item.section is None:
            continue
        text = item.section.section.text
        if place := pattern.search(text):
            within = [one for one in sentences_of(item.section) if one.end > place.start() and one.start < place.end()]
            if within:
                start, end = within[0].start, within[-1].end
                return item, replace(within[0], start=start, end=end, text=" ".join(text[start:end].split()))
    return None


def _element(name: str, doubt: Doubt) -> str:
    texts = " ".join(item.id for item in doubt.cited)
    return f'<claim id="{name}" texts="{texts}">{escaped(doubt.text)}</claim>'


def _schema_of(ids: Sequence[str]) -> Any:
    name = Annotated[str, msgspec.Meta(extra_json_schema={"enum": list(ids)})]
    verdict = msgspec.defstruct("Verdict", [("id", name), ("says", bool), ("quotes", list[str])])
    return msgspec.defstruct("Claims", [("claims", list[verdict])])  # type: ignore[valid-type]
