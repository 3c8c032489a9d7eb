"""Languages, guessed by letters and commonest words."""

import pytest

from medgraph.audit import languages
from tests.support.examples import examples
from tests.support.graphs import run


@pytest.mark.parametrize(("text", "name"), examples("languages"))
def test_languages(text, name):
    guessed, sure = languages.language(text)
    if name == "Cjk script":
        assert guessed in {"Cjk script", "Hiragana script"}
    else:
        assert guessed == name
    assert 0 <= sure <= 1
    assert (sure > 0.5) == bool(name)


def test_texts_of_the_sample_are_english(sample_graph):
    rows = run(sample_graph, "MATCH (s:Section) RETURN s.text AS text")
    guesses = {languages.language(row["text"])[0] for row in rows}
    assert guesses <= {"English", ""}
