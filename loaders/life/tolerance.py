"""Limit on the rejects in a file beyond which its load fails."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

from ...errors import InputError

if TYPE_CHECKING:
    from .outcome import Counts

ENOUGH: Final = 1000
"""So many records tell whether a file is worth going on with."""

_WRITTEN: Final = re.compile(r"([0-9][0-9_,]*)(%?)|all")


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How many rejects a curator puts up with.

    Attributes:
        count: So many are always borne.
        share: So much of what was read is borne too, from 0 to 1.
    """

    count: int = 10
    share: float = 0.1

    @classmethod
    def of(cls, text: str) -> Self:
        """Read what a curator writes.

        Args:
            text: A number such as `500`, a share such as `20%`, or `all`.

        Raises:
            InputError: It is none of these.
        """
        found = _WRITTEN.fullmatch(text.strip().lower())
        if not found:
            raise InputError(f"{text!r} is no limit of rejects; write a number, a share such as 20%, or all")
        if not found[1]:
            return cls(0, 1.0)
        value = int(re.sub("[_,]", "", found[1]))
        if not found[2]:
            return cls(value, 0.0)
        if value > 100:
            raise InputError(f"{text!r} is no limit of rejects: a share is at most 100%")
        return cls(0, value / 100)

    def exceeded(self, counts: Counts) -> bool:
        """Tell whether more of a file was rejected than is borne.

        Args:
            counts: What became of its items so far.
        """
        return counts.rejected > max(self.count, self.share * counts.position)

    def hopeless(self, counts: Counts) -> bool:
        """Tell whether a file is not worth going on with.

        Args:
            counts: What became of its items so far.

        Returns:
            Whether enough was read, and too much of it rejected.
        """
        # A plain number is a limit for the whole file; a share is judged by what was read so far.
        return counts.position >= ENOUGH and self.exceeded(counts)
