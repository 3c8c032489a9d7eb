"""What requests may hold: what does not fit is refused by the field's name, with what the field takes."""

from typing import Annotated, Literal

import pytest
from msgspec import Meta

from medgraph.api.request import Day, Names, Question, Request, from_address, from_body
from medgraph.errors import InputError


class Wanted(Request, frozen=True):
    """A request of these tests."""

    id: Annotated[str, Meta(min_length=1)]
    question: Question
    sources: Names = ()
    since: Day = ""
    limit: Annotated[int, Meta(ge=1, le=100)] = 10
    mode: Literal["near", "far"] = "near"
    exact: bool = False


SOUND = {"id": "a", "question": "What is gout?"}


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"question": 5}, 'the field "question" is 5; it takes a text of at most 10,000 characters'),
        ({"question": "a" * 10_001}, 'the field "question" is a text of 10,001 characters; it takes a text'),
        ({"sources": "x"}, "the field \"sources\" is 'x'; it takes a list; at most 20 times a text of at most 200"),
        ({"sources": ["x"] * 21}, 'the field "sources" is a list of 21; it takes a list; at most 20 times'),
        ({"sources": ["x" * 201]}, 'the field "sources" is a list of 1; it takes a list; at most 20 times'),
        ({"since": None}, 'the field "since" is None; it takes a text'),
        ({"limit": 0}, 'the field "limit" is 0; it takes a whole number from 1 to 100'),
        ({"limit": "5"}, "the field \"limit\" is '5'; it takes a whole number from 1 to 100"),
        ({"mode": "up"}, "the field \"mode\" is 'up'; it takes one of far, near"),
        ({"exact": {"a": 1}}, 'the field "exact" is an object; it takes true or false'),
        ({"id": ""}, "the field \"id\" is ''; it takes a text"),
        ({"x": 1, "b": 2}, "there is no field 'b'; known are exact, id, limit, mode, question, since, sources"),
    ],
)
def test_a_field_that_does_not_fit_is_named(more, message):
    with pytest.raises(InputError) as caught:
        from_body(SOUND | more, Wanted)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({}, 'the parameter "question" is missing'),
        ({"question": ["a", "b"]}, 'the parameter "question" is given 2 times; give it once'),
        ({"question": ["a"], "limit": ["²"]}, "the parameter \"limit\" is '²'; it takes a whole number from 1 to 100"),
        ({"question": ["a"], "exact": ["maybe"]}, "the parameter \"exact\" is 'maybe'; it takes true or false"),
        ({"question": ["a"], "nope": ["1", "2"]}, "there is no parameter 'nope'; known are"),
    ],
)
def test_a_parameter_that_does_not_fit_is_named(query, message):
    with pytest.raises(InputError) as caught:
        from_address({"id": "a"}, query, Wanted)
    assert str(caught.value).startswith(message)
