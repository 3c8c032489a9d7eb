"""Documents of subgraphs are searched for, or what lacks is named."""

import pytest

from medgraph.errors import SourceFileError
from medgraph.evaluation.sets.meqsum import ALL, read
from medgraph.evaluation.subgraphs import measure_search
from medgraph.queries.modes import MODES
from medgraph.queries.retriever import Retriever
from tests.support.graphs import run
from tests.support.linking import names_of


def test_documents_are_searched_for_or_what_lacks_is_named(sample_graph, encoder, tmp_path, monkeypatch):
    monkeypatch.setattr("medgraph.evaluation.subgraphs.DERIVED", "sample")
    messages, judged = tmp_path / "meqsum.csv", tmp_path / "judged.tsv"
    lines = [f"{n}.txt,What are the symptoms of gout?,What are the symptoms of gout?\n" for n in range(9)]
    messages.write_text("file,question,summary\n" + "".join(lines), "utf-8")
    retriever, name = Retriever(sample_graph, lambda: encoder, names_of(sample_graph)), read(messages, "dev", ALL)[0].id
    for message, document, problem in (("none", "x", "names none of these messages"), (name, "x", "no document")):
        judged.write_text(f"message\tdocuments\n{message}\t{document}\n", "utf-8")
        with pytest.raises(SourceFileError, match=problem):
            measure_search(retriever, messages, judged)
    (row,) = run(sample_graph, "MATCH (s:Section {id: 'sample:gout#1'})<--(d:Document) RETURN d.id AS id")
    judged.write_text(f"message\tdocuments\n{name}\t{row['id']}\n", "utf-8")
    rows = measure_search(retriever, messages, judged)
    assert [(row["search"], row["questions"]) for row in rows] == [(mode, 1) for mode in MODES]
