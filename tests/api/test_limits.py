"""Keys that are limited to sources or licences: nothing that they get has a word of what they may not see."""

import json
import re
from dataclasses import replace
from urllib.parse import quote

import pytest
import schemathesis
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from medgraph.api.access import LimitedKey, Options, parse_limited_keys
from medgraph.api.agents.server import LIMITED, PATH, add_to, make_server
from medgraph.api.app import create_app
from medgraph.embeddings.index import index
from medgraph.errors import SettingsError
from medgraph.linking.mentions import index_links
from medgraph.linking.names import names_in_use
from medgraph.loaders.life import load
from medgraph.queries.filters import Scope
from medgraph.schema.records import Document, Entity, Question, Relation, Section
from tests.support.graphs import prepared, run
from tests.support.linking import names_of
from tests.support.loads import Loading
from tests.support.service import KEY, problem, service_over

OWNERS = ("quokka", "narwhal")
KEYS = {owner: f"a-key-of-the-{owner}s" for owner in OWNERS}
PLACES = "alias author body collection definition evidence heading journal licence name question sign title url".split()
SECRETS = {owner: {f"{owner}{place}" for place in PLACES} for owner in OWNERS}
"""Words of which each stands in one place of what a source says, and nowhere else."""


def records(owner):
    """What a source says of a disease that others tell of, too, and of one that it alone has."""
    own, sign, page = f"{owner}:e1", f"{owner}:e2", f"{owner}:d1"
    yield Entity("shared:1", "Disease", "Gout", (f"{owner}alias",), f"It hurts, says {owner}definition.")
    yield Entity(own, "Disease", f"{owner}name", (f"{owner}alias disease",), f"{owner}definition.")
    yield Entity(sign, "Symptom", f"Swollen {owner}sign")
    for disease in ("shared:1", own):
        yield Relation(disease, "HAS_SYMPTOM", sign, evidence=(f"PMID:{owner}evidence",))
    treated = f"Gout and {owner}name are treated with rest and {owner}body. Colchicine helps against gout."
    yield Document(
        page,
        f"Gout {owner}title",
        f"https://example.org/{owner}url",
        f"Institute {owner}collection",
        sections=(
            Section(f"{page}#1", treated, "treatment", f"Care {owner}heading", f"How is gout treated? {owner}question"),
            Section(f"{page}#2", f"The symptoms of gout are pain and a swollen {owner}sign.", "symptoms"),
        ),
        questions=(Question(f"{page}#3", f"Is gout inherited, {owner}question?", "inheritance"),),
        about=("shared:1", own),
        authors=(f"Smith {owner}author",),
        journal=f"Journal {owner}journal",
    )


@pytest.fixture
def two_sources(graph, encoder, settings, tmp_path):
    def fill():
        for owner in OWNERS:
            task = Loading(tmp_path, graph).task(list(records(owner)), owner)
            load.load(graph, replace(task, info=replace(task.info, licence=f"LicenseRef-{owner}licence")))
        index(graph, encoder, "all")
        index_links(graph, *names_in_use(settings, graph))

    return prepared(graph, "two-sources", fill)


@pytest.fixture
def app(two_sources, encoder):
    scopes = (Scope(sources=("quokka",)), Scope(licences=("licenseref-narwhallicence",)))
    limited = tuple(LimitedKey(key, scope) for key, scope in zip(KEYS.values(), scopes, strict=True))
    served = create_app(
        service_over(two_sources, lambda: encoder, names_of(two_sources)), Options(keys=(KEY,), limited=limited)
    )
    add_to(served, lambda one: make_server(one, "1.2.3", cypher=True))
    return served


def headers(key):
    return {"Authorization": f"Bearer {key}"}


def told(app, key, method, path, **sent):
    return app.test_client().open(path, method=method, headers=headers(key) | sent.pop("headers", {}), **sent)


def leaks(text, owner, sent):
    """Name the words of the other source that somebody gets without having sent them."""
    other = next(one for one in OWNERS if one != owner)
    found = set(re.findall(rf"{other}\w*", text.lower())) - {other}
    return {word for word in found if word not in sent.lower()}


OPEN = (
    "/v1/search?q=How+is+gout+treated",
    "/v1/sections/{owner}:d1%231",
    "/v1/sources",
    "/",
    "/sources",
    "/ask?q=How+is+gout+treated",
    "/search?q=gout",
    "/sections/{owner}:d1%231",
)


def test_a_key_gets_its_own_and_no_word_of_others(app):
    for owner in OWNERS:
        for path in OPEN:
            response = told(app, KEYS[owner], "GET", path.format(owner=owner))
            assert response.status_code == 200, (path, response.text)
            assert owner in response.text
            assert not leaks(response.text, owner, ""), path
        answer = told(app, KEYS[owner], "POST", "/v1/answers", json={"question": "How is gout treated?"}).get_json()
        assert {c["source"] for s in answer["sentences"] for c in s["citations"]} == {owner}
        own = told(app, KEYS[owner], "POST", "/v1/answers", json={"question": f"What treats {owner}name?"}).get_json()
        assert [mention["entity"] for mention in own["entities"]] == [f"{owner}:e1"]
        other = next(one for one in OWNERS if one != owner)
        by_graph = {"question": "How is gout treated?", "composer": "graph"}
        problem(told(app, KEYS[owner], "POST", "/v1/answers", json=by_graph), 403)
        for path in (f"/v1/sections/{other}:d1%231", f"/sections/{other}:d1%231", "/v1/sections/nope"):
            assert told(app, KEYS[owner], "GET", path).status_code == 404
        unknown = told(app, KEYS[owner], "GET", f"/v1/search?q=gout&sources={other}")
        assert f"known are {owner}" in problem(unknown, 404)
        alone = told(app, KEYS[owner], "GET", f"/v1/search?q=gout&journals=Journal+{other}journal").get_json()
        assert (alone["results"], leaks(json.dumps(alone["results"]), owner, "")) == ([], set())
    whole = told(app, KEY, "GET", "/v1/search?q=gout").text
    assert leaks(whole, "quokka", "")
    assert leaks(whole, "narwhal", "")


@pytest.mark.parametrize(
    "path",
    [
        "/metrics",
        "/v1/entities?q=gout",
        "/v1/entities/shared:1",
        "/v1/entities/shared:1/similar",
        "/v1/paths?name=gout&name=quokkaname",
        "/v1/subgraph?name=gout",
        "/v1/search?q=gout&evidence=true",
        "/v1/search?q=gout&concepts=narwhalalias",
        "/v1/search?q=gout&mesh=narwhalname",
    ],
)
def test_what_joins_all_sources_is_refused(app, path):
    assert "this key is limited" in problem(told(app, KEYS["quokka"], "GET", path), 403)
    assert told(app, KEY, "GET", path).status_code in {200, 404}


def test_a_part_of_a_source_that_a_key_may_not_see_stands_alone(app, two_sources):
    run(two_sources, "MATCH (s:Source {id: 'quokka'}) SET s.part_of = 'narwhal'")
    assert "<strong>1</strong> document" in told(app, KEYS["quokka"], "GET", "/").text
    (source,) = told(app, KEYS["quokka"], "GET", "/v1/sources").get_json()["sources"]
    assert source["part_of"] is None


def agent(app, key, method, **parameters):
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}
    accept = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18"}
    return told(app, key, "POST", PATH, json=body, headers=accept)


def test_agents_have_the_tools_that_can_be_limited(app):
    listed = agent(app, KEYS["quokka"], "tools/list").get_json()["result"]["tools"]
    assert [tool["name"] for tool in listed] == list(LIMITED)
    for name, given_ in (("ask", {"question": "How is gout treated?"}), ("search", {"query": "gout"})):
        text = agent(app, KEYS["quokka"], "tools/call", name=name, arguments=given_).text
        assert "quokkatitle" in text
        assert not leaks(text, "quokka", "")
    for uri in ("document/narwhal%3Ad1", "section/narwhal%3Ad1%231", "schema", "queries", "sources"):
        assert not leaks(agent(app, KEYS["quokka"], "resources/read", uri=f"medgraph://{uri}").text, "quokka", uri)
    assert "cypher" in agent(app, KEY, "tools/list").text


WORDS = [
    "gout",
    "How is gout treated?",
    "What are the symptoms of gout?",
    "and its symptoms?",
    "gutt",
    "shared:1",
    "treatment",
    "swollen",
    "graph",
    *(f"{owner}{ending}" for owner in OWNERS for ending in ("", ":e1", ":e2", ":d1", ":d1#1", ":d1#3")),
    *(word for secrets in SECRETS.values() for word in sorted(secrets)),
    *(f"What is {owner}name?" for owner in OWNERS),
    *(f"Journal {owner}journal" for owner in OWNERS),
    *(f"Smith {owner}author" for owner in OWNERS),
    *(f"LicenseRef-{owner}licence" for owner in OWNERS),
]
PAGES = (
    "/ask?q={}",
    "/search?q={}",
    "/queries/who_treats?condition={}",
    "/entities?q={}",
    "/paths?name={0}&name=gout",
    "/subgraph?name={}",
    "/metrics",
)


def seeded(draw, value):
    """Put words of the graph in the place of made-up texts, which find nothing."""
    if isinstance(value, dict):
        return {name: seeded(draw, one) for name, one in value.items()}
    if isinstance(value, list):
        return [seeded(draw, one) for one in value]
    return draw(st.sampled_from(WORDS)) if isinstance(value, str) and draw(st.integers(0, 3)) else value


@pytest.mark.parametrize(("requests", "answered"), [(300, 60), pytest.param(5000, 625, marks=pytest.mark.thorough)])
def test_no_generated_request_shows_a_word_of_others(app, requests, answered):
    schema = schemathesis.openapi.from_dict(app.test_client().get("/openapi.json", headers=headers(KEY)).get_json())
    cases = st.one_of([found.ok().as_strategy() for found in schema.get_all_operations()])
    seen = {"requests": 0, 200: 0}

    @examples(max_examples=requests // 2, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(data=st.data())
    def ask(data):
        if data.draw(st.integers(0, 9)):
            case = data.draw(cases)
            path = seeded(data.draw, case.path_parameters or {})
            address = re.sub(r"\{(\w+)\}", lambda name: quote(str(path[name[1]]), safe=""), case.path)
            body = case.body if isinstance(case.body, dict) else None
            sent = {"query_string": seeded(data.draw, dict(case.query or {})), "json": seeded(data.draw, body)}
            method = case.method
        else:
            word = data.draw(st.sampled_from(WORDS))
            address, method = data.draw(st.sampled_from(PAGES)).format(quote(word)), "GET"
            sent = data.draw(st.sampled_from([{}, {"data": {"q": word, "previous": "What is gout?"}}]))
            method = "POST" if sent else "GET"
            address = "/ask" if sent else address
        for owner in OWNERS:
            response = told(app, KEYS[owner], method, address, **sent)
            seen["requests"] += 1
            seen[200] += response.status_code == 200
            text = response.text + str(response.headers)
            assert not (found := leaks(text, owner, f"{address} {sent}")), (owner, method, address, sent, found)

    ask()
    assert seen["requests"] >= requests * 0.9
    assert seen[200] > answered


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- key: short\n  sources: [a]", "has 5 characters"),
        (f"- key: {KEY}", "name sources or licences"),
        (f"- key: {KEY}\n  source: [a]", "unknown field"),
        ("nothing", "write a list"),
        (None, "No such file"),
    ],
)
def test_files_of_keys_that_cannot_be_used_are_said_without_the_key(tmp_path, text, said):
    path = tmp_path / "keys.yaml"
    if text is not None:
        path.write_text(text)
    with pytest.raises(SettingsError) as error:
        parse_limited_keys(path)
    assert said in str(error.value)
    assert KEY not in str(error.value)


def test_a_file_of_keys_is_read(tmp_path):
    path = tmp_path / "keys.yaml"
    path.write_text(f"- key: {KEY}\n  sources: [medquad]\n  licences: [CC-BY-4.0]\n")
    assert parse_limited_keys(path) == (LimitedKey(KEY, Scope(("medquad",), ("CC-BY-4.0",))),)
