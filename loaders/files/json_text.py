"""The one reader of JSON that records are made of: strict, and never larger in memory than its text.

What another program could read otherwise is refused: a key that stands twice in an object, and `NaN` or `Infinity`,
which are not JSON. A byte order mark in front is passed over.
"""

from __future__ import annotations

import json
from typing import Any, Final

from ...errors import RecordError
from .opening import BOM
from .texts import not_utf8


def parse(line: bytes | str, *, lenient: bool = False) -> Any:
    """Read a text that is one value of JSON.

    Args:
        line: The text, as bytes in UTF-8 or decoded.
        lenient: Whether `NaN` and `Infinity`, which are not JSON, are taken for texts.

    Returns:
        The value: a dictionary, list, text, number, true or false, or None.

    Raises:
        RecordError: It is not JSON, or a key stands twice in an object.
    """
    try:
        text = line if isinstance(line, str) else line.rstrip().removeprefix(BOM).decode("utf-8")
        return (LENIENT if lenient else DECODER).decode(text)
    except UnicodeDecodeError as error:
        raise RecordError(not_utf8(error)) from error
    except json.JSONDecodeError as error:
        raise RecordError(f"is not valid JSON, column {error.colno}: {error.msg}; write one object a line") from error
    except RecursionError as error:
        raise RecordError("is not valid JSON: nested too deep") from error
    except ValueError as error:  # a number of thousands of digits
        raise RecordError(f"is not usable JSON: {error}") from error


def parse_object(line: bytes | str, *, lenient: bool = False) -> dict[str, Any]:
    """Read a line of JSONL that holds one object.

    Args:
        line: The line, as bytes in UTF-8 or decoded.
        lenient: As for `parse`.

    Raises:
        RecordError: It is no JSON object, or a key stands twice in it.
    """
    data = parse(line, lenient=lenient)
    if not isinstance(data, dict):
        raise RecordError("is not a JSON object in {}; write one object a line")
    return data


def _no_constant(name: str) -> None:
    raise RecordError(f"{name} is not JSON")


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        keys = [key for key, _ in pairs]
        raise RecordError(f"the key {next(key for key in keys if keys.count(key) > 1)!r} stands twice in one object")
    return data


LENIENT: Final = json.JSONDecoder(parse_constant=str, object_pairs_hook=_no_repeats)
"""Decodes as `DECODER` does, but takes `NaN` and `Infinity` for texts."""

DECODER: Final = json.JSONDecoder(parse_constant=_no_constant, object_pairs_hook=_no_repeats)
"""Decodes strictly, for values that follow each other in one text (`raw_decode`); raises `RecordError` as well."""
