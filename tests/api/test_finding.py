"""Pages to look around on: the first one, search, entities, saved queries and pipelines."""

import csv
import html
import io
import re
import threading

import pytest

from medgraph.answers.answer import Answer
from medgraph.answers.pipelines.catalogue import PIPELINES
from medgraph.api.app import create_app
from medgraph.api.pages import _csv, marked
from medgraph.api.service import Overviews, Service
from medgraph.errors import DatabaseUnavailableError
from medgraph.queries.saved import saved_queries
from medgraph.schema.concept_relations import fold_all
from tests.support.graphs import run
from tests.support.linking import names_of
from tests.support.recorded import Recorded
from tests.support.service import service_over


def test_search_finds_what_the_service_finds_and_says_why(client, sample_graph):
    page = client.get("/search", query_string={"q": "gout treatment"})
    assert page.status_code == 200
    results = client.get("/v1/search", query_string={"q": "gout treatment"}).get_json()["results"]
    assert re.findall(r'<h3><a href="/sections/([^"?]+)', page.text) == [
        r["section"].replace("#", "%23") for r in results
    ]
    assert f"Passages 1 to {len(results)}" in page.text
    assert f"<li>about it +{results[0]['why']['about it']:.2f}</li>" in page.text
    link = re.search(r'<h3><a href="([^"]+)#cited"', page.text)[1].replace("&amp;", "&")
    quote = re.search(r'<mark id="cited">(.+?)</mark>', client.get(link).text, re.DOTALL)[1]
    assert " ".join(quote.split())[:100] in " ".join(re.sub("</?mark>", "", page.text).split())
    assert re.search("<mark>gout</mark>", page.text, re.IGNORECASE)
    more = html.unescape(re.search(r'<a href="([^"]+)">More</a>', page.text)[1])
    assert f'<ol class="results" start="{len(results) + 1}">' in client.get(more).text


@pytest.mark.parametrize(
    ("address", "status", "said"),
    [
        ("/search?q=gout&since=soon", 400, "since is &#39;soon&#39;; write it as 2026"),
        ("/search?q=gout&sources=nope", 404, "there is no source &#39;nope&#39;"),
        ("/search?q=gout&journals=Lancet", 404, "no document is from a journal called &#39;Lancet&#39;"),
        ("/search?q=?!", 400, "the question has no word in it"),
        ("/search?q=gout&colour=red", 400, "there is no parameter &#39;colour&#39;"),
        ("/entities?q=%20", 400, "a name, such as Gout"),
        ("/paths?name=gout", 400, "name a second thing, too"),
    ],
)
def test_what_cannot_be_used_is_told_on_the_page_beside_the_form(client, sample_graph, address, status, said):
    page = client.get(address)
    assert (page.status_code, page.content_type) == (status, "text/html; charset=utf-8")
    assert said in page.text
    assert 'role="search"' in page.text


def test_what_nobody_foresaw_is_told_on_a_page(client, monkeypatch):
    def broken(self, *arguments, **options):
        raise ValueError("a secret")

    monkeypatch.setattr(Recorded, "entities", broken)
    page = client.get("/entities?q=gout")
    assert (page.status_code, page.content_type) == (500, "text/html; charset=utf-8")
    assert "a secret" not in page.text


def test_what_people_write_is_text_on_the_page(client, sample_graph):
    hostile = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>"
    for path in ("/search", "/entities"):
        for name in ("q", "source"):
            page = client.get(path, query_string={"q": "gout", name: hostile}).text
            assert "<script>" not in page
            assert "<img" not in page


def test_without_the_database_the_forms_are_still_there(client, sample_graph, monkeypatch):
    def away(self, *arguments, **options):
        raise DatabaseUnavailableError("no answer from the database")

    for name in ("choices", "overview", "entities"):
        monkeypatch.setattr(Service, name, away)
    for path in ("/search?q=gout", "/entities?q=gout"):
        page = client.get(path)
        assert (page.status_code, page.headers["Retry-After"] != "") == (503, True)
        assert "no answer from the database" in page.text
        assert "<form" in page.text
    assert "<form" in client.get("/").text


def test_the_first_page_shows_what_is_loaded_and_questions_that_are_answered(client, sample_graph):
    page = client.get("/").text
    assert re.findall(r"<strong>(60|1)</strong> (documents|source)<", page) == [("60", "documents"), ("1", "source")]
    listed = client.get("/sources").text
    assert re.search(r"built-in sample of common conditions.*\s.*<td>60</td><td>[\d,]+</td><td>Apache-2.0</td>", listed)
    questions = re.findall(r'href="/ask\?q=([^"]+)"', page)
    assert len(questions) == 6
    for question in questions[:2]:
        assert '<h2 id="answer">Answer</h2>' in client.get(f"/ask?q={question}").text
    assert "<svg" in page
    assert re.search(r'<div class="stacked">.*<a href="/entities/', page, re.DOTALL)


def told(sections, sources=("pages",), score=0.9, surfaces=("x",)):
    """Give the properties of a relation between concepts that only these sections tell, as indexing writes it."""
    sure = score * (1 - 0.5 / len(sections))
    said = {"sources": list(sources), "told": list(sources), "stated": [], "surfaces": list(surfaces)}
    counts = {"sections": list(sections), "section_count": len(sections), "told_score": sure, "score": sure}
    return said | counts | {"polarity": "affirmed"}


def test_an_entitys_page_tells_what_all_sources_say(database, encoder):
    run(
        database,
        "CREATE (a:Source {id: 'one'}), (b:Source {id: 'two'}), (c:Concept {cui: 'a:1', name: 'gout'}) "
        "SET c.ids = ['a:1', 'M:9'] "
        "CREATE (x:Entity:Disease {id: 'a:1', name: 'Gout'})-[:MEANS {method: 'itself'}]->(c) "
        "CREATE (y:Entity:Disease {id: 'b:1', name: '<b>Podagra'})-[:MEANS {method: 'name'}]->(c) "
        "CREATE (x)-[:FROM {label: 'Disease', name: 'Gout', definition: 'Crystals.'}]->(a) "
        "CREATE (y)-[:FROM {label: 'Disease', name: '<b>Podagra'}]->(b) "
        "CREATE (z:Entity:Drug {id: 'a:2', name: 'Salt'})-[:MEANS]->(d:Concept {cui: 'a:2', name: 'Salt'}) "
        "CREATE (x)-[:TREATED_BY {source: 'one'}]->(z) "
        "CREATE (c)-[r:TREATED_BY]->(d) SET r = $told",
        told=told(["t#1"], ["two"], 1.0),
    )
    fold_all(database)
    page = (
        create_app(service_over(database, lambda: encoder, names_of(database))).test_client().get("/entities/b:1").text
    )
    for said in (
        "gout: what all sources say",
        "<dt>Ids of all sources</dt><dd>a:1; M:9</dd>",
        "&lt;b&gt;Podagra (two)",
        'Crystals. <span class="who">(one)</span>',
        '<a href="/entities/a:1">Gout</a> (a:1, itself)',
        "Treatments for it include \u2026",
        '<a href="/entities/a:2">Salt</a> <span class="who">(stated by one | told in 1 section (two)',
        '<a class="cite" href="/sections/t%231" aria-label="Section t#1">[1]</a>)</span>',
        'href="/subgraph?name=b:1"',
        '<input name="name" type="hidden" value="b:1">',
    ):
        assert said in page, said
    assert "<b>" not in page


def test_all_words_of_a_question_are_marked():
    shown = str(
        marked("Red, swollen toe: big toes reduce the gouty pain & the swelling.", "swollen red big toes and gout")
    )
    assert shown == (
        "<mark>Red</mark>, <mark>swollen</mark> <mark>toe</mark>: <mark>big</mark> <mark>toes</mark> reduce the"
        " <mark>gouty</mark> pain &amp; the swelling."
    )
    assert str(marked("the <b>", "the")) == "the &lt;b&gt;"


HOSTILE = '<script>alert(1)</script>, "quoted" =1+1'


def test_a_saved_query_is_a_table_and_two_files(client, sample_graph):
    listed = re.findall(r'href="/queries/(\w+)"', client.get("/queries").text)
    assert set(listed) == set(saved_queries())
    page = client.get("/queries/who_treats").text
    assert re.search(r'name="condition"[^>]*value="Gout"', page)
    assert "<table>" not in page
    page = client.get("/queries/questions_about?name=gout").text
    assert page.count("<tr>") > 3
    links = map(html.unescape, re.findall(r'class="button" href="([^"]+)"', page))
    as_csv, as_json = (client.get(link) for link in links)
    rows = list(csv.DictReader(io.StringIO(as_csv.text)))
    assert [row["question"] for row in rows] == [row["question"] for row in as_json.get_json()]
    assert page.count("<tr>") == len(rows) + 1
    above = "/queries/kinds_above?name=type+2+diabetes"
    assert "<td>Type 2 diabetes \u2013 IS_A → diabetes mellitus</td>" in client.get(above).text
    assert client.get(f"{above}&as=json").get_json()[0]["path"][1] == "IS_A"
    assert 'filename="questions_about.csv"' in as_csv.headers["Content-Disposition"]


def test_what_is_wrong_is_told_beside_the_form_and_nothing_loaded_runs(client, database):
    assert client.get("/queries/nope").status_code == 404
    assert client.get("/queries/section").status_code == 404
    assert client.get("/queries/counts?run=1&as=exe").status_code == 400
    page = client.get("/queries/who_treats?condition=gout&limit=many")
    assert page.status_code == 400
    assert "limit is a number, such as 25, and not &#39;many&#39;" in page.text
    for number in ("-1", "1.5", "true", "null", "100001", "9" * 30):
        page = client.get("/queries/who_treats", query_string={"condition": "gout", "limit": number})
        assert page.status_code == 400
        assert "write a whole number from 0 to 100,000" in page.text
    run(database, "CREATE (:Source {id: 'x', title: $t})", t=HOSTILE)
    assert "<script>" not in client.get("/queries/sources?run=1").text
    page = client.get("/queries/who_treats", query_string={"condition": HOSTILE, "drug": "\u202e" + "x" * 9000})
    assert "<script>" not in page.text


def test_cells_of_a_file_are_no_formulas_of_a_spreadsheet():
    bad = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1"]
    rows = [{"cell": value} for value in (*bad, ["=1", "b"], "a=1", -0.5, None)]
    cells = [row["cell"] for row in csv.DictReader(io.StringIO(_csv(["cell"], rows)))]
    assert cells == [*(f"'{text}" for text in bad), "'=1; b", "a=1", "-0.5", ""]


def test_errors_are_pages_for_browsers_and_json_for_programs(client):
    for path in ("/nowhere", "/v1/sections/nope"):
        page = client.get(path, headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
        assert (page.status_code, page.mimetype) == (404, "text/html")
        for accepted in ("*/*", "application/json"):
            assert client.get(path, headers={"Accept": accepted}).mimetype == "application/problem+json"


@pytest.fixture
def counted(database):
    """An overview of a graph that says of six diseases, and the questions that were asked for it."""
    run(
        database,
        "UNWIND range(1, 6) AS n CREATE (e:Entity:Disease {id: 'd' + n, name: 'Disease' + n}) "
        "CREATE (e)<-[:ABOUT]-(:Document {id: 'd' + n})-[:HAS_SECTION]->(:Section {id: 's' + n, type: 'treatment'})",
    )
    asked = []

    def ask(question):
        asked.append(question)
        return Answer(question, "answered")

    return Overviews(database, ask), asked


def test_it_is_looked_up_again_only_when_the_graph_has_changed(counted, database):
    overviews, asked = counted
    first = overviews.current()
    assert (len(first.examples), first.sources, len(asked)) == (6, (), 6)
    assert overviews.current() is first
    assert len(asked) == 6
    run(database, "CREATE (:Source {id: 'x', title: 'X'})<-[:FROM]-(:Load {id: 1, started: 1, finished: 2})")
    second = overviews.current()
    assert [row["title"] for row in second.sources] == ["X"]
    assert second.choices == {"sources": [], "types": [], "licences": []}
    assert len(asked) == 12


def test_while_one_looks_others_are_given_the_former_one(counted, database):
    overviews, _ = counted
    former = overviews.current()
    looking, go_on = threading.Event(), threading.Event()

    def slow(question):
        looking.set()
        assert go_on.wait(20)
        return Answer(question, "answered")

    overviews._ask = slow
    run(database, "CREATE (:Source {id: 'x'})")
    thread = threading.Thread(target=overviews.current)
    thread.start()
    assert looking.wait(20)
    assert overviews.current() is former
    assert overviews.choices() is former.choices
    go_on.set()
    thread.join(20)
    assert [row["source"] for row in overviews.current().sources] == ["x"]


ASKED = {"question": "How is gout treated?"}


def test_pipelines_are_listed(client):
    told = client.get("/v1/pipelines").json["pipelines"]
    assert [one["name"] for one in told] == list(PIPELINES)
    hyke = told[1]
    assert {key: hyke["parameters"][4][key] for key in ("parameter", "default", "printed")} == {
        "parameter": "hops",
        "default": 3,
        "printed": True,
    }


def test_a_question_may_be_answered_by_a_pipeline(client, sample_graph):
    asked = ASKED | {"pipeline": "joint", "without": ["joint"], "set": ["contexts=2"]}
    told = client.post("/v1/answers", json=asked).json
    assert told["pipeline"]["parameters"]["contexts"] == "2"
    assert len(told["pipeline"]["candidates"]) == 2
    assert all(sentence["verdict"] == "supported" for sentence in told["sentences"])
    assert client.post("/v1/answers", json=ASKED).json["pipeline"] is None


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"pipeline": "magic"}, "pipeline"),
        ({"without": ["paths"]}, "name one in `pipeline`"),
        ({"pipeline": "hyke", "composer": "graph"}, "leave `composer` or `pipeline` out"),
        ({"pipeline": "hyke", "set": ["hops=9"]}, "from 1 to 3"),
        ({"pipeline": "hyke", "without": ["link"]}, "gives no answer without"),
    ],
)
def test_what_cannot_be_had_is_a_400(client, more, said):
    got = client.post("/v1/answers", json=ASKED | more)
    assert got.status_code == 400
    assert said in got.json["detail"]


def test_the_page_shows_how_a_pipeline_came_to_its_answer(client, sample_graph):
    page = client.get("/ask", query_string={"q": ASKED["question"], "pipeline": "joint"}).text
    assert "How the pipeline joint came to this" in page
    assert "nothing to act on" in page
    assert "ROUGE-L F1" in page
    assert "How the pipeline" not in client.get("/ask", query_string={"q": ASKED["question"]}).text
