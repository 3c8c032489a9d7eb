"""Learning by comparison: the loss is that of PyKEEN's own scores, and what is drawn counts as often as it should."""

import pytest

from medgraph.embeddings.kge import learning
from medgraph.embeddings.kge.learning import _factory

pytestmark = pytest.mark.extra


def made(parts, name, *, drawn, penalty=0.0, **own):
    """A model of PyKEEN's, what trains it, and a batch of all pairs."""
    from pykeen import models

    from medgraph.embeddings.kge.compared import Comparing, with_biases

    factory = _factory(parts.triples, parts.train, inverses=True)
    with learning._quiet():
        model = getattr(models, name)(triples_factory=factory, embedding_dim=8, random_seed=3, **own)
    loop = Comparing(
        name=name,
        drawn=drawn,
        penalty=penalty,
        model=with_biases(model.eval(), name),
        triples_factory=factory,
        optimizer=None,
    )
    loader = loop._create_training_data_loader(factory, sampler=None, batch_size=9999)
    (batch,) = loader
    return model, loop, batch, factory


@pytest.mark.parametrize("name", ["TransE", "ConvE", "RotatE", "ComplEx"])
def test_compared_with_all_the_loss_is_that_of_pykeens_scores(parts, name):
    import torch

    own = {"TransE": {"scoring_fct_norm": 2}, "ConvE": {"output_channels": 2}}.get(name, {})
    model, loop, batch, factory = made(parts, name, drawn=9999, **own)
    if hasattr(model, "biases"):
        torch.nn.init.normal_(model.biases)
    rows = factory._add_inverse_triples_if_necessary(factory.mapped_triples)
    assert len(batch["tails"]) == len(rows)
    assert torch.equal(
        torch.cat([batch["pairs"][batch["lines"]], batch["tails"][:, None]], dim=1).unique(dim=0), rows.unique(dim=0)
    )
    scores = model.score_t(rows[:, :2])
    scores = -(scores**2) if name in {"TransE", "RotatE"} else scores + getattr(model, "biases", 0)
    expected = torch.nn.functional.cross_entropy(scores, rows[:, 2]).item()
    assert loop._process_batch(batch, 0, len(batch["pairs"])).item() == pytest.approx(expected, abs=1e-4)


def test_cubes_of_all_numbers_count(parts):
    model, loop, batch, factory = made(parts, "ComplEx", drawn=9999, penalty=0.5)
    rows = factory._add_inverse_triples_if_necessary(factory.mapped_triples)
    ends, kinds = model.entity_representations[0](), model.relation_representations[0]()
    cubes = [(ends[h].abs() ** 3 + kinds[r].abs() ** 3 + ends[t].abs() ** 3).sum().item() for h, r, t in rows.tolist()]
    with_cubes = loop._process_batch(batch, 0, 1).item()
    loop._penalty = 0.0
    assert with_cubes - loop._process_batch(batch, 0, 1).item() == pytest.approx(
        0.5 * sum(cubes) / len(cubes), rel=1e-3
    )


def test_what_is_drawn_counts_for_what_is_not(parts):
    import torch

    small = {"entity_initializer": "xavier_uniform"}  # so that a few stand for all without much chance in it
    _, whole, batch, _ = made(parts, "ComplEx", drawn=9999, **small)
    expected = whole._process_batch(batch, 0, 0).item()
    _, loop, _, factory = made(parts, "ComplEx", drawn=10, **small)
    loader = loop._create_training_data_loader(factory, sampler=None, batch_size=10, shuffle=True)
    torch.manual_seed(1)
    seen, losses = torch.zeros(len(parts.triples.entities)), []
    for _ in range(40):
        for batch in loader:
            concepts, places = loop._beside(batch["tails"])
            assert torch.equal(concepts[places], batch["tails"])
            seen[concepts] += 1
            losses.append(loop._process_batch(batch, 0, 0).item())
    assert (seen / len(losses)).numpy() == pytest.approx(torch.exp(-loop._rare).numpy(), abs=0.08)
    assert sum(losses) / len(losses) == pytest.approx(expected, rel=0.05)
