"""User text into Lucene queries that cannot be broken: only words pass, never syntax."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..patterns import read_words
from ..schema.folding import composed, folded

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_WORDS: Final = 120  # words of a question that are searched
MAX_TERMS: Final = 160  # words and their folded forms; in six fields that stays below Lucene's limit of 1,024 clauses
WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)?")
STOP: Final = read_words(Path(__file__).with_name("word_lists.tsv"))["stop"]
# What the English analyzer leaves out of the index.
_UNINDEXED: Final = read_words(Path(__file__).with_name("word_lists.tsv"))["unindexed"]
_INDEXED: Final = re.compile(r"[a-z0-9]{2,}")


def all_words(text: str) -> list[str]:
    """Cut a text into words in lower case, in order; letters and digits of any script."""
    return [word.group().lower() for word in WORD.finditer(composed(text))]


def words(text: str) -> list[str]:
    """Find the different words of a text in lower case, in order, at most `MAX_WORDS`."""
    return _different(all_words(text))


def content_words(words_in_order: Sequence[str]) -> list[str]:
    """Pick, of `all_words`, the different ones of the first `MAX_WORDS` but those that every question has."""
    return [word for word in _different(words_in_order) if word not in STOP]


def _different(words_in_order: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(words_in_order))[:MAX_WORDS]


def query(
    content: Sequence[str] | Mapping[str, float],
    boosts: Mapping[str, float],
    filters: Mapping[str, Sequence[str]] | None = None,
    favoured: Sequence[tuple[str, str, float]] = (),
    hidden: str = "",
) -> str:
    """Build a Lucene query that any of the words may match, in any of the fields; empty when there are no words.

    Filters only narrow down, as far as the index can tell values apart; the statement that runs the query checks them.

    Args:
        content: Words from `content_words`; where they do not count alike, with how much each counts.
        boosts: Field → how much a match in it counts.
        filters: Field → phrases of which one must match; they do not count for the score.
        favoured: Field, phrase and how much it counts where it matches.
        hidden: A source that must not match; empty for none.
    """
    if not content:
        return ""
    weights = _with_folded(content if isinstance(content, Mapping) else dict.fromkeys(content, 1.0))
    terms = " ".join(
        quoted(word) if weight == 1 else f"{quoted(word)}^{weight:.3f}" for word, weight in weights.items()
    )
    fields = [f"{field}:({terms})^{boost:g}" for field, boost in boosts.items()]
    fields += [f"{field}:{quoted(phrase)}^{boost:g}" for field, phrase, boost in favoured]
    required = [
        f"+{field}:({' '.join(quoted(phrase) for phrase in phrases)})^0"
        for field, phrases in (filters or {}).items()
        # NO, for Norway, is a word that the index leaves out.
        if phrases and all(set(_INDEXED.findall(phrase.lower())) - _UNINDEXED for phrase in phrases)
    ]
    left_out = [f"-source:{quoted(hidden)}"] if hidden else []
    return " ".join([f"+({' '.join(fields)})", *required, *left_out])


def _with_folded(weights: Mapping[str, float]) -> Mapping[str, float]:
    if all(map(str.isascii, weights)):
        return weights
    forms = {form: weight for word, weight in weights.items() for form in all_words(folded(word))}
    return dict([*{**forms, **weights}.items()][:MAX_TERMS])


def quoted(phrase: str) -> str:
    """Make one Lucene phrase of a text, with nothing in it that would end the quotation."""
    return '"' + re.sub(r'[\\"]', " ", phrase) + '"'
