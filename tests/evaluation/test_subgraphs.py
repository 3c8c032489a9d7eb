"""How many words of a page its subgraph has."""

import pytest

from medgraph.evaluation import subgraphs
from medgraph.evaluation.subgraphs import measure_subgraphs, stems
from tests.support.joined import joined


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
