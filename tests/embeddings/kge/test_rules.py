"""The baseline of rules of one and two steps."""

import numpy as np

from medgraph.embeddings.kge.ranks import figures, ranks
from medgraph.embeddings.kge.rules import Rules
from medgraph.embeddings.kge.triples import Split, triples_of


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


def test_rules_of_chance_are_unsure_and_the_same_for_a_seed(parts):
    one, other = Rules(parts, seed=2), Rules(parts, seed=2)
    assert one._rules == other._rules
    assert all(0 < sure < 0.6 for rules in one._rules.values() for _, sure in rules)
    scores = one.tails(parts.test[:, 0], parts.test[:, 1])
    assert scores.shape == (len(parts.test), len(parts.triples.entities))
    assert ((scores >= 0) & (scores < 1)).all()


def test_what_has_no_rules_has_no_score():
    triples = triples_of([(f"a{i}", f"R{i}", f"b{i}") for i in range(9)])
    scores = Rules(Split(triples, triples.rows, triples.rows[:1], triples.rows[:1]), 1).heads(*triples.rows.T[[2, 1]])
    assert not scores.any()
