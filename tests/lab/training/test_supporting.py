"""Fitting what judges a language model's sentences."""

import pytest

from medgraph.answers.verify.supporting import SIGNS
from medgraph_lab.training.supporting import train_file
from tests.support.emergencies import lines_of

pytestmark = pytest.mark.thorough

SOURCE = "sample"


@pytest.fixture
def table(tmp_path):
    lines = [line.split("\t") for line in lines_of("written.tsv")]
    rows = [
        ("dev", section.split("#")[0], f"{SOURCE}:{section}", text)
        for _, kind, section, text in lines
        if kind == "right"
    ]
    path = tmp_path / "table.tsv"
    path.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_a_model_is_fitted_to_what_was_written_and_covers_count(sample_graph, table, tmp_path):
    weights = train_file(sample_graph, table, tmp_path / "together.tsv")
    assert set(weights) == {*SIGNS, "intercept"}
    assert weights["covered"] > 0
    assert "\ntogether\tcovered\t" in (tmp_path / "together.tsv").read_text(encoding="utf-8")
