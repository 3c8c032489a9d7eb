"""What goes with a concept: relations by kind, and sentences that name who says so."""

import pytest

from medgraph.linking.names import names_in_use
from medgraph.queries.subgraphs import find_subgraph
from tests.support.joined import joined


@pytest.fixture
def find(graph, settings, tmp_path):
    """Finds what goes with something in a small graph of three sources."""
    joined(graph, settings, tmp_path)
    linker, _ = names_in_use(settings, graph)

    def found(name, **options):
        return find_subgraph(graph, lambda: linker, name, **options)

    return found


def test_each_sentence_names_what_it_rests_on_and_who_says_so(find):
    found = find("podagra")
    assert (found.centre.id, found.centre.name) == ("C0018099", "gout")
    assert [(sentence.text, sentence.kind, sentence.relations) for sentence in found.sentences] == [
        ("Symptoms of gout include fever.", "symptoms", (0,)),
        ("According to Mesh alone, symptoms of gout also include perniosis.", "symptoms", (1,)),
        ("According to texts of Pages alone, symptoms of gout also include cough.", "symptoms", (2,)),
        ("Treatments for gout include allopurinol.", "treatment", (3,)),
    ]
    assert [(sentence.sources, sentence.standing, sentence.who) for sentence in found.sentences] == [
        (("pages", "doid"), "corroborated", "Doid, Pages; stated and told"),
        (("mesh",), "single", ""),
        (("pages",), "single", ""),
        (("mesh", "pages"), "corroborated", "Mesh, Pages; stated and told"),
    ]
    assert found.sentences[0].licences
    assert found.text == " ".join(sentence.text for sentence in found.sentences)
    first = found.relations[0]
    assert (first.head.id, first.relation, first.tail.id, first.hops) == ("C0018099", "HAS_SYMPTOM", "C0015967", 1)
    assert {(voice.method, voice.sources, voice.evidence) for voice in first.said} == {
        ("stated", ("doid",), ("PMID:1",)),
        ("section", ("pages",), ("p1#1",)),
    }
    assert found.note == ""


def test_kinds_and_types_of_relations_narrow_it_down(find):
    whole = find("gout")
    treated = find("gout", types=["Therapy"])
    assert treated.relations == whole.relations[3:]
    assert (
        treated == find("gout", relations=["treated by"]) == find("gout", types=["treatment"], relations=["TREATED_BY"])
    )
    both = find("gout", types=["symptoms", "treatment"])
    assert both.relations == whole.relations
    nothing = find("gout", types=["symptoms"], relations=["TREATED_BY"])
    assert (nothing.relations, nothing.text) == ((), "")
    assert nothing.note == "nothing of what was asked for is told of gout, by no source and no section"
    few = find("gout", limit=1)
    assert [row.tail.id for row in few.relations] == ["C0015967", "MESH:3"]
    assert few.note == "of its relations, these are a part: 1 of 3 HAS_SYMPTOM"
