"""Which sentences of what was found are chosen."""

from dataclasses import replace

import numpy as np

from medgraph.answers.scored_sentences import CHOSEN, EACH, RankedSentence, ScoredSentence, select_sentences
from medgraph.embeddings.candidate_sentences import CandidateSentence


def promise(section, order, much, text="Gout hurts."):
    said = ScoredSentence(
        CandidateSentence(section, order, 0, len(text), text), 0.5, True, 1.0, 0.5, np.ones(3, dtype=np.float32)
    )
    return RankedSentence(said, much)


def places(found, most=CHOSEN):
    return [(one.candidate.section, one.candidate.order) for one in select_sentences(found, most)]


def test_those_that_promise_most_are_chosen_wherever_they_stand():
    found = [[promise(0, order, 0.1) for order in range(30)], [promise(1, order, order) for order in range(30)]]
    assert places(found, 4) == [(0, 0), (1, 27), (1, 28), (1, 29)]


def test_each_of_the_first_sections_has_its_best_sentence_chosen():
    found = [[promise(9 - rank, 0, 0.0), promise(9 - rank, 1, -1.0)] for rank in range(9)]
    found.append([promise(0, order, 5.0) for order in range(40)])
    kept = places(found)
    assert len(kept) == CHOSEN
    assert {section for section, _ in kept} == {*range(10 - EACH, 10), 0}
    assert kept == sorted(kept), "by section and place"


def test_what_a_chosen_sentence_leans_on_comes_with_it():
    found = [[promise(0, order, 0.0, text) for order, text in enumerate(("Gout hurts.", "It lasts a week.", "Rest."))]]
    found[0][1] = replace(found[0][1], promise=1.0)
    assert places(found, 1) == [(0, 0), (0, 1)]
    assert places([found[0][1:]], 1) == [(0, 1)], "what is not there cannot come"


def test_what_limits_a_chosen_sentence_comes_with_it():
    texts = ("You cannot catch gout.", "However, it runs in families.", "Rest.")
    found = [[promise(0, order, 1.0 - order, text) for order, text in enumerate(texts)]]
    assert places(found, 1) == [(0, 0), (0, 1)]


def test_a_sentence_far_down_a_long_page_is_found(load):
    filler = " ".join(f"The zorblatt was first drawn by painter number {place} in a small town." for place in range(45))
    page = f"{filler} Compression stockings relieve zorblatt pain in the legs."
    answerer = load([{"id": "z", "title": "Zorblatt", "sections": [{"heading": "Zorblatt", "text": page}]}])
    (item,) = answerer.evidence("Do compression stockings relieve zorblatt pain?")
    assert any("stockings" in said.candidate.text for said in item.sentences)
    assert len(item.sentences) == CHOSEN < 46
