"""Quality figures: the measures against worked examples, and development questions made from a small graph."""

import json
import math
import zipfile

import pytest

from medgraph.answers.answerer import Answerer
from medgraph.answers.confidence import INTERCEPT, WEIGHTS
from medgraph.embeddings.index import index
from medgraph.errors import InputError, SourceFileError
from medgraph.evaluation import abstention
from medgraph.evaluation.metrics import ndcg, recall, reciprocal_rank
from medgraph.evaluation.questions import STYLES, asked, dev_questions, number
from medgraph.evaluation.retrieval import evaluate
from medgraph.loaders.commands import load_named
from medgraph.queries.retriever import MODES, Retriever

# Measures.


def test_ndcg_of_worked_examples():
    assert ndcg(["a", "b", "c"], {"a"}) == 1
    assert ndcg(["b", "a", "c"], {"a"}) == pytest.approx(1 / math.log2(3))
    assert ndcg(["a", "x", "b"], {"a", "b"}) == pytest.approx((1 + 0.5) / (1 + 1 / math.log2(3)))
    assert ndcg(["x"] * 10 + ["a"], {"a"}) == 0
    assert ndcg(["x", "a"], {"a"}, cut=1) == 0
    assert ndcg([f"r{i}" for i in range(10)], {f"r{i}" for i in range(40)}) == pytest.approx(1)
    assert ndcg([], {"a"}) == ndcg(["a"], set()) == 0


def test_recall_and_reciprocal_rank_of_worked_examples():
    assert recall(["a", "x", "b"], {"a", "b", "c", "d"}) == 0.5
    assert recall(["x", "a"], ["a", "a"], cut=1) == 0
    assert recall(["a", "a"], {"a"}) == 1
    assert recall(["a"], set()) == 0
    assert reciprocal_rank(["x", "y", "a", "b"], {"a", "b"}) == pytest.approx(1 / 3)
    assert reciprocal_rank(["x"], {"a"}) == 0


# Questions.


def test_styles():
    names = ["Gout", "Podagra"]
    assert asked("What is Gout ?", "symptoms", names, "source", 5) == "What is Gout ?"
    assert asked("Q?", "no such type", names, "everyday", 5) == "Q?"
    everyday = {asked("", "symptoms", names, "everyday", seed) for seed in range(60)}
    assert "How would I know that I have Gout?" in everyday
    assert "What does Podagra feel like?" in everyday
    assert {asked("", "outlook", ["Asthma attack"], "everyday", s) for s in range(9)} == {
        "How long can someone live with Asthma attack?",
        "What is the future for a person with Asthma attack?",
    }


@pytest.mark.parametrize("seed", range(60))
def test_a_slip_is_one_slip_in_the_longest_word(seed):
    plain = asked("", "frequency", ["chronic bronchitis"], "everyday", seed)
    slipped = asked("", "frequency", ["chronic bronchitis"], "misspelt", seed)
    assert asked("", "frequency", ["chronic bronchitis"], "misspelt", seed) == slipped
    before, after = plain.rstrip("?").split()[-1], slipped.rstrip("?").split()[-1]
    assert plain.split()[:-1] == slipped.split()[:-1]
    assert abs(len(before) - len(after)) <= 1
    assert after[0] == before[0]
    assert after[-1] == before[-1]
    assert after != before or before[1:].find("h") >= 0


def test_short_names_get_no_slip():
    assert {asked("", "inheritance", ["gout"], "misspelt", seed) for seed in range(9)} == {
        "Does gout run in families?",
        "Will my children get gout from me?",
    }


def test_numbers_stay_the_same():
    assert number("asthma") == number("asthma") != number("gout")
    assert 0 <= number("") < 2**48


# On a small graph in MedQuAD's form.

DISEASES = {
    "Zorblattosis": "C7000001",
    "Quimbly fever": "C7000002",
    "Vandersnoot syndrome": "C7000003",
    "Mirkwood palsy": "C7000004",
}
KINDS = {
    "symptoms": ("What are the symptoms of {} ?", "People with {} have green spots, a cough and {} nails."),
    "treatment": ("What are the treatments for {} ?", "{} is treated with long walks and a pill made for {} alone."),
}


def _page(collection, file, name, cui):
    pairs = "".join(
        f'<QAPair pid="{i}"><Question qid="{file}-{i}" qtype="{kind}">{question.format(name)}</Question>'
        f"<Answer>{collection} says: {answer.format(name, name)}</Answer></QAPair>"
        for i, (kind, (question, answer)) in enumerate(KINDS.items(), 1)
    )
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><Document id="{file}" source="{collection}" url="https://example.org/{file}">'
        f"<Focus>{name}</Focus><FocusAnnotations><UMLS><CUIs><CUI>{cui}</CUI></CUIs></UMLS></FocusAnnotations>"
        f"<QAPairs>{pairs}</QAPairs></Document>"
    )


@pytest.fixture
def medquad_graph(database, encoder, settings, tmp_path):
    path = tmp_path / "medquad.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for collection in ("GARD", "NHLBI"):
            for i, (name, cui) in enumerate(DISEASES.items(), 1):
                archive.writestr(f"{collection}_QA/{i:07}.xml", _page(collection, f"{i:07}", name, cui))
    load_named(database, settings, "medquad", path)
    index(database, encoder, "all")
    return database


ONTOLOGY = """format-version: 1.2

[Term]
id: DOID:1
name: zorblattosis

[Term]
id: DOID:2
name: known by concept
xref: UMLS_CUI:C7000002

[Term]
id: DOID:3
name: flibbertitis
synonym: "Flibber disease" EXACT []

[Term]
id: DOID:4
name: old thing
is_obsolete: true

[Term]
id: DOID:5
name: another name
synonym: "Mirkwood's palsy" EXACT []
synonym: "Mirkwood palsy" EXACT []

[Term]
id: DOID:6
name: wobblitis
"""


def test_development_questions_point_to_the_other_collections(medquad_graph):
    both = {}
    for part in ("dev", "held"):
        questions = dev_questions(medquad_graph, "source", 100, part=part)
        both[part] = {q.name for q in questions}
        for q in questions:
            assert q.text == KINDS[q.type][0].format(q.name)
            other = {"GARD": "NHLBI", "NHLBI": "GARD"}[q.collection]
            assert q.relevant == {q.id.replace(q.collection, other)}
        assert [q.id for q in dev_questions(medquad_graph, "everyday", 2, part=part)] == [q.id for q in questions[:2]]
    assert both["dev"] | both["held"] == DISEASES.keys()
    assert not both["dev"] & both["held"]


def test_retrieval_is_measured_for_every_mode_and_style(medquad_graph, encoder):
    retriever = Retriever(medquad_graph, lambda: encoder)
    rows = evaluate(medquad_graph, retriever, "held", 2)
    assert {row["style"] for row in rows} == set(STYLES)
    assert {row["mode"].split()[0] for row in rows} == set(MODES)
    assert {row["questions"] for row in rows} == {2}
    assert all(0 <= row[name] <= 1 for row in rows for name in ("ndcg@10", "recall@10", "mrr"))
    found = {(row["mode"], row["style"]): row for row in rows}
    assert found["linked 0.6/0.4", "source"]["mrr"] == 1
    assert found["hybrid 0.6/0.4", "source"]["ndcg@10"] == pytest.approx(1)


def test_unknown_diseases_are_those_that_no_name_or_concept_knows(medquad_graph, tmp_path):
    path = tmp_path / "small.obo"
    path.write_text(ONTOLOGY)
    assert abstention.unknown_diseases(medquad_graph, path) == ["flibbertitis", "wobblitis"]
    for broken in (tmp_path, tmp_path / "nope.obo"):
        with pytest.raises(SourceFileError, match="cannot be read"):
            abstention.unknown_diseases(medquad_graph, broken)
    path.write_bytes(b"\xff\xfe\xfa")
    with pytest.raises(SourceFileError, match="cannot be read"):
        abstention.unknown_diseases(medquad_graph, path)


def test_answering_and_keeping_silent_are_measured(medquad_graph, encoder, tmp_path):
    path = tmp_path / "small.obo"
    path.write_text(ONTOLOGY)
    answerer = Answerer(medquad_graph, Retriever(medquad_graph, lambda: encoder), lambda: encoder)
    rows = []
    for part in ("dev", "held"):
        questions = abstention.cases(medquad_graph, path, part, 20)
        assert sum(not case.relevant for case in questions) >= 15
        rows += abstention.measure(answerer, questions)
    assert {row["answerable"] for row in rows} == {True, False}
    good = [row for row in rows if row["answerable"]]
    assert sum(row["right"] for row in good) / len(good) > 0.8
    assert not any(row["right"] for row in rows if not row["answerable"])
    table = abstention.table(rows)
    assert [row["threshold"] for row in table] == [i / 10 for i in range(1, 10)]
    for name in ("answered", "false answers"):
        assert [row[name] for row in table] == sorted((row[name] for row in table), reverse=True)
    at = next(row for row in table if row["threshold"] == 0.7)
    assert at["answered"] > 0.8
    assert at["false answers"] == 0
    weights = abstention.fit(rows)
    assert weights.keys() == {*WEIGHTS, "intercept"}
    assert weights["about"] > 0
    json.dumps(weights)


def test_an_answer_is_weighed_without_being_given(medquad_graph, encoder):
    answerer = Answerer(medquad_graph, Retriever(medquad_graph, lambda: encoder), lambda: encoder)
    features, sections = answerer.weigh("What are the symptoms of Zorblattosis?")
    assert features.keys() == WEIGHTS.keys()
    assert {section.rpartition("#")[2] for section in sections} == {"1"}
    assert answerer.weigh("best pizza in town")[0]["about"] == 0


def test_a_table_and_a_fit_of_made_up_rows():
    strong = {"features": dict.fromkeys(WEIGHTS, 1.0), "answerable": True, "right": True}
    weak = {"features": dict.fromkeys(WEIGHTS, 0.0), "answerable": False, "right": False}
    nothing = {"features": {}, "answerable": True, "right": False}
    at = {row["threshold"]: row for row in abstention.table([strong, strong, weak, nothing])}
    assert at[0.7] == {"threshold": 0.7, "answered": pytest.approx(2 / 3), "right": 1.0, "false answers": 0.0}
    weights = abstention.fit([strong, weak] * 20)
    assert all(weights[name] > 0 for name in WEIGHTS)
    assert weights["intercept"] < 0
    assert INTERCEPT < 0
    for rows in ([], [strong], [weak, nothing]):
        with pytest.raises(InputError, match="take a larger --sample"):
            abstention.fit(rows)


def test_without_medquad_there_is_nothing_to_measure(sample_graph, encoder, tmp_path):
    with pytest.raises(InputError, match="which the graph lacks; run: medgraph load medquad PATH"):
        evaluate(sample_graph, Retriever(sample_graph, lambda: encoder), "dev", 10)
    with pytest.raises(InputError, match="which the graph lacks"):
        abstention.cases(sample_graph, tmp_path / "nope.obo", "dev", 10)
