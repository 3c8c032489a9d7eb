"""Triples between concepts: read by ids, split by seed, and looked through for what leaks."""

import numpy as np
import pytest

from medgraph.embeddings.kge.triples import joined_in_training, leakage, read_triples, split, triples_of
from medgraph.errors import InputError
from medgraph.schema.concept_relations import fold_all
from tests.support.graphs import run
from tests.support.joined import joined


def named(triples):
    return [(triples.entities[h], triples.relations[r], triples.entities[t]) for h, r, t in triples.rows.tolist()]


def test_what_sources_state_and_sections_tell_is_read_once_by_ids_of_concepts(graph, settings, tmp_path):
    joined(graph, settings, tmp_path)
    found = named(read_triples(graph))
    assert ("C0018099", "TREATED_BY", "MESH:3") in found  # stated of one of its entities, and told by a section
    assert ("DOID:2", "HAS_SYMPTOM", "C0010200") in found
    assert len(found) == len(set(found))
    assert not any(head == tail for head, _, tail in found)


def test_mappings_terms_and_what_a_source_took_back_are_left_out(database):
    run(
        database,
        "UNWIND ['a', 'b', '\u00e9 \u4e2d'] AS id CREATE (e:Entity {id: id})-[:MEANS]->(:Concept {cui: toUpper(id)}) "
        "WITH collect(e) AS all UNWIND all AS e WITH all, e "
        "MATCH (e)-[:MEANS]->() WITH all[0] AS a, all[1] AS b, all[2] AS c LIMIT 1 "
        "CREATE (a)-[:EXACT_MATCH {source: 's'}]->(b), (a)-[:IS_A {source: 's'}]->(c), (b)-[:IS_A {source: 's'}]->(c)",
    )
    fold_all(database)
    run(database, "MATCH (a:Concept {cui: 'A'}) CREATE (a)-[:TREATED_BY {told: ['s']}]->(:Term {id: 't'})")
    assert named(read_triples(database)) == [("A", "IS_A", "\u00c9 \u4e2d"), ("B", "IS_A", "\u00c9 \u4e2d")]
    run(database, "MATCH (:Entity {id: 'a'})-[r:IS_A]->() DELETE r")
    fold_all(database)
    assert named(read_triples(database)) == [("B", "IS_A", "\u00c9 \u4e2d")]


def test_too_few_to_judge_by_are_refused():
    with pytest.raises(InputError, match="1 relations between 2 concepts are too few to learn from and judge by"):
        split(triples_of([("a", "IS_A", "b")]), 17)


def test_a_split_is_85_5_10_the_same_for_a_seed_and_leaves_nothing_unlearned(parts):
    triples = parts.triples
    whole = np.concatenate([parts.train, parts.valid, parts.test])
    assert {tuple(row) for row in whole.tolist()} == {tuple(row) for row in triples.rows.tolist()}
    assert len(whole) == len(triples.rows)
    assert (len(parts.valid), len(parts.test)) == (round(len(whole) * 0.05), round(len(whole) * 0.1))
    assert set(parts.train[:, [0, 2]].ravel().tolist()) == set(range(len(triples.entities)))
    assert set(parts.train[:, 1].tolist()) == set(range(len(triples.relations)))
    again, other = split(triples, 1), split(triples, 2)
    assert np.array_equal(parts.test, again.test)
    assert not np.array_equal(parts.test, other.test)


def test_leakage_names_what_is_easy_to_guess():
    pairs = [(f"h{i}", f"t{i % 60}") for i in range(200)]
    rows = [(h, "TREATED_BY", t) for h, t in pairs] + [(t, "TREATS", h) for h, t in pairs]
    rows += [(h, "IS_A", f"k{i % 7}") for i, (h, _) in enumerate(pairs)]
    parts = split(triples_of(rows), 3)
    told = leakage(parts)
    same, turned = joined_in_training(parts, parts.test)
    assert told["alike"] == [
        {"relation": "TREATED_BY", "other": "TREATS", "way": "turned", "share": 1.0},
        {"relation": "TREATS", "other": "TREATED_BY", "way": "turned", "share": 1.0},
    ]
    assert told["pair learned the other way round"] == int(turned.sum()) > 0
    assert told["same pair learned by another relation"] == int(same.sum()) == 0
    kinds = parts.test[turned, 1]
    assert "IS_A" not in {parts.triples.relations[kind] for kind in kinds.tolist()}
    assert told["pair not learned"] == len(parts.test) - int(turned.sum())
