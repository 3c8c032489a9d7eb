"""From rows to records: every key, lists whose items go together, and groups that have to agree."""

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
    ]
    assert [(item.line, item.reason.partition(" (")[0]) for item in others] == [
        (4, "the columns of each: have different numbers of items"),
        (5, "score is 'high', which is no number"),
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
