"""Questions on diseases and pages on them, a question a row or a column a section."""

from hypothesis import given
from hypothesis import strategies as st

from medgraph.loaders.sources import disease_pages, question_tables
from medgraph.schema.records import Entity, Question
from tests.support.paths import FILES
from tests.support.sources import read


def test_questions_on_a_disease_become_its_document():
    entities, _, documents, rejects, remarks = read(question_tables, FILES / "question-tables" / "chronic.csv")
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
    entities, _, documents, rejects, remarks = read(question_tables, FILES / "question-tables" / "plain.tsv")
    assert (entities, rejects, remarks) == ({}, [], [])
    assert [(d.title, [s.text for s in d.sections]) for d in documents.values()] == [
        ("Can I prevent a stroke?", ["Keep blood pressure low.", "Do not smoke."]),
        ("How is gout treated?", ["With rest and medicines."]),
    ]


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


def test_columns_become_sections():
    entities, _, documents, _, remarks = read(disease_pages, FILES / "disease-pages" / "pages.csv")
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
    assert ["Editor is no type of section" in remark.text for remark in remarks] == [True]


def test_pages_that_say_nothing_are_rejected():
    _, _, documents, rejects, _ = read(disease_pages, FILES / "disease-pages" / "pages.csv")
    assert len(documents) == 2
    assert [(reject.line, reject.reason[:12]) for reject in rejects] == [(6, "the row name"), (7, "the page on ")]
