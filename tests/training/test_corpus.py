"""What training reads: pairs of questions, and the graph's vectors."""

import numpy as np
import pytest

from medgraph.errors import InputError, SourceFileError
from medgraph.training.corpus import Pair, read_pairs, vectors
from tests.support.graphs import run

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


@pytest.mark.parametrize("query", ["chunk_vectors", "question_vectors"])
def test_vectors_come_with_their_sections(medquad_graph, query):
    found = vectors(medquad_graph, query)
    assert found.values.shape == (len(found.sections), 384)
    assert np.linalg.norm(found.values, axis=1) == pytest.approx(1, abs=1e-3)
    ids = {row["id"] for row in run(medquad_graph, "MATCH (s:Section) RETURN s.id AS id")}
    assert set(found.sections) == ids


def test_a_graph_without_vectors_is_refused(database):
    with pytest.raises(InputError, match="no vectors to train on; run: medgraph index"):
        vectors(database, "chunk_vectors")
