"""Validates the texts of records, and never repairs them; types with bounds on their values."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated, Final

from msgspec import Meta

from ..errors import RecordError

MAX_ID: Final = 500  # Characters of an id, or of a word that people filter by, at most
MAX_NAME: Final = 8000  # Bytes of a name, in lower case too: a range index takes keys of 8,167 bytes
IMPOSSIBLE: Final = "values that cannot be: "  # How remarks on them begin, by which an audit knows them
_FORBIDDEN: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f\ud800-\udfff]")
_DATE: Final = re.compile(r"[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?")
_TRANSLATION: Final = re.compile(r".*\S.*@[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*", re.DOTALL)


def check_id(value: str) -> str:
    """Make sure that a text can be an id: not empty, padded, broken by a tab or line end, or too long."""
    if 0 < len(value) <= MAX_ID and value.isascii() and value.isprintable() and " " not in value:
        return value  # nearly all of them, and the rest of this takes longer
    if value.splitlines() != [value] or "\t" in value or value != value.strip() or len(value) > MAX_ID:
        raise RecordError(
            f"the id {value[:60]!r} is empty, padded with blanks, broken by a tab or line end, "
            f"or longer than {MAX_ID} characters"
        )
    check_characters("id", value)
    return value


def check_text(name: str, value: str) -> None:
    """Make sure that a text, which `name` names in the message, says something and holds no control characters."""
    if not value.strip():
        raise RecordError(f"the {name} is empty")
    check_characters(name, value)


def check_name(value: str) -> None:
    """Make sure that a text can be a name: not empty, and short enough for an index."""
    check_text("name", value)
    if len(value) > MAX_NAME // 4 and max(len(value.encode()), len(value.lower().encode())) > MAX_NAME:
        raise RecordError(f"the name {value[:60]!r}… has more than {MAX_NAME:,} bytes; shorten it")


def check_word(name: str, value: str) -> None:
    """Make sure of what people filter by: indexes keep it whole, and a very long one breaks them."""
    check_characters(name, value)
    if len(value) > MAX_ID:
        raise RecordError(f"the {name} {value[:60]!r} is longer than {MAX_ID} characters")


def check_characters(name: str, value: str) -> None:
    """Make sure that a text, which `name` names in the message, holds no control characters."""
    if not value.isprintable() and (found := _FORBIDDEN.search(value)):
        raise RecordError(
            f"the {name} holds the control character U+{ord(found[0]):04X} at offset {found.start()}; remove it"
        )


def check_date(value: str) -> None:
    """Make sure that a text is an ISO date, a year, or a year and month."""
    if not _DATE.fullmatch(value):
        raise RecordError(f"the date {value!r} is not of the form 2026, 2026-11 or 2026-11-21")
    try:
        date.fromisoformat((value + "-01-01")[:10])
    except ValueError as error:
        raise RecordError(f"there is no date {value!r}") from error


def check_translation(value: str) -> None:
    """Make sure that a text is a name with @ and a BCP 47 tag behind."""
    check_characters("translation", value)
    if not _TRANSLATION.fullmatch(value):
        raise RecordError(f"the translation {value[:60]!r} is no name with @ and a language behind, as in Asthme@fr")


Count = Annotated[int, Meta(ge=0)]  # How many, or an offset
Share = Annotated[float, Meta(ge=0, le=1)]  # From nothing to all
