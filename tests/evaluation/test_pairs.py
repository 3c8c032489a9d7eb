"""Pairs of questions: files read, questions sampled, and areas of worked examples."""

import re

import numpy as np
import pytest

from medgraph.errors import SourceFileError
from medgraph.evaluation.sets.question_pairs import (
    BASE,
    FLOOR,
    WAYS,
    Pair,
    measure,
    preferred,
    read_pairs,
    read_similar,
    sampled,
)
from medgraph.evaluation.statistics import Auc

FILE = """<RQE>
<pair pid="1" value="true"><chq> How do
 I treat gout? </chq><faq>What treats gout?</faq></pair>
<pair pid="2" value="false"><chq>How do I treat gout?</chq><faq>What is asthma?</faq></pair>
<pair pid="3" value="true"><chq>What treats gout?</chq><faq>what treats GOUT?</faq></pair>
<pair pid="4" value="true"><chq></chq><faq>What is gout?</faq></pair>
</RQE>"""


def test_pairs_of_different_questions_are_read(tmp_path):
    path = tmp_path / "rqe.xml"
    path.write_text(FILE)
    assert read_pairs(path) == [
        Pair("How do I treat gout?", "What treats gout?", True),
        Pair("How do I treat gout?", "What is asthma?", False),
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "cannot be read"),
        ("<RQE>", "cannot be read"),
        ("<RQE/>", "has not pairs of both values"),
        (FILE.replace('"false"', '"true"'), "has not pairs of both values"),
        ('<!DOCTYPE x [<!ENTITY e "x">]><x>&e;</x>', "cannot be read"),
    ],
)
def test_files_that_are_none_are_refused_with_their_name(tmp_path, content, message):
    path = tmp_path / "rqe.xml"
    path.write_text(content)
    with pytest.raises(SourceFileError, match=f"rqe.xml: {message}"):
        read_pairs(path)


SIMILAR = """1,What helps against gout?,How is gout treated?,1
1,What helps against gout?,"Is gout inherited, or not?",0
2,Do I have asthma?,Could this be asthma?,1
2,Do I have asthma?,Is asthma rare?,0
"""


def test_similar_questions_are_read_from_a_table_without_a_header(tmp_path):
    path = tmp_path / "mqp.csv"
    path.write_text(SIMILAR)
    pairs = read_similar(path)
    assert pairs[:2] == [
        Pair("What helps against gout?", "How is gout treated?", True),
        Pair("What helps against gout?", "Is gout inherited, or not?", False),
    ]
    assert [pair.entails for pair in pairs] == [True, False, True, False]
    path.write_text(SIMILAR.replace(",0\n", ",1\n"))
    with pytest.raises(SourceFileError, match=re.escape("mqp.csv: has not pairs of both values, 0 and 1")):
        read_similar(path)


def test_a_sample_has_all_pairs_of_its_questions_together():
    pairs = [Pair(asked, short, True) for short in "xy" for asked in ("a", "b", "c", "d")]
    some = sampled(pairs, 2)
    first, second = some[0].asked, some[2].asked
    assert first != second
    assert [(pair.asked, pair.short) for pair in some] == [(first, "x"), (first, "y"), (second, "x"), (second, "y")]
    assert sampled(list(reversed(pairs)), 1)[0].asked == first
    assert len(sampled(pairs, 9)) == 8


class Known:
    """Encodes passages by their first letter and questions by their last."""

    def encode(self, texts):
        return np.array([[1, 0] if text.startswith("G") else [0, 1] for text in texts], dtype=np.float32)

    def encode_questions(self, texts):
        return np.array([[1, 0] if text.endswith("?") else [0, 1] for text in texts], dtype=np.float32)


def test_pairs_are_told_apart_by_words_and_by_either_encoder():
    pairs = [
        Pair("Gout pain?", "Gout pain.", True),
        Pair("Gout pain?", "Asthma?", False),
        Pair("Asthma cough?", "Gout?", False),
        Pair("Asthma cough?", "Asthma coughing.", True),
    ]
    found = measure(pairs, Known())
    assert list(found) == [FLOOR, *WAYS]
    assert [area.value() for area in found.values()] == [1, 1, 0, 0.5]
    assert found[BASE].owners.tolist() == [0, 0, 1, 1]


def test_a_question_prefers_what_is_nearer_than_its_own_others():
    def area(*pairs):
        scores, good, owners = zip(*pairs, strict=True)
        return Auc(np.array(scores, dtype=float), np.array(good), np.array(owners))

    rows = [(0.9, True, 0), (0.8, False, 0), (0.2, True, 1), (0.1, False, 1), (0.1, True, 2), (0.1, False, 2)]
    assert preferred(area(*rows)) == pytest.approx(2.5 / 3)
    assert area(*rows).value() < 0.7
    assert preferred(area((0.9, True, 0), (0.1, False, 1))) == 0.5
