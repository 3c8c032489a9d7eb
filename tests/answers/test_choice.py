"""Sentences are chosen for relevance and against repetition."""

from dataclasses import replace

import numpy as np
import pytest

from medgraph.answers.choice import LEAST_LIMITING, best_sentences, choose, quotable
from medgraph.answers.scored_sections import ScoredSection
from medgraph.answers.scored_sentences import ScoredSentence
from medgraph.embeddings.candidate_sentences import candidates
from medgraph.queries.retriever import SectionText


def test_choosing_weighs_relevance_against_repetition():
    relevance = np.array([0.9, 0.89, 0.7, 0.3], dtype=np.float32)
    similarity = np.eye(4, dtype=np.float32)
    similarity[0, 1] = similarity[1, 0] = 0.95
    assert choose(relevance, similarity, 6, novelty=0.25, floor=0.5) == [0, 2]
    assert choose(relevance, np.eye(4, dtype=np.float32), 2, novelty=0.25, floor=0.0) == [0, 1]
    assert choose(relevance, np.eye(4, dtype=np.float32), 6, novelty=0.25, floor=0.72) == [0, 1, 2]
    assert choose(np.array([], dtype=np.float32), np.zeros((0, 0), dtype=np.float32), 6, novelty=0.25, floor=0.5) == []


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


def evidence(
    text, *cosines, telling=(), answers=0.9, of_kind=True, about=False, without=(), document="d", title="Gout"
):
    """Make a section whose sentences are so near, of which some tell what is asked for, and some are not looked at."""
    section = SectionText(f"{document}#1", document, title, [], "", document, "", "CC0", "", "", "", text, [], [])
    axes = np.eye(20, dtype=np.float32)[10 * (document != "d") :][: len(cosines)]
    said = [
        ScoredSentence(one, cosine, not telling or place in telling, 1.0, 1.0, axis)
        for place, (one, cosine, axis) in enumerate(zip(candidates(0, text), cosines, axes, strict=True))
    ]
    said = [one for place, one in enumerate(said) if place not in without]
    return ScoredSection(section, {"exact": 0.0}, answers, 0.9, said, of_kind, about)


def chosen(text, *cosines):
    """Choose one sentence of a section of no kind, by how near each is."""
    (found,) = best_sentences([evidence(text, *cosines)], 1)
    return found[1].candidate.text


def test_what_only_says_that_there_is_something_to_say_gives_way_to_what_says_it():
    vague, telling = "There are many treatments for gout.", "Colchicine helps people with gout."
    assert chosen(f"{vague} {telling}", 0.7, 0.6) == telling
    assert chosen("There are many treatments for gout. Talk to your doctor about gout.", 0.1, 0.9).startswith("Talk")


def test_what_a_section_begins_with_comes_before_what_is_hardly_nearer():
    first, second = "Gout is a disease of the joints.", "Crystals of uric acid make joints hurt."
    assert chosen(f"{first} {second}", 0.6, 0.64) == first
    assert chosen(f"{first} {second}", 0.2, 0.9) == second


def test_a_page_about_exactly_what_is_asked_about_comes_without_forms_of_it():
    form, exact = (evidence("Gout hurts very much indeed.", 0.8, answers=p, about=p < 0.9) for p in (0.9, 0.8))
    assert quotable([form, exact]) == [exact]
    assert quotable([form]) == [form]
    assert quotable([form, evidence("Gout hurts very much indeed.", 0.8, answers=0.3, about=True)]) == [form]


def test_a_few_sections_that_have_something_to_quote_are_quoted():
    form = evidence("Gout hurts very much indeed.", 0.8)
    assert quotable([evidence("Gout."), form]) == [form]
    assert len(quotable([form] * 5)) == 3


def test_what_the_likeliest_section_says_comes_before_what_is_hardly_nearer():
    first, second = (evidence("Gout hurts very much indeed.", cosine) for cosine in (0.6, 0.7))
    assert [number for number, _ in best_sentences([first, second], 1)] == [0]


_LEANING = "Gout often comes back at night. It hurts people in their joints very much. Ice helps most people with gout."


@pytest.mark.parametrize(
    ("most", "without", "places"),
    [
        (3, (), [0, 1, 2]),
        (2, (), [2]),
        (3, (0,), [2]),
        (3, (0, 2), [1]),
    ],
)
def test_a_sentence_that_leans_on_the_one_before_comes_with_it_or_not_at_all(most, without, places):
    section = evidence(_LEANING, 0.1, 0.95, 0.9, telling={1, 2}, without=without)
    assert [said.candidate.order for _, said in best_sentences([section], most)] == places


def test_no_sign_overrules_what_was_read():
    vague, telling = "There are many treatments for gout.", "Colchicine helps people with gout."
    section = evidence(f"{vague} {telling}", 0.1, 0.9, telling={1}, of_kind=False)
    assert [said.candidate.text for _, said in best_sentences([section], 1)] == [telling]
    read = [replace(said, helps=helps) for said, helps in zip(section.sentences, (0.9, 0.2), strict=True)]
    assert [said.candidate.text for _, said in best_sentences([replace(section, sentences=read)], 1)] == [vague]


def test_what_limits_a_sentence_comes_with_it():
    text = "You can't catch it from someone. However, you can pass the virus on. Ice helps most people with gout."
    section = evidence(text, 0.95, 0.1, 0.2, telling={0})
    assert [said.candidate.order for _, said in best_sentences([section], 1)] == [0, 1]
    read = [
        replace(said, helps=helps) for said, helps in zip(section.sentences, (0.9, LEAST_LIMITING, 0.1), strict=True)
    ]
    assert [said.candidate.order for _, said in best_sentences([replace(section, sentences=read)], 1)] == [0, 1]
    read[1] = replace(read[1], helps=LEAST_LIMITING - 0.01)
    assert [said.candidate.order for _, said in best_sentences([replace(section, sentences=read)], 1)] == [0]
    section = evidence(text, 0.1, 0.2, 0.95, telling={2})
    assert [said.candidate.order for _, said in best_sentences([section], 1)] == [2]


def test_what_is_spoken_of_within_a_sentence_comes_before_it():
    text = "A stent is put in. Rarely you may need this procedure. Ice helps most people with gout."
    section = evidence(text, 0.1, 0.95, 0.2, telling={1})
    assert [said.candidate.order for _, said in best_sentences([section], 1)] == [0, 1]
    assert [said.candidate.order for _, said in best_sentences([evidence(text, 0.1, 0.95, 0.9, without=(0,))], 2)] == [
        2
    ]


def test_what_stands_for_all_that_was_said_before_is_not_quoted_alone():
    text = (
        "Older people have gout more often. This is mostly because their kidneys work less. It hurts very much indeed."
    )
    whole, cut = (evidence(text, 0.1, 0.95, 0.3, telling={1, 2}, without=without) for without in ((), (0,)))
    assert [said.candidate.order for _, said in best_sentences([whole], 2)] == [0, 1]
    assert [said.candidate.order for _, said in best_sentences([whole], 1)] == [0, 1]  # one more than is asked for
    assert best_sentences([cut], 1) == []
    long = evidence(
        "Older people have gout more often. It hurts most of them a lot. They sleep quite badly. "
        "This is mostly because they move less.",
        *(0.1, 0.2, 0.1, 0.95),
        telling={3},
    )
    assert [said.candidate.order for _, said in best_sentences([long], 1)] == [1]  # nor is `They sleep ...`
    assert [said.candidate.order for _, said in best_sentences([long], 4)] == [0, 1, 2, 3]


def sentences_of(*sections, most=6):
    return [said.candidate.text for _, said in best_sentences(sections, most)]


def test_what_another_document_says_too_is_said_once():
    first = evidence("Gout is caused by crystals of uric acid in joints.", 0.9)
    other = evidence("Crystals of uric acid in joints cause this disease.", 0.8, document="e")
    assert sentences_of(first, other) == ["Gout is caused by crystals of uric acid in joints."]


def test_these_are_not_quoted_where_what_they_are_cannot_be():
    text = (
        "These are exercises that get your heart pumping. They keep it in good shape. Walking is one of them for all."
    )
    lost = evidence(text, 0.9, 0.3, 0.2)
    assert 0 not in [said.candidate.order for _, said in best_sentences([lost], 1)]
    it = evidence(text.replace("These are", "It is one of the"), 0.9, 0.3, 0.2)
    assert [said.candidate.order for _, said in best_sentences([it], 1)] == [0]
