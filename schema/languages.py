"""The language of a text, told by its letters and commonest words: a light guess, which says how sure it is.

The words stand in `languages.tsv`. In doubt a text is English: names of diseases are often Latin.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..errors import InputError
from ..files import table_lines, word_table
from ..patterns import small, threshold

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_TABLE: Final = Path(__file__).with_name("languages.tsv")

WEIGHTS: Final = {"plain": 1.0, "sure": 2.0, "names": 0.5}

_LEAST: Final = 2.0  # What the words of another language must weigh; one that nothing else has, or two; set by hand
_DENSE: Final = threshold("schema.languages.dense")
_FOREIGN: Final = threshold("schema.languages.foreign")
_WORDS: Final = word_table(_TABLE.with_name("language_words.tsv"))
# How the names of a script's letters begin, and what is written in it
_SCRIPTS: Final = {script: " ".join(words) for script, words in _WORDS["script"].items()}
_TAGS: Final = {code: tag for tag, codes in _WORDS["code"].items() for code in codes}
_TAG: Final = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")
_WORD: Final = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")

ENGLISH: Final = "English"
# Rows of the table that are no language: what a text without a question says
KINDS: Final = ("greeting", "thanks", "assent", "kind", "reply")


def foreign_language(text: str) -> tuple[str, float]:
    """Name the language of a text that is not English, and how sure that is, from 0 to 1; `""` and 0 in doubt."""
    letters = [character for character in text if character.isalpha()]
    if len(letters) < 2:
        return "", 0.0
    script, share = _script(letters)
    return (script, share) if script else _by_words(words_of(text))


def foreign_to(text: str) -> str:
    """Say that a text is in another language than English, where it is; empty in doubt."""
    language = foreign_language(text)[0]
    if not language:
        return ""
    return f"This seems to be written in {language}, and medgraph reads English only: please ask in English."


def language_tag(code: str) -> str:
    """Give the BCP 47 tag of a language from a tag or from a code of PubMed's (`fre`); an unknown code as it is."""
    return _TAGS.get(code.lower(), code)


def stored_tag(code: str) -> str:
    """Give the tag with which a text is stored; `und` for an unknown language code."""
    tag = language_tag(code.strip())
    return tag if _TAG.fullmatch(tag) else "und"


def words_of(text: str) -> list[str]:
    """Give the words of a text in small letters, as the table has them."""
    return [word.replace("\u2019", "'") for word in _WORD.findall(small(unicodedata.normalize("NFC", text)))]


def _script(letters: Sequence[str]) -> tuple[str, float]:
    """Name what is written in the script of most of a text's letters; empty for Latin ones."""
    scripts = Counter(unicodedata.name(letter, "").partition(" ")[0] for letter in letters if not letter.isascii())
    foreign = {name: count for name, count in scripts.items() if name not in {"LATIN", "MICRO", ""}}
    share = sum(foreign.values()) / len(letters)
    if share <= _FOREIGN:
        return "", 0.0
    if set(foreign) & {"HIRAGANA", "KATAKANA"}:
        return "Japanese", share
    return _SCRIPTS.get(max(foreign, key=lambda name: foreign[name]), "another language"), share


def _by_words(words: Sequence[str]) -> tuple[str, float]:
    """Name the language in Latin letters whose common words a text has."""
    if len(words) < 2:
        return "", 0.0
    found = {
        language: sum(known.get(word, 0.0) for word in set(words))
        for language, known in weights().items()
        if language not in KINDS
    }
    english = found.pop(ENGLISH)
    best = max(found, key=lambda language: found[language])
    weight = found.pop(best)
    if weight < max(_LEAST, _DENSE * len(words)) or weight <= english:
        return "", 0.0
    return best, 1 - max(english, *found.values()) / weight / 2


@cache
def weights() -> Mapping[str, Mapping[str, float]]:
    """Read the table that the package has."""
    return read_weights(_TABLE)


def read_weights(path: Path) -> dict[str, dict[str, float]]:
    """Read a table of words that tell what a text is: by language or kind, each with the most that it weighs.

    Raises:
        InputError: A line has another number of columns, or a weight that is none.
    """
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for number, line in table_lines(path):
        cells = line.split("\t")
        if len(cells) != len(WEIGHTS) or cells[1] not in WEIGHTS:
            raise InputError(
                f"{path}:{number}: write a language, {', '.join(WEIGHTS)}, and the words, with tabs between"
            )
        for word in cells[2].split():
            known = found[cells[0]]
            known[word] = max(known.get(word, 0.0), WEIGHTS[cells[1]])
    return dict(found)
