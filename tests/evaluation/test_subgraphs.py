"""How many words of a page its subgraph has."""

import pytest

from medgraph.errors import SourceFileError
from medgraph.evaluation import subgraphs
from medgraph.evaluation.sets.meqsum import ALL, read
from medgraph.evaluation.subgraphs import measure_search, measure_subgraphs, stems
from medgraph.queries.retriever import Retriever
from tests.support.joined import joined
from tests.support.linking import names_of


def test_words_of_pages_are_looked_for_in_subgraphs(graph, settings, tmp_path, monkeypatch):
    joined(graph, settings, tmp_path)
    monkeypatch.setattr(subgraphs, "SOURCE", "pages")
    rows = {part: measure_subgraphs(graph, part, 9) for part in ("dev", "held")}
    (gout,) = [part for part in rows if part == subgraphs.part_of("C0018099")]
    whole, others, name = rows[gout]
    assert (whole["text"], others["text"], name["text"]) == ("whole", "told by others", "name")
    assert whole["words found"] >= others["words found"] >= name["words found"]
    assert whole["stems found"] > others["stems found"]  # cough, which the page alone tells
    assert measure_subgraphs(graph, "dev", 0) == []


@pytest.mark.parametrize(
    ("text", "found"), [("The symptoms of a gout!", ["symptom", "gout"]), ("", []), ("\x00 ü", [])]
)
def test_content_words_alone_count(text, found):
    assert stems(text) == found


def test_documents_of_subgraphs_are_searched_for_or_what_lacks_is_named(graph, encoder, settings, tmp_path):
    joined(graph, settings, tmp_path)
    messages, judged = tmp_path / "meqsum.csv", tmp_path / "judged.tsv"
    lines = [f"{n}.txt,What are the symptoms of gout?,What are the symptoms of gout?\n" for n in range(9)]
    messages.write_text("file,question,summary\n" + "".join(lines), "utf-8")
    retriever = Retriever(graph, lambda: encoder, names_of(graph))
    for name, message in (("none", "names none of these messages"), (read(messages, "dev", ALL)[0].id, "no document")):
        judged.write_text(f"message\tdocuments\n{name}\tgraph:C0018099/no such kind\n", "utf-8")
        with pytest.raises(SourceFileError, match=message):
            measure_search(retriever, messages, judged)
