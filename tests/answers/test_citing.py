"""A citation says where a sentence stands."""

from medgraph.answers.citing import citation_of
from medgraph.embeddings.candidate_sentences import candidates
from medgraph.queries.retriever import SectionText


def test_a_citation_quotes_what_stands_there():
    text = "Rest helps. Drink  much water\nevery single day."
    section = SectionText("s#1", "s", "T", [], "http://x", "own", "", "CC0", "", "", "", text, [], [])
    (candidate,) = candidates(0, text)
    cited = citation_of(section, candidate)
    assert text[cited.start : cited.end] == cited.quote == "Drink  much water\nevery single day."
    assert (cited.section, cited.document, cited.source, cited.licence) == ("s#1", "s", "own", "CC0")
    assert "s#1" in cited.cypher
