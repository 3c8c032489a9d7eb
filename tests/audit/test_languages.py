"""Texts in other languages are found, by source and language."""

from medgraph.audit import texts
from tests.support.graphs import run

SCOPE = {"source": "", "examples": 1}
SPANISH = "El asma es una enfermedad de los pulmones que se trata con inhaladores, pero no se cura."


def test_texts_of_the_sample_are_english(sample_graph):
    assert not list(texts.foreign(sample_graph, SCOPE))


def test_a_section_in_another_language_is_found(database):
    run(database, "UNWIND ['a', 'b'] AS id CREATE (:Section {id: id, source: 's', text: $said})", said=SPANISH)
    (finding,) = texts.foreign(database, SCOPE)
    assert (finding.keys, finding.count, finding.severity) == (("s", "Spanish"), 2, "warning")
    assert finding.examples[0].startswith("a: El asma es una enfermedad")
