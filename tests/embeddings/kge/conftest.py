"""What tests of learned vectors share: triples made up by seed."""

import numpy as np
import pytest

from medgraph.embeddings.kge.triples import split, triples_of


@pytest.fixture(scope="session")
def parts():
    """Three relations between fifty things, split."""
    rng = np.random.default_rng(1)
    made = [(f"a{rng.integers(30)}", f"R{rng.integers(3)}", f"b{rng.integers(20)}") for _ in range(400)]
    return split(triples_of(made), seed=1)
