"""Words that may be everyday ones are names beside what they would name, and nowhere else."""

import pytest

from tests.support.linking import entity, first, linker_of, named


@pytest.fixture(scope="module")
def linker():
    return linker_of(
        entity("medquad:meth", "Methamphetamine", "Ice", "Crystal", label="Drug", concept="C1"),
        entity("DRUGBANK:1", "Methamphetamine", label="Drug", concept="C1"),
        entity("medquad:tooth", "Tooth Decay", "Cavities", concept="C2"),
        entity("DOID:14250", "Down syndrome", "Down's syndrome", concept="C3"),
        entity("DOID:2", "gout", concept="C4"),
    )


def test_a_doubtful_word_counts_beside_another_name_and_where_the_page_is_about_it(linker):
    assert named(linker, "Gout comes of crystals. Apply ice. The joint cavity breaks down.") == [("Gout", "DOID:2")]
    assert ("Ice", "medquad:meth") in named(linker, "Methamphetamine, also called Ice, harms.")
    assert [found.matched for found in linker.text("Brush, and get no cavity.", ["C2"])] == ["Cavities"]


def test_a_question_about_something_else_does_not_ask_about_a_doubtful_word(linker):
    def asked(text):
        return [linker.holdings.id(place[0].entity) for place in linker.question(text)]

    assert asked("does a cavity come from gout") == ["DOID:2"]
    assert asked("how do i treat a cavity") == ["medquad:tooth"]
    assert asked("what is down syndrome") == ["DOID:14250"]
    assert asked("is it down to me") == []


def test_who_looks_a_word_up_means_what_is_called_so_and_no_eponym(linker):
    assert first(linker, "cavities") == "medquad:tooth"
    assert first(linker, "Down's") == "DOID:14250"
    assert first(linker, "down") is None
