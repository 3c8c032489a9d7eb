"""Tables of diseases: small files of their form, ChatDoctor's real table, and the three forms of tables told apart."""

from collections import Counter
from pathlib import Path

import pytest

from medgraph.loaders.sources import disease_pages, disease_tables, question_tables
from medgraph.schema.records import Entity
from tests.support.paths import FILES
from tests.support.sources import read

CHATDOCTOR = FILES / "disease-tables" / "chatdoctor.csv"


# Tables of diseases


def test_a_row_becomes_a_disease_with_typed_relations():
    entities, relations, _, _, _ = read(disease_tables, CHATDOCTOR)
    assert entities["chatdoctor:disease-gout"] == Entity("chatdoctor:disease-gout", "Disease", "Gout")
    assert [(r.type, r.object, r.predicate) for r in relations if r.subject == "chatdoctor:disease-gout"] == [
        ("HAS_SYMPTOM", "chatdoctor:symptom-joint-pain", "Symptom"),
        ("HAS_SYMPTOM", "chatdoctor:symptom-foot-or-toe-pain", "Symptom"),
        ("DIAGNOSED_BY", "chatdoctor:test-hematologic-tests-blood-test", "TestsAndProcedures"),
        ("DIAGNOSED_BY", "chatdoctor:test-arthrocentesis", "TestsAndProcedures"),
        ("TREATED_BY", "chatdoctor:treatment-physical-therapy-exercises-exercises", "TestsAndProcedures"),
        ("TREATED_BY", "chatdoctor:drug-colchicine-colcrys", "commonMedications"),
        ("TREATED_BY", "chatdoctor:drug-devil-s-claw-preparation", "commonMedications"),
    ]


def test_what_must_be_avoided_is_no_treatment(tmp_path):
    path = tmp_path / "t.tsv"
    path.write_text("disease\tmedications\tcontraindications\nAsthma\tsalbutamol\tpropranolol; Salbutamol\n")
    _, relations, _, rejects, remarks = read(disease_tables, path)
    assert (rejects, remarks) == ([], [])
    assert [(r.subject, r.type, r.object, r.predicate) for r in relations] == [
        ("t:disease-asthma", "TREATED_BY", "t:drug-salbutamol", "medications"),
        ("t:disease-asthma", "CONTRAINDICATED_WITH", "t:drug-propranolol", "contraindications"),
        ("t:disease-asthma", "CONTRAINDICATED_WITH", "t:drug-salbutamol", "contraindications"),
    ]


def test_what_is_good_in_a_row_is_kept(tmp_path):
    path = tmp_path / "d.csv"
    path.write_text(
        "disease,symptoms,tests,medications\n"
        'asthma,"Cough,Wheeze",,\n'
        "Crohn disease,\"['Fever', 'Weight loss']\",\"['Colonoscopy', None]\",\"[nan]\"\n"
    )
    entities, _, _, rejects, remarks = read(disease_tables, path)
    assert [entity.name for entity in entities.values()] == [
        "asthma",
        "Cough,Wheeze",
        "Crohn disease",
        "Fever",
        "Weight loss",
        "Colonoscopy",
    ]
    said = "asthma: symptoms 'Cough,Wheeze' looks like a list with commas; put ; between names"
    assert ([remark.text for remark in remarks], rejects) == ([said], [])


def test_only_descriptions_worth_quoting_become_documents():
    _, _, documents, _, remarks = read(disease_tables, CHATDOCTOR)
    assert {d.title: d.sections[0].text for d in documents.values()} == {
        "Broken list": "Broken list is a row whose list was cut off.",
        "Gout": "Gout is caused by uric acid that crystallizes in a joint. It's painful.",
        "Cerebral edema": "Cerebral edema or cerebral œdema is an excess of fluid in the brain.",
    }
    assert documents["chatdoctor:disease-gout"].sections[0].type == "information"
    said = {remark.line: remark.text for remark in remarks}
    assert said.keys() == {2, 4, 5, 6, 7}
    assert "read back" in said[2]
    assert "Broken list: Symptom is left out: the list" in said[7]
    assert all(what in said[line] for line, what in ((4, "no whole"), (5, "does not name it"), (6, "no whole")))


@pytest.mark.thorough
def test_the_real_table(data):
    path = data / "chatdoctor" / "format_dataset.csv"
    entities, relations, documents, rejects, remarks = read(disease_tables, path)
    assert disease_tables.SOURCE.describe(path).licence == "Apache-2.0"
    assert Counter(entity.label for entity in entities.values()) == {
        "Drug": 1289,
        "Disease": 796,
        "Symptom": 376,
        "Treatment": 91,
        "Test": 80,
    }
    # 9,102 symptoms, 5,372 tests and procedures, 8,326 medications stand in the lists.
    assert Counter(r.predicate for r in relations) == {
        "Symptom": 9102,
        "TestsAndProcedures": 5372,
        "commonMedications": 8326,
    }
    assert Counter(r.type for r in relations)["DIAGNOSED_BY"] == 3879
    assert (len(documents), rejects) == (649, [])
    # 147 descriptions that are no sentence or do not name their disease, and one remark on bytes that were printed.
    assert len(remarks) == 148
    texts = [section.text for document in documents.values() for section in document.sections]
    assert not [text for text in texts if "\\x" in text or "\\'" in text or "may refer to:" in text]
    assert not [name for entity in entities.values() for name in (entity.name, *entity.synonyms) if "\\" in name]


# What is recognised


@pytest.mark.parametrize(
    ("source", "path"),
    [
        (disease_pages, "disease-pages/pages.csv"),
        (disease_pages, "disease-pages/pages.jsonl"),
        (question_tables, "question-tables/chronic.csv"),
        (question_tables, "question-tables/plain.tsv"),
        (disease_tables, "disease-tables/chatdoctor.csv"),
    ],
)
def test_formats_are_recognised_and_named_after_their_files(source, path):
    every = (disease_pages, question_tables, disease_tables)
    assert [other for other in every if other.SOURCE.recognise(FILES / path)] == [source]
    assert source.SOURCE.describe(FILES / path).id == Path(path).stem
