"""From rows to records: every key, lists whose items go together, and groups that have to agree."""

import pytest

from medgraph.errors import SourceFileError
from medgraph.loaders.base import Reject, Remark
from medgraph.schema.records import Document, Entity, Question, Relation, Section
from tests.support.mappings import ENTITY


def test_every_key_of_an_entity(use):
    text = """
columns:
  synonyms: {from: Other names, split: "|", then: lower}
  old: {split: list, optional: true}
entities:
  - id: "clinic:{id|slug}"
    label: "{kind}"
    name: "{name}"
    synonyms: ["{synonyms}", "{name|upper}", "the {name}"]
    narrow_synonyms: "{narrow}"
    broad_synonyms: broad
    related_synonyms: ["{{x}}"]
    definition: "{text} ({name})"
    concepts: "{cui}"
    semantic_types: T047
    xrefs: ["MESH:{mesh}", "{omim|curie}"]
    alternative_ids: "clinic:{old}"
    obsolete: "{gone}"
    replaced_by: "clinic:{new}"
    properties:
      size: {value: "{n}", type: integer}
      share: {value: "{f}", type: number}
      rare: {value: "{gone}", type: boolean}
      words: {value: ["x"], type: texts}
      note: "{text}"
"""
    text = text.replace('{value: ["x"], type: texts}', '{value: "{synonyms}", type: texts}')
    table = (
        "id,kind,name,Other names,narrow,text,cui,mesh,omim,gone,new,n,f,old\n"
        "A b,Disease, Gout ,Podagra| GOUT ||podagra,,Pain,C0018099,D006073,mim:138900,no,,3,0.5,\"['x', 'y']\"\n"
    )
    (record,), others = use(text, table)
    assert not others
    assert record == Entity(
        id="clinic:a-b",
        label="Disease",
        name="Gout",
        synonyms=("podagra", "the Gout"),
        broad_synonyms=("broad",),
        related_synonyms=("{x}",),
        definition="Pain (Gout)",
        concepts=("C0018099",),
        semantic_types=("T047",),
        xrefs=("MESH:D006073", "OMIM:138900"),
        alternative_ids=("clinic:x", "clinic:y"),
        properties=(("note", "Pain"), ("rare", False), ("share", 0.5), ("size", 3), ("words", ("podagra", "gout"))),
    )


def test_relations_with_evidence_and_lists(use):
    text = """
columns:
  drugs: {split: ";"}
  doses: {split: ";"}
relations:
  - subject: "clinic:{d}"
    type: TREATED_BY
    object: "clinic:{drugs|slug}"
    predicate: RO:0002302
    method: expert
    evidence: "PMID:{pmid}"
    score: "{score}"
    properties: {dose: "{doses}"}
    each: [drugs, doses]
    when: {drugs: {not: [None, none]}}
"""
    made, others = use(text, "d,drugs,doses,pmid,score\na,X y;none;Z,1;2;3,7,0.5\nb,,,,\nc,p;q,1,,\nd,p,1,,high\n")
    common = {"predicate": "RO:0002302", "method": "expert"}
    assert made == [
        Relation(
            "clinic:a",
            "TREATED_BY",
            "clinic:x-y",
            **common,
            evidence=("PMID:7",),
            score=0.5,
            properties=(("dose", "1"),),
        ),
        Relation(
            "clinic:a", "TREATED_BY", "clinic:z", **common, evidence=("PMID:7",), score=0.5, properties=(("dose", "3"),)
        ),
        Relation("clinic:d", "TREATED_BY", "clinic:p", **common, properties=(("dose", "1"),)),
    ]
    assert [(item.line, said_of(item).partition(" (")[0]) for item in others] == [
        (4, "the columns of each: have different numbers of items"),
        (5, "clinic:d TREATED_BY clinic:p RO:0002302: score is 'high', which is no finite number, and is left out"),
        (3, "rows are passed over in relations, since each: drugs, doses has no item: 1"),
    ]
    assert "(relations, line 7 of m.yaml)" in others[0].reason


def test_documents_from_columns(use):
    text = """
documents:
  - id: "doc:{id}"
    title: "{name}"
    url: "{url}"
    published: "{year}"
    about: "clinic:{id}"
    authors: "{by}"
    sections:
      - {type: Signs and Symptoms, heading: Symptoms, text: "{symptoms}", question: "What are the symptoms of {name}?"}
      - {type: treatment, text: "{cure}", when: {checked: "yes"}}
      - {text: "{more}", id: "doc:{id}#more"}
    questions: {}
"""
    text = text.replace("    questions: {}\n", '    questions: [{text: "{ask}", type: causes}]\n')
    table = "id,name,url,year,by,symptoms,cure,more,checked,ask\n"
    table += "1,Gout,u,2024,A|B,Pain.,Rest.,More.,yes,Why?\n2,Flu,,,,Ache.,No.,,no,\n"
    made, others = use("columns: {by: {split: '|'}}\n" + text, table)
    question = "What are the symptoms of"
    assert made == [
        Document(
            "doc:1", "Gout", url="u", published="2024", about=("clinic:1",), authors=("A", "B"),
            sections=(
                Section("doc:1#1", "Pain.", "symptoms", "Symptoms", f"{question} Gout?"),
                Section("doc:1#2", "Rest.", "treatment"),
                Section("doc:1#more", "More."),
            ),
            questions=(Question("doc:1#q1", "Why?", "causes"),),
        ),
        Document("doc:2", "Flu", about=("clinic:2",), sections=(
            Section("doc:2#1", "Ache.", "symptoms", "Symptoms", f"{question} Flu?"),)),
    ]  # fmt: skip
    assert not others


def test_rows_that_are_grouped_have_to_agree(use):
    text = ENTITY.replace("}]", ', synonyms: "{s}", definition: "{text}", group_by: id}]')
    made, others = use(text, "id,name,s,text\na,A,x,\nb,B,x,T\na,A,y,First.\na,Other,z,\na,A,w,Second.\na,a,,\n")
    assert made == [
        Entity("clinic:a", "Disease", "A", ("x", "y"), "First."),
        Entity("clinic:b", "Disease", "B", ("x",), "T"),
    ]
    assert [(item.line, item.reason.partition(" and")[0]) for item in others] == [
        (5, "says name is 'Other',"),
        (6, "says definition is 'Second.',"),
        (7, "says name is 'a',"),
    ]


def said_of(item):
    return item.text if isinstance(item, Remark) else item.reason


def test_what_cannot_be_held_is_left_out_or_kept_as_text(use):
    kinds = {"n": "integer", "x": "number", "b": "boolean"}
    listed = ", ".join(f"{name}: {{value: '{{{name}}}', type: {kind}}}" for name, kind in kinds.items())
    text = ENTITY.replace("}]", f", properties: {{{listed}}}}}]")
    made, others = use(text, "id,name,n,x,b\na,A,99999999999999999999,nan,true\nb,B,seven,1.5,perhaps\n")
    assert [dict(record.properties) for record in made] == [{"n": "9" * 20, "b": True}, {"x": 1.5}]
    assert [(item.line, item.text) for item in others] == [
        (2, "clinic:a: n is a number of more than 64 bits, and is kept as a text"),
        (2, "clinic:a: x is 'nan', which is no finite number, and is left out"),
        (3, "clinic:b: n is 'seven', which is no whole number, and is left out"),
        (3, "clinic:b: b is 'perhaps', which is no true or false, and is left out"),
    ]


def test_a_document_without_a_title_or_with_a_day_that_does_not_exist_stays(use):
    text = 'documents: [{id: "doc:{id}", title: "{name}", published: "{day}", sections: [{text: "{text|marks}"}]}]'
    made, others = use(text, "id,name,day,text\n1,,2012-09-31,10<sup>5</sup> CFU\n")
    assert made == [
        Document("doc:1", "[No title available]", published="2012-09", sections=(Section("doc:1#1", "10⁵ CFU"),))
    ]
    assert len(others) == 2


OBJECTS = """
columns:
  code: {from: "@id", optional: true}
  label: {from: Name, optional: true}
  other: {from: Name@lang, optional: true}
  sign: {from: Signs.Sign.HPO.Id, optional: true}
  often: {from: Signs.Sign.Frequency, optional: true}
entities:
  - {id: "clinic:{code}", label: Disease, name: "{label}", properties: {lang: "{other}"}, synonyms: "{sign} ({often})"}
relations:
  - subject: "clinic:{code}"
    type: HAS_SYMPTOM
    object: "{sign}"
    each: [sign, often]
    properties: {frequency: "{often}"}
"""


@pytest.mark.parametrize(
    ("rows", "name", "table"),
    [
        (
            "Set/List/Item",
            "t.xml",
            '<Set><List><Item id="a"><Name lang="en">A</Name><Signs><Sign><HPO><Id>HP:1</Id></HPO><Frequency>often'
            "</Frequency></Sign><Sign><HPO><Id>HP:2</Id></HPO></Sign></Signs></Item></List><Item id='no'/></Set>",
        ),
        (
            "Set.List",
            "t.json",
            '{"x": [1], "Set": {"y": {}, "List": [{"@id": "a", "Name": "A", "Name@lang": "en", "Signs": {"Sign": '
            '[{"HPO": {"Id": "HP:1"}, "Frequency": "often"}, {"HPO": {"Id": "HP:2"}}]}}]}}',
        ),
        (
            "",
            "t.json",
            '[{"@id": "a", "Name": "A", "Name@lang": "en", "Signs": {"Sign": '
            '[{"HPO": {"Id": "HP:1"}, "Frequency": "often"}, {"HPO": {"Id": "HP:2"}}]}}]',
        ),
        (
            "",
            "t.jsonl",
            '{"@id": "a", "Name": "A", "Name@lang": "en", "Signs": {"Sign": '
            '[{"HPO": {"Id": "HP:1"}, "Frequency": "often"}, {"HPO": {"Id": "HP:2"}}]}}',
        ),
    ],
)
def test_rows_of_objects_keep_what_goes_together(use, rows, name, table):
    made, others = use((f"table: {{rows: {rows}}}" if rows else "") + OBJECTS, table, name)
    assert made == [
        Entity("clinic:a", "Disease", "A", ("HP:1 (often)",), properties=(("lang", "en"),)),
        Relation("clinic:a", "HAS_SYMPTOM", "HP:1", properties=(("frequency", "often"),)),
        Relation("clinic:a", "HAS_SYMPTOM", "HP:2"),
    ]
    assert [item for item in others if isinstance(item, Reject)] == []


@pytest.mark.parametrize(
    ("name", "table", "message"),
    [
        ("t.xml", "<?xml version='1.0'?><A><B/></A>", r"is XML; mappings read .*: table: \{rows: A/…/NAME\}"),
        ("t.csv", "<?xml version='1.0'?><A><B/></A>", r"t\.csv: is XML; mappings read .*: table: \{rows: A/…/NAME\}"),
        ("t.json", '{"rows": []}', r"is one JSON object; .*: table: \{rows: NAME\}"),
        ("t.json", "[]", "is an empty list"),
    ],
)
def test_what_is_no_table_is_named(use, name, table, message):
    with pytest.raises(SourceFileError, match=message):
        use(ENTITY, table, name)


@pytest.mark.parametrize("held", ['{"en": "B"}', '[["a", "b"], {"k": "v"}]'])
def test_objects_where_a_text_is_wanted_are_rejected_with_their_line(use, held):
    made, (reject,) = use(ENTITY, f'{{"id": "a", "name": "A"}}\n{{"id": "b", "name": {held}}}\n', "t.jsonl")
    assert [record.name for record in made] == ["A"]
    wanted = "a list where one text is needed" if held.startswith("[") else f"{held} where a text is wanted"
    assert reject.line == 2
    assert reject.reason.startswith(f"the column 'name' holds {wanted}")
