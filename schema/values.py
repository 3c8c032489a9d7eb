"""What values may be beyond their type, stated where they are declared; the service describes its answers by them."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

Count = Annotated[int, Meta(ge=0)]
"""How many, or an offset."""

Share = Annotated[float, Meta(ge=0, le=1)]
"""From nothing to all."""
