"""Measures of linking, paths and labelled texts, and how sure differences are."""

import numpy as np
import pytest

from medgraph.linking.names import names_in_use
from medgraph.linking.pairing import Member
from medgraph_lab.evaluation.linking import chemicals, foci, measure_mentions, measure_paths, measure_relations
from medgraph_lab.evaluation.sets.pubtator import GoldMention, GoldText
from medgraph_lab.evaluation.statistics import Auc, Mean, compare, holm
from tests.support.graphs import run
from tests.support.joined import joined
from tests.support.linking import entity, linker_of
from tests.support.paths import ROOT

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


def test_substances_that_are_found_and_not_marked_count_against_them():
    linker = linker_of(entity("DRUGBANK:1", "aspirin", label="Drug"), entity("DRUGBANK:2", "tea tree", label="Drug"))
    marked = (
        GoldMention(0, 7, "Aspirin", frozenset(), "Chemical"),
        GoldMention(9, 16, "unknown", frozenset(), "Chemical"),
    )
    row = chemicals([GoldText("1", "Aspirin, unknown, tea tree.", marked)], {"aspirin", "tea tree"}, linker)
    assert (row["n"], row["precision"], row["recall"]) == (1, 0.5, 1.0)


def test_foci_are_looked_up_without_their_own_names():
    members = [
        Member("medquad:gout", "Disease", "Gout", cuis=("C0018099",)),
        Member("medquad:podagra", "Disease", "Podagra", cuis=("C0018099",)),
        Member("medquad:cold", "Disease", "Cold", cuis=("C0000001",)),
        Member("DOID:1", "Disease", "gout", cuis=("C0018099",)),
        Member("DOID:2", "Disease", "cold", cuis=("C0000002",)),
    ]
    row = foci(members)
    assert (row["n"], row["recall"]) == (2, 0.5)
    assert row["task"].endswith("0.667 covered")


PAIRS = "part\tkind\tfirst\tfirst_name\tsecond\tsecond_name\twanted\n"
USEFUL = "first\tsecond\tpath\n"


@pytest.fixture
def measure(graph, settings, tmp_path):
    """Measures on a small graph of three sources, with tables of which the lines are given."""
    joined(graph, settings, tmp_path)
    linker, _ = names_in_use(settings, graph)

    def measured(pairs, useful):
        files = tmp_path / "pairs.tsv", tmp_path / "useful.tsv"
        for file, text in zip(files, (pairs, useful), strict=True):
            file.write_text(text, encoding="utf-8")
        return measure_paths(graph, lambda: linker, *files)

    return measured


def test_a_pair_counts_where_one_of_its_first_paths_was_judged_useful(measure):
    pairs = PAIRS + (
        "judged\tsymptom\tC0018099\tgout\tC0015967\tfever\ta symptom\n"
        "judged\tcomplication\tC0018099\tgout\tDOID:2\tasthma\tcomes with it\n"
        "judged\tcomplication\tC0018099\tgout\tDOID:4\tchilblain\tcomes with it\n"
        "judged\tdrug\tC0018099\tgout\tMESH:3\tallopurinol\ttreats it\n"
        "dev\tdrug\tnobody\tx\tnothing\ty\ttreats it\n"
    )
    useful = USEFUL + (
        "C0018099\tC0015967\tgout \u2013 HAS_SYMPTOM → fever\n"
        "C0018099\tDOID:2\tgout \u2013 HAS_SYMPTOM → cough ← HAS_SYMPTOM \u2013 asthma\n"
        "C0018099\tMESH:3\tgout ← TREATED_BY \u2013 allopurinol\n"  # the wrong way round
    )
    expected = {"pairs": 4, "useful": 0.5, "not direct": 2, "useful, not direct": 0.5, "without a path": 1}
    assert measure(pairs, useful) == [{"order": order} | expected for order in ("rank", "length")]


def test_the_judged_pairs_are_whole():
    folder = ROOT / "tests" / "data" / "paths"
    pairs = [line.split("\t") for line in (folder / "pairs.tsv").read_text(encoding="utf-8").splitlines()[1:]]
    useful = [line.split("\t") for line in (folder / "useful.tsv").read_text(encoding="utf-8").splitlines()[1:]]
    judged = [row for row in pairs if row[0] == "judged"]
    assert [sum(row[1] == kind for row in judged) for kind in ("symptom", "drug", "complication")] == [20, 20, 20]
    assert {(row[0], row[1]) for row in useful} <= {(row[2], row[4]) for row in judged}


def mean(*values):
    return Mean(np.array(values, dtype=np.float64))


def auc(pairs):
    """Make one of (score, good, owner) rows."""
    scores, good, owners = zip(*pairs, strict=True)
    return Auc(np.array(scores, dtype=np.float64), np.array(good, dtype=bool), np.array(owners))


def test_the_area_is_the_share_of_pairs_in_the_right_order():
    assert auc([(0.9, True, 0), (0.1, False, 0)]).value() == 1
    assert auc([(0.1, True, 0), (0.9, False, 0)]).value() == 0
    assert auc([(0.5, True, 0), (0.5, False, 0)]).value() == 0.5
    assert auc([(3, True, 0), (2, False, 0), (1, True, 1), (0, False, 1)]).value() == 3 / 4
    assert auc([(1, True, 0), (1, False, 0), (0, False, 1), (2, False, 1)]).value() == 1.5 / 3
    assert auc([(1, True, 0), (2, True, 1)]).value() == 0.5


def test_the_same_values_differ_by_nothing_and_for_sure_by_chance():
    same = compare(mean(0.2, 0.9, 0.4), mean(0.2, 0.9, 0.4))
    assert (same.more, same.low, same.high, same.p) == (0, 0, 0, 1)


def test_questions_are_paired():
    hard = np.tile([0.0, 1.0], 50)  # questions differ far more than ways do
    better = compare(Mean(hard + 0.1), Mean(hard))
    assert (better.low, better.high) == (pytest.approx(0.1), pytest.approx(0.1))
    assert better.p == pytest.approx(1 / 10_001)


def test_many_comparisons_are_corrected():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.4, 0.9, 0.5]) == [1, 1, 1]
    assert holm([0.03]) == [0.03]
    assert holm([]) == []
