"""Words of a question: its intent, modes, fragments, folded forms, and Lucene's syntax."""

import json
import re

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from medgraph.errors import InputError
from medgraph.loaders.commands import LoadOptions, load_named
from medgraph.queries import lucene
from medgraph.queries.filters import Filters
from medgraph.queries.fusion import MODES, mode_of
from medgraph.queries.message import find_intents
from medgraph.queries.paths import OVERLAP, WINDOW, fragments, pruned
from medgraph.queries.retriever import Retriever
from medgraph.schema import migrate
from medgraph.schema.vocabulary import SECTION_TYPES
from tests.support.examples import examples
from tests.support.graphs import run
from tests.support.linking import names_of
from tests.support.points import few
from tests.support.schemas import ENCODER


@pytest.mark.parametrize(("question", "intent"), examples("intent"))
def test_intent(question, intent):
    assert find_intents(question)[:1] == ((intent,) if intent else ())


@pytest.mark.parametrize(
    ("question", "intents"),
    [
        ("How is gout treated and can I prevent it?", {"treatment", "prevention"}),
        ("I think I have the sugar desease, can it harm my kidneys", {"complications"}),
        ("What is the risk of developing pancreatic cancer and how is it inherited?", {"inheritance"}),
        ("What is gout and what causes it?", {"causes"}),
        ("What is gout?", {"information"}),
        ("gout", set()),
        ("What are the latest treatments for keloids?", {"treatment"}),
        ("I was diagnosed with gout, how is it treated?", {"treatment"}),
        ("What is the prognosis for untreated periodontitis?", {"outlook"}),
        ("What are the treatments for hereditary angioedema due to a mutation?", {"treatment", "genetic changes"}),
        ("What are the treatments for voice disorders caused by ALS?", {"treatment"}),
        ("What is gout caused by?", {"causes"}),
        ("What are the treatments for stage 4 melanoma?", {"treatment"}),
        ("Is gene therapy available for haemophilia, and is it hereditary?", {"treatment", "inheritance"}),
        ("Is smoking bad for my heart?", {"complications"}),
        ("Is it bad for me?", set()),
        ("How is gout treated, what are its stages, and can I prevent it?", {"treatment", "stages", "prevention"}),
        ("Which stage of melanoma is that?", {"stages"}),
        ("Can the early stages of lung cancer be cured?", {"treatment"}),
    ],
)
def test_all_that_is_asked_for(question, intents):
    assert set(find_intents(question)) == intents
    assert intents <= set(SECTION_TYPES)


def test_without_a_mode_learned_weights_rank_unless_a_preset_is_given():
    assert (mode_of(None), mode_of(None, "literature")) == ("learned", "hybrid")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("magic",), "no mode 'magic'; known are lexical, semantic, hybrid, learned"),
        ((None, "best"), "no preset 'best'; known are default, literature"),
    ],
)
def test_what_is_unknown_is_refused_with_what_is_there(given, message):
    with pytest.raises(InputError, match=message):
        mode_of(*given)


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("", []),
        (" \n ", []),
        ("one", ["one"]),
        (" ".join("abcdefghij"), ["a b c d e f g h i j"]),
        (" ".join("abcdefghijk"), ["a b c d e f g h i j", "g h i j k"]),
        (" ".join("abcdefghijklmnop"), ["a b c d e f g h i j", "g h i j k l m n o p"]),
    ],
)
def test_windows_of_ten_words_share_four(text, cut):
    assert (WINDOW, OVERLAP) == (10, 4)
    assert fragments(text) == cut


@given(st.lists(st.sampled_from(["a", "bc", "é"]), max_size=60), st.integers(1, 12), st.integers(0, 11))
def test_fragments_cover_all_words_and_overlap(words, window, overlap):
    overlap = min(overlap, window - 1)
    cut = [part.split() for part in fragments(" ".join(words), window, overlap)]
    assert all(len(part) <= window for part in cut)
    joined = cut[0] if cut else []
    for part in cut[1:]:
        assert part[:overlap] == joined[-overlap:] if overlap else True
        joined = joined + part[overlap:]
    assert joined == words


class Letters:
    """An encoder whose vectors say which letters a text has."""

    def encode(self, texts):
        rows = np.array([[letter in text for letter in "abcxyz"] for text in texts], dtype=np.float32)
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1)

    encode_questions = encode


def test_what_comes_nearest_to_some_fragment_is_kept():
    question = " ".join(["o"] * 10 + ["a"] * 6 + ["o"] * 10 + ["x"] * 3)
    kept = pruned(fragments(question), ["bc", "x", "a", "ab", "x"], Letters(), 4)
    assert kept == [(1, 1.0), (2, 1.0), (4, 1.0), (3, 0.7071)]
    assert pruned([], ["a"], Letters(), 3) == pruned(["a"], [], Letters(), 3) == []


TEXTS = {
    "n1": "Sjögren's syndrome causes dry eyes. Ménière's disease causes vertigo. Behçet's disease causes ulcers.",
    "n2": "Mo\u0308bius syndrome weakens the face. Köhler disease affects the foot.",
    "n3": "In\ufb02ammation of the \ufb01ngers is dactylitis; \ufb01brosis; co\u00adagu\u00adlation; \u03b1-synuclein; "
    "H\u2082O\u2082 and 10\u2076 CFU; naïve T cells.",
    "n4": "Plain words only.",
}
ARTICLE = (
    '<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID Version="1">7</PMID><Article><Journal><JournalIssue>'
    "<PubDate><Year>2020</Year></PubDate></JournalIssue><Title>Revista M\u00e9dica</Title></Journal><ArticleTitle>"
    "[Two remedies].</ArticleTitle><Abstract><AbstractText>Gout is painful.</AbstractText></Abstract><AuthorList>"
    "<Author><LastName>Pr\u00edncipe</LastName><ForeName>Ana</ForeName></Author></AuthorList></Article>"
    "<OtherAbstract Language='fre'><AbstractText>"
    "Le premier remède était meilleur.</AbstractText></OtherAbstract><CommentsCorrectionsList>"
    '<CommentsCorrections RefType="ExpressionOfConcernIn"><RefSource>J</RefSource><PMID>8</PMID></CommentsCorrections>'
    "</CommentsCorrectionsList></MedlineCitation></PubmedArticle></PubmedArticleSet>"
)
FOUND = {
    "n1": "sjogren Sjögren Sjo\u0308gren meniere behcet",
    "n2": "mobius Möbius Mo\u0308bius kohler",
    "n3": "inflammation fingers fibrosis coagulation alpha \u03b1 H2O2 H\u2082O\u2082 naive naïve",
    "n4": "plain",
}


@pytest.fixture
def retriever(database, settings, tmp_path, encoder):
    path = tmp_path / "uni.jsonl"
    lines = (json.dumps({"id": name, "title": name, "sections": [{"text": text}]}) for name, text in TEXTS.items())
    path.write_text("\n".join(lines))
    load_named(database, settings, "documents", path, LoadOptions(licence="CC0-1.0"))
    (tmp_path / "pubmed99n0001.xml").write_text(ARTICLE, encoding="utf-8")
    load_named(database, settings, "pubmed", tmp_path / "pubmed99n0001.xml")
    return Retriever(database, lambda: encoder, names_of(database))


def found(retriever, question, **filters):
    return retriever.search(question, mode="lexical", filters=Filters(**filters))


def check(retriever):
    for document, words in FOUND.items():
        for word in words.split():
            assert [hit.document for hit in found(retriever, word)] == [document], word
    (hit,) = found(retriever, "mobius")
    assert (hit.text, hit.text[hit.start : hit.end]) == (TEXTS["n2"], TEXTS["n2"])
    for name in ("Principe", "Príncipe", "PRI\u0301NCIPE A"):
        assert [hit.document for hit in found(retriever, "gout", authors=(name,))] == ["PMID:7"]
    assert len(found(retriever, "gout", journals=("revista medica",))) == 1


def test_words_are_found_in_every_form(retriever):
    check(retriever)


def test_graphs_of_before_learn_it_by_the_migration(retriever, database):
    run(database, "MATCH (n) WHERE n.folded IS NOT NULL REMOVE n.folded")
    run(database, "MATCH (m:Migration) WHERE m.version >= 12 DELETE m")
    migrate.apply(database, *ENCODER, lambda line: None)
    run(database, "CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()")
    check(retriever)


def test_notices_are_shown_and_filtered_by(retriever):
    (hit,) = found(retriever, "gout")
    assert hit.notices == ["expression of concern PMID:8"]
    assert len(found(retriever, "gout", notices=("expression of concern",))) == 1
    assert len(found(retriever, "gout", notices=("erratum",))) == 0
    assert len(found(retriever, "gout", notices=("none",))) == 0
    assert len(found(retriever, "sjogren", notices=("none",))) == 1
    assert retriever.texts(["PMID:7#1"])[0].notices == ["expression of concern PMID:8"]


def test_other_languages_are_searched_where_they_are_asked_for(retriever):
    assert len(found(retriever, "remede")) == 0
    for language in ("fr", "fre", "FR"):
        (hit,) = found(retriever, "remède", language=language)
        assert (hit.document, hit.text) == ("PMID:7", "Le premier remède était meilleur.")
    assert len(found(retriever, "remede", language="fr")) == 1
    assert len(found(retriever, "remède", language="de")) == 0


SYNTAX = (
    r"""+ - && || ! ( ) { } [ ] ^ " ~ * ? : \ / < > = | & ' ` ; , . $ # % @ AND OR NOT TO _ // /* }) ^99 ~2 \" \u0022"""
)
PIECES = st.one_of(
    st.sampled_from(SYNTAX.split()), st.sampled_from(["asthma", "Gout", "title", "text"]), st.text(max_size=8)
)
HOSTILE = st.builds(lambda joint, parts: joint.join(parts), st.sampled_from(["", " "]), st.lists(PIECES, max_size=12))
PHRASE = r'"[^"\\]*"'
QUERY = re.compile(
    rf"\+\((\w+:\({PHRASE}( {PHRASE})*\)\^[0-9.]+ ?)+(\w+:{PHRASE}\^[0-9.]+ ?)*\)( \+\w+:\({PHRASE}( {PHRASE})*\)\^0)*"
)
BOOSTS = {"title": 3.0, "text": 1.0}


def content(text):
    return lucene.content_words(lucene.all_words(text))


def sections_of(lucene_retriever, question, mode="lexical"):
    return [(hit.section, hit.score) for hit in lucene_retriever.search(question, mode=mode)]


@pytest.fixture
def lucene_retriever(sample_graph, encoder):
    return Retriever(sample_graph, lambda: encoder, names_of(sample_graph))


@given(HOSTILE, HOSTILE, HOSTILE)
def test_only_quoted_words_pass(text, value, name):
    query = lucene.query(content(text), BOOSTS, {"source": [value]}, [("title", name, 3.0)])
    assert not query or QUERY.fullmatch(query)


@pytest.mark.parametrize("mode", MODES)
@hypothesis_settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], derandomize=True)
@given(text=HOSTILE)
@example(text='asthma AND ("')
@example(text="title:asthma^1e9 OR text:/[/")
@example(text="'}) DETACH DELETE n //")
@example(text="\\")
@example(text="asthma \x00\x1b[31m \udcff \u2028")
def test_no_text_breaks_a_search(lucene_retriever, mode, text):
    if lucene.words(text):
        assert len(lucene_retriever.search(text, mode=mode, top_k=3)) <= 3
    else:
        with pytest.raises(InputError, match="no word in it"):
            lucene_retriever.search(text, mode=mode, top_k=3)


@pytest.mark.parametrize("question", few(["What are the symptoms of asthma", "kidney stones"], 2))
@pytest.mark.parametrize(
    "form",
    r"""Q? Q?? (Q Q) [Q Q] {Q Q} Q/ /Q/ Q! !Q Q!? Q~ Q* *Q Q^ Q: :Q Q\ "Q Q" +Q -Q Q&& Q|| (Q? Q?] ((Q Q...""".split(),
)
def test_syntax_around_a_question_changes_nothing(lucene_retriever, question, form):
    plain = sections_of(lucene_retriever, question)
    assert len(plain) == 10
    assert sections_of(lucene_retriever, form.replace("Q", question)) == plain


@pytest.mark.parametrize("word", ["AND", "OR", "NOT", "TO"])
def test_operators_are_plain_words(lucene_retriever, word):
    alone = sections_of(lucene_retriever, f"asthma {word.lower()} gout")
    assert sections_of(lucene_retriever, f"asthma {word} gout") == alone
    assert {section.partition("#")[0] for section, _ in alone} >= {"sample:asthma", "sample:gout"}
