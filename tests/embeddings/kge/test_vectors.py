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


def as_complex(values):
    return values[::2] + 1j * values[1::2]


def test_transe_is_the_distance_from_what_a_relation_leads_to():
    made = vectors("TransE")
    assert made.tails(HEADS, KINDS) == pytest.approx(
        np.array(naive(made, lambda h, r, t: -np.linalg.norm(h + r - t))), abs=1e-4
    )
    # What is right of tails is right of heads: the score of a triple is one.
    assert made.heads(HEADS, KINDS)[0, 5] == pytest.approx(made.tails(np.array([5]), KINDS[:1])[0, HEADS[0]], abs=1e-4)


def test_complex_is_a_product_of_complex_numbers():
    made = vectors("ComplEx")

    def score(h, r, t):
        return (as_complex(h) * as_complex(r) * as_complex(t).conj()).sum().real

    assert made.tails(HEADS, KINDS) == pytest.approx(np.array(naive(made, score)), abs=1e-4)
    assert made.heads(HEADS, KINDS)[1, 2] == pytest.approx(made.tails(np.array([2]), KINDS[1:])[0, HEADS[1]], abs=1e-4)


def test_rotate_turns_and_turns_back():
    made = vectors("RotatE")
    turned = made.shared.weights["relations"].view(np.complex64)
    turned /= np.abs(turned)

    def score(h, r, t):
        return -np.linalg.norm(as_complex(h) * as_complex(r) - as_complex(t))

    assert made.tails(HEADS, KINDS) == pytest.approx(np.array(naive(made, score)), abs=1e-4)
    assert made.heads(HEADS, KINDS)[1, 2] == pytest.approx(made.tails(np.array([2]), KINDS[1:])[0, HEADS[1]], abs=1e-4)


def test_heads_are_tails_of_the_inverse_where_that_was_learned():
    made = vectors("ComplEx", inverses=True)
    assert np.array_equal(made.heads(HEADS, KINDS), made.tails(HEADS, KINDS + 2))


def test_weights_are_packed_and_damage_is_told():
    packed = vectors("TransE", layer=np.ones((2, 3))).shared.packed()
    assert unpacked(packed)["layer"].tolist() == np.ones((2, 3)).tolist()
    for damaged in (b"", b"nothing", packed[:40]):
        with pytest.raises(InputError, match=r"is damaged .*medgraph index kge --rebuild"):
            unpacked(damaged)
