"""A model in a thread of its own, which a caller can leave."""

import threading
from contextlib import closing

import pytest

from medgraph.errors import ModelUnavailableError
from medgraph.models.local import streamed
from medgraph.models.protocol import Reply


def test_pieces_and_the_reply():
    def generate(put):
        assert all(map(put, ["<think>hm</think>", "Rest", "."]))
        return Reply("Rest.")

    assert list(streamed(generate)) == ["Rest", ".", Reply("Rest.")]


def test_an_error_comes_after_the_pieces():
    def generate(put):
        put("Rest")
        raise ModelUnavailableError("out of memory")

    pieces = streamed(generate)
    assert next(pieces) == "Rest"
    with pytest.raises(ModelUnavailableError, match="out of memory"):
        next(pieces)


def test_whoever_leaves_ends_the_thread():
    ended = threading.Event()

    def generate(put):
        while put("on and "):
            pass
        ended.set()
        return Reply("on and on")

    with closing(streamed(generate)) as pieces:
        next(pieces)
    assert ended.is_set()
