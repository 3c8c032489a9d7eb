"""The pages of curators: who is let in, what forms are taken, a load from the dry run to taking it back, reviews."""

import html
import io
import re
import threading
from dataclasses import replace

import pytest

from medgraph.api import curating, desk
from medgraph.api.access import LimitedKey, Options
from medgraph.api.app import BODY_READ, create_app
from medgraph.api.desk import MAPPING, Desk
from medgraph.linking.review import listed
from medgraph.loaders.commands import LoadOptions
from medgraph.queries.filters import Scope
from tests.support.fetching import serving
from tests.support.graphs import run
from tests.support.recorded import Recorded
from tests.support.service import KEY, exchange, fetch, running

CURATOR = "a-key-of-a-curator"
TABLE = "disease,sign\nGout,joint pain\nAsthma,wheezing\n,cough\n"
SIGNS = """
source: {id: signs, title: Signs of our ward, version: 2026-03, licence: CC-BY-4.0}
entities:
  - {id: "signs:{disease|slug}", label: Disease, name: "{disease}"}
  - {id: "signs:{sign|slug}", label: Symptom, name: "{sign}"}
relations:
  - {subject: "signs:{disease|slug}", type: HAS_SYMPTOM, object: "signs:{sign|slug}"}
"""
ASKING = SIGNS.replace(
    "entities:", "file: bolt://elsewhere:7687\nquery: MATCH (n) RETURN n.disease AS disease, n.sign AS sign\nentities:"
)


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(desk, "PULSE", 0.02)


@pytest.fixture
def own(here, tmp_path):
    return replace(here, home=tmp_path / "home", cache=tmp_path / "cache")


@pytest.fixture
def curator(service, own):
    """A client of the service that sends a curator's key, over the settings of a graph."""
    return Curator(service, own)


class Curator:
    def __init__(self, service, settings):
        self.desk = Desk(settings, lambda database: iter(["indexed"]))
        keys = (LimitedKey(CURATOR, curates=True), LimitedKey("l" * 20, Scope(("medquad",))))
        self.options = Options(keys=(KEY,), limited=keys, desk=self.desk)
        self.client = create_app(service, self.options).test_client()
        self.headers = {"X-API-Key": CURATOR, "Accept": "text/html"}

    def get(self, path="", **headers):
        return self.client.get(f"/curate{path}", headers=self.headers | headers)

    def post(self, path, headers=None, **fields):
        data = {"token": self.desk.token} | fields
        return self.client.post(f"/curate{path}", data=data, headers=self.headers | (headers or {}))

    def watched(self, begun):
        """Look on until the work that was begun ends, and give what its page says."""
        assert begun.status_code == 303, begun.text
        assert begun.location == "/curate/work"
        text = self.get("/work").text
        return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", text.partition("<main>")[2])).split())

    def try_out(self, table=TABLE, mapping=SIGNS, name="signs.csv", **fields):
        files = {"files": (io.BytesIO(table.encode()), name), "mapping": (io.BytesIO(mapping.encode()), "m.yaml")}
        return self.post("/orders", source=MAPPING, **files, **fields)


def test_from_the_dry_run_to_a_load_an_audit_and_back(curator, database, own):
    assert "signs" not in curator.get().text
    told = curator.watched(curator.try_out())
    assert "signs: 7 records would be added" in told
    assert "2 rejected" in told
    assert "reject signs.csv 4" in told
    assert run(database, "MATCH (s:Source) RETURN s") == []
    listing = curator.get("/rejects")
    assert listing.text.startswith("record\tkind\tfile\tline\treason\n")
    assert str(own.home) not in listing.text
    (order,) = re.findall(r'name="order" value="(\w+)"', curator.get("/work").text)
    assert "signs: 7 records added" in curator.watched(curator.post("/work", do="load", order=order))
    assert run(database, "MATCH (e:Entity) RETURN count(e) AS n") == [{"n": 5}]
    assert list((own.home / "desk").iterdir()) == []
    assert "<option>signs</option>" in curator.get().text
    assert "error" in curator.watched(curator.post("/work", do="audit", source="signs"))
    assert "indexed" in curator.watched(curator.post("/work", do="index"))
    assert "removed, 0 restored" in curator.watched(curator.post("/work", do="undo", source="signs"))
    assert run(database, "MATCH (e:Entity) RETURN e") == []


def test_the_last_load_that_is_left_goes_only_if_that_is_said(curator, database):
    for table in (TABLE, TABLE.replace("joint pain", "podagra")):
        curator.watched(curator.try_out(table))
        curator.watched(curator.post("/work", do="load", order=curator.desk.work.order.name))
    curator.watched(curator.post("/work", do="undo", source="signs"))
    assert "only the first load of signs is left" in curator.watched(curator.post("/work", do="undo", source="signs"))
    assert run(database, "MATCH (e:Entity {name: 'joint pain'}) RETURN count(e) AS n") == [{"n": 1}]
    assert "removed" in curator.watched(curator.post("/work", do="undo", source="signs", whole="on"))
    assert run(database, "MATCH (e:Entity) RETURN e") == []


def test_an_address_is_fetched(curator, database, own):
    with serving() as site:
        site.files["/files.example/n.jsonl"] = (
            b'{"id": "a1", "title": "Asthma", "sections": [{"text": "It wheezes."}]}\n'
        )
        curator.desk.settings = replace(own, mirror=site.url)
        given = {"source": "documents", "address": "https://files.example/n.jsonl", "name": "clinic", "title": "Ours"}
        told = curator.watched(curator.post("/orders", **given))
        assert "clinic: 1 record would be added" in told
        curator.watched(curator.post("/work", do="load", order=curator.desk.work.order.name))
    assert run(database, "MATCH (l:Load) RETURN l.file AS file") == [{"file": "https://files.example/n.jsonl"}]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"source": "nosuch"}, "choose a source"),
        ({"source": "../keys.yaml"}, "choose a source"),
        ({"source": "documents", "address": "file:///etc/passwd"}, "begins with https:// or http://"),
        ({"source": "documents", "address": "/etc/passwd"}, "begins with https:// or http://"),
        ({"source": MAPPING}, "a mapping is one file"),
        ({"source": "documents", "mapping": "source: {}"}, "a mapping is one file"),
        ({"source": MAPPING, "mapping": "source: {}"}, "mapping.yaml:1"),
        ({"source": MAPPING, "mapping": ASKING}, "another Neo4j"),
        ({"source": "documents", "files": "x", "address": "https://a.example/"}, "not both"),
    ],
)
def test_what_cannot_be_an_order_is_told(curator_alone, given, said):
    files = {name: (io.BytesIO(given.pop(name).encode()), "m.yaml") for name in ("mapping", "files") if name in given}
    response = curator_alone.post("/orders", **given, **files)
    assert response.status_code == 400
    assert said in response.text
    assert curator_alone.desk.work is None


@pytest.fixture
def curator_alone(settings, tmp_path):
    """A curator where nothing gets as far as a graph."""
    return Curator(Recorded(), replace(settings, home=tmp_path / "kept"))


def test_files_are_kept_under_plain_names_in_a_folder_of_their_own(curator_alone, tmp_path, monkeypatch):
    kept = []
    monkeypatch.setattr(Desk, "try_out", lambda _, order: kept.append(order))
    names = ("../../outside.csv", "/etc/passwd", "..\\x.csv")
    for name in names:
        curator_alone.try_out(name=name)
    assert all(order.where.parent == order.folder / "files" for order in kept)
    assert [order.where.name for order in kept] == ["outside.csv", "etc_passwd", "x.csv"]
    assert {path.parent.name for path in tmp_path.rglob("*") if path.is_file()} == {
        "files",
        *(order.folder.name for order in kept),
    }
    several = {"files": [(io.BytesIO(b"1"), "a.csv"), (io.BytesIO(b"2"), "b.csv")]}
    curator_alone.post(
        "/orders", source="documents", **several, replace="on", shrink="on", max_rejects="20%", name=" clinic "
    )
    assert sorted(path.name for path in kept[-1].where.iterdir()) == ["a.csv", "b.csv"]
    assert kept[-1].wish == LoadOptions(name="clinic", max_rejects="20%", replace=True, shrink=True)
    twice = {"files": [(io.BytesIO(b"1"), "a.csv"), (io.BytesIO(b"2"), "./a.csv")]}
    assert "two of the files have one name" in curator_alone.post("/orders", source="documents", **twice).text


PATHS = ("", "/work", "/rejects", "/reviews")


@pytest.mark.parametrize("key", [KEY, "l" * 20])
def test_other_keys_are_refused(curator_alone, key):
    for path in PATHS:
        assert curator_alone.get(path, **{"X-API-Key": key}).status_code == 403, path
    for path in ("/orders", "/work", "/reviews"):
        assert curator_alone.post(path, headers={"X-API-Key": key}).status_code == 403, path
    assert "Curate" not in curator_alone.client.get("/docs", headers={"X-API-Key": key}).text
    assert ">Curate<" in curator_alone.client.get("/docs", headers={"X-API-Key": CURATOR}).text


def test_without_keys_or_a_desk_nobody_curates(service, curator_alone):
    assert create_app(service).test_client().get("/curate").status_code == 403
    options = replace(curator_alone.options, desk=None)
    assert create_app(service, options).test_client().get("/curate", headers=curator_alone.headers).status_code == 403


@pytest.mark.parametrize(
    ("token", "site"), [("", None), ("wrong", None), (None, "cross-site"), (None, "same-site"), (None, "none")]
)
def test_a_form_of_another_page_is_refused(curator_alone, token, site):
    fields = {} if token is None else {"token": token}
    headers = {"Sec-Fetch-Site": site} if site else {}
    for path in ("/orders", "/work", "/reviews"):
        response = curator_alone.post(path, headers=headers, do="index", **fields)
        assert response.status_code == 403
        assert "another page" in response.text
    assert curator_alone.desk.work is None


def test_one_thing_is_done_at_a_time(curator, database):
    go, there = threading.Event(), threading.Event()

    def index(_):
        there.set()
        go.wait(30)
        yield "done now"

    curator.desk._index = index
    begun = curator.post("/work", do="index")
    assert there.wait(60)
    for refused in (curator.post("/work", do="audit"), curator.try_out()):
        assert refused.status_code == 409
        assert "other work is under way since" in refused.text
    go.set()
    assert "done now" in curator.watched(begun)
    assert "the whole graph" in curator.get().text


def test_an_order_that_is_gone_and_work_that_is_none(curator_alone):
    assert curator_alone.post("/work", do="load", order="x").status_code == 400
    assert curator_alone.post("/work", do="drop").status_code == 400
    assert curator_alone.get("/rejects").status_code == 404
    assert curator_alone.get("/work").location == "/curate"


def test_work_that_fails_says_why_and_the_next_is_taken(curator, database):
    told = curator.watched(curator.try_out(mapping=SIGNS.replace("{disease}", "{diseese}")))
    assert "diseese" in told
    assert "Load it" not in told
    curator.desk._index = lambda _: 1 / 0
    assert "the service's log says why" in curator.watched(curator.post("/work", do="index"))
    assert "records would be added" in curator.watched(curator.try_out())


def test_equivalences_are_accepted_refused_and_that_is_taken_back(curator, database):
    run(
        database,
        "CREATE (:Entity:Disease {id: 'a:1', name: 'Gout'}), (:Entity:Disease {id: 'b:1', name: 'Podagra'}), "
        "(:Review {id: 'a:1|b:1', one: 'a:1', other: 'b:1', status: 'proposed', method: 'name', evidence: 'gout', "
        "score: 0.9})",
    )
    assert "Podagra" in curator.get("/reviews").text
    pair = {"one": "a:1", "other": "b:1"}
    for said, status in (("accept", "accepted"), ("undo", "proposed"), ("reject", "rejected")):
        assert curator.post("/reviews", decide=said, **pair).status_code == 303
        assert [one.id for one in listed(database, status)] == ["a:1|b:1"], said
    assert curator.post("/reviews", decide="x", **pair).status_code == 400
    assert "None" in curator.get("/reviews").text
    assert "Podagra" in curator.get("/reviews?status=rejected").text


def test_a_large_body_is_read_for_a_curator_alone(curator_alone, monkeypatch):
    monkeypatch.setattr(curating, "UPLOAD", 3 * BODY_READ)
    with running(curator_alone.client.application.extensions["medgraph"], curator_alone.options) as server:
        response, _ = fetch(server.port, "/curate/orders", b"x" * 2 * BODY_READ, **{"X-API-Key": CURATOR})
        assert response.status == 403  # as it has no token
        for path, key, size in (
            ("/curate/orders", CURATOR, 3 * BODY_READ),
            ("/curate/orders", KEY, 2 * BODY_READ),
            ("/v1/answers", CURATOR, 2 * BODY_READ),
        ):
            head = f"POST {path} HTTP/1.1\r\nHost: x\r\nX-API-Key: {key}\r\nContent-Length: {size}\r\n\r\n"
            assert exchange(server.port, head.encode()).startswith(b"HTTP/1.1 413 "), (path, key)
