"""Words of English: what is one is no misspelt name, and in small letters no short form."""

from __future__ import annotations

from functools import cache
from importlib import util
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def is_english(word: str) -> bool:
    """Tell whether a lexicon of English has a word, a name of somebody or something among them.

    Args:
        word: The word, in small letters.

    Returns:
        Whether it has.
    """
    return word in _tags()


def is_word(word: str) -> bool:
    """Tell whether a word is one of English that is written in small letters.

    Args:
        word: The word, in small letters.

    Returns:
        True for `cruise`; False for what only a name or a short form looks like (`hiv`).
    """
    return word in _words()


def is_adjective(word: str) -> bool:
    """Tell whether a word is rather said of something than the name of something.

    Args:
        word: The word, in small letters.

    Returns:
        Whether the lexicon has it as an adjective or a participle first.
    """
    return _tags().get(word, "").startswith(("JJ", "VBN", "VBD"))


@cache
def _tags() -> Mapping[str, str]:
    return {word.lower(): tag for word, tag in _lexicon()} | dict(_lexicon())


@cache
def _words() -> frozenset[str]:
    return frozenset(word for word, _ in _lexicon() if word.islower() and word.isalpha())


@cache
def _lexicon() -> tuple[tuple[str, str], ...]:
    """The words of TextBlob's lexicon with their tags, read without what importing it brings along."""
    package = util.find_spec("textblob")
    folder = Path((package and package.origin) or "").parent
    lines = (folder / "en" / "en-lexicon.txt").read_text(encoding="utf-8").splitlines()
    tagged = (line.partition(" ") for line in lines if line and not line.startswith(";"))
    return tuple((word, tag) for word, _, tag in tagged)
