"""Two places for vectors, so that those of another encoder can be made while the former ones serve.

A statement is written for the first place; for the second one its properties and indexes of vectors have another name.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

FIRST: Final = ""
SECOND: Final = "_b"

_NAMES: Final = re.compile(
    r"(?<=\.)(?:embedding|embedding_model|sentence_model|sentence_vectors)\b"
    r"|(?<=')embedding(?=')"
    r"|(?<=INDEX )(?:chunk|question)_embedding(?:_model)?\b"
)


@lru_cache(maxsize=512)
def renamed(text: str, slot: str) -> str:
    """Write a statement for a place.

    Args:
        text: The statement, for the first place.
        slot: What the names end with.
    """
    return _NAMES.sub(lambda found: found[0] + slot, text)
