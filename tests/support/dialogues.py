"""The turns of dialogues that tests read: tests/data/answers/turns.tsv and short-turns.tsv."""

import re
from dataclasses import dataclass

from tests.support.emergencies import lines_of


@dataclass(frozen=True)
class Turn:
    """What is said after what, and what it is to be understood as, in any of several wordings."""

    previous: list[str]
    said: str
    wordings: list[str]

    @property
    def leans(self):
        return self.said not in self.wordings

    def is_right_or_a_remark(self, understood, remark):
        return bool(remark) if self.wordings == [REMARK] else self.is_right(understood) and not remark

    def is_right(self, understood):
        return plain(understood) in map(plain, self.wordings)


REMARK = "(remark)"
"""What a turn is to be understood as that asks nothing."""


def turns(half, name="turns.tsv"):
    """Give the turns of a half."""
    rows = (line.split("\t") for line in lines_of(name))
    return [Turn(before.split(" | "), said, wordings.split(" || ")) for h, before, said, wordings in rows if h == half]


def plain(text):
    return re.findall(r"[\w'\u2019-]+", text.lower())
