"""The pages: answers with citations that open, pictures, and whatever people and sources write shown as text."""

import html
import re
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest

from medgraph.answers.answer import Answer, Citation, FoundPage, Sentence
from medgraph.answers.assembly import Assembly
from medgraph.api.app import create_app
from medgraph.api.options import Options
from medgraph.api.service import Service
from medgraph.schema.concept_relations import fold_all
from tests.support.graphs import run
from tests.support.linking import names_of
from tests.support.service import service_over
from tests.support.told import told


def test_the_page_answers_with_numbered_citations_that_open_the_span(client):
    assert "<form" in client.get("/").text
    page = client.post("/", data={"question": "How is gout treated?"})
    assert page.status_code == 200
    links = re.findall(r'href="(/sections/[^"]+)#cited"', page.text)
    assert links
    assert "[1]" in page.text
    for link in links:
        shown = client.get(link.replace("&amp;", "&")).text
        quote = re.search(r'<mark id="cited">(.+?)</mark>', shown, re.DOTALL)[1]
        assert " ".join(quote.split()) in " ".join(page.text.split())
    assert page.text.count("not medical advice") == 1
    nothing = client.post("/", data={"question": "What are the symptoms of Zorblatt disease?"}).text
    assert "Not enough evidence" in nothing


def test_the_page_begins_with_what_to_do_in_an_emergency(client):
    page = client.post("/", data={"question": "my chest hurts and my left arm is numb"}).text
    assert page.index("Act now") < page.index("This may be a heart attack") < page.index("Call your local emergency")
    assert page.index("https://medlineplus.gov/ency/article/000063.htm") < page.index('id="answer"')
    assert "What to do first stands above." in page
    assert "Closest to it" not in page
    assert "Act now" not in client.post("/", data={"question": "what is a heart attack?"}).text


def test_the_first_page_shows_what_is_loaded_and_questions_that_are_answered(client):
    page = client.get("/").text
    assert re.search(r"built-in sample of common conditions.*\s.*60 documents, [\d,]+ entities, Apache-2.0", page)
    questions = re.findall(r'<button name="question" value="([^"]+)">', page)
    assert len(questions) == 6
    for question in questions[:2]:
        assert '<h2 id="answer">Answer</h2>' in client.post("/", data={"question": html.unescape(question)}).text
    assert 'action="/search"' in page
    assert 'action="/entities"' in page


def test_what_to_ask_next_is_offered_and_answered(client):
    page = client.post("/", data={"question": "How is gout treated?"}).text
    offered = re.findall(r'<button name="question" value="([^"]+)">', page)
    assert "What are the symptoms of gout?" in offered
    assert len(offered) <= 6
    assert '<h2 id="answer">Answer</h2>' in client.post("/", data={"question": offered[0]}).text
    assert "Ask next" not in client.post("/", data={"question": "best pizza in town"}).text


def hidden(page):
    return [html.unescape(one) for one in re.findall(r'<input type="hidden" name="previous" value="([^"]*)">', page)]


def test_a_dialogue_goes_on_from_page_to_page(client):
    page = client.post("/", data={"question": "What are the symptoms of asthma?"}).text
    assert "Asked before" not in page
    (further,) = re.findall(r'<form[^>]*class="further".*?</form>', page, re.DOTALL)
    assert hidden(further) == ["What are the symptoms of asthma?"]
    offered = re.search(r'<form[^>]*aria-label="Ask next">.*?</form>', page, re.DOTALL)[0]
    assert hidden(offered) == hidden(further)
    page = client.post("/", data={"question": "and in children?", "previous": hidden(further)}).text
    assert "\u201cWhat are the symptoms of asthma in children?\u201d" in page
    before = re.search(r'<form[^>]*aria-label="Asked before">.*?</form>', page, re.DOTALL)[0]
    assert re.findall(r'<button name="question" value="([^"]+)">', before) == ["What are the symptoms of asthma?"]
    (further,) = re.findall(r'<form[^>]*class="further".*?</form>', page, re.DOTALL)
    asked = ["What are the symptoms of asthma?", "What are the symptoms of asthma in children?"]
    assert hidden(further) == asked
    page = client.post("/", data={"question": "?!", "previous": asked})
    assert page.status_code == 400
    (further,) = re.findall(r'<form[^>]*class="further".*?</form>', page.text, re.DOTALL)
    assert hidden(further) == asked
    back = client.post("/", data={"question": asked[0], "previous": asked}).text
    (further,) = re.findall(r'<form[^>]*class="further".*?</form>', back, re.DOTALL)
    assert hidden(further) == asked[:1]


def test_a_question_that_is_too_open_is_asked_back_on_the_page(client):
    page = client.post("/", data={"question": "gout"}).text
    assert "What would you like to know of gout: " in page
    replies = re.search(r'<form[^>]*aria-label="Replies">.*?</form>', page, re.DOTALL)[0]
    assert hidden(replies) == ["gout"]
    assert "Ask next" not in page


def test_a_forged_dialogue_on_the_page_is_refused_or_only_text(client):
    long = client.post("/", data={"question": "gout", "previous": ["x" * 1001, "What is gout?"]})
    assert long.status_code == 400
    assert "the field &#34;previous&#34; is a list of 2" in long.text
    assert set(hidden(long.text)) == {"What is gout?"}
    assert client.post("/", data={"question": "gout", "previous": ["x"] * 21}).status_code == 400
    hostile = '"><script>alert(1)</script>'
    page = client.post("/", data={"question": "What is gout?", "previous": [hostile]}).text
    assert "<script" not in page
    assert hidden(page)[0] == hostile


def test_each_thing_asked_stands_over_what_answers_it_and_what_is_not_answered_is_said(client):
    page = client.post("/", data={"question": "What are the stages of gout and how is it treated and prevented?"}).text
    leads = re.findall(r"<h3>(What are the treatments|How can)[^<]*\?</h3>\s*<div class=\"answer\">", page)
    assert leads == ["What are the treatments", "How can"]
    assert '<p class="unanswered">Not answered: What are the stages of gout?</p>' in page
    understood = re.search(r'<p class="understood">(.*?)</p>', page, re.DOTALL)[1]
    assert " ".join(re.sub("<[^>]+>", "", understood).split()) == (
        "Understood as: Gout (Disease); prevention, treatment, stages"
    )


def test_what_only_comes_near_never_looks_like_an_answer(client):
    page = client.post("/", data={"question": "Can I eat bananas with gout?"}).text
    assert "Nothing in the graph answers this exactly. Closest to it:</h2>" in page
    assert '<div class="related">' in page
    for sign in (">Answer</h2>", '<div class="answer">', "What this answer names"):
        assert sign not in page
        assert sign in client.post("/", data={"question": "What are the symptoms of celiac disease?"}).text


def test_pages_that_answer_elsewhere_are_linked_and_only_addresses_of_pages(client, monkeypatch):
    pages = [
        FoundPage(f"d{n}", "Zorblatt", url, "x", "", "causes", f"What causes Zorblatt {n}?", url, 0.9)
        for n, url in enumerate(("https://example.org/z", "javascript:alert(1)"))
    ]
    monkeypatch.setattr(Service, "answer", lambda *_: Answer("?", "not_enough_evidence", evidence=tuple(pages)))
    page = client.post("/", data={"question": "What causes Zorblatt?"}).text
    assert page.index("Not enough evidence") < page.index("Pages elsewhere that may help")
    assert '<a href="https://example.org/z" rel="noreferrer">What causes Zorblatt 0?</a>' in page
    assert "What causes Zorblatt 1?" in page
    assert "javascript:" not in page


def test_what_users_and_sources_write_is_text_on_the_page(client, database, encoder):
    hostile = "<script>alert(1)</script> gout\"'><img src=x onerror=alert(1)>"
    for page in (client.post("/", data={"question": hostile}), client.post("/", data={"question": "<b>!</b>" * 2000})):
        assert "<script" not in page.text
        assert "<img" not in page.text
        assert "<b>!" not in page.text
    run(
        database,
        "CREATE (:Source {id: 'x', licence: '<i>'})"
        "<-[:FROM]-(d:Document {id: 'x', title: $t, url: 'javascript:alert(1)'}) "
        "CREATE (d)-[:HAS_SECTION]->(:Section {id: 'x#1', type: '', heading: '', question: $t, text: $t})",
        t=hostile,
    )
    shown = client.get("/sections/x%231?start=0&end=8").text
    assert '<mark id="cited">&lt;script&gt;</mark>' in shown
    for forbidden in ("<script", "<img", "<i>", "javascript:"):
        assert forbidden not in shown


def test_the_page_keeps_lists_apart_and_links_into_browser(sample_graph, encoder, database):
    run(
        database,
        "CREATE (s:Source {id: 'x', licence: 'CC0'}) CREATE (s)<-[:FROM]-(d:Document {id: 'x&y', title: 'Gout'}) "
        "CREATE (d)-[:HAS_SECTION]->(:Section {id: 'x#1+2', type: '', heading: '', question: '', text: 'x'})",
    )
    client = create_app(
        service_over(sample_graph, lambda: encoder, names_of(sample_graph)), Options(browser="http://b/?dbms=bolt://c")
    ).test_client()
    quote = "Such are:\n    - one  <b>thing</b>\n\n    - another, 100% sure."
    cited = Citation("x#1+2", "x", "x", "x", "x", "x", 0, 9, quote, "MATCH (s:Section {id: 'x#1+2'}) RETURN s")
    sentence = Sentence(" ".join(quote.split()), (cited,), "supported")
    plain = Sentence("Plain.", (replace(cited, quote="Plain."),), "supported")

    class Canned(Service):
        def answer(self, question, filters, previous, composer=None, tell=None):
            return Answer(question, "answered", (plain, plain, sentence, plain))

    client.application.extensions["medgraph"] = Canned(Assembly(sample_graph, lambda: encoder, names_of(sample_graph)))
    page = client.post("/", data={"question": "gout"}).text
    flat = " ".join(page.split())
    assert "<li>one &lt;b&gt;thing&lt;/b&gt;</li> <li>another, 100% sure.&#8288;<a" in flat
    assert flat.count("Plain.") == 3
    assert flat.count("<p> Plain.") == 2
    (link,) = set(re.findall(r'href="(http://b/[^"]+)"', page))
    query = parse_qs(urlsplit(link.replace("&amp;", "&")).query)
    assert (query["dbms"], query["cmd"]) == (["bolt://c"], ["edit"])
    (statement,) = query["arg"]
    assert not set("#&+%?") & set(statement)
    assert run(database, statement)[0]["s"]["id"] == "x#1+2"


def test_the_picture_of_an_answer_shows_what_it_names_and_not_where_it_stands(client):
    page = client.post("/", data={"question": "What are the symptoms of celiac disease?"}).text
    picture = page[page.index("<svg") : page.index("</svg>")]
    assert "What this answer names" in picture
    assert 'href="/entities/sample:celiac-disease"' in picture
    assert "HAS_SYMPTOM" in picture
    assert "[1]" in picture
    assert "HAS_SECTION" not in picture


def test_filters_hold_for_an_answer_and_go_along_with_the_dialogue(client):
    asked = {"question": "How is gout treated?", "sources": "sample", "concepts": "gout", "since": "", "authors": " "}
    page = client.post("/", data=asked).text
    assert '<h2 id="answer">Answer</h2>' in page
    assert "<details open>" in page
    assert re.findall(r"<option selected>([^<]+)<", page) == ["sample"]
    (further,) = re.findall(r'<form[^>]*class="further".*?</form>', page, re.DOTALL)
    hidden = r'<input type="hidden" name="(sources|concepts|since|authors)" value="([^"]*)">'
    carried = dict(re.findall(hidden, further))
    assert carried == {"sources": "sample", "concepts": "gout"}
    page = client.post("/", data={"question": "and its symptoms?", "previous": asked["question"], "concepts": "asthma"})
    assert "Nothing in the graph answers this" in page.text
    assert "within: concept asthma" in page.text
    assert "<details open>" not in client.get("/").text


@pytest.mark.parametrize(
    ("name", "value", "status", "said"),
    [
        ("since", "soon", 400, "since is &#39;soon&#39;; write it as 2026"),
        ("authors", "Nobody Q", 404, "no document is by an author called &#39;Nobody Q&#39;"),
        ("mesh", "<script>", 404, "&lt;script&gt;"),
        ("journals", "x" * 201, 400, "&#34;journals&#34;"),
    ],
)
def test_a_filter_that_cannot_be_used_is_told_beside_the_form(client, name, value, status, said):
    page = client.post("/", data={"question": "How is gout treated?", name: value})
    assert page.status_code == status
    assert said in page.text
    assert "<script" not in page.text
    assert "<option>sample</option>" in page.text


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
        "a:1; M:9",
        "&lt;b&gt;Podagra (two)",
        "Crystals. (one)",
        '<a href="/entities/a:1">Gout</a> (a:1, itself)',
        "Treatments for it include \u2026 <code",
        '<a href="/entities/a:2">Salt</a> <span class="who">(stated by one | told in 1 section (two)',
        '<a class="cite" href="/sections/t%231" aria-label="Section t#1">[1]</a>)</span>',
        'href="/subgraph?name=b:1"',
        '<input name="name" type="hidden" value="b:1">',
        "Nothing can be guessed: the graph has no vectors of relations; make them: medgraph index kge.",
    ):
        assert said in page, said
    assert "<b>" not in page
