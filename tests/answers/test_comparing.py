"""Which sentences of what was found are compared with a question."""

import numpy as np
import pytest

from medgraph.answers.comparing import COMPARED, EACH, Promise, chosen, compare
from medgraph.answers.sentences import Candidate
from medgraph.queries.retriever import SectionText


def promise(section, order, much):
    return Promise(Candidate(section, order, 0, 9, f"Sentence {section} {order}."), True, 1.0, 0.5, much)


def places(found, most=COMPARED):
    return [(one.candidate.section, one.candidate.order) for one in chosen(found, most)]


def test_those_that_promise_most_are_compared_wherever_they_stand():
    found = [[promise(0, order, 0.1) for order in range(30)], [promise(1, order, order) for order in range(30)]]
    assert places(found, 4) == [(0, 0), (1, 27), (1, 28), (1, 29)]


def test_each_of_the_first_sections_has_its_best_sentence_compared():
    found = [[promise(9 - rank, 0, 0.0), promise(9 - rank, 1, -1.0)] for rank in range(9)]
    found.append([promise(0, order, 5.0) for order in range(40)])
    kept = places(found)
    assert len(kept) == COMPARED
    assert {section for section, _ in kept} == {*range(10 - EACH, 10), 0}
    assert kept == sorted(kept), "by section and place"


def test_nothing_is_encoded_where_nothing_can_be_quoted():
    assert compare(None, [None, None], [], pytest.fail) == [[], []]


def test_what_is_compared_goes_to_its_section_under_its_title():
    sections = [
        SectionText(f"d#{place}", "d", title, [], "", "d", "", "CC0", "", "", "", "", [], [])
        for place, title in enumerate(("Gout", "Asthma"))
    ]
    seen = []

    def encode(texts):
        seen.extend(texts)
        return np.eye(2, dtype=np.float32)[: len(texts)]

    class Asked:
        vector = np.array([0.25, 0.5], dtype=np.float32)

    said = compare(Asked(), sections, [[promise(1, 0, 1.0)], [promise(0, 0, 2.0)]], encode)
    assert seen == ["Gout: Sentence 0 0.", "Asthma: Sentence 1 0."]
    assert [[one.cosine for one in each] for each in said] == [[0.25], [0.5]]


def test_a_sentence_far_down_a_long_page_is_found(load):
    filler = " ".join(f"The zorblatt was first drawn by painter number {place} in a small town." for place in range(45))
    page = f"{filler} Compression stockings relieve zorblatt pain in the legs."
    answerer = load([{"id": "z", "title": "Zorblatt", "sections": [{"heading": "Zorblatt", "text": page}]}])
    (item,) = answerer.evidence("Do compression stockings relieve zorblatt pain?")
    assert any("stockings" in said.candidate.text for said in item.said)
    assert len(item.said) == COMPARED < 46
