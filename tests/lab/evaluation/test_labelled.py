"""What people labelled, beside what the graph holds."""

import pytest

from medgraph_lab.evaluation.linking import measure_mentions, measure_relations
from tests.support.graphs import run

MENTIONS = "part\tsection\tstart\tend\tsurface\tconcept\tname\tlabel\n"
RELATIONS = "set\thead\trelation\ttail\tsection\tsurface\tright\n"


@pytest.fixture
def table(tmp_path):
    def write(header, rows):
        lines = ("\t".join(map(str, row)) + "\n" for row in rows)
        (tmp_path / "table.tsv").write_text(header + "".join(lines), encoding="utf-8")
        return tmp_path / "table.tsv"

    return write


def test_precision_is_of_what_the_graph_holds_and_recall_of_what_is_right(database, table):
    run(
        database,
        """
        CREATE (s:Section {id: 's1'})-[:HAS_CHUNK]->(k:Chunk),
               (a:Concept {cui: 'a', ids: ['x:a']}), (b:Concept {cui: 'b'}), (c:Concept {cui: 'c'}),
               (k)-[:MENTIONS {start: 0, end: 4}]->(a), (k)-[:MENTIONS {start: 5, end: 9}]->(a),
               (k)-[:MENTIONS {start: 10, end: 14}]->(b), (k)-[:MENTIONS {start: 30, end: 34}]->(b),
               (a)-[:CAUSED_BY {told: ['pages']}]->(b), (a)-[:CAUSED_BY {told: ['pages']}]->(c)
        """,
    )
    rows = [
        ("held", "s1", 0, 4, "x", "a", "X", "right"),
        ("held", "s1", 5, 9, "x", "x:a", "X", "wrong"),
        ("held", "s1", 10, 14, "x", "a", "X", "wrong"),
        ("held", "s1", 20, 24, "x", "b", "X", "right"),
        ("tail", "s1", 30, 34, "x", "b", "X", "unclear"),
    ]
    # The first two are held, one rightly; the third names another concept now; the fourth, which is right, is gone.
    assert measure_mentions(database, table(MENTIONS, rows)) == [
        {"part": "held", "n": 2, "precision": 0.5, "recall": 0.5}
    ]
    told = [("b", "yes"), ("c", "no"), ("d", "yes"), ("d", "no")]
    relations = [("held", "a", "CAUSED_BY", tail, "s1", "x", right) for tail, right in told]
    # Of b and c, which are held, b is right; of b and d, which are right, b is held.
    assert measure_relations(database, table(RELATIONS, relations)) == [
        {"task": "relations of sections, held, CAUSED_BY", "n": 2, "precision": 0.5, "recall": 0.5, "f1": None}
    ]
