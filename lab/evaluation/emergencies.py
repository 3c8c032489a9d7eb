"""Measures the emergencies recognised, the right first steps among them, and the near misses flagged."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from medgraph.answers.emergencies import kinds_of_model
from medgraph.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from medgraph.answers.emergencies import Emergencies

NONE: Final = "none"  # the kind of texts that tell of no emergency


@dataclass(frozen=True, slots=True)
class Text:
    """A text, its kind (`none` for no emergency), who wrote it, and the kind that it resembles."""

    text: str
    kind: str
    writer: str
    near: str = ""


def read_texts(paths: Iterable[Path]) -> list[Text]:
    """Read texts of writers, a file each."""
    found = []
    for path in paths:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            try:
                row = json.loads(line)
                found.append(Text(row["text"], row["kind"], path.stem, row.get("near", "")))
            except (ValueError, KeyError, TypeError) as error:
                raise InputError(f"{path}:{number}: write a JSON object with `text` and `kind`: {error}") from error
    return found


def figures(emergencies: Emergencies, texts: Sequence[Text]) -> list[dict[str, Any]]:
    """Measure sets: what is recognised, what gets its own first steps, and what is flagged though it tells of none."""
    rows = []
    for name in dict.fromkeys(one.writer for one in texts):
        told = [one for one in texts if one.writer == name and one.kind != NONE]
        none = [one for one in texts if one.writer == name and one.kind == NONE]
        found = [_kinds(emergencies, one) for one in told]
        flagged = sum(bool(_kinds(emergencies, one)) for one in none)
        right = sum(kinds_of_model()[one.kind] in kinds for one, kinds in zip(told, found, strict=True))
        rows.append(
            {
                "set": name,
                "emergencies": len(told),
                "recognised": _share(sum(map(bool, found)), len(told)),
                "right steps": _share(right, len(told)),
                "none": len(none),
                "flagged": _share(flagged, len(none)),
            }
        )
    return rows


def wrong(emergencies: Emergencies, texts: Sequence[Text]) -> Iterator[tuple[Text, Sequence[str]]]:
    """Give the texts that are missed, or flagged though they tell of none, with the kinds that were told."""
    for one in texts:
        kinds = _kinds(emergencies, one)
        if bool(kinds) == (one.kind == NONE):
            yield one, kinds


def _kinds(emergencies: Emergencies, one: Text) -> list[str]:
    return [urgent.kind for urgent in emergencies.urgent_in(one.text)]


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 3) if whole else None
