"""Everyday names: a table that is sound, and whom they name."""

from medgraph.linking import lay
from medgraph.linking.lay import is_lay, lay_names
from tests.support.linking import entity, first, linker_of


def test_an_entity_is_found_by_what_people_call_it():
    linker = linker_of(
        entity("d:1", "type 2 diabetes mellitus"), entity("d:2", "diabetes mellitus"), entity("d:3", "kidney disease")
    )
    assert [first(linker, name) for name in ("sugar disease", "kidney trouble", "sugar")] == ["d:2", "d:3", None]
    (one, *others) = linker.question("I think I have the sugar desease")
    assert (linker.holdings.id(one[0].entity), one[0].method, others) == ("d:2", "spelling", [])


def test_a_short_form_is_what_people_mean_by_it():
    linker = linker_of(
        entity("d:1", "spondylothoracic dysostosis", "STD"), entity("d:2", "sexually transmitted disease")
    )
    (place,) = linker.question("Is it an STD?")
    assert [linker.holdings.id(linked.entity) for linked in place] == ["d:2", "d:1"]


def test_a_name_that_it_has_is_not_given_again():
    assert lay_names(["Influenza"]) == ["flu"]
    assert lay_names(["influenza", "Flu"]) == []
    assert lay_names(["gout"]) == []


def test_an_everyday_name_is_told():
    assert (is_lay("sugar disease"), is_lay("sugar"), is_lay("diabetes mellitus")) == (True, False, False)


def test_each_line_is_an_everyday_name_and_another_one():
    lines = [line for line in lay._TABLE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    pairs = [line.split("\t") for line in lines]
    assert all(len(pair) == 2 and pair[0].lower() != pair[1].lower() for pair in pairs)
    assert len({everyday for everyday, _ in pairs}) == len(pairs) > 100
