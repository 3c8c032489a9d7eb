"""Encodes the service's responses as JSON."""

from __future__ import annotations

from typing import Final

import msgspec


def _plain(value: object) -> float:
    """Write numbers of numpy as what they are."""
    if isinstance(value, float):
        return float(value)
    raise NotImplementedError(f"{type(value).__name__} cannot be written as JSON")


ENCODER: Final = msgspec.json.Encoder(enc_hook=_plain, order="sorted")
"""Fields stand in the order of their names."""
