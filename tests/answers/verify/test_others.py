"""Other evidence is looked up by the place that a sentence cites."""

from dataclasses import replace

import numpy as np

from medgraph.answers.answer import Sentence
from medgraph.answers.citing import citation_of
from medgraph.answers.scored_sections import ScoredSection
from medgraph.answers.scored_sentences import ScoredSentence
from medgraph.answers.verify.others import others_of
from medgraph.embeddings.candidate_sentences import candidates
from medgraph.queries.retriever import SectionText

TEXT = "Rest and cold packs help against the pain of gout."


def evidence_of(name, text, aliases=()):
    section = SectionText(name, name, name, list(aliases), "", name, "", "CC0", "", "", "", text, [], [])
    vector = np.array([1.0, 0.0], dtype=np.float32)
    said = [ScoredSentence(one, 0.9, told=False, named=1.0, worded=1.0, vector=vector) for one in candidates(0, text)]
    return ScoredSection(section, {}, 0.9, 0.9, said)


def test_documents_meet_by_any_of_their_names_where_they_have_no_concepts():
    first, other = evidence_of("Gout", TEXT), evidence_of("Gouty arthritis", TEXT, ["gout"])
    sentence = Sentence(TEXT, (citation_of(first.section, first.sentences[0].candidate),), "supported")
    found = others_of(sentence, [first, other])
    assert (found.sources, found.agreeing) == (2, [(other, other.sentences[0].candidate)])
    assert others_of(sentence, [first, evidence_of("Asthma", TEXT)]).sources == 1


def test_too_short_a_claim_is_said_by_nobody_else():
    first, other = (
        evidence_of("Gout", "Gout is a disease of joints."),
        evidence_of("gout", "Gout: a disease of joints."),
    )
    sentence = Sentence("", (citation_of(first.section, first.sentences[0].candidate),), "supported")
    assert others_of(sentence, [first, other]).agreeing == []


def test_of_a_sentence_that_is_not_of_the_evidence_nothing_is_found():
    first = evidence_of("Gout", TEXT)
    sentence = Sentence(TEXT, (citation_of(first.section, first.sentences[0].candidate),), "supported")
    moved = replace(sentence, citations=(replace(sentence.citations[0], start=1),))
    for strange in (moved, replace(sentence, citations=())):
        found = others_of(strange, [first, evidence_of("gout", TEXT)])
        assert (found.sources, found.agreeing, found.contradicting) == (1, (), ())
    assert others_of(sentence, []).sources == 1


def test_what_was_not_compared_with_the_question_may_say_the_same_and_is_no_contradiction():
    first, other = evidence_of("Gout", TEXT), evidence_of("Gouts", f"It hurts very much indeed. {TEXT}")
    sentence = Sentence(TEXT, (citation_of(first.section, first.sentences[0].candidate),), "supported")
    unread = replace(other, sentences=[], other_sentences=[one.candidate for one in other.sentences])
    found = others_of(sentence, [first, unread])
    assert (found.sources, found.agreeing) == (2, [(unread, unread.other_sentences[1])])
    opposite = evidence_of("gout", TEXT.replace("help", "do not help"))
    found = others_of(
        sentence, [first, replace(opposite, sentences=[], other_sentences=[opposite.sentences[0].candidate])]
    )
    assert (found.sources, found.contradicting) == (1, [])
