"""The NCBI Disease corpus is read whole, and what is linked of a text is counted."""

import pytest

from medgraph.errors import SourceFileError
from medgraph.evaluation.sets.pubtator import GoldMention, GoldText, found_in, known_ids, named_rightly, read_corpus
from medgraph.linking.member import Member
from tests.support.linking import entity, linker_of

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


TEXT = GoldText(
    "1",
    "Gout, not fever; asthma and lupus.",
    (
        GoldMention(0, 4, "Gout", frozenset({"MESH:1"})),
        GoldMention(17, 23, "asthma", frozenset({"MESH:2"})),
        GoldMention(28, 33, "lupus", frozenset({"MESH:9"})),
    ),
)
KNOWN = {"MESH:1", "MESH:2", "MESH:3"}


def linker():
    return linker_of(
        entity("a:1", "gout", ids=["a:1", "MESH:1"]),
        entity("a:3", "fever", ids=["a:3", "MESH:3"]),
        entity("a:4", "lupus", ids=["a:4", "MESH:9"]),
        entity("a:5", "asthmatic", "asthma", ids=["a:5", "MESH:7"]),
    )


def test_what_is_found_in_a_text_is_counted_by_span_and_id():
    # gout is right; fever is wrong; asthma has no id that counts, and is missed; lupus counts neither way
    assert found_in(TEXT, KNOWN, linker()) == (1, 1, 1)


def test_marked_mentions_are_looked_up_by_name():
    assert named_rightly(TEXT, KNOWN, linker()) == (1, 2)
    assert named_rightly(TEXT, {*KNOWN, "MESH:9"}, linker()) == (2, 3)


def test_only_ids_of_diseases_count():
    members = [
        Member("a:1", "Disease", "gout", xrefs=("MESH:1", "ICD:2", "OMIM:3")),
        Member("a:2", "Drug", "allopurinol", xrefs=("MESH:4",)),
    ]
    assert known_ids(members) == {"MESH:1", "OMIM:3"}
