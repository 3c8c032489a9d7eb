"""Ranks of what is right, with what is known left out."""

import numpy as np
import pytest

from medgraph.embeddings.kge.vectors import figures


def test_figures():
    told = figures(np.array([[1, 2], [4, 20]]))
    assert told == {"mrr": pytest.approx(0.45), "hits@1": 0.25, "hits@3": 0.5, "hits@10": 0.75}
    assert figures(np.array([])) == {}
