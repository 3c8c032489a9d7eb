"""Texts that tell of an emergency, or of none: JSON lines with `text` and `kind`, a file a writer."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from medgraph.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

NONE: Final = "none"  # the kind of texts that tell of no emergency


@dataclass(frozen=True, slots=True)
class Text:
    """A text, its kind (`none` for no emergency), who wrote it, and the kind that it comes near to."""

    text: str
    kind: str
    writer: str
    near: str = ""


def read_texts(paths: Iterable[Path]) -> list[Text]:
    """Read texts of writers, a file each.

    Raises:
        InputError: A line is no JSON object with `text` and `kind`.
    """
    found = []
    for path in paths:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            try:
                row = json.loads(line)
                found.append(Text(row["text"], row["kind"], path.stem, row.get("near", "")))
            except (ValueError, KeyError, TypeError) as error:
                raise InputError(f"{path}:{number}: write a JSON object with `text` and `kind`: {error}") from error
    return found
