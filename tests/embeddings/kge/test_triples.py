"""Triples between concepts, the baseline of rules, ranks, and scores by stored vectors without torch."""

import numpy as np
import pytest

from medgraph.embeddings.kge.build import Rules
from medgraph.embeddings.kge.triples import Split, joined_in_training, leakage, load_triples, split, triples_of
from medgraph.embeddings.kge.vectors import SharedParameters, Vectors, figures, ranks, unpacked
from medgraph.errors import InputError
from medgraph.schema.concept_relations import fold_all
from tests.support.graphs import run
from tests.support.joined import joined


def named(triples):
    return [(triples.entities[h], triples.relations[r], triples.entities[t]) for h, r, t in triples.rows.tolist()]


def test_what_sources_state_and_sections_tell_is_read_once_by_ids_of_concepts(graph, settings, tmp_path):
    joined(graph, settings, tmp_path)
    found = named(load_triples(graph))
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
    assert named(load_triples(database)) == [("A", "IS_A", "\u00c9 \u4e2d"), ("B", "IS_A", "\u00c9 \u4e2d")]
    run(database, "MATCH (:Entity {id: 'a'})-[r:IS_A]->() DELETE r")
    fold_all(database)
    assert named(load_triples(database)) == [("B", "IS_A", "\u00c9 \u4e2d")]


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


def test_what_follows_by_two_steps_is_found_from_both_ends():
    rows = [(f"d{i}", "IS_A", f"k{i // 6}") for i in range(60)]
    rows += [(f"k{i}", "GIVEN", f"m{i}") for i in range(10)]
    rows += [(f"d{i}", "TREATED_BY", f"m{i // 6}") for i in range(60)]
    triples = triples_of(rows)
    treated = triples.relations.index("TREATED_BY")
    held = triples.rows[(triples.rows[:, 1] == treated) & (triples.rows[:, 0] % 6 == 0)]
    train = np.array([row for row in triples.rows.tolist() if row not in held.tolist()])
    rules = Rules(Split(triples, train, held, held), seed=1)
    assert figures(ranks(rules, triples, held)[:, 0])["mrr"] == 1.0
    assert figures(ranks(rules, triples, held)[:, 1])["mrr"] > 0.5
    bodies = [tuple(body) for body, _ in rules._rules[treated]]
    assert (triples.relations.index("IS_A"), triples.relations.index("GIVEN")) in bodies


def test_figures():
    told = figures(np.array([[1, 2], [4, 20]]))
    assert told == {"mrr": pytest.approx(0.45), "hits@1": 0.25, "hits@3": 0.5, "hits@10": 0.75}
    assert figures(np.array([])) == {}


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
