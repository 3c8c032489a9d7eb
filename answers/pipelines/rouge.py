"""ROUGE-L: what two texts have in common as their longest common subsequence of words (Lin, 2004)."""

from __future__ import annotations

import re
from typing import Final

_WORD: Final = re.compile(r"[a-z0-9]+")


def rouge_l(text: str, reference: str) -> float:
    """Give the F1 of the longest common subsequence of words.

    Returns:
        From 0 to 1; 0 where either has no word. Words are runs of letters and digits in small letters, unstemmed.
    """
    from rapidfuzz.distance import LCSseq

    ours, theirs = _WORD.findall(text.lower()), _WORD.findall(reference.lower())
    if not ours or not theirs:
        return 0.0
    return 2 * LCSseq.similarity(ours, theirs) / (len(ours) + len(theirs))
