"""Errors: the tree that is drawn is the tree that there is, and messages say where."""

from pathlib import Path

import pytest

from medgraph.errors import CatalogueError, QueryError, SourceFileError


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
