"""MeSH: descriptors, their names and their place in the tree, and everything that can be wrong in a file."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.loaders.base import Reject, Row
from medgraph.loaders.commands import LoadOptions, load_named
from medgraph.loaders.sources import mesh
from medgraph.schema.records import Entity, Relation
from tests.support.graphs import run
from tests.support.paths import FILES

SMALL = FILES / "mesh" / "desc2026.xml"


def descriptor(ui="D000001", name="A", tree="", more="", terms=("A",)):
    numbers = "".join(f"<TreeNumber>{number}</TreeNumber>" for number in tree.split())
    said = "".join(f"<Term><String>{term}</String></Term>" for term in terms)
    return (
        f"<DescriptorRecord><DescriptorUI>{ui}</DescriptorUI>"
        f"<DescriptorName><String>{name}</String></DescriptorName>{more}"
        f"<TreeNumberList>{numbers}</TreeNumberList>"
        "<ConceptList><Concept PreferredConceptYN='Y'><ConceptUI>M1</ConceptUI>"
        f"<TermList>{said}</TermList></Concept></ConceptList></DescriptorRecord>"
    )


def written(tmp_path, *descriptors, name="desc2026.xml"):
    path = tmp_path / name
    path.write_text("<DescriptorRecordSet>\n" + "\n".join(descriptors) + "\n</DescriptorRecordSet>\n", encoding="utf-8")
    return path


def records(path, kind):
    return [i.record for i in mesh.records(path) if isinstance(i, Row) and isinstance(i.record, kind)]


def rejects(path):
    return [item for item in mesh.records(path) if isinstance(item, Reject)]


def test_a_descriptor_with_everything():
    asthma, *_ = records(SMALL, Entity)
    assert asthma == Entity(
        id="MESH:D001249",
        label="Disease",
        name="Asthma",
        synonyms=("Bronchial Asthma", "Asthma, Bronchial"),
        definition="A disease of the airways that come and go in width.",
        narrow_synonyms=("Night Asthma",),
        broad_synonyms=("Tight Airways",),
        related_synonyms=("Airway Allergy",),
        properties=(("tree_numbers", ("C08.127.108", "C20.543")),),
    )


def test_the_tree_becomes_is_a_with_every_parent():
    found = [(r.subject, r.type, r.object, r.predicate) for r in records(SMALL, Relation)]
    above, action, also = "meshv:broaderDescriptor", "meshv:pharmacologicalAction", "meshv:seeAlso"
    assert found == [
        ("MESH:D001249", "IS_A", "MESH:D001982", above),
        ("MESH:D001249", "IS_A", "MESH:D007154", above),
        ("MESH:D001249", "RELATED_TO", "MESH:D000420", also),
        ("MESH:D001982", "IS_A", "MESH:D012140", above),
        ("MESH:D000420", "RELATED_TO", "MESH:D001993", action),
        ("MESH:D003371", "IS_A", "MESH:D012140", above),
    ]
    kinds = [type(item.record) for item in mesh.records(SMALL) if isinstance(item, Row)]
    assert kinds == [Entity] * 8 + [Relation] * 6


@pytest.mark.parametrize(
    ("name", "turned", "kind"),
    [
        ("NRW", False, "narrow_synonyms"),
        ("NRW", True, "broad_synonyms"),
        ("BRD", False, "broad_synonyms"),
        ("BRD", True, "narrow_synonyms"),
        ("REL", True, "related_synonyms"),
        ("???", False, "related_synonyms"),
    ],
)
def test_relations_of_concepts_are_read_from_the_first_to_the_second(tmp_path, name, turned, kind):
    one, two = ("M2", "M1") if turned else ("M1", "M2")
    other = (
        "<Concept PreferredConceptYN='N'><ConceptUI>M2</ConceptUI>"
        f"<ConceptRelationList><ConceptRelation RelationName='{name}'>"
        f"<Concept1UI>{one}</Concept1UI><Concept2UI>{two}</Concept2UI></ConceptRelation></ConceptRelationList>"
        "<TermList><Term><String>B</String></Term></TermList></Concept></ConceptList>"
    )
    (entity,) = records(written(tmp_path, descriptor().replace("</ConceptList>", other)), Entity)
    assert getattr(entity, kind) == ("B",)


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        (descriptor(ui="Q000188"), r"descriptor Q000188: the DescriptorUI 'Q000188' is not D and at least six digits"),
        (descriptor(name=""), r"descriptor D000001: the name is empty"),
        (descriptor(tree="C08.1x"), r"the tree number 'C08.1x' is not of the form C08\.127\.108"),
        (descriptor(tree="C99.123"), r"MESH:D000001: its tree number C99.123 hangs under C99, where nothing is"),
        (descriptor(name="a\x7fb"), r"the name holds the control character U\+007F"),
        ("<DescriptorRecord/>", r"descriptor without UI"),
        (
            descriptor(
                more="<SeeRelatedList><SeeRelatedDescriptor><DescriptorReferredTo><DescriptorUI>\x7f</DescriptorUI>"
                "</DescriptorReferredTo></SeeRelatedDescriptor></SeeRelatedList>"
            ),
            r"MESH:D000001: the id 'MESH:.*' ?holds|MESH:D000001: the id holds",
        ),
    ],
)
def test_what_is_rejected_and_why(tmp_path, broken, reason):
    path = written(tmp_path, descriptor("D000007"), broken, descriptor("D000009"))
    assert {"MESH:D000007", "MESH:D000009"} <= {entity.id for entity in records(path, Entity)}
    (reject,) = rejects(path)
    assert (reject.file, reject.line) == (str(path), 3)
    assert re.search(reason, reject.reason)


@given(st.lists(st.from_regex(r"C0[1-3](\.[12]00){0,2}", fullmatch=True), unique=True, max_size=8))
def test_every_tree_number_gives_a_parent_or_a_reject(tmp_path_factory, numbers):
    path = written(
        tmp_path_factory.mktemp("mesh"), *(descriptor(f"D{n:06d}", tree=number) for n, number in enumerate(numbers))
    )
    below = [number for number in numbers if "." in number]
    whole = [number for number in below if number.rpartition(".")[0] in numbers]
    assert len(records(path, Relation)) == len(whole)
    assert len(rejects(path)) == len(below) - len(whole)


def test_loading_twice_and_beside_pubmed(database, settings):
    load_named(database, settings, "pubmed", SMALL.parents[1] / "pubmed" / "pubmed26n0001.xml")
    named = "MATCH (e:Entity {id: 'MESH:D001249'}) RETURN labels(e) AS labels, e.name AS name, e.sources AS sources"
    assert "Topic" in run(database, named)[0]["labels"]
    path = settings.home / "desc2026.xml"
    path.write_text(SMALL.read_text().replace("<TreeNumber>C23.888</TreeNumber>", ""))
    first = load_named(database, settings, "mesh", path)
    assert (first.rejected, first.added) == (0, 14)
    (row,) = run(database, named)
    assert sorted(row["labels"]) == ["Disease", "Entity"]
    assert row["sources"] == ["mesh", "pubmed"]
    again = load_named(database, settings, "mesh", path, LoadOptions(limit=1000))
    assert (again.added, again.changed, again.unchanged) == (0, 0, 14)


SUPPLEMENT = (
    "<SupplementalRecordSet><SupplementalRecord SCRClass='3'><SupplementalRecordUI>C535697</SupplementalRecordUI>"
    "<SupplementalRecordName><String>Gracile syndrome</String></SupplementalRecordName><Note>A rare disease.</Note>"
    "<Frequency>3</Frequency><HeadingMappedToList><HeadingMappedTo><DescriptorReferredTo>"
    "<DescriptorUI>*D001249</DescriptorUI></DescriptorReferredTo></HeadingMappedTo></HeadingMappedToList>"
    "<ConceptList><Concept PreferredConceptYN='Y'><ConceptUI>M1</ConceptUI><TermList><Term>"
    "<String>Growth retardation</String></Term></TermList></Concept></ConceptList></SupplementalRecord>"
    "<SupplementalRecord><SupplementalRecordUI>D1</SupplementalRecordUI></SupplementalRecord></SupplementalRecordSet>"
)


def test_supplementary_concepts_are_a_source_of_their_own(tmp_path):
    path = tmp_path / "supp2026.xml"
    path.write_text(SUPPLEMENT)
    assert (mesh.describe(path).id, mesh.describe(path).version) == ("mesh-supplements", "2026")
    entity, reject, relation, remark = mesh.records(path)
    assert entity.record == Entity(
        "MESH:C535697", "Disease", "Gracile syndrome", ("Growth retardation",), definition="A rare disease."
    )
    assert relation.record == Relation("MESH:C535697", "RELATED_TO", "MESH:D001249", "meshv:mappedTo")
    assert "'D1' is not C and at least six digits" in reject.reason
    assert remark.text == "Frequency of records is not read: 1, the first is C535697"
