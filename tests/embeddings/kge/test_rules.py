"""The baseline of rules of one and two steps."""

import numpy as np

from medgraph.embeddings.kge.build import Rules
from medgraph.embeddings.kge.triples import Split, triples_of
from medgraph.embeddings.kge.vectors import figures, ranks


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
