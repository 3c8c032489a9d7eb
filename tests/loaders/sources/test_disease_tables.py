"""Tables of diseases, pages on diseases, questions on them: small files of their form; ChatDoctor's real table."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.errors import SourceFileError
from medgraph.loaders.base import Reject, Remark, Row
from medgraph.loaders.sources import disease_pages, disease_tables, question_tables
from medgraph.schema.records import Document, Entity, Question, Relation, Section
from tests.support.paths import FILES

SMALL = FILES
CHATDOCTOR = SMALL / "disease-tables" / "chatdoctor.csv"
ORDER = (Entity, Relation, Document)


def read(source, path, **options):
    """Entities and documents by id, relations, rejects and remarks of a file."""
    items = list(source.records(path, **options))
    records = [item.record for item in items if isinstance(item, Row)]
    assert [ORDER.index(type(r)) for r in records] == sorted(ORDER.index(type(r)) for r in records)
    entities, documents = ({r.id: r for r in records if isinstance(r, kind)} for kind in (Entity, Document))
    relations = [r for r in records if isinstance(r, Relation)]
    assert len(entities) + len(documents) + len(relations) == len(records)
    assert {end for r in relations for end in (r.subject, r.object)} <= entities.keys()
    assert {about for document in documents.values() for about in document.about} <= entities.keys()
    others = ([item for item in items if isinstance(item, kind)] for kind in (Reject, Remark))
    return entities, relations, documents, *others


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


def test_names_in_brackets_are_other_names():
    entities, *_ = read(disease_tables, CHATDOCTOR)
    colchicine = entities["chatdoctor:drug-colchicine-colcrys"]
    assert (colchicine.label, colchicine.name, colchicine.synonyms) == ("Drug", "Colchicine (Colcrys)", ("Colchicine",))
    assert colchicine.related_synonyms == ("Colcrys",)
    pvcs = entities["chatdoctor:disease-premature-ventricular-contractions-pvcs"]
    assert pvcs.synonyms == ("Premature ventricular contractions", "PVCs")
    assert entities["chatdoctor:drug-devil-s-claw-preparation"].name == "Devil'S Claw Preparation"


def test_only_descriptions_worth_quoting_become_documents():
    _, _, documents, _, remarks = read(disease_tables, CHATDOCTOR)
    assert {d.title: d.sections[0].text for d in documents.values()} == {
        "Gout": "Gout is caused by uric acid that crystallizes in a joint. It's painful.",
        "Cerebral edema": "Cerebral edema or cerebral œdema is an excess of fluid in the brain.",
    }
    assert documents["chatdoctor:disease-gout"].sections[0].type == "information"
    said = {remark.line: remark.text for remark in remarks}
    assert said.keys() == {2, 4, 5, 6}
    assert "read back" in said[2]
    assert all(what in said[line] for line, what in ((4, "no whole"), (5, "does not name it"), (6, "no whole")))


def test_rows_without_a_disease_or_with_a_broken_list_are_rejected():
    entities, _, _, rejects, _ = read(disease_tables, CHATDOCTOR)
    assert [(reject.line, reject.reason.partition(":")[0]) for reject in rejects] == [
        (7, "Symptom"),
        (8, "the row names no disease"),
    ]
    assert "no ] at its end" in rejects[0].reason
    assert sum(entity.label == "Disease" for entity in entities.values()) == 5


def test_a_table_of_ones_own():
    entities, relations, documents, rejects, remarks = read(disease_tables, SMALL / "disease-tables" / "own.tsv")
    assert entities["own:symptom-wheeze"].name == "wheeze"
    assert entities["own:drug-insulin-aspart"].name == "Insulin, Aspart"
    assert Counter(r.type for r in relations) == {"HAS_SYMPTOM": 4, "DIAGNOSED_BY": 2, "TREATED_BY": 2}
    assert list(documents) == ["own:disease-asthma"]
    assert rejects == []
    assert ["'Remarks' is not read" in remark.text for remark in remarks] == [True]
    assert disease_tables.describe(SMALL / "disease-tables" / "own.tsv").licence == "LicenseRef-unstated"
    renamed, *_ = read(disease_tables, SMALL / "disease-tables" / "own.tsv", prefix="clinic")
    assert all(name.startswith("clinic:") for name in renamed)


def test_the_same_table_as_jsonl(tmp_path):
    path = tmp_path / "own.jsonl"
    path.write_text(
        '{"disease": "Asthma", "symptoms": ["wheeze", "cough, dry"], "tests": null, "drugs": "salbutamol"}\n'
    )
    entities, relations, _, rejects, remarks = read(disease_tables, path)
    assert (rejects, remarks) == ([], [])
    assert [entity.name for entity in entities.values()] == ["Asthma", "wheeze", "cough, dry", "salbutamol"]
    assert [r.type for r in relations] == ["HAS_SYMPTOM", "HAS_SYMPTOM", "TREATED_BY"]


def test_the_real_table(data):
    path = data / "chatdoctor" / "format_dataset.csv"
    entities, relations, documents, rejects, remarks = read(disease_tables, path)
    assert disease_tables.describe(path).licence == "Apache-2.0"
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


def test_the_smaller_real_table_says_the_same(data):
    small, relations, _, rejects, _ = read(
        disease_tables, data / "chatdoctor" / "disease_database_mini.csv", prefix="chatdoctor"
    )
    entities, every, *_ = read(disease_tables, data / "chatdoctor" / "format_dataset.csv")
    assert rejects == []
    assert sum(entity.label == "Disease" for entity in small.values()) == 100
    assert small.keys() <= entities.keys()
    assert {(r.subject, r.type, r.object) for r in relations} <= {(r.subject, r.type, r.object) for r in every}


# Pages on diseases


def test_columns_become_sections():
    entities, _, documents, _, remarks = read(disease_pages, SMALL / "disease-pages" / "pages.csv")
    assert entities["pages:asthma"] == Entity("pages:asthma", "Disease", "Asthma", ("Bronchial asthma", "AB"))
    asthma = documents["pages:asthma"]
    assert (asthma.url, asthma.about, asthma.aliases) == (
        "https://example.org/asthma",
        ("pages:asthma",),
        ("Bronchial asthma", "AB"),
    )
    assert [(section.type, section.heading) for section in asthma.sections] == [
        ("information", "Overview"),
        ("symptoms", "Symptoms"),
        ("causes", "Causes"),
        ("susceptibility", "Risk factors"),
        ("susceptibility", "At risk"),
        ("complications", "Complications"),
        ("treatment", "Treatment"),
        ("prevention", "Prevention"),
        ("exams and tests", "Diagnosis"),
    ]
    assert asthma.sections[0].text == "Asthma narrows the airways.\n\nIt often begins in childhood."
    assert [section.id for section in documents["pages:gout"].sections] == [
        "pages:gout#overview",
        "pages:gout#symptoms",
    ]
    assert ["'Editor' is no section type" in remark.text for remark in remarks] == [True]


def test_pages_that_say_nothing_are_rejected():
    _, _, documents, rejects, _ = read(disease_pages, SMALL / "disease-pages" / "pages.csv")
    assert len(documents) == 2
    assert [(reject.line, reject.reason[:12]) for reject in rejects] == [(6, "the row name"), (7, "the page on ")]


def test_pages_as_jsonl():
    _, _, documents, rejects, remarks = read(disease_pages, SMALL / "disease-pages" / "pages.jsonl", prefix="own")
    assert (rejects, remarks) == ([], [])
    assert documents["own:a1"].sections[2] == Section(
        "own:a1#risk-factors", "Smoke in the home.\nDamp rooms.", "susceptibility", "Risk factors"
    )
    assert (documents["own:a1"].published, documents["own:a1"].aliases) == ("2026-03", ("Bronchial asthma",))
    assert documents["own:g1"].title == "Gout"


def test_a_date_that_is_none_rejects_its_page(tmp_path):
    path = tmp_path / "p.jsonl"
    path.write_text('{"disease": "Gout", "overview": "Gout hurts.", "published": "May 2026"}\n')
    entities, _, documents, rejects, _ = read(disease_pages, path)
    assert (entities, documents, [r.line for r in rejects]) == ({}, {}, [1])
    assert "'May 2026' is not of the form" in rejects[0].reason


# Questions


def test_questions_on_a_disease_become_its_document():
    entities, _, documents, rejects, remarks = read(question_tables, SMALL / "question-tables" / "chronic.csv")
    assert {e.id: e.label for e in entities.values()} == {"chronic:asthma": "Disease", "chronic:gout": "Disease"}
    asthma, gout = documents.values()
    assert [(s.type, s.question, s.text) for s in asthma.sections] == [
        ("symptoms", "What are the symptoms of asthma?", "Wheeze, cough and a tight chest."),
        ("exams and tests", "How is asthma found?", "A doctor listens and measures breath."),
    ]
    assert (asthma.id, asthma.about, asthma.title) == ("chronic:asthma", ("chronic:asthma",), "Asthma")
    assert gout.url == "https://example.org/gout"
    assert [(q.text, q.type) for q in gout.questions] == [("What causes gout?", "causes")]
    assert isinstance(gout.questions[0], Question)
    assert [(r.line, r.reason[:12]) for r in rejects] == [(7, "'What causes"), (8, "the row asks")]
    assert [(r.line, "stands twice" in r.text) for r in remarks] == [(6, True)]


def test_without_diseases_each_question_is_a_document():
    entities, _, documents, rejects, remarks = read(question_tables, SMALL / "question-tables" / "plain.tsv")
    assert (entities, rejects, remarks) == ({}, [], [])
    assert [(d.title, [s.text for s in d.sections]) for d in documents.values()] == [
        ("Can I prevent a stroke?", ["Keep blood pressure low.", "Do not smoke."]),
        ("How is gout treated?", ["With rest and medicines."]),
    ]


def test_ids_of_sections_do_not_depend_on_the_order(tmp_path):
    path = tmp_path / "plain.tsv"
    header, *rows = (SMALL / "question-tables" / "plain.tsv").read_text().splitlines()
    path.write_text("\n".join([header, *reversed(rows)]))
    expected, found = (read(question_tables, file)[2] for file in (SMALL / "question-tables" / "plain.tsv", path))
    assert {s.id: s.text for d in found.values() for s in d.sections} == {
        s.id: s.text for d in expected.values() for s in d.sections
    }


def test_a_row_with_a_control_character_does_not_spoil_the_others(tmp_path):
    path = tmp_path / "q.csv"
    path.write_text("q_type,question,answer,disease\ncauses,Why?,\x08,Gout\ncauses,Why?,Because.,Gout\n")
    _, _, documents, rejects, _ = read(question_tables, path)
    assert [section.text for section in documents["q:gout"].sections] == ["Because."]
    assert [(reject.line, "U+0008" in reject.reason) for reject in rejects] == [(2, True)]
    path.write_text("disease,symptoms\nGout,Pain;\x08\nGout,Pain\n")
    entities, relations, _, rejects, _ = read(disease_tables, path)
    assert (len(entities), len(relations), [reject.line for reject in rejects]) == (2, 1, [2])


@given(rows=st.lists(st.tuples(*[st.text(st.characters(exclude_characters="\0\r"), max_size=12)] * 4), max_size=8))
def test_any_table_of_questions_is_read(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("any") / "any.csv"
    quoted = [
        ",".join('"' + cell.encode("utf-8", "replace").decode().replace('"', '""') + '"' for cell in row)
        for row in rows
    ]
    path.write_text(
        "\n".join(["q_type,question,answer,disease", *quoted, '"a","b?","c","d"', ""]), encoding="utf-8", newline=""
    )
    _, _, documents, rejects, remarks = read(question_tables, path)
    assert documents
    kept = sum(len(d.sections) for d in documents.values())
    empty = sum(not any(row) for row in rows)
    assert kept + len(remarks) + len(rejects) + empty >= len(rows)


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
    assert [other for other in every if other.SOURCE.recognise(SMALL / path)] == [source]
    assert source.describe(SMALL / path).id == Path(path).stem


def test_a_prefix_that_cannot_be_one_is_refused():
    for source, path in ((disease_pages, "disease-pages/pages.csv"), (question_tables, "question-tables/plain.tsv")):
        with pytest.raises(SourceFileError, match="use a letter"):
            list(source.records(SMALL / path, prefix="a:b"))
