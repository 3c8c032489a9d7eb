"""BC5CDR counted in an abstract: what is linked, and which pairs are told, beside what people marked."""

from medgraph_lab.evaluation.papers import beyond
from medgraph_lab.evaluation.sets.pubtator import GoldMention, GoldText
from tests.support.linking import entity, linker_of

TEXT = "Gout. Colchicine induced asthma in a man with anaemia."


def mention(name, ids, kind="Disease"):
    start = TEXT.index(name)
    return GoldMention(start, start + len(name), name, frozenset(ids), kind)


def test_mentions_ids_and_pairs_are_counted():
    linker = linker_of(
        entity("DOID:1", "gout", ids=["DOID:1", "MESH:G"]),
        entity("DOID:2", "anaemia", ids=["DOID:2", "MESH:WRONG"]),
        entity("DB:1", "colchicine", label="Drug"),
    )
    marked = (
        mention("Gout", {"MESH:G"}),
        mention("Colchicine", {"MESH:C"}, "Chemical"),
        mention("asthma", {"MESH:A"}),
        mention("anaemia", {"MESH:B"}),
    )
    text = GoldText("1", TEXT, marked, frozenset({("MESH:C", "MESH:A")}))
    found = beyond.counted(linker, text, {"MESH:G", "MESH:WRONG"}, {("MESH:C", "MESH:B")})
    assert found[beyond.MENTIONS] == found[beyond.DOCUMENTS] == (1, 1, 2)
    assert found[beyond.DOCUMENTS + beyond.KNOWN] == found[beyond.MENTIONS + beyond.KNOWN] == (1, 1, 0)
    assert found["mentions, names given"] == (1, 1, 2)
    assert found["chemicals, span"] == (1, 0, 0)
    assert found["in one abstract, names given"] == (1, 2, 0)
    assert found["in one sentence, names given"] == (1, 1, 0)
    assert found["related in the graph, names given"] == (0, 1, 1)
    assert found[beyond.MODEL][0] == 1
    assert found["the model of roles, names as linked"] == (0, found["the model of roles, names as linked"][1], 1)
