"""Scores by stored vectors, without torch: what each model makes of a concept and a relation."""

import numpy as np
import pytest

from medgraph.embeddings.kge.vectors import SharedParameters, Vectors, unpacked
from medgraph.errors import InputError

RNG = np.random.default_rng(3)
ENTITIES = RNG.normal(size=(7, 6)).astype(np.float32)
HEADS, KINDS = np.array([0, 3]), np.array([1, 0])


def vectors(model, *, inverses=False, **weights):
    relations = RNG.normal(size=(4 if inverses else 2, 6)).astype(np.float32)
    return Vectors(SharedParameters(model, ("A", "B"), inverses, {"relations": relations, **weights}), ENTITIES)


def naive(made, score):
    relations = made.shared.weights["relations"]
    return [[score(ENTITIES[h], relations[r], tail) for tail in ENTITIES] for h, r in zip(HEADS, KINDS, strict=True)]


def test_transe_is_the_distance_from_what_a_relation_leads_to():
    made = vectors("TransE")
    assert made.tails(HEADS, KINDS) == pytest.approx(
        np.array(naive(made, lambda h, r, t: -np.linalg.norm(h + r - t))), abs=1e-4
    )
    # What is right of tails is right of heads: the score of a triple is one.
    assert made.heads(HEADS, KINDS)[0, 5] == pytest.approx(made.tails(np.array([5]), KINDS[:1])[0, HEADS[0]], abs=1e-4)


def test_weights_are_packed_and_damage_is_told():
    packed = vectors("TransE", layer=np.ones((2, 3))).shared.packed()
    assert unpacked(packed)["layer"].tolist() == np.ones((2, 3)).tolist()
    for damaged in (b"", b"nothing", packed[:40]):
        with pytest.raises(InputError, match=r"is damaged .*medgraph index kge --rebuild"):
            unpacked(damaged)
