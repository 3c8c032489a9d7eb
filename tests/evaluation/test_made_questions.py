"""Made questions measured: tables that cannot be read, and the check beside what was read."""

import pytest

from medgraph.errors import SourceFileError
from medgraph.evaluation.made_questions import WAYS, measure_check, measure_search
from medgraph.evaluation.messages import ALL, read
from medgraph.queries.retriever import Retriever
from tests.support.linking import names_of
from tests.support.paths import FILES


def test_the_ways_without_made_questions_stand_beside_those_with_them():
    assert {made for made, _ in WAYS.values()} == {"without", "with"}


def test_labels_are_measured_with_and_without_the_check():
    tried, passing = measure_check(FILES / "made" / "labels.tsv")
    assert passing["number"] < tried["number"]
    assert 0 <= tried["like"] < passing["like"] <= 1


def test_a_table_of_other_messages_is_refused(tmp_path):
    messages, judged = tmp_path / "meqsum.csv", tmp_path / "judged.tsv"
    messages.write_text("file,question,summary\n" + "".join(f"{n}.txt,What?,What?\n" for n in range(9)), "utf-8")
    judged.write_text("message\tdocuments\nnone\tgraph:C1/symptoms\n", "utf-8")
    with pytest.raises(SourceFileError, match="names none of these messages"):
        measure_search(None, messages, judged)


def test_documents_that_the_graph_has_not_are_left_out(graph, encoder, tmp_path):
    messages, judged = tmp_path / "meqsum.csv", tmp_path / "judged.tsv"
    lines = [f"{n}.txt,What are the symptoms of gout?,What are the symptoms of gout?\n" for n in range(9)]
    messages.write_text("file,question,summary\n" + "".join(lines), "utf-8")
    name = read(messages, "dev", ALL)[0].id
    judged.write_text(f"message\tdocuments\n{name}\tgraph:C1/symptoms\n", "utf-8")
    with pytest.raises(SourceFileError, match="no document that the graph has; run: medgraph index subgraphs"):
        measure_search(Retriever(graph, lambda: encoder, names_of(graph)), messages, judged)
