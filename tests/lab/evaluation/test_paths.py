"""How often one of the first paths is useful."""

import pytest

from medgraph.linking.names import names_in_use
from medgraph_lab.evaluation.linking import measure_paths
from tests.support.joined import joined
from tests.support.paths import ROOT

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
