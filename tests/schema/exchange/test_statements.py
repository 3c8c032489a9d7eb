"""What a source says of one relation in several places."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from medgraph.schema.exchange.statements import apart, together
from medgraph.schema.records import Relation
from tests.support.statements import RELATION

KEY = Relation("a:1", "EXACT_MATCH", "b:1")


@given(st.lists(RELATION, min_size=1, max_size=4))
def test_what_is_put_together_comes_apart_again(relations):
    same = [
        replace(KEY, method=r.method, evidence=r.evidence, score=r.score, properties=r.properties) for r in relations
    ]
    distinct = list({repr(relation): relation for relation in same}.values())
    assert apart(together(same)) == distinct


def test_what_differs_is_there_whole_and_by_place():
    first = replace(KEY, method="semapv:A", score=0.5, evidence=("PMID:1",), properties=(("field", ("x",)), ("n", 1)))
    second = replace(KEY, method="semapv:B", evidence=("PMID:1",), properties=(("field", "y"), ("n", 2), ("tool", "t")))
    found = together([first, second])
    assert (found.method, found.score, found.evidence) == ("semapv:A|semapv:B", 0.5, ("PMID:1",))
    assert dict(found.properties) == {
        "field": ("x", "y"),
        "tool": ("t",),
        "statements": (
            '{"method": "semapv:A", "score": 0.5, "field": ["x"], "n": 1}',
            '{"method": "semapv:B", "field": "y", "n": 2, "tool": "t"}',
        ),
    }


def test_a_relation_of_one_place_stays_as_it_is():
    relation = replace(KEY, properties=(("statements", ("no JSON", "[1]")),))
    assert together([relation, relation]) is relation
    assert apart(relation) == [relation]
    odd = replace(KEY, properties=(("statements", ('{"score": {"a": 1}}',)),))
    assert apart(odd) == [odd]


def test_methods_too_many_to_list_are_with_their_places():
    methods = [f"semapv:{number}{'x' * 80}" for number in range(9)]
    found = together([replace(KEY, method=method) for method in methods])
    assert found.method == methods[0]
    assert [relation.method for relation in apart(found)] == methods
