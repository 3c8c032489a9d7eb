"""Short forms of a quoted sentence that its page explains elsewhere: `In PKD, the cysts take the place of tissue`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ..queries import lucene
from ..queries.long_forms import long_forms
from .answer import ShortForm

if TYPE_CHECKING:
    from collections.abc import Iterator

_SHORT: Final = re.compile(r"(?<![\w/-])[A-Z][A-Za-z0-9]{0,6}[A-Z0-9](?=s?(?![\w-]))")


def explained(sentence: str, text: str, known: str) -> tuple[ShortForm, ...]:
    """Explain the short forms of a sentence that nothing around it does.

    Args:
        text: The section that it is quoted from.
        known: What is read with it: the question, and the title of its page.

    Returns:
        Each short form that its section explains, in order; none that the sentence explains itself, or whose long form
        is read with it.
    """
    asked = dict.fromkeys(found for found in _shorts(sentence) if not _is_said(found, sentence, known))
    if not asked:
        return ()
    explaining = long_forms(text)
    words = set(lucene.all_words(f"{known} {sentence}"))
    return tuple(
        ShortForm(short, long)
        for short in asked
        if (long := explaining.get(short)) and not words.issuperset(lucene.content_words(lucene.all_words(long)))
    )


def _shorts(sentence: str) -> Iterator[str]:
    return (found[0] for found in _SHORT.finditer(sentence))


def _is_said(short: str, sentence: str, known: str) -> bool:
    """Tell whether a short form stands beside its long form, or was asked with."""
    beside = rf"\({re.escape(short)}s?\b|\b{re.escape(short)}s? \("
    return bool(re.search(beside, sentence) or re.search(rf"\b{re.escape(short)}s?\b", known))
