"""Texts in which people marked mentions are read whole, with their offsets."""

import pytest

from medgraph.errors import SourceFileError
from medgraph.evaluation.corpora import read_corpus

CORPUS = """10021369|t|Gout and APC
10021369|a|No gout here, but kidney disease.
10021369\t0\t4\tGout\tSpecificDisease\tD006073
10021369\t9\t12\tAPC\tModifier\tD011125|OMIM:175100

"""


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "corpus.txt"
    path.write_text(CORPUS, encoding="utf-8")
    return path


def test_a_corpus_is_read_with_the_offsets_of_title_and_abstract(corpus):
    (text,) = read_corpus(corpus)
    assert text.text == "Gout and APC No gout here, but kidney disease."
    assert [text.text[m.start : m.end] for m in text.mentions] == ["Gout", "APC"]
    assert [sorted(m.ids) for m in text.mentions] == [["MESH:D006073"], ["MESH:D011125", "OMIM:175100"]]


@pytest.mark.parametrize(
    ("content", "said"),
    [("", "has no lines such as"), ("1|t|A\n1\t0\tx\tA\tB\tC\n", "corpus.txt:2: needs id, start, end")],
)
def test_what_is_no_corpus_is_named_with_its_line(tmp_path, content, said):
    path = tmp_path / "corpus.txt"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(SourceFileError, match=said):
        read_corpus(path)


def test_the_real_corpus_is_read(data):
    texts = read_corpus(data / "ncbi-disease" / "devel.txt")
    assert (len(texts), sum(len(text.mentions) for text in texts)) == (100, 787)
    assert all(text.text[m.start : m.end] == m.surface for text in texts for m in text.mentions)


def test_the_real_corpus_of_chemicals_is_read_without_its_relations(data):
    texts = read_corpus(data / "bc5cdr" / "devel.txt")
    kinds = [m.kind for text in texts for m in text.mentions]
    assert (len(texts), kinds.count("Chemical"), kinds.count("Disease")) == (500, 5347, 4244)
