"""Which runs of words may be names, by what stands in them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ..text import is_english
from .lexicon import LOOSE, ORDERED
from .senses import GENERIC
from .words import LITTLE, words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .lexicon import Match
    from .words import Word

_OTHERS: Final = frozenset(
    "another any certain different each every other same several some such that these this those which".split()
)
"""Words before a kind of disease that leave open which one it is."""

_LITTLE: Final = 2
"""Little words that may stand among those of a name in another order, at most."""

_TELLING: Final = 2
"""Words that tell a disease by themselves, if there are more than these."""

_FEW: Final = 2
"""Words that tell a name from others, of which a name with `and` has more if it stands in another order."""

_HEADED: Final = re.compile(r"[ -]\w+(?:emia|itis|oma|osis|pathy)\b")
"""What has words before it for itself: in `chronic granulomatous mastitis` no other granulomatous disease is named."""

_JOINING: Final = re.compile(r"\bor\b|\s[-\u2013\u2014]\s|[,;/?!\[\]]|\.\s|\n\s*\n")
"""What stands between two names, not in one."""


def is_plausible(match: Match, found: Sequence[Word], surface: str) -> bool:
    """Tell whether a run of words may be the name that it was recognised as.

    Args:
        match: The run, and how it was recognised.
        surface: The run as the text has it.

    Returns:
        False for words that most names have, and where nothing but the words themselves speaks for a name.
    """
    run = found[match.first : match.last]
    normals = {word.normal for word in run}
    if normals <= GENERIC | LITTLE | _OTHERS or (len(run) == 1 and len(run[0].normal) < 2):
        return False
    if match.how == LOOSE and (run[0].normal in GENERIC or not tells(run)):
        return False
    if match.how != ORDERED and not _close(run):
        return False
    return surface.count("(") == surface.count(")") and (match.how == ORDERED or not _JOINING.search(surface))


def tells(run: Sequence[Word]) -> bool:
    """Tell whether words that were taken loosely still tell one name from others.

    Returns:
        Whether two of them do, or one before a word that most names have.
    """
    telling = [word for word in run if word.normal not in GENERIC and word.normal not in LITTLE]
    return len(telling) > 1 or (len(telling) == 1 and run[-1].normal in GENERIC and len(telling[0].normal) > 3)


def says(text: str) -> bool:
    """Tell whether there is a word that tells one name from another.

    Returns:
        Whether one is neither little nor what most names have.
    """
    return any(word.normal not in GENERIC and word.normal not in LITTLE for word in words(text))


def stands_alone(run: Sequence[Word]) -> bool:
    """Tell whether words that were taken loosely tell a disease by themselves, in whatever letters.

    Returns:
        Whether they are many, or one of them is a word that most names have.
    """
    many = sum(word.normal not in LITTLE for word in run) > _TELLING
    return many or any(word.normal in GENERIC for word in run)


def is_unusual(run: Sequence[Word], text: str, end: int) -> bool:
    """Tell whether words are nothing else than a name, whoever types them without capitals: `prader willi`.

    Returns:
        Whether English lacks one of them, and they do not belong to the name of something else behind them.
    """
    of_another = _HEADED.match(text, end)
    return not of_another and not all(is_english(text[word.start : word.end].lower()) for word in run)


def _close(run: Sequence[Word]) -> bool:
    """Tell whether words stand near enough to one another to be one name in another order."""
    little = [word.normal for word in run if word.normal in LITTLE]
    return len(little) <= _LITTLE and (len(run) - len(little) > _FEW or "and" not in little)
