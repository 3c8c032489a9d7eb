"""Texts in which people marked what is mentioned: the NCBI Disease corpus and BC5CDR, in the format of PubTator."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ..errors import SourceFileError

if TYPE_CHECKING:
    from pathlib import Path

RELATION: Final = "CID"
"""What BC5CDR calls a chemical that induces a disease, which is no mention."""

_TEXT: Final = re.compile(r"(\d+)\|([ta])\|(.*)")


@dataclass(frozen=True, slots=True)
class GoldMention:
    """A mention that people marked.

    Attributes:
        start: Where it begins in the text.
        end: Where it ends.
        surface: What the text says.
        ids: Its ids, `MESH:` or `OMIM:`.
        kind: What people marked it as, such as `Chemical`.
    """

    start: int
    end: int
    surface: str
    ids: frozenset[str]
    kind: str = "Disease"


@dataclass(frozen=True, slots=True)
class GoldText:
    """A text with all mentions that people marked.

    Attributes:
        id: Its id.
        text: The text.
        mentions: The mentions in order.
    """

    id: str
    text: str
    mentions: tuple[GoldMention, ...]


def read_corpus(path: Path) -> list[GoldText]:
    """Read a file in the format of PubTator: a title, an abstract, and a line a mention.

    Args:
        path: The file.

    Returns:
        Its texts.

    Raises:
        SourceFileError: It cannot be read, or has no such texts.
    """
    texts: dict[str, str] = {}
    marked: dict[str, list[GoldMention]] = defaultdict(list)
    for number, line in enumerate(read_lines(path), start=1):
        if found := _TEXT.fullmatch(line):
            texts[found[1]] = f"{texts[found[1]]} {found[3]}" if found[2] == "a" and found[1] in texts else found[3]
        elif "\t" in line:
            cells = line.split("\t")
            if cells[1] == RELATION:
                continue
            if len(cells) < 6 or not (cells[1].isdigit() and cells[2].isdigit()):
                raise SourceFileError("needs id, start, end, mention, class and ids", path, number)
            ids = frozenset(_curie(key) for key in re.split(r"[|+]", cells[5].strip()))
            marked[cells[0]].append(GoldMention(int(cells[1]), int(cells[2]), cells[3], ids, cells[4]))
    if not texts:
        raise SourceFileError("has no lines such as 10021369|t|A title", path)
    return [GoldText(key, text, tuple(marked[key])) for key, text in texts.items()]


def read_lines(path: Path) -> list[str]:
    """Read the lines of a file.

    Args:
        path: The file.

    Returns:
        Its lines.

    Raises:
        SourceFileError: It cannot be read.
    """
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SourceFileError(f"cannot be read: {error}", path) from error


def _curie(key: str) -> str:
    return key if key.startswith("OMIM:") else f"MESH:{key}"
