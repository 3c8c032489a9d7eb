"""The client: the same calls give the same results over a graph in this process and over a service."""

import asyncio
import json
import subprocess
import sys
import threading
from dataclasses import asdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from medgraph import AsyncMedgraph, Medgraph
from medgraph.api.access import Options
from medgraph.api.app import create_app
from medgraph.client.client import _ROUTES, _decoded
from medgraph.client.transport import Local
from medgraph.errors import DatabaseUnavailableError, InputError, MedgraphError, NotInGraphError
from tests.support.service import KEY, running

CALLS = {
    "ask": (["What are the symptoms of gout?"], {}),
    "search": (["treatment of asthma"], {"top_k": 3, "types": ["treatment"]}),
    "section": (["sample:gout#2"], {}),
    "entities": (["gout"], {"limit": 2}),
    "entity": (["sample:gout"], {}),
    "paths": (["gout", "asthma"], {"hops": 3}),
    "subgraph": (["asthma"], {"type": ["symptoms"]}),
    "sources": ([], {}),
    "pipelines": ([], {}),
}
VOLATILE = ("timing_ms",)


def plain(result):
    return {name: value for name, value in asdict(result).items() if name not in VOLATILE}


@pytest.fixture
def local(service):
    medgraph = Medgraph.__new__(Medgraph)
    medgraph._transport = Local(create_app(service))
    return medgraph


@pytest.fixture
def address(service):
    with running(service) as server:
        yield f"http://127.0.0.1:{server.port}"


@pytest.mark.parametrize("name", CALLS)
def test_results_are_the_same_here_and_elsewhere_and_of_the_types_of_the_api(local, sample_graph, address, name):
    args, fields = CALLS[name]
    here = getattr(local, name)(*args, **fields)
    there = getattr(Medgraph(address), name)(*args, **fields)
    assert plain(here) == plain(there)
    assert type(here) is type(there)
    assert any(isinstance(here, route.gives) for route in _ROUTES.values() if isinstance(route.gives, type))


def test_a_stream_ends_in_the_answer(local, address):
    for medgraph in (local, Medgraph(address)):
        events = list(medgraph.stream("What are the symptoms of gout?"))
        assert [name for name, _ in events][:2] == ["understood", "sources"]
        assert events[-1][0] == "done"
        answer = events[-1][1]
        assert plain(answer) == plain(local.ask("What are the symptoms of gout?"))
        assert [value["text"] for name, value in events if name == "sentence"] == [s.text for s in answer.sentences]


def test_what_is_awaited_is_the_same(local, address):
    async def asked():
        async with AsyncMedgraph(address) as medgraph:
            answers = await asyncio.gather(*(medgraph.ask("What are the symptoms of gout?") for _ in range(3)))
            return answers, [name async for name, _ in medgraph.stream("What is asthma?")], await medgraph.sources()

    answers, events, sources = asyncio.run(asked())
    assert {plain(answer)["status"] for answer in answers} == {"answered"}
    assert events[-1] == "done"
    assert plain(sources) == plain(local.sources())


def test_errors_are_the_same_here_and_elsewhere(local, address):
    for medgraph in (local, Medgraph(address)):
        with pytest.raises(InputError, match=r"question"):
            medgraph.ask("")
        with pytest.raises(InputError, match="no field"):
            medgraph.ask("What is gout?", nope=1)
        with pytest.raises(NotInGraphError, match="no section"):
            medgraph.section("sample:nope/?#x")
        with pytest.raises(InputError):
            list(medgraph.stream(""))
    with pytest.raises(DatabaseUnavailableError, match="no answer from"):
        Medgraph("http://127.0.0.1:9").sources()
    with pytest.raises(InputError, match="no address"):
        Medgraph("127.0.0.1:8080")


def test_a_key_is_sent(service):
    with running(service, Options(keys=(KEY,))) as server:
        address = f"http://127.0.0.1:{server.port}"
        assert Medgraph(address, key=KEY).sources().sources
        with pytest.raises(MedgraphError, match="API key"):
            Medgraph(address).sources()
    for key in ("ключ", "a key\n"):
        with pytest.raises(InputError, match="characters that no header can carry") as caught:
            Medgraph("http://127.0.0.1:9", key=key)
        assert key not in str(caught.value)


ODD = {
    "/redirect": (307, {"Location": "http://127.0.0.1:9/stolen"}, b""),
    "/unknown": (599, {}, b"nothing known"),
    "/short": (200, {"Content-Length": "100"}, b"{"),
    "/html": (200, {}, b"<html>"),
    "/other": (200, {}, b'{"sources": 1}'),
    "/list": (200, {}, b"[1]"),
    "/no-detail": (400, {}, b'{"detail": {"a": 1}}'),
    "/cut": (200, {}, b'event: understood\ndata: {"a": 1}\n\n'),
}


@pytest.fixture(scope="module")
def odd():
    """The address of a server that answers as no service of this version does; the path chooses how."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            status, headers, body = next(found for path, found in ODD.items() if self.path.startswith(path))
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("/redirect", "redirects to http://127.0.0.1:9/stolen"),
        ("/unknown", "nothing known"),
        ("/short", "cut short"),
        ("/html", "of another version"),
        ("/other", "of another version"),
        ("/list", "of another version"),
        ("/no-detail", "'a': 1"),
    ],
)
def test_what_no_service_of_this_version_says_is_told_in_a_line(odd, path, told):
    for call in (Medgraph(odd + path, key=KEY).sources, lambda: Medgraph(odd + path).ask("What is gout?")):
        with pytest.raises(MedgraphError, match=told):
            call()


def test_what_was_found_of_another_version_is_told(local):
    answer = asdict(local.ask("What are the symptoms of gout?"))
    for found in ({"nope": 1}, 3):
        body = json.dumps(answer | {"evidence": [found]}).encode()
        with pytest.raises(MedgraphError, match="of another version"):
            _decoded(_ROUTES["POST", "/v1/answers"], body)


def test_a_stream_that_ends_early_is_no_answer(odd):
    events = Medgraph(odd + "/cut").stream("What is gout?")
    assert next(events) == ("understood", {"a": 1})
    with pytest.raises(MedgraphError, match="ends before it is whole"):
        next(events)


def test_a_stream_may_be_left(local, address):
    async def first():
        async with AsyncMedgraph(address) as medgraph:
            events = medgraph.stream("What are the symptoms of gout?")
            name, _ = await anext(events)
            await events.aclose()
            return name

    assert asyncio.run(first()) == "understood"


def test_frames_tables_and_pictures(local, sample_graph):
    found = local.search("treatment of asthma", top_k=3)
    frame = found.to_frame()
    assert list(frame["section"]) == [hit.section for hit in found.results]
    assert "scores.lexical" in frame or len(frame.columns) > 10
    assert found.results[0].title in found._repr_html_()
    answer = local.ask("What are the symptoms of gout?")
    assert len(answer.to_frame()) == len(answer.sentences)
    shown = answer._repr_html_()
    assert "[1]" in shown
    assert answer.notice in shown
    assert local.subgraph("asthma")._repr_svg_().count("<svg") == 1
    assert local.paths("gout", "asthma")._repr_svg_().count("<svg") == 1


def test_what_a_source_says_is_no_html(local):
    answer = local.ask("What are the symptoms of gout?")
    hostile = type(answer)(**{**{f: getattr(answer, f) for f in answer.__dataclass_fields__}, "notice": "<script>x"})
    assert "<script>" not in hostile._repr_html_()


def test_the_client_opens_the_graph_of_the_settings(here, sample_graph):
    with Medgraph(settings=here) as medgraph:
        assert medgraph.ask("What are the symptoms of gout?").status == "answered"


def test_importing_medgraph_is_light():
    code = "import sys, medgraph; print([m for m in ('flask', 'neo4j', 'numpy', 'msgspec') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_saved_queries_are_run_and_names_come_one_by_one_or_as_a_list(service, sample_graph):
    medgraph = Medgraph.__new__(Medgraph)
    medgraph._transport = Local(create_app(service))
    assert "allopurinol" in json.dumps(medgraph.query("who_treats", condition="gout")).lower()
    assert medgraph.query("who_treats", condition="nothing of the kind") == []
    with pytest.raises(InputError, match="'x' is no parameter of who_treats"):
        medgraph.query("who_treats", x=1)
    with pytest.raises(InputError, match="known are"):
        medgraph.query("nope")
    assert medgraph.paths(["gout", "asthma"], hops=3) == medgraph.paths("gout", "asthma", hops=3)
    listed, single = (medgraph.enrich(names) for names in (["gout", "asthma"], ("gout", "asthma")))
    assert listed == single == medgraph.enrich("gout", "asthma")
