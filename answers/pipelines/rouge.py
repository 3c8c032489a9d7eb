"""ROUGE-L: what two texts have in common as their longest common subsequence of words (Lin, 2004)."""

from __future__ import annotations

import re
from typing import Final

_WORD: Final = re.compile(r"[a-z0-9]+")


def rouge_l(text: str, reference: str) -> float:
    """Give the F1, from 0 to 1, of the longest common subsequence of words: letters and digits in small letters."""
    from rapidfuzz.distance import LCSseq

    ours, theirs = _WORD.findall(text.lower()), _WORD.findall(reference.lower())
    if not ours or not theirs:
        return 0.0
    return 2 * LCSseq.similarity(ours, theirs) / (len(ours) + len(theirs))
