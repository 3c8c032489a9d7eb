"""What a language model is to write: sentences that cite numbered evidence, read from its JSON as they come."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec

from ...models.protocol import Reply

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_OPENING: Final = re.compile(r'\{\s*"sentences"\s*:\s*\[')
_BETWEEN: Final = " ,\t\r\n"
_DECODER: Final = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Draft:
    """A sentence as a model wrote it.

    Attributes:
        text: The sentence.
        ids: The evidence that it cites, whether or not the model was given that.
    """

    text: str
    ids: tuple[str, ...]


def schema_of(ids: Sequence[str]) -> Any:
    """Make the type of a reply that cites some evidence.

    Args:
        ids: The evidence that may be cited; a server that enforces JSON Schema lets nothing else be.

    Returns:
        A `msgspec.Struct`; it decodes other ids too, so that they can be counted.
    """
    cited = Annotated[str, msgspec.Meta(extra_json_schema={"enum": list(ids)})]
    sentence = msgspec.defstruct("Sentence", [("text", str), ("ids", list[cited])])
    return msgspec.defstruct("Sentences", [("sentences", list[sentence])])  # type: ignore[valid-type]


def drafts_of(pieces: Iterable[str | Reply]) -> Iterator[Draft | Reply]:
    """Read sentences from a reply that comes in pieces.

    Args:
        pieces: From `Model.stream` for a request with a schema of `schema_of`.

    Yields:
        Each sentence once, as soon as it is complete, and the whole reply last.
    """
    read: dict[Draft, None] = {}
    text, place = "", 0
    for piece in pieces:
        if isinstance(piece, Reply):
            whole = (Draft(_line(one.text), tuple(one.ids)) for one in piece.value.sentences)
            yield from (draft for draft in whole if draft not in read)
            yield piece
            return
        text += piece
        drafts, place = _complete(text, place)
        for draft in drafts:
            if draft not in read:
                read[draft] = None
                yield draft


def _complete(text: str, place: int) -> tuple[list[Draft], int]:
    """Give the sentences that are complete behind a place, and the place behind them."""
    if not place and (opening := _OPENING.search(text)):
        place = opening.end()
    drafts: list[Draft] = []
    while place:
        try:
            value, place = _DECODER.raw_decode(text, len(text) - len(text[place:].lstrip(_BETWEEN)))
            drafts.append(Draft(_line(value["text"]), tuple(map(str, value["ids"]))))
        except (ValueError, TypeError, KeyError, AttributeError):
            break
    return drafts, place


def _line(text: str) -> str:
    return " ".join(text.split())
