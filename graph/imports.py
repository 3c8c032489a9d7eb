"""Imports of large packages without parts that nothing here needs."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def absent(*names: str) -> Iterator[None]:
    """Let modules that are not imported yet seem to be missing, for what imports them only if it can."""
    hidden = [name for name in names if name not in sys.modules]
    sys.modules.update(dict.fromkeys(hidden))  # type: ignore[arg-type] # None is how an import is made to fail
    try:
        yield
    finally:
        for name in hidden:
            del sys.modules[name]
