"""Requests and what is counted of them."""

from dataclasses import replace

import pytest

from medgraph.models.protocol import Message, estimated_tokens
from tests.support.llms import ASKED, STRUCTURED

OTHERS = {
    "messages": (*ASKED.messages, Message("assistant", "Rest.")),
    "schema": STRUCTURED.schema,
    "stop": ("\n",),
    "max_tokens": 51,
    "temperature": 0.1,
    "seed": 0,
}


def test_the_hash_is_of_all_that_is_asked():
    assert ASKED.hash == replace(ASKED).hash
    others = [replace(ASKED, **{name: value}).hash for name, value in OTHERS.items()]
    assert len({ASKED.hash, *others}) == 1 + len(OTHERS)


def test_the_hash_stays():
    assert ASKED.hash.startswith("bf595fcdc414")


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("a", 1), ("seven letters", 4)])
def test_estimates(text, tokens):
    assert estimated_tokens(text) == tokens
