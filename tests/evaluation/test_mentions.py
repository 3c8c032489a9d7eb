"""Labelled mentions: which of them the graph holds, how many of these are right, and what is wrong with a table."""

import pytest

from medgraph.errors import SourceFileError
from medgraph.evaluation.labelled import measure_mentions
from tests.support.graphs import run

COLUMNS = "part\tsection\tstart\tend\tsurface\tconcept\tname\tlabel\n"


def test_precision_is_of_what_the_graph_holds_and_recall_of_what_is_right(database, tmp_path):
    run(
        database,
        """
        CREATE (s:Section {id: 's1'})-[:HAS_CHUNK]->(k:Chunk),
               (a:Concept {cui: 'a', ids: ['x:a']}), (b:Concept {cui: 'b'}),
               (k)-[:MENTIONS {start: 0, end: 4}]->(a), (k)-[:MENTIONS {start: 5, end: 9}]->(a),
               (k)-[:MENTIONS {start: 10, end: 14}]->(b), (k)-[:MENTIONS {start: 30, end: 34}]->(b)
        """,
    )
    lines = [
        ("held", 0, 4, "a", "right"),
        ("held", 5, 9, "x:a", "wrong"),
        ("held", 10, 14, "a", "wrong"),
        ("held", 20, 24, "b", "right"),
        ("tail", 30, 34, "b", "unclear"),
    ]
    rows = (f"{part}\ts1\t{start}\t{end}\tx\t{concept}\tX\t{label}\n" for part, start, end, concept, label in lines)
    path = tmp_path / "mentions.tsv"
    path.write_text(COLUMNS + "".join(rows), encoding="utf-8")
    # The first two are held, one rightly; the third names another concept now; the fourth, which is right, is gone.
    assert measure_mentions(database, path) == [{"part": "held", "n": 2, "precision": 0.5, "recall": 0.5}]


@pytest.mark.parametrize(
    "line", ["held\ts1\t0\t4", "held\ts1\t0\t4\tx\ta\tA\tyes", "held\ts1\tzero\t4\tx\ta\tA\tright"]
)
def test_what_is_no_labelled_mention_is_named_with_its_line(tmp_path, line):
    path = tmp_path / "mentions.tsv"
    path.write_text(COLUMNS + line + "\n", encoding="utf-8")
    with pytest.raises(SourceFileError, match=r"mentions\.tsv:2: needs the columns part, section"):
        measure_mentions(None, path)
