"""What a text is when it is no question in English: another language, a greeting, thanks, a kind of section, a number.

The words that tell stand in `languages.tsv`. In doubt a text is a question: names of diseases are often Latin.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..errors import InputError
from ..files import table_lines
from ..patterns import small

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_TABLE: Final = Path(__file__).with_name("languages.tsv")

_WEIGHTS: Final = {"plain": 1.0, "sure": 2.0, "names": 0.5}

_LEAST: Final = 2.0
"""What the words of another language must weigh; one that nothing else has, or two; set by hand."""

_DENSE: Final = 0.2
"""How much they must weigh for each word of the text; set by hand."""

_FOREIGN: Final = 0.5
"""The part of a text's letters that must be of another script."""

_SCRIPTS: Final = {
    "CJK": "Chinese or Japanese",
    "HIRAGANA": "Japanese",
    "KATAKANA": "Japanese",
    "HANGUL": "Korean",
    "CYRILLIC": "Russian or another language in Cyrillic letters",
    "ARABIC": "Arabic or another language in its letters",
    "HEBREW": "Hebrew",
    "GREEK": "Greek",
    "DEVANAGARI": "Hindi or another language in Devanagari",
    "BENGALI": "Bengali",
    "TAMIL": "Tamil",
    "TELUGU": "Telugu",
    "THAI": "Thai",
}
"""How the names of a script's letters begin, and what is written in it."""

_HOW: Final = re.compile(
    r"(?<!\s)(?<!read)(?<!say)(?<!speak)(?<!talk)(?<!understand)(?<!write),?\s+in\s+"
    r"(?:easy|everyday|lay|layman['\u2019]?s?|non-?medical|plain|simple)\s+(?:english|language|terms|words)"
    r"(?=[\s?.!]*\Z)",
    re.IGNORECASE,
)
"""How an answer should be worded, which asks for nothing else."""

_AND_TOO: Final = re.compile(
    r"\?\s*(?P<joined>and|or)\s+"
    r"(?!(?:are|can|could|do|does|how|if|in|is|should|what|when|where|which|who|why|will|would)\b)"
    r"(?P<thing>[a-z][\w'\u2019-]*(?:\s+[\w'\u2019-]+){0,3})\s*\?",
    re.IGNORECASE,
)
"""What is asked of one thing more, as an afterthought: `Can it cause a rash? And hives?`"""

_WORD: Final = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")

_ENGLISH: Final = "English"
_GREETING: Final = "greeting"
_THANKS: Final = "thanks"
_ASSENT: Final = "assent"
_KIND: Final = "kind"
_REPLY: Final = "reply"
_NO_LANGUAGES: Final = frozenset({_GREETING, _THANKS, _ASSENT, _KIND, _REPLY})

_NUMBER: Final = re.compile(r"\W*\d+\W*")

EXAMPLE: Final = "\u201cWhat are the symptoms of gout?\u201d"
"""A question, as one could be asked."""

_REMARKS: Final = {
    _THANKS: f"You are welcome! Ask what else you want to know about health, such as {EXAMPLE}.",
    _REPLY: f"This chooses nothing that was offered, and asks nothing. Ask in words, such as {EXAMPLE}.",
    _ASSENT: f"All right. Ask what else you want to know about health, such as {EXAMPLE}.",
    _GREETING: f"Hello! Ask a question about health, such as {EXAMPLE}.",
    _KIND: f"This does not say of what. Name the disease, the drug or the symptom, too, such as {EXAMPLE}.",
}
"""What is said of a text that is no more than that."""


def plainly(text: str) -> str:
    """Leave out of a question how it should be answered, and take what is asked as an afterthought into it.

    Returns:
        The question; `What is gout?` for `What is gout in simple words?`, and `Can it cause a rash or hives?` for
        `Can it cause a rash? Or hives?`
    """
    asked = _HOW.sub("", text)
    asked = asked if asked.strip(" ?.!") else text
    return _AND_TOO.sub(lambda found: f" {found['joined'].lower()} {found['thing']}?", asked)


def remark_on(text: str) -> str:
    """Say why a text is not answered, where it is no question in English about something.

    Returns:
        A sentence or two for the user; empty for a question, and in doubt.
    """
    if foreign := foreign_to(text):
        return foreign
    words = _words_of(text)
    if _NUMBER.fullmatch(text):
        return _REMARKS[_REPLY]
    return next((remark for kind, remark in _REMARKS.items() if _is_only(kind, words)), "")


def foreign_to(text: str) -> str:
    """Say that a text is in another language than English, where it is.

    Returns:
        A sentence for the user; empty for English, and in doubt.
    """
    language = _script(text) or _language(_words_of(text))
    if not language:
        return ""
    return f"This seems to be written in {language}, and medgraph reads English only: please ask in English."


def _words_of(text: str) -> list[str]:
    return [word.replace("\u2019", "'") for word in _WORD.findall(small(unicodedata.normalize("NFC", text)))]


def _script(text: str) -> str:
    """Name what is written in the script of most of a text's letters; empty for Latin ones."""
    letters = [character for character in text if character.isalpha()]
    scripts = Counter(unicodedata.name(letter, "").partition(" ")[0] for letter in letters if not letter.isascii())
    foreign = {name: count for name, count in scripts.items() if name not in {"LATIN", "MICRO", ""}}
    if len(letters) < 2 or sum(foreign.values()) <= _FOREIGN * len(letters):
        return ""
    if set(foreign) & {"HIRAGANA", "KATAKANA"}:
        return "Japanese"
    return _SCRIPTS.get(max(foreign, key=lambda name: foreign[name]), "another language")


def _language(words: Sequence[str]) -> str:
    """Name the language in Latin letters whose common words a text has; empty for English, and in doubt."""
    if len(words) < 2:
        return ""
    weights = _words()
    found = {
        language: sum(known.get(word, 0.0) for word in set(words))
        for language, known in weights.items()
        if language not in _NO_LANGUAGES
    }
    english = found.pop(_ENGLISH)
    best = max(found, key=lambda language: found[language])
    return best if found[best] >= max(_LEAST, _DENSE * len(words)) and found[best] > english else ""


def _is_only(kind: str, words: Sequence[str]) -> bool:
    """Tell whether all words of a text are of a kind, and one at least is so for sure."""
    known = _words()[kind]
    return all(word in known for word in words) and any(known[word] == _WEIGHTS["sure"] for word in words)


@cache
def _words() -> Mapping[str, Mapping[str, float]]:
    return read_words(_TABLE)


def read_words(path: Path) -> dict[str, dict[str, float]]:
    """Read a table of words that tell what a text is.

    Args:
        path: The table: language or kind, weight and words a line, with tabs between.

    Returns:
        By language or kind, each word with what it weighs; the most where it stands twice.

    Raises:
        InputError: A line has another number of columns, or a weight that is none.
    """
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for number, line in table_lines(path):
        cells = line.split("\t")
        if len(cells) != len(_WEIGHTS) or cells[1] not in _WEIGHTS:
            raise InputError(
                f"{path}:{number}: write a language, {', '.join(_WEIGHTS)}, and the words, with tabs between"
            )
        for word in cells[2].split():
            known = found[cells[0]]
            known[word] = max(known.get(word, 0.0), _WEIGHTS[cells[1]])
    return dict(found)
