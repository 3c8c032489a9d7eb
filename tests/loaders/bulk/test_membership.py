"""What was named before, in little memory."""

import numpy as np
import pytest

from medgraph.errors import InputError
from medgraph.loaders.bulk import membership


@pytest.mark.parametrize("kind", [membership.Exact, membership.Likely])
@pytest.mark.parametrize("seed", range(3))
def test_what_was_named_before_is_known(kind, seed, monkeypatch):
    monkeypatch.setattr(membership, "_SLICE", 1000)
    chance = np.random.default_rng(seed)
    known, names = set(), kind()
    for _ in range(60):
        batch = chance.integers(1, 100_000, 3000) * 0x10001
        expected = []
        for name in batch.tolist():
            expected.append(name not in known)
            known.add(name)
        assert names.add(batch).tolist() == expected
    if kind is membership.Exact:
        asked = np.arange(1, 200_000) * 0x10001
        assert names.has(asked).tolist() == [name in known for name in asked.tolist()]


def test_more_entities_than_fit_are_refused(monkeypatch):
    monkeypatch.setattr(membership, "LARGEST", 1 << 16)
    names = membership.Exact()
    names.add(np.arange(1, 50_000))
    assert names.has(np.arange(1, 60_000)).sum() == 49_999
    with pytest.raises(InputError, match=r"more than 52,428 entities, .* load it without --bulk"):
        names.add(np.arange(60_000, 70_000))
