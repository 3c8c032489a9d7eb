"""Diseases that chemicals induce: pairs of BC5CDR's form."""

import pytest

from medgraph.errors import SourceFileError
from medgraph.evaluation.sets.bc5cdr import measure, pairs_of
from medgraph.evaluation.sets.pubtator import read_abstracts
from medgraph.training.roles import read_pairs

TEXT = """1|t|Lithium induced tremor.
1|a|Tremor was caused by lithium. Aspirin relieved headache.
1\t0\t7\tLithium\tChemical\tD1
1\t16\t22\ttremor\tDisease\tD2
1\t24\t30\tTremor\tDisease\tD2
1\t45\t52\tlithium\tChemical\tD1
1\t54\t61\tAspirin\tChemical\tD3
1\t71\t79\theadache\tDisease\tD4
1\tCID\tD1\tD2
"""


@pytest.fixture
def abstracts(tmp_path):
    (tmp_path / "abstracts.txt").write_text(TEXT, encoding="utf-8")
    return tmp_path / "abstracts.txt"


def test_pairs_are_those_of_a_sentence(abstracts):
    (one,) = read_abstracts(abstracts)
    assert [pair for pair, _ in pairs_of(one)] == [("D1", "D2"), ("D1", "D2"), ("D3", "D4")]
    assert one.induced == {("D1", "D2")}


def test_what_is_not_induced_has_any_other_role(abstracts):
    induced, _, other = read_pairs(abstracts)
    assert induced.roles == {"causes"}
    assert "treats" in other.roles
    assert "causes" not in other.roles


def test_told_pairs_are_measured(abstracts):
    (row,) = measure(abstracts)
    assert (row["n"], row["precision"], row["recall"]) == (1, 1.0, 1.0)


def test_what_is_no_abstract_is_named_with_its_line(tmp_path):
    (tmp_path / "a.txt").write_text("1|t|Title\n2\tx\n", encoding="utf-8")
    with pytest.raises(SourceFileError, match=r"a.txt:2: is no line of PubTator"):
        read_abstracts(tmp_path / "a.txt")
