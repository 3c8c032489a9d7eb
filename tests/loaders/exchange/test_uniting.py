"""What a file says of one thing in several places."""

from medgraph.loaders.base import Reject, Remark, Row
from medgraph.loaders.exchange.uniting import united
from medgraph.schema.records import Entity, Relation, SourceInfo

INFO = Row(SourceInfo("one", "One", "1", "CC0-1.0", ""), "f", 1)


def of(*items):
    records = [item.record for item in items if isinstance(item, Row)]
    names = [[r.id] if isinstance(r, Entity) else [r.subject, r.object] for r in records if r is not INFO.record]
    return list(united(names, iter(items)))


def entity(line, source="", **said):
    return Row(Entity("DOID:1", said.pop("label", "Disease"), said.pop("name", "x"), **said), "f", line, source)


def test_what_is_there_once_goes_through_in_its_place():
    other = Row(Entity("DOID:2", "Disease", "x"), "f", 4, "one")
    items = [INFO, entity(2), Reject("f", 3, "bad"), other, Remark("f", 5, "odd")]
    assert of(*items) == items


def test_entities_become_one_that_says_what_all_of_them_say():
    first = entity(1, synonyms=("a",), properties=(("n", 1), ("place", "here")), xrefs=("A:1",))
    second = entity(2, name="y", synonyms=("a", "b"), definition="D.", properties=(("n", 1), ("place", ("there",))))
    (row,) = of(first, second, entity(3, obsolete=True))
    assert (row.file, row.line) == ("f", 1)
    assert row.record == Entity(
        "DOID:1", "Disease", "x", ("a", "b", "y"), "D.", xrefs=("A:1",), obsolete=True,
        properties=(("n", 1), ("place", ("here", "there"))),
    )  # fmt: skip


def test_a_name_goes_before_an_id_and_a_kind_before_a_topic():
    (row,) = of(entity(1, name="DOID:1", label="Topic"), entity(2), entity(3, name="DOID:1"))
    assert (row.record.name, row.record.label, row.record.synonyms) == ("x", "Disease", ())


def test_what_cannot_be_kept_as_well_is_remarked():
    first = entity(1, definition="D.", properties=(("n", 1),))
    items = of(first, INFO, entity(7, label="Gene", definition="E.", properties=(("n", 2),)))
    assert [item for item in items if isinstance(item, Row)] == [INFO, first]
    (remark,) = (item for item in items if isinstance(item, Remark))
    assert (remark.line, remark.text) == (
        7,
        "DOID:1 is there before, and otherwise: the definition 'E.'; the label Gene; n '2' cannot be kept as well",
    )


def test_relations_of_one_source_become_one():
    once = Row(Relation("a:1", "TREATS", "b:1", "other"), "f", 2)
    first, second = (Row(Relation("a:1", "TREATS", "b:1", evidence=(f"PMID:{n}",)), "f", n, "one") for n in (1, 3))
    found = of(first, once, second, Row(first.record, "f", 4))
    assert [(row.line, row.source) for row in found] == [(1, "one"), (2, ""), (4, "")]
    assert found[0].record.evidence == ("PMID:1", "PMID:3")
