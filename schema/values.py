"""Types with bounds on their values, which also describe the service's answers."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

Count = Annotated[int, Meta(ge=0)]  # How many, or an offset
Share = Annotated[float, Meta(ge=0, le=1)]  # From nothing to all
