"""Errors: the tree that is drawn is the tree that there is, and messages say where."""

import inspect
import re
from pathlib import Path

import pytest

from medgraph import errors
from medgraph.errors import CatalogueError, QueryError, SourceFileError


def test_the_tree_is_drawn_as_it_is():
    drawn, above = {}, ["Exception"]
    for bars, name in re.findall(r"^([│├└─ ]*)(\w+Error)\b", errors.__doc__, re.MULTILINE):
        depth = len(bars) // 4
        drawn[name] = above[depth]
        above[depth + 1 :] = [name]
    classes = [value for _, value in inspect.getmembers(errors, inspect.isclass) if value.__module__ == errors.__name__]
    assert drawn == {each.__name__: each.__base__.__name__ for each in classes}


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (QueryError("no", "sources"), "query sources: no"),
        (CatalogueError("no", Path("a.cypher"), 3), "a.cypher:3: no"),
        (SourceFileError("no", "a.zip/b.csv", 3), "a.zip/b.csv:3: no"),
        (SourceFileError("no", Path("a.zip")), "a.zip: no"),
    ],
)
def test_messages_say_where(error, text):
    assert str(error) == text
