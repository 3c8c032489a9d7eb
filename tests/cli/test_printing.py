"""What commands print for people."""

import pytest

from medgraph.cli import printing
from tests.support.answers import answerer_of


@pytest.mark.parametrize("question", ["How is gout treated?", "best pizza in town"])
def test_printed_answers_bear_the_notice_once(sample_graph, encoder, capsys, question):
    answer = answerer_of(sample_graph, encoder).ask(question)
    printing.answer(answer)
    printed = capsys.readouterr().out
    assert printed.count("not medical advice") == 1
    if answer.sentences:
        assert "[1] Gout (sample, Apache-2.0), section sample:gout#6" in printed
        assert "id: 'sample:gout#6'" in printed
        assert all(word in printed for sentence in answer.sentences for word in sentence.text.split())
    else:
        assert "Not enough evidence in the graph to answer this.\nNearest sections found:\n" in printed


def test_tables(capsys):
    printing.table([{"name": "a\nb", "n": 12_345, "x": 0.123456, "y": None, "z": ["é"]}, {"name": "x" * 90, "n": 1}])
    head, rule, first, second = capsys.readouterr().out.splitlines()
    assert head.split() == ["name", "n", "x", "y", "z"]
    assert set(rule) == {"-", " "}
    assert first.split() == ["a", "b", "12,345", "0.1235", '["é"]']
    assert second.split() == ["…", "1"]
