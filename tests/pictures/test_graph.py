"""What a picture shows: graphs that make no sense are refused."""

import pytest

from medgraph.pictures.graph import Edge, Node, Picture


def test_pictures_that_make_no_sense_are_refused():
    with pytest.raises(ValueError, match="share an id"):
        Picture("t", (Node("a", "x", "x"), Node("a", "x", "y")))
    with pytest.raises(ValueError, match="no node 'b'"):
        Picture("t", (Node("a", "x", "x"),), (Edge("a", "b", "c"),))
    with pytest.raises(ValueError, match="no node 'c'"):
        Picture("t", (), centre="c")
