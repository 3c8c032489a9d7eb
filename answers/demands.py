"""What some questions demand of whatever answers them, beside its subject and kind."""

from __future__ import annotations

import re
from typing import Final

_OPERATION: Final = (
    r"(?:surger(?:y|ies)|surgical|operations?|transplant\w*|implants?|(?<!enzyme )(?<!hormone )replacements?|removal"
    r"|\w{3,}ectom(?:y|ies))\b"
)
_OF_OPERATION: Final = re.compile(
    r"\b(?:after|following|recover(?:y|ing)? from|(?:complications?|risks?|dangers?|(?:side )?effects) of"
    r"|how (?:dangerous|safe|risky|painful) (?:is|are))(?:\s+(?!(?:without|before|than|or|and|if)\b)\S+){0,4}?"
    rf"\s+{_OPERATION}",
    re.IGNORECASE,
)
_TELLS_OF_OPERATION: Final = re.compile(rf"\b{_OPERATION}", re.IGNORECASE)

_NOT: Final = r"(?:n['\u2019]t| (?:\S+ ){0,2}?not)"
_TO_AVOID: Final = re.compile(
    rf"\b(?:avoid(?:ed)?|should{_NOT} (?:\S+ ){{0,3}}?(?:tak(?:e|en)|eat(?:en)?|drink|use[ds]?|have|do)"
    r"|contraindicated|unsafe)\b",
    re.IGNORECASE,
)
_SAYS_TO_AVOID: Final = re.compile(
    r"\bavoid|\bcontraindicat|\bnot (?:be )?(?:tak(?:e|en|ing)|us(?:e[ds]?|ing)|give[ns]?|eat(?:en|ing)?|drink"
    r"|recommended|safe)\b|\bdo(?:es)?n['\u2019]t (?:take|use|eat|drink)|\bshould(?: not|n['\u2019]t)\b|\bharmful"
    r"|\btoxic|\b(?:can|may|could|might|will) (?:\S+ ){0,2}?(?:worsen|trigger)|\baggravat|\bcaution|\blimit\b"
    r"|\bstay away|\bmake \S+ worse",
    re.IGNORECASE,
)


def asks_of_operation(text: str) -> bool:
    """Tell whether a question asks what comes of an operation, or after it.

    Args:
        text: The question.

    Returns:
        Whether it does, as `complications of varicose vein surgery`; not where an operation may be what helps.
    """
    return bool(_OF_OPERATION.search(text))


def tells_of_operation(head: str) -> bool:
    """Tell whether a page or section is about an operation.

    Args:
        head: Its title, heading and question.

    Returns:
        Whether these name one.
    """
    return bool(_TELLS_OF_OPERATION.search(head))


def asks_to_avoid(text: str) -> bool:
    """Tell whether a question asks what to avoid.

    Args:
        text: The question.

    Returns:
        Whether it does.
    """
    return bool(_TO_AVOID.search(text))


def says_to_avoid(sentence: str) -> bool:
    """Tell whether a sentence says that something is to be avoided.

    Args:
        sentence: The sentence.

    Returns:
        Whether it does.
    """
    return bool(_SAYS_TO_AVOID.search(sentence))
