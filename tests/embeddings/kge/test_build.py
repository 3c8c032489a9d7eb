"""From relations to vectors: what is trained once, chosen, told and written; learning itself is stood in for."""

import json
import sys
from dataclasses import replace

import numpy as np
import pytest

from medgraph.embeddings.kge import build, learning
from medgraph.embeddings.kge import vectors as store
from medgraph.embeddings.kge.build import Options, index_kge
from medgraph.errors import InputError
from medgraph.schema.concept_relations import fold_all
from tests.support.graphs import run
from tests.support.kge import vectors_of, without_vectors


@pytest.fixture
def filled(database):
    """Forty diseases, what they are and what they are treated by; no vectors before and afterwards."""
    without_vectors(database)
    run(
        database,
        "UNWIND range(0, 39) AS i "
        "CREATE (e:Entity:Disease {id: 'd' + i})-[:MEANS]->(:Concept:Disease {cui: 'D' + i}) "
        "WITH collect(e) AS all UNWIND range(1, 39) AS i WITH all[i] AS a, all[i / 3] AS b, all[i / 2] AS c "
        "CREATE (a)-[:IS_A {source: 's'}]->(b), (a)-[:HAS_COMPLICATION {source: 's'}]->(c)",
    )
    fold_all(database)
    yield database
    without_vectors(database)


@pytest.fixture
def learned(monkeypatch):
    """Stands in for PyKEEN: counts trainings, and gives vectors drawn by seed, as long as the presets say."""
    trained = []

    def learn(parts, preset, folder, seed, **_):
        trained.append(preset.model)
        made = vectors_of(parts.triples, dimension=preset.numbers)
        shared = replace(made.shared, model=preset.model)
        return replace(made, shared=shared), {"seconds": 1, "epochs": preset.epochs}

    monkeypatch.setattr(learning, "require_pykeen", lambda: None)
    monkeypatch.setattr(learning, "learn", learn)
    return trained


def test_what_was_trained_on_the_same_graph_is_not_trained_again(filled, learned, tmp_path, capsys):
    options = Options(("TransE",))
    made = index_kge(filled, tmp_path, options)
    assert learned == ["TransE"]
    card = json.loads(next(tmp_path.glob("*/TransE-tuned/card.json")).read_text())
    assert card == made.card
    assert card["data"]["relations"] == {"HAS_COMPLICATION": 39, "IS_A": 39}
    assert sum(card["data"][part] for part in ("learned from", "chosen by", "judged by")) == 78
    assert store.stored(filled).card == card
    vectors = run(filled, "MATCH (c:Concept {cui: 'D7'}) RETURN c.kge AS v")[0]["v"]
    again = index_kge(filled, tmp_path, options)
    assert learned == ["TransE"]
    assert again.card == card
    assert "TransE was trained before" in capsys.readouterr().err
    assert run(filled, "MATCH (c:Concept {cui: 'D7'}) RETURN c.kge AS v")[0]["v"] == vectors
    index_kge(filled, tmp_path, replace(options, seed=3))
    run(filled, "MATCH (:Entity {id: 'd7'})-[r:IS_A]->() DELETE r")
    index_kge(filled, tmp_path, options)
    assert learned == ["TransE"] * 3
    assert len(list(tmp_path.glob("*-*"))) == 1  # the former graph's is gone


def test_of_several_models_the_best_while_choosing_is_written(filled, learned, tmp_path, monkeypatch):
    places = {"TransE": 10, "RotatE": 2, "ComplEx": 5}
    monkeypatch.setattr(
        build, "ranks", lambda vectors, _, rows: np.full((len(rows), 2), places[vectors.shared.model], dtype=float)
    )
    made = index_kge(filled, tmp_path, Options(tuple(places)))
    assert made.card["model"] == "RotatE"
    assert [row["model"] for row in made.table] == list(places)
    assert [row["mrr"] for row in made.table] == [0.1, 0.5, 0.2]
    assert store.stored(filled).dimension == learning.preset("RotatE", "tuned").numbers


def test_without_pykeen_names_and_relations_what_is_missing_is_said(filled, tmp_path, monkeypatch):
    with pytest.raises(InputError, match="there is no model DistMult 'tuned'"):
        index_kge(filled, tmp_path, Options(("DistMult",)))
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "pykeen", None)
        with pytest.raises(InputError, match=r"pip install '\.\[kge\]'"):
            index_kge(filled, tmp_path, Options())
    monkeypatch.setattr(learning, "require_pykeen", lambda: None)
    run(filled, "MATCH ()-[r:IS_A|HAS_COMPLICATION]->() DELETE r")
    with pytest.raises(InputError, match="no relations between concepts"):
        index_kge(filled, tmp_path, Options())
    assert [path.name for path in tmp_path.iterdir()] == ["kge.lock"]
