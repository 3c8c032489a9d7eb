"""Labelled relations: what counts as right, and what is no table of them."""

import pytest

from medgraph.errors import SourceFileError
from medgraph.evaluation.labelled import draw, measure_labelled, measure_relations
from tests.support.graphs import run

LABELLED = "set\thead\trelation\ttail\tsection\tsurface\tright\n"


def test_labelled_relations_count_those_that_the_graph_still_holds(database, tmp_path):
    run(
        database,
        "CREATE (a:Concept {cui: 'a'})-[:CAUSED_BY {told: ['pages']}]->(:Concept {cui: 'b'}), "
        "(a)-[:CAUSED_BY {told: ['pages']}]->(:Concept {cui: 'c'}), (:Concept {cui: 'd'})",
    )
    path = tmp_path / "relations.tsv"
    rows = [("b", "yes"), ("c", "no"), ("d", "yes"), ("d", "no")]
    path.write_text(
        LABELLED + "".join(f"held\ta\tCAUSED_BY\t{tail}\ts1\tx\t{right}\n" for tail, right in rows), encoding="utf-8"
    )
    (row,) = measure_relations(database, path)
    # Of b and c, which are held, b is right; of b and d, which are right, b is held.
    assert (row["task"], row["n"]) == ("relations of sections, held, CAUSED_BY", 2)
    assert (row["precision"], row["recall"]) == (0.5, 0.5)


@pytest.mark.parametrize(
    ("content", "said"),
    [("x\ty\n", "relations.tsv:1: needs the columns"), (LABELLED + "held\ta\n", ":2: needs 7 cells")],
)
def test_what_is_no_table_of_relations_is_named_with_its_line(tmp_path, content, said):
    path = tmp_path / "relations.tsv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(SourceFileError, match=said):
        measure_relations(None, path)


def test_relations_are_drawn_with_their_sentence_and_measured_when_filled(database, tmp_path):
    run(
        database,
        """
        CREATE (a:Concept {cui: 'a', name: 'gout'}), (b:Concept {cui: 'b', name: 'aspirin'}), (c:Concept {cui: 'c'}),
               (a)-[:TREATED_BY {stated: [], told: ['m'], told_score: 0.97, sections: ['m:1#1']}]->(b),
               (a)-[:TREATED_BY {stated: [], told: ['m'], told_score: 0.91, sections: ['m:2#1']}]->(c),
               (s:Section {id: 'm:1#1', title: 'Gout', type: 'treatment', text: 'Gout. Take aspirin.'}),
               (s)-[:HAS_CHUNK]->(k:Chunk),
               (k)-[:MENTIONS {start: 11, end: 18, surface: 'aspirin', role: 'treats', role_score: 0.97}]->(b),
               (k)-[:MENTIONS {start: 0, end: 4, surface: 'Gout', role: 'risk', role_score: 0.99}]->(b)
        """,
    )
    seen, path = tmp_path / "seen.tsv", tmp_path / "drawn.tsv"
    seen.write_text("set\tsection\ndev\tm:2#9\n", encoding="utf-8")
    assert draw(database, path, 5, 1, [seen]) == 1
    text = path.read_text(encoding="utf-8")
    assert "Gout. Take [[aspirin]]." in text
    with pytest.raises(SourceFileError, match=r":2: needs yes or no"):
        measure_labelled(path)
    path.write_text(text.replace("\t0.97\t\t", "\t0.97\tyes\t"), encoding="utf-8")
    assert [(row["relations"], row["n"], row["precision"]) for row in measure_labelled(path)] == [
        ("TREATED_BY", 1, 1.0),
        ("score from 0.95", 1, 1.0),
    ]
