"""`medgraph evaluate mentions`, `draw-relations` and `relations`."""

import pytest

from tests.support.graphs import run


@pytest.fixture
def call(medgraph, database):
    """Runs a command on a graph that tells one relation."""
    run(
        database,
        """
        CREATE (a:Concept {cui: 'a', name: 'gout'}), (b:Concept {cui: 'b', name: 'aspirin'}),
               (a)-[:TREATED_BY {stated: [], told: ['m'], told_score: 0.97, sections: ['m:1#1']}]->(b),
               (s:Section {id: 'm:1#1', title: 'Gout', type: 'treatment', text: 'Take aspirin.'}),
               (s)-[:HAS_CHUNK]->(k:Chunk),
               (k)-[:MENTIONS {start: 5, end: 12, surface: 'aspirin', role: 'treats', role_score: 0.97}]->(b)
        """,
    )
    return medgraph


def test_relations_are_drawn_labelled_and_measured(call, tmp_path):
    drawn = tmp_path / "drawn.tsv"
    assert call("evaluate", "draw-relations", drawn).startswith("1 relations drawn")
    drawn.write_text(drawn.read_text(encoding="utf-8").replace("\t0.97\t\t", "\t0.97\tyes\t"), encoding="utf-8")
    assert "TREATED_BY" in call("evaluate", "relations", drawn)


def test_mentions_are_measured(call, tmp_path):
    labelled = tmp_path / "mentions.tsv"
    columns = "part\tsection\tstart\tend\tsurface\tconcept\tname\tlabel\n"
    labelled.write_text(columns + "all\tm:1#1\t5\t12\taspirin\tb\taspirin\tright\n", encoding="utf-8")
    assert call("evaluate", "mentions", labelled).split()[-4:] == ["all", "1", "1", "1"]
    labelled.write_text(columns + "all\n", encoding="utf-8")
    assert f"{labelled}:2: needs the columns" in call("evaluate", "mentions", labelled, fails=True)
