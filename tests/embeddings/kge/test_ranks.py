"""Ranks of what is right, with what is known left out."""

import numpy as np
import pytest

from medgraph.embeddings.kge.ranks import figures, ranks
from medgraph.embeddings.kge.triples import triples_of

TRIPLES = triples_of([("a", "R", "b"), ("a", "R", "c"), ("d", "R", "c")])


class Fixed:
    """Scores every question the same."""

    def __init__(self, *scores):
        self.scores = np.array(scores, dtype=np.float32)

    def tails(self, given, kinds):
        return np.tile(self.scores, (len(given), 1))

    heads = tails


def test_known_ones_do_not_stand_in_the_way_and_equals_share_their_places():
    rows = np.array([[0, 0, 2]])  # a R c; b is known as well, and d as a head
    assert ranks(Fixed(0, 9, 5, 7), TRIPLES, rows).tolist() == [[2.0, 3.0]]
    assert ranks(Fixed(5, 5, 5, 5), TRIPLES, rows).tolist() == [[2.0, 2.0]]


def test_figures():
    told = figures(np.array([[1, 2], [4, 20]]))
    assert told == {"mrr": pytest.approx(0.45), "hits@1": 0.25, "hits@3": 0.5, "hits@10": 0.75}
    assert figures(np.array([])) == {}
