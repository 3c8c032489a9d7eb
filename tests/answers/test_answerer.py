"""Answers: cited word for word from the graph, checked, and withheld when the evidence does not suffice."""

import json
from dataclasses import asdict, replace

import numpy as np
import pytest

from medgraph.answers.answer import NOTICE, Citation
from medgraph.answers.answerer import MAX_SENTENCES, Answerer
from medgraph.answers.confidence import THRESHOLD, confidence, features_of
from medgraph.answers.sentences import MAX_LIST, candidates, choose, covered, shortlist
from medgraph.answers.verify import verdict
from medgraph.cli import printing
from medgraph.embeddings.index import index
from medgraph.errors import InputError
from medgraph.loaders.commands import load_named
from medgraph.queries.filters import Filters
from medgraph.queries.retriever import Retriever, Understanding
from tests.support.graphs import run, state_of
from tests.support.paths import FILES

MEDQUAD = FILES / "medquad"
ANSWERED = {
    "What are the symptoms of asthma?": "sample:asthma#2",
    "How is gout treated?": "sample:gout#6",
    "diabetis type 2 symptoms": "sample:type-2-diabetes#2",
    "What causes type 1 diabetes?": "sample:type-1-diabetes#3",
    "alzheimers diagnosis": "sample:alzheimer-disease#5",
    "can I do anything to prevent kidny stones??": "sample:kidney-stones#7",
    "What is hepatitis B?": "sample:hepatitis-b#1",
    "(who gets) osteoporosis!": "sample:osteoporosis#4",
}
NOT_ANSWERED = [
    "Who won the football world cup in 2010?",
    "How do I treat rust on my bicycle?",
    "What are the symptoms of a failing car battery?",
    "What are the symptoms of Zorblatt disease?",
    "How is Erdheim-Chester disease treated?",
    "What is type 3 diabetes?",
    "What causes hepatitis C?",
    "colourless green ideas sleep furiously",
    "qwertz uiop asdfgh",
    "喘息是什么病",
    "'}) DETACH DELETE n //",
]


def answerer_of(database, encoder):
    return Answerer(database, Retriever(database, lambda: encoder), lambda: encoder)


@pytest.fixture
def answerer(sample_graph, encoder):
    return answerer_of(sample_graph, encoder)


@pytest.fixture
def load(database, encoder, settings, tmp_path):
    """Loads documents of one's own into an empty graph, and gives what answers from them."""

    def loaded(documents):
        path = tmp_path / "corpus.jsonl"
        path.write_text("".join(json.dumps(document) + "\n" for document in documents), encoding="utf-8")
        load_named(database, settings, "documents", path)
        index(database, encoder, "all")
        return answerer_of(database, encoder)

    return loaded


def check_citations(database, answer):
    """Make sure that every sentence stands in the graph where its citation says."""
    for sentence in answer.sentences:
        assert sentence.verdict == "supported"
        (citation,) = sentence.citations
        (row,) = run(
            database,
            "MATCH (d:Document)-[:HAS_SECTION]->(s:Section {id: $id}) "
            "RETURN s.text AS text, d.id AS document, d.title AS title, d.url AS url, d.source AS source",
            id=citation.section,
        )
        assert row.pop("text")[citation.start : citation.end] == citation.quote
        assert " ".join(citation.quote.split()) == sentence.text
        assert row == {name: getattr(citation, name) for name in row}
        assert run(database, citation.cypher)


@pytest.mark.parametrize("question", ANSWERED)
def test_answers_quote_their_sections_word_for_word(answerer, sample_graph, question):
    answer = answerer.ask(question)
    assert answer.status == "answered"
    assert 1 <= len(answer.sentences) <= MAX_SENTENCES
    assert answer.sentences[0].citations[0].section == ANSWERED[question]
    assert answer.evidence[0]["section"] == ANSWERED[question]
    assert answer.confidence >= THRESHOLD
    assert (answer.question, answer.notice) == (question, NOTICE)
    check_citations(sample_graph, answer)


@pytest.mark.parametrize("question", ["What is asthma?", "Tell me everything about gout", "malaria", "heart attack"])
def test_sentences_are_in_order_and_do_not_repeat_each_other(answerer, encoder, question):
    sentences = answerer.ask(question).sentences
    places = [(s.citations[0].section, s.citations[0].start) for s in sentences]
    assert len(set(places)) == len(places) >= 2
    by_section = [[start for name, start in places if name == section] for section, _ in places]
    assert all(starts == sorted(starts) for starts in by_section)
    vectors = encoder.encode([sentence.text for sentence in sentences])
    likeness = vectors @ vectors.T - np.eye(len(vectors))
    assert likeness.max() < 0.92


def test_the_same_sentence_in_two_documents_is_said_once(load):
    text = "Zorblatt disease is treated with a long rest by the sea."
    sections = [{"question": "How is Zorblatt disease treated?", "type": "treatment", "text": text}]
    answer = load([{"id": f"d{i}", "title": "Zorblatt disease", "sections": sections} for i in range(5)]).ask(
        "How is Zorblatt disease treated?"
    )
    assert [sentence.text for sentence in answer.sentences] == [text]


@pytest.mark.parametrize("question", NOT_ANSWERED)
def test_without_enough_evidence_there_is_no_answer_but_what_was_found(answerer, question):
    answer = answerer.ask(question)
    assert (answer.status, answer.sentences, answer.notice) == ("not_enough_evidence", (), NOTICE)
    assert answer.confidence < THRESHOLD
    assert answer.evidence
    assert all(
        {"section", "document", "title", "url", "source", "type", "score"} <= item.keys() for item in answer.evidence
    )


def test_an_empty_graph_has_no_answer(database, encoder):
    answer = answerer_of(database, encoder).ask("What is asthma?")
    assert (answer.status, answer.sentences, answer.evidence, answer.confidence) == ("not_enough_evidence", (), (), 0.0)


def test_a_graph_without_vectors_still_answers(database, encoder, settings):
    load_named(database, settings, "sample")
    answer = answerer_of(database, encoder).ask("How is gout treated?")
    assert answer.sentences[0].citations[0].section == "sample:gout#6"
    check_citations(database, answer)


def test_an_answer_tells_what_was_understood_and_how_long_it_took(answerer):
    answer = answerer.ask("symptms of diabetis type 2")
    assert answer.intent == "symptoms"
    assert [(e["entity"], e["surface"]) for e in answer.entities] == [("sample:type-2-diabetes", "diabetis type 2")]
    steps = {name: ms for name, ms in answer.timing_ms.items() if name != "total"}
    assert steps.keys() == {"understand", "encode", "retrieve", "choose"}
    assert all(ms >= 0 for ms in steps.values())
    assert answer.timing_ms["total"] >= sum(steps.values()) - 1
    assert "elsewhere" in answerer.ask("best pizza in town").timing_ms


def test_plain_data_is_json_of_the_documented_form(answerer):
    data = json.loads(json.dumps(answerer.ask("How is gout treated?").as_dict()))
    assert {"question", "status", "sentences", "entities", "evidence", "timing_ms", "notice"} <= data.keys()
    sentence = data["sentences"][0]
    assert sentence.keys() == {"text", "citations", "verdict"}
    assert sentence["citations"][0].keys() == {
        "section", "document", "title", "url", "source", "licence", "start", "end", "quote", "cypher",
    }  # fmt: skip
    assert json.dumps(data).count(NOTICE) == 1


@pytest.mark.parametrize("question", ["How is gout treated?", "best pizza in town"])
def test_printed_answers_bear_the_notice_once(answerer, capsys, question):
    answer = answerer.ask(question)
    printing.answer(answer.as_dict())
    printed = capsys.readouterr().out
    assert printed.count("not medical advice") == 1
    if answer.sentences:
        assert "[1] Gout (sample, Apache-2.0), section sample:gout#6" in printed
        assert "id: 'sample:gout#6'" in printed
        assert all(word in printed for sentence in answer.sentences for word in sentence.text.split())
    else:
        assert "Not enough evidence in the graph to answer this.\nNearest sections found:\n" in printed


def test_filters_restrict_what_is_cited_and_shown(answerer):
    answer = answerer.ask("How is gout treated?", Filters(types=("prevention",)))
    assert {item["type"] for item in answer.evidence} == {"prevention"}
    assert {c.section for s in answer.sentences for c in s.citations} <= {"sample:gout#7"}
    with pytest.raises(InputError, match="there is no source 'nope'"):
        answerer.ask("How is gout treated?", Filters(sources=("nope",)))
    with pytest.raises(InputError, match="no word in it"):
        answerer.ask("?!")
    with pytest.raises(InputError, match="10,001 characters"):
        answerer.ask("a" * 10_001)


def test_asking_writes_nothing(answerer, sample_graph):
    before = state_of(sample_graph)
    for question in ["'}) DETACH DELETE n //", "gout'}) SET n.text = '' //", 'asthma" OR 1=1', "x" * 10_000]:
        answerer.ask(question)
    assert state_of(sample_graph) == before


# Pages that answer elsewhere.


def test_a_question_that_a_page_answers_is_pointed_there(database, encoder, settings, capsys):
    load_named(database, settings, "medquad", MEDQUAD)
    index(database, encoder, "all")
    answer = answerer_of(database, encoder).ask("What causes alkaptonuria?", Filters(sources=("ADAM",)))
    assert (answer.status, answer.sentences) == ("not_enough_evidence", ())
    page = answer.evidence[0]
    assert (page["answered_at"], page["question"]) == ("https://example.org/adam/1", "What causes ALKAPTONURIA ?")
    assert (page["document"], page["type"], page["source"]) == ("medquad:ADAM_0000001", "causes", "medquad")
    assert "section" not in page
    printing.answer(answer.as_dict())
    assert "What causes ALKAPTONURIA ?\n    answered at https://example.org/adam/1" in capsys.readouterr().out
    misspelt = answerer_of(database, encoder).ask("outlook for alkaptonurea", Filters(sources=("ADAM",)))
    assert misspelt.evidence[0]["answered_at"] == "https://example.org/adam/1"
    off = answerer_of(database, encoder).ask("Who won the football world cup in 2010?")
    assert not any("answered_at" in item for item in off.evidence)
    other = answerer_of(database, encoder).ask("What causes alkaptonuria?", Filters(sources=("CDC",)))
    assert not any("answered_at" in item for item in other.evidence)


def test_a_page_is_pointed_to_beside_an_answer_that_is_not_of_the_kind_asked_for(database, encoder, settings, capsys):
    load_named(database, settings, "medquad", MEDQUAD)
    index(database, encoder, "all")
    answer = answerer_of(database, encoder).ask("What causes alkaptonuria?")
    assert answer.sentences[0].citations[0].section.startswith("medquad:GARD_0000001#")
    pages = [item["answered_at"] for item in answer.evidence if "answered_at" in item]
    assert pages == ["https://example.org/adam/1"]
    assert "section" in answer.evidence[0]
    printing.answer(answer.as_dict())
    assert capsys.readouterr().out.count("answered at https://example.org/adam/1") == 1
    typed = answerer_of(database, encoder).ask("What are the symptoms of alkaptonuria?")
    assert typed.sentences[0].citations[0].section == "medquad:GARD_0000001#3"
    assert not any("answered_at" in item for item in typed.evidence)


# Documents of one's own, to which no entity is linked.

TRIAL = {
    "id": "trial",
    "title": "Effects of a daily glass of tart cherry juice on flares: a randomised trial of 112 adults",
    "sections": [
        {"heading": "Methods", "text": "We gave 112 adults with gout a glass of tart cherry juice or water every day."},
        {
            "heading": "Results",
            "text": "Tart cherry juice reduced gout flares by a third within six months of the trial.",
        },
    ],
}


def test_documents_of_ones_own_are_cited(load, database):
    answerer = load([TRIAL])
    answer = answerer.ask("Does tart cherry juice reduce gout flares?")
    assert answer.status == "answered"
    assert {c.document for s in answer.sentences for c in s.citations} == {"trial"}
    check_citations(database, answer)
    for question in [
        "Does grapefruit juice reduce gout flares in dogs?",
        "Does tart cherry juice prevent sunburn on long journeys?",
        "Does tart cherry juice reduce gout flares in 47 wards?",
        "best pizza in town",
    ]:
        assert answerer.ask(question).status == "not_enough_evidence"


HOSTILE_IDS = [
    "a'b",
    "a\\",
    "a\\'b",
    '"',
    "\\u0027}) RETURN 1 //",
    "$section",
    "`",
    "{x}",
    "'}) DETACH DELETE n //",
    "é\u200b喘",
]
MARKUP = "Zorblatt disease is cured by <script>alert('x')</script> & <b>'}) DETACH DELETE n //</b> twice a day."


@pytest.mark.parametrize("section", HOSTILE_IDS)
def test_hostile_text_and_ids_come_back_as_they_are(load, database, capsys, section):
    parts = [{"id": section, "type": "treatment", "question": "How is Zorblatt disease treated?", "text": MARKUP}]
    answer = load([{"id": "d", "title": "Zorblatt disease", "url": "javascript:alert(1)", "sections": parts}]).ask(
        "How is Zorblatt disease treated?"
    )
    assert [sentence.text for sentence in answer.sentences] == [MARKUP]
    before = state_of(database)
    check_citations(database, answer)
    (row,) = run(database, answer.sentences[0].citations[0].cypher)
    assert row["cited"][0]["id"] == section
    assert state_of(database) == before
    printing.answer(answer.as_dict())
    assert "<script>alert('x')</script> & <b>'}) DETACH DELETE n //</b>" in " ".join(capsys.readouterr().out.split())
    assert MARKUP in json.dumps(answer.as_dict(), ensure_ascii=False)


# The parts.

TEXT = "Rest helps. Drink  water\noften every day.\n\nRest helps."
GOOD = Citation("s", "d", "T", "", "sample", "CC0-1.0", 12, 41, "Drink  water\noften every day.", "")


def test_a_citation_that_holds_is_supported():
    assert verdict("Drink water often every day.", GOOD, TEXT) == "supported"


@pytest.mark.parametrize(
    ("sentence", "change"),
    [
        ("Drink water often every day.", {"start": 11}),
        ("Drink water often every day.", {"start": 13, "end": 42}),
        ("Drink water often every day.", {"end": 40}),
        ("Drink water often every day.", {"start": 0, "end": 0}),
        ("Drink water often every day.", {"start": 900, "end": 929}),
        ("Drink water often every day.", {"start": -17, "end": -1}),
        ("Drink water often every day.", {"quote": "Drink water often every day."}),
        ("Drink water often every day.", {"quote": "Drink  wine\noften every day."}),
        ("Drink wine often every day.", {}),
        ("Drink water often.", {}),
        ("drink water often every day.", {}),
        ("", {}),
        ("", {"start": 0, "end": 0, "quote": ""}),
    ],
)
def test_a_citation_that_does_not_hold_is_no_evidence(sentence, change):
    assert verdict(sentence, replace(GOOD, **change), TEXT) == "no_evidence"


def test_a_citation_of_another_text_is_no_evidence():
    assert verdict("Drink water often every day.", GOOD, TEXT.replace("water", "wine")) == "no_evidence"


def test_candidates_are_sentences_that_stand_by_themselves():
    text = (
        "What is gout? Gout is a disease of the joints. See also http://example.org for more. Short one.\n\n"
        "Gout? Call! Now! For more information call us today.\n\nTreatment includes:\n- rest in a quiet bed\n- ice."
    )
    found = candidates(3, {"text": text})
    assert [c.text for c in found] == [
        "Gout is a disease of the joints.",
        "Treatment includes: - rest in a quiet bed - ice.",
    ]
    assert [(c.section, c.order) for c in found] == [(3, 0), (3, 1)]
    assert all(" ".join(text[c.start : c.end].split()) == c.text for c in found)


def test_the_shortlist_prefers_words_of_the_question_and_openings():
    found = candidates(0, {"text": " ".join(f"Sentence number {i} is about nothing." for i in range(20))})
    found += candidates(1, {"text": "This one opens another section. A third of them treats gout well."})
    kept = shortlist(found, ["gout", "treated"], 3)
    assert [(c.section, c.order) for c in kept] == [(0, 0), (1, 0), (1, 1)]


def test_choosing_weighs_relevance_against_repetition():
    relevance = np.array([0.9, 0.89, 0.7, 0.3], dtype=np.float32)
    similarity = np.eye(4, dtype=np.float32)
    similarity[0, 1] = similarity[1, 0] = 0.95
    assert choose(relevance, similarity, 6, novelty=0.25, floor=0.5) == [0, 2]
    assert choose(relevance, np.eye(4, dtype=np.float32), 2, novelty=0.25, floor=0.0) == [0, 1]
    assert choose(relevance, np.eye(4, dtype=np.float32), 6, novelty=0.25, floor=0.72) == [0, 1, 2]
    assert choose(np.array([], dtype=np.float32), np.zeros((0, 0), dtype=np.float32), 6, novelty=0.25, floor=0.5) == []


def test_covered_counts_inflected_and_misspelt_words():
    assert covered(["treatments", "gout", "zebra"], "the treatment of Gout") == pytest.approx(2 / 3)
    assert covered(["gut", "zeb"], "gout zebra") == 0
    assert covered(["hypertension's", "diabetis"], "Hypertension and diabetes") == 1
    assert covered([], "") == 1
    assert covered(["hypothyroidism"], "hypotension") == 1
    assert covered(["hypothyroidism"], "hypotension", 0.7) == 0


ROW = {"title": "Type 2 diabetes", "aliases": ["NIDDM"], "heading": "", "question": "What is it?", "text": "Sugar."}


def test_confidence_rises_with_each_sign():
    row = ROW | {"cosine": 0.8, "type": "symptoms", "entities": ["e"]}
    understood = Understanding("symptoms")
    full = features_of("symptoms of type 2 diabetes", understood, row, about=True)
    assert full == {"cosine": 0.8, "about": 1.0, "typed": 1.0, "explained": 1.0, "numbered": 1.0}
    assert confidence(full) > THRESHOLD
    for name in full:
        assert confidence(full | {name: 0.0}) < confidence(full)
    other = features_of("symptoms of type 3 diabetes", understood, row, about=True)
    assert other["numbered"] == 0.0
    assert confidence(other) < THRESHOLD
    aged = features_of("diabetes type 2 in a man of 62 years on 5 mg", understood, row, about=True)
    assert aged["numbered"] == 1.0
    assert asdict(GOOD)["start"] == 12


HPO = (
    "What are the signs and symptoms of X? The Human Phenotype Ontology provides the following list of signs and "
    "symptoms for X. If the information is available, the table below includes how often the symptom is seen in "
    "people with this condition. Signs and Symptoms Approximate number of patients (when available) Nystagmus 90% "
    "Ocular albinism 90% Cutaneous photosensitivity 7.5% Albinism - Red hair - The Human Phenotype Ontology (HPO) has "
    "collected information."
)


def test_a_table_is_quoted_and_what_only_points_at_it_is_not():
    texts = [candidate.text for candidate in candidates(0, {"text": HPO})]
    assert texts[0] == (
        "Signs and Symptoms Approximate number of patients (when available) Nystagmus 90% Ocular albinism 90% "
        "Cutaneous photosensitivity 7.5% Albinism - Red hair"
    )
    assert not any("following list" in text or "table below" in text for text in texts)
    for candidate in candidates(0, {"text": HPO}):
        assert " ".join(HPO[candidate.start : candidate.end].split()) == candidate.text


def test_a_long_table_is_cut_between_rows():
    text = " ".join(f"Symptom number {'x' * (n % 9)} 50%" for n in range(60)) + " The end of it all is here."
    (first, *_) = candidates(0, {"text": text})
    assert first.end <= MAX_LIST
    assert text[first.end - 3 : first.end] == "50%"
    assert first.start == 0


def test_two_percentages_are_no_table():
    text = "About 20% of people have it and 30% had it before. The risk is 5% for men and 6% for women, 7% in all."
    assert [candidate.text for candidate in candidates(0, {"text": text})] == [
        "About 20% of people have it and 30% had it before.",
        "The risk is 5% for men and 6% for women, 7% in all.",
    ]
