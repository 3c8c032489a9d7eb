"""Routes, and requests to them: fields that are unknown, missing, mistyped or oversized are refused."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar

import msgspec
from msgspec import Meta

from ..answers.dialogue import MOST_PREVIOUS
from ..errors import InputError
from ..queries.filters import Filters
from ..queries.message import LONGEST_PREVIOUS
from ..queries.question import MAX_QUESTION
from ..text import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


T = TypeVar("T", bound=msgspec.Struct)

MAX_FILTERS: Final = 20
MAX_FILTER: Final = 200

_SHOWN: Final = 200  # characters of a value that an error repeats


class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a caller may send; subclasses have the fields."""


# A question; that it has a word in it is checked where it is understood.
Question = Annotated[
    str,
    Meta(
        max_length=MAX_QUESTION,
        examples=["How is gout treated?"],
        extra_json_schema={"pattern": r"[0-9A-Za-z\u00aa-\uffff]"},  # \p is no syntax of all validators
    ),
]
# Earlier questions of a dialogue, oldest first, as they were typed or as answers say that they were understood.
Previous = Annotated[
    tuple[Annotated[str, Meta(max_length=LONGEST_PREVIOUS)], ...],
    Meta(max_length=MOST_PREVIOUS, examples=[["What are the symptoms of asthma?"]]),
]
# Names to filter by.
Names = Annotated[tuple[Annotated[str, Meta(max_length=MAX_FILTER)], ...], Meta(max_length=MAX_FILTERS)]
# A date; that it is one is checked where it is filtered by.
Day = Annotated[
    str,
    Meta(
        description="A year, a month or a day; empty for any",
        extra_json_schema={
            "anyOf": [
                {"const": ""},
                {"type": "string", "pattern": "^[1-9][0-9]{3}$"},
                {"type": "string", "pattern": "^[1-9][0-9]{3}-(0[1-9]|1[0-2])$"},
                {"type": "string", "format": "date"},
            ]
        },
    ),
]


class FilteredRequest(Request, frozen=True):
    """What results or evidence may be."""

    sources: Names = ()  # ids of sources, or names of their collections; empty for any
    licences: Names = ()  # licences of sources; empty for any
    types: Names = ()  # section types; empty for any
    since: Day = ""  # the earliest date of publication
    until: Day = ""  # the latest one
    authors: Names = ()  # authors of documents, such as `Smith J`; empty for any
    journals: Names = ()  # journals that documents came out in; empty for any
    mesh: Names = ()  # MeSH headings of documents, by name or id, each with those below it; empty for any
    concepts: Names = ()  # what sections mention or their documents are about, by name, id or CUI; empty for any
    notices: Names = ()  # kinds of notices that documents have, such as `erratum`, or `none`; empty for any
    studies: Names = ()  # kinds of study that documents are, such as `guideline` or `meta-analysis`; empty for any
    # whether what relations tell, in sentences, is searched, too; an answer quotes it where no text answers
    graph: bool = False

    def filters(self, language: str = "") -> Filters:
        """Give the filters; `language` is that of titles and abstracts that alone are searched."""
        given = {name: getattr(self, name) for name in FilteredRequest.__struct_fields__}
        return Filters(headings=given.pop("mesh"), language=language, **given)


def from_body(body: Any, kind: type[T]) -> T:
    """Check the body of a request."""
    if not isinstance(body, dict):
        raise InputError('the body is not a JSON object; send one such as {"question": "What is asthma?"}')
    return _checked(body, kind, "field", strict=True)


def from_address(path: Mapping[str, str], query: Mapping[str, Sequence[str]], kind: type[T]) -> T:
    """Check path and query, the latter if fields are taken from it; InputError for what is missing or of no use."""
    fields, lists = _fields_of(kind)
    values: dict[str, Any] = {}
    for name, given in query.items() if fields - path.keys() else ():
        if len(given) > 1 and name in fields - lists:
            raise InputError(f'the parameter "{name}" is given {len(given)} times; give it once')
        values[name] = list(given) if name in lists else given[0]
    return _checked(values | dict(path), kind, "parameter", strict=False)


@cache
def _fields_of(kind: type[msgspec.Struct]) -> tuple[frozenset[str], frozenset[str]]:
    kinds = {field.name: msgspec.inspect.type_info(field.type) for field in msgspec.structs.fields(kind)}
    bare = {name: i.type if isinstance(i, msgspec.inspect.Metadata) else i for name, i in kinds.items()}
    lists = (name for name, info in bare.items() if isinstance(info, msgspec.inspect.VarTupleType))
    return frozenset(kinds), frozenset(lists)


def _checked(values: Mapping[str, Any], kind: type[T], what: str, *, strict: bool) -> T:
    fields = {field.name: field for field in msgspec.structs.fields(kind)}
    if unknown := sorted(values.keys() - fields.keys()):
        raise InputError(f"there is no {what} {_shown(unknown[0])}{did_you_mean(unknown[0], sorted(fields))}")
    if missing := [name for name, field in fields.items() if field.required and name not in values]:
        raise InputError(f'the {what} "{missing[0]}" is missing')
    whole = {name: _whole(value) for name, value in values.items()}
    for name, value in whole.items():
        try:
            whole[name] = msgspec.convert(value, fields[name].type, strict=strict)
        except msgspec.ValidationError:
            info = msgspec.inspect.type_info(fields[name].type)
            raise InputError(f'the {what} "{name}" is {_shown(value)}; it takes {_meaning(info)}') from None
    return kind(**whole)


def _whole(value: Any) -> Any:
    """Replace halves of characters, which JSON may hold and neither the database nor an answer can; 5.0 is 5 there."""
    if isinstance(value, list):
        return [_whole(item) for item in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def _shown(value: Any) -> str:
    if isinstance(value, str) and len(value) > _SHOWN:
        return f"a text of {len(value):,} characters"
    if isinstance(value, list | dict) and value:
        return f"a list of {len(value):,}" if isinstance(value, list) else "an object"
    return repr(value) if isinstance(value, str) else json.dumps(value)


def _meaning(info: msgspec.inspect.Type) -> str:
    meaning = "a text"
    match info:
        case msgspec.inspect.Metadata():
            meaning = _meaning(info.type)
        case msgspec.inspect.UnionType():
            meaning = " or ".join(_meaning(one) for one in info.types if not isinstance(one, msgspec.inspect.NoneType))
        case msgspec.inspect.IntType():
            meaning = f"a whole number from {info.ge} to {info.le}"
        case msgspec.inspect.DictType():
            meaning = "an object"
        case msgspec.inspect.BoolType():
            meaning = "true or false"
        case msgspec.inspect.LiteralType():
            meaning = f"one of {', '.join(map(str, info.values))}"
        case msgspec.inspect.VarTupleType():
            number = f"from {info.min_length} to" if info.min_length else "at most"
            meaning = f"a list; {number} {info.max_length} times {_meaning(info.item_type)}"
        case msgspec.inspect.StrType(max_length=int() as most):
            meaning = f"a text of at most {most:,} characters"
    return meaning


JSON: Final = "application/json"
EVENTS: Final = "text/event-stream"


@dataclass(frozen=True, slots=True)
class Route:
    """A route for programs. Requests are checked, answers written and both described from these types."""

    method: str  # `GET` or `POST`
    # where it is, such as `/v1/sections/{id}`; `{id}` may be any text, and is a field of what the route takes
    path: str
    summary: str  # what it does, in a few words, for people
    # called with the service and, if the route takes anything, the request; gives what `gives` says
    answer: Callable[..., Any]
    gives: Any  # the type of the answer: a dataclass, or `str` where `media` is not JSON
    # a subclass of `Request`: the fields of the body (`POST`), or of path and query (`GET`); None for nothing
    takes: type[msgspec.Struct] | None = None
    problems: tuple[int, ...] = ()  # statuses of problems beyond those that any route may have
    media: str = JSON  # the content type of the answer
    # for a class that stands for several in an answer: those that it stands for
    choices: Mapping[type, tuple[type, ...]] = field(default_factory=dict)
    watched: bool = False  # whether it is for what watches over the service: no key is asked for, and no limit holds
    # takes what `answer` takes, and gives a function that answers and tells what happens meanwhile; None where the
    # answer cannot be had as server-sent events
    streams: Callable[..., Any] | None = None
