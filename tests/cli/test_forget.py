"""`medgraph ask --keep` and `medgraph forget`."""

import json

from tests.support.graphs import run, state_of


def test_an_answer_is_kept_as_quoted_and_forgotten(medgraph, sample_graph):
    before = state_of(sample_graph)
    question = ("ask", "How is gout treated?")
    answer = json.loads(medgraph(*question, "--keep", "--json"))
    rows = run(
        sample_graph,
        "MATCH (a:Answer)-[:MAKES]->(c:Claim)-[r:SUPPORTED_BY]->(k:Chunk)<-[:HAS_CHUNK]-(s:Section) "
        "RETURN c.text AS claim, r.quote AS quote, s.id AS section, k.text AS text",
    )
    claims = [claim for sentence in answer["sentences"] for claim in sentence["claims"]]
    assert {row["claim"] for row in rows} == {claim["text"] for claim in claims}
    assert {row["section"] for row in rows} == {"sample:gout#6"}
    assert all(row["quote"] in row["text"] for row in rows)
    listed = json.loads(medgraph("query", "kept_answers", "--json"))["rows"]
    assert [row["question"] for row in listed] == ["How is gout treated?"]
    assert medgraph("forget", listed[0]["answer"]) == "1 answer forgotten\n"
    assert medgraph("forget", "--all") == "0 answers forgotten\n"
    assert state_of(sample_graph) == before
