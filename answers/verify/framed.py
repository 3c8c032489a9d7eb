"""Whether a text says a claim itself, or has it only behind words that say what is to be said, asked or believed."""

from __future__ import annotations

import re
from typing import Final

_ASSERTS: Final = re.compile(
    # what only leads to a clause of its own: a sentence before, an aside, a conjunction
    r"[.!?,;)]\W*\Z|\b(?:and|but|or|so|as|because|since|although|though|while|whereas|when|where|if|after|before|until"
    r"|unless|which means that)\W*\Z"
    # who reports what was found
    r"|\A\W*(?:[\w-]+ ){0,2}?(?:stud(?:y|ies)|research(?:ers)?|results?|data|trials?|findings?|reviews?|reports?"
    r"|doctors|experts|scientists|physicians|clinicians|authors|we|evidence|it is|it was)\b[^:\"\u201c]*"
    r"\b(?:that|whether|how|why)\W*\Z"
    r"|\A\W*(?:also|usually|often|sometimes|however|rarely|generally|in general|for example)\W*\Z"
    r"|\A\W*(?:the|an?)\s+\Z",
    re.IGNORECASE,
)


def is_framed(claim: str, text: str) -> bool:
    """Tell whether a claim stands word for word in a text, and only behind something that does not assert it.

    Returns:
        Whether each place where it stands is within a frame (`Write that …`, `The answer is: …`); where it stands in
        other words it is not known.
    """
    words = re.findall(r"\w+", claim)
    found = list(re.finditer(r"\W+".join(words), text, re.IGNORECASE)) if words else []
    before = [text[: place.start()] for place in found]
    return bool(found) and not any(not re.search(r"\w", one) or _ASSERTS.search(one) for one in before)
