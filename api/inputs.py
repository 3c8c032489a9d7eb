"""What requests may hold: every field is known, typed and bounded, or the request is refused by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ..errors import InputError
from ..queries.filters import Filters
from ..queries.lookup import MAX_FOUND
from ..queries.retriever import MAX_RESULTS, PRESETS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

MAX_FILTERS: Final = 20
MAX_FILTER: Final = 200

_SEARCH: Final = {"q", "mode", "top_k", "source", "licence", "type", "since", "until", "preset", "by_rank"}
_REPEATED: Final = ("source", "licence", "type")
_ENTITIES: Final = {"q", "limit"}
_ANSWER: Final = {"question", "sources", "licences", "types", "since", "until"}
_TRUTHS: Final = {"true": True, "1": True, "false": False, "0": False}


@dataclass(frozen=True, slots=True)
class AnswerRequest:
    """What `POST /v1/answers` takes.

    Attributes:
        question: What a user typed.
        filters: What evidence may be.
    """

    question: str
    filters: Filters


@dataclass(frozen=True, slots=True)
class EntitiesRequest:
    """What `GET /v1/entities` takes.

    Attributes:
        text: An id, a name, or words that name an entity.
        limit: How many entities at most.
    """

    text: str
    limit: int


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What `GET /v1/search` takes.

    Attributes:
        question: What a user typed.
        options: Keyword arguments of `Retriever.search`.
    """

    question: str
    options: dict[str, Any]


def answer_request(body: Any) -> AnswerRequest:
    """Check the body of a question.

    Args:
        body: Parsed JSON.

    Returns:
        The request.

    Raises:
        InputError: A field is missing, unknown, or of another type or size.
    """
    if not isinstance(body, dict):
        raise InputError('the body is not a JSON object; send one such as {"question": "What is asthma?"}')
    _known(body, _ANSWER)
    if "question" not in body:
        raise InputError('the field "question" is missing')
    return AnswerRequest(
        _text(body, "question"),
        Filters(
            _texts(body, "sources"),
            _texts(body, "types"),
            _text(body, "since"),
            _text(body, "until"),
            _texts(body, "licences"),
        ),
    )


def search_request(values: Mapping[str, Sequence[str]]) -> SearchRequest:
    """Check the parameters of a search.

    Args:
        values: Every value of each parameter, as they stand in the address.

    Returns:
        The request.

    Raises:
        InputError: A parameter is missing, unknown, given twice or cannot be read.
    """
    one = _each_once(values, _SEARCH, repeated=set(_REPEATED))
    preset = one.get("preset", "default")
    if preset not in PRESETS:
        raise InputError(f"there is no preset {_shown(preset)}; known are {', '.join(PRESETS)}")
    by_rank = one.get("by_rank", "false")
    if by_rank not in _TRUTHS:
        raise InputError(f"by_rank is {_shown(by_rank)}; write true or false")
    lists = {name: list(values.get(name, ())) for name in _REPEATED}
    return SearchRequest(
        one["q"],
        {
            "mode": one.get("mode", "linked"),
            "top_k": _count(one, "top_k", MAX_RESULTS),
            "filters": Filters(
                _texts(lists, "source"),
                _texts(lists, "type"),
                one.get("since", ""),
                one.get("until", ""),
                _texts(lists, "licence"),
            ),
            "weights": PRESETS[preset],
            "by_rank": _TRUTHS[by_rank],
        },
    )


def entities_request(values: Mapping[str, Sequence[str]]) -> EntitiesRequest:
    """Check the parameters of a look-up.

    Args:
        values: Every value of each parameter, as they stand in the address.

    Returns:
        The request.

    Raises:
        InputError: A parameter is missing, unknown, given twice or cannot be read.
    """
    one = _each_once(values, _ENTITIES)
    return EntitiesRequest(one["q"], _count(one, "limit", MAX_FOUND))


def _each_once(
    values: Mapping[str, Sequence[str]], known: set[str], repeated: AbstractSet[str] = frozenset()
) -> dict[str, str]:
    _known(values, known)
    for name, given in values.items():
        if len(given) > 1 and name not in repeated:
            raise InputError(f'the parameter "{name}" is given {len(given)} times; give it once')
    if "q" not in values:
        raise InputError('the parameter "q", what is asked for, is missing')
    return {name: given[0] for name, given in values.items()}


def _known(given: Mapping[str, Any], known: set[str]) -> None:
    if unknown := sorted(given.keys() - known):
        raise InputError(f"there is no field {_shown(unknown[0])}; known are {', '.join(sorted(known))}")


def _text(body: Mapping[str, Any], name: str) -> str:
    value = body.get(name, "")
    if not isinstance(value, str):
        raise InputError(f'the field "{name}" is not a text')
    return value


def _texts(body: Mapping[str, Any], name: str) -> tuple[str, ...]:
    value = body.get(name, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InputError(f'the field "{name}" is not a list of texts')
    if len(value) > MAX_FILTERS or any(len(item) > MAX_FILTER for item in value):
        raise InputError(f'the field "{name}" takes {MAX_FILTERS} texts of {MAX_FILTER} characters at most')
    return tuple(value)


def _count(values: Mapping[str, str], name: str, most: int) -> int:
    text = values.get(name, "10")
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(most)) and 1 <= int(text) <= most):
        raise InputError(f"{name} is {_shown(text)}; set it from 1 to {most}")
    return int(text)


def _shown(text: str) -> str:
    return repr(text if len(text) <= MAX_FILTER else f"{text[:MAX_FILTER]}…")
