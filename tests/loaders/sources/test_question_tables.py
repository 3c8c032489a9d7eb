"""Questions on diseases and their answers, a question a row."""

from hypothesis import given
from hypothesis import strategies as st

from medgraph.loaders.sources import question_tables
from medgraph.schema.records import Question
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
