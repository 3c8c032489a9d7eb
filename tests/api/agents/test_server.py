"""The server for agents, by the protocol's own client: in process, over standard input and output, and over HTTP."""

import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor

import anyio
import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from medgraph.answers import prompting
from medgraph.api.access import Options
from medgraph.api.agents.server import PATH, TOOLS, Bridge, add_to, make_server
from medgraph.api.app import create_app
from tests.support.service import KEY, running_app

CALLS = {
    "ask": {"question": "What are the symptoms of gout?"},
    "search": {"query": "treatment of asthma", "limit": 2},
    "entity": {"name": "gout"},
    "paths": {"names": ["gout", "asthma"], "hops": 3},
    "subgraph": {"name": "asthma", "types": ["symptoms"]},
    "facts": {"head": "asthma", "relation": "HAS_SYMPTOM"},
    "enrich": {"names": ["C0002871", "C0038454", "zzzzqqqq"]},
    "query": {"name": "section_types"},
    "cypher": {"statement": "MATCH (d:Document) RETURN d.title AS title ORDER BY title"},
}


def said(result):
    assert not result.is_error, result.content[0].text
    return result.structured_content


@pytest.fixture
def session(service, sample_graph):
    """Runs a function with a client that is connected to the server in process."""

    def run(work, *, cypher=10):
        async def connected():
            async with Client(make_server(service, "1.2.3", cypher=cypher)) as client:
                return await work(client)

        return anyio.run(connected)

    return run


def refused(session, name, given):
    async def call(client):
        result = await client.call_tool(name, given)
        assert result.is_error
        return result.content[0].text

    return session(call)


def test_free_cypher_is_off_unless_it_is_asked_for(session):
    async def names(client):
        return [tool.name for tool in (await client.list_tools()).tools]

    assert session(names, cypher=0) == list(TOOLS)
    assert session(names) == [*TOOLS, "cypher"]


def test_the_loop_begins_once_however_many_come_first(service):
    bridge = Bridge(make_server(service, "1.2.3"))
    with ThreadPoolExecutor(8) as threads:
        portals = set(threads.map(lambda _: id(bridge._portal()), range(8)))
    assert len(portals) == 1


def test_tools_say_what_they_take_and_that_they_only_read(session):
    async def tools(client):
        return (await client.list_tools()).tools

    for tool in session(tools):
        assert tool.description
        assert tool.annotations.read_only_hint
        assert tool.output_schema
        for name, field in tool.input_schema["properties"].items():
            assert field.get("description") or name in {"limit", "hops"}, (tool.name, name)


def test_an_answer_has_numbers_of_its_sources_in_its_text(session):
    async def ask(client):
        return said(await client.call_tool("ask", CALLS["ask"]))

    answer = session(ask)
    assert answer["status"] == "answered"
    assert "[1]" in answer["text"]
    first = answer["sources"][0]
    assert first["number"] == 1
    assert first["resource"].startswith("medgraph://section/sample%3Agout")
    assert first["quote"].split()[0] in answer["text"]
    assert first["licence"]
    assert "not medical advice" in answer["notice"]


def test_an_emergency_comes_first_and_silence_is_silence(session):
    async def ask(client, question):
        return said(await client.call_tool("ask", {"question": question}))

    assert "stroke" in session(lambda c: ask(c, "My face droops and my arm is weak. What is it?"))["urgent"].lower()
    silent = session(lambda c: ask(c, "What is the boiling point of tungsten?"))
    assert (silent["status"], silent["text"], silent["sources"]) == ("not_enough_evidence", "", [])


def test_ids_in_results_open_resources(session):
    async def follow(client):
        found = said(await client.call_tool("search", CALLS["search"]))["passages"][0]
        section = (await client.read_resource(found["resource"])).contents[0].text
        document = (await client.read_resource(f"medgraph://document/{json.loads(section)['document']}")).contents[0]
        answer = said(await client.call_tool("ask", CALLS["ask"]))
        cited = json.loads((await client.read_resource(answer["sources"][0]["resource"])).contents[0].text)
        assert answer["sources"][0]["quote"] in cited["text"]
        return found, json.loads(section), json.loads(document.text)

    found, section, document = session(follow)
    assert " ".join(section["text"].split()).startswith(found["text"].split(" …")[0][:40])
    assert section["section"] in [part["section"] for part in document["sections"]]


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("entity", {"name": "blorbix"}, "nothing is called 'blorbix'"),
        ("entity", {"name": "gouut"}, "nothing is called 'gouut'; did you mean Gout?"),
        ("query", {"name": "nope"}, "there is no query 'nope'"),
        ("query", {"name": "kinds_of", "parameters": {"nope": 1}}, "parameters: "),
        ("search", {"query": "asthma", "limit": 99}, "less than or equal to 20"),
        ("search", {"query": "asthma", "sources": ["nope"]}, "nope"),
        ("ask", {"question": "  "}, "question"),
        ("facts", {"head": "asthma", "relation": "NOPE"}, "NOPE"),
        ("cypher", {"statement": "MATCH (n) DETACH DELETE n"}, "may only read"),
        ("cypher", {"statement": "CALL dbms.listConfig()"}, "the procedure dbms.listConfig is not taken"),
    ],
)
def test_mistakes_are_told_in_a_line(session, name, given, message):
    text = refused(session, name, given)
    assert message in text
    assert "Traceback" not in text


def test_resources_and_prompts(session):
    async def read(client):
        listed = [str(one.uri) for one in (await client.list_resources()).resources]
        texts = {uri: (await client.read_resource(uri)).contents[0].text for uri in listed}
        with pytest.raises(MCPError, match="there is no section 'nope'"):
            await client.read_resource("medgraph://section/nope")
        prompts = {prompt.name: prompt for prompt in (await client.list_prompts()).prompts}
        filled = await client.get_prompt("base", {"question": "What is {gout}?"})
        return texts, prompts, filled

    texts, prompts, filled = session(read)
    assert "HAS_SYMPTOM" in json.loads(texts["medgraph://schema"])["relations"]
    assert "kinds_of" in [query["name"] for query in json.loads(texts["medgraph://queries"])]
    assert "sample" in [source["source"] for source in json.loads(texts["medgraph://sources"])]
    assert list(prompts) == prompting.names()
    assert [argument.name for argument in prompts["hyke_answer"].arguments] == list(
        prompting.prompt("hyke_answer").variables
    )
    assert filled.messages[-1].content.text == "<question>What is {gout}?</question>"


def test_the_schema_is_told_by_label(session):
    async def read(client):
        resources = [(await client.read_resource(f"medgraph://schema{part}")) for part in ("", "/Concept")]
        with pytest.raises(MCPError, match="there is no label 'Nope'"):
            await client.read_resource("medgraph://schema/Nope")
        return [json.loads(one.contents[0].text) for one in resources]

    whole, concept = session(read)
    assert (whole["nodes"]["Document"], whole["categories"]["Gene"]) == (60, 3)
    assert "graph" not in whole
    assert {"HAS_SYMPTOM", "MENTIONS"} <= {row["relation"] for row in concept}
    assert all("Concept" in (row["source_label"], row["target_label"]) for row in concept)


def test_no_reply_has_vectors(session):
    async def call(client):
        saved = await client.call_tool("query", {"name": "cited_section"})
        free = await client.call_tool("cypher", {"statement": "MATCH p = (:Section)-->(:Chunk) RETURN p LIMIT 1"})
        return [json.dumps(said(one)) for one in (saved, free)]

    for text in session(call):
        assert '"text": ' in text
        assert 'embedding"' not in text
        assert "sentence_vectors" not in text


def test_a_fact_is_told_once_with_all_its_sources(session, sample_graph):
    async def call(client):
        return said(await client.call_tool("facts", {"head": "type 1 diabetes", "relation": "TREATED_BY", "limit": 1}))

    (told,) = session(call)["result"]
    assert told["text"] == "Type 1 diabetes TREATED_BY insulin"
    assert told["sources"] == ["sample"]
    assert told["evidence"][0].startswith("sample:type-1-diabetes#")


def test_a_statement_that_takes_longer_than_the_settings_allow_is_given_up(session):
    async def call(client):
        slow = "UNWIND range(1, 1000000) AS a UNWIND range(1, 1000000) AS b RETURN sum(a % 7 + b)"
        return (await client.call_tool("cypher", {"statement": slow})).content[0].text

    assert "took" in session(call, cypher=1) or "terminated" in session(call, cypher=1)


def test_every_tool_over_standard_input_and_output(sample_graph):
    user, password = sample_graph.auth
    environment = os.environ | {"NEO4J_URI": sample_graph.uri, "NEO4J_USERNAME": user, "NEO4J_PASSWORD": password}
    command = StdioServerParameters(command=sys.executable, args=["-m", "medgraph", "mcp", "--cypher"], env=environment)

    async def call_all():
        async with Client(command) as client:
            for name, given in CALLS.items():
                assert said(await client.call_tool(name, given)), name

    anyio.run(call_all)


def test_every_tool_over_http_behind_the_key_and_the_limit(service, sample_graph):
    app = create_app(service, Options(keys=(KEY,), rate=60))
    add_to(app, lambda served: make_server(served, "1.2.3", cypher=10))

    async def call_all(address):
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {KEY}"}, timeout=60) as http,
            Client(streamable_http_client(address, http_client=http)) as client,
        ):
            for name, given in CALLS.items():
                assert said(await client.call_tool(name, given)), name

    with running_app(app) as server:
        address = f"http://127.0.0.1:{server.port}{PATH}"
        anyio.run(call_all, address)
        plain = httpx2.post(address, json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
        assert (plain.status_code, plain.headers["content-type"]) == (401, "application/problem+json")
        authorized = {"Authorization": f"Bearer {KEY}", "Accept": "application/json, text/event-stream"}
        assert httpx2.get(address, headers=authorized).status_code == 405
        broken = httpx2.post(address, headers=authorized, content=b"{", timeout=30)
        assert broken.status_code == 400
        codes = [httpx2.post(address, headers=authorized, content=b"{").status_code for _ in range(60)]
        assert 429 in codes
