"""The page of an answer: its address, citations that open, dialogues, filters, and what people and sources write."""

import html
import re
import threading
import time
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest

from medgraph.answers.answer import Answer, Citation, FoundPage, Sentence
from medgraph.answers.assembly import Assembly
from medgraph.api.access import Options
from medgraph.api.app import create_app
from medgraph.api.problems import BusyError
from medgraph.api.service import Service
from tests.support.graphs import run
from tests.support.linking import names_of
from tests.support.service import service_over


def test_an_answer_has_an_address_and_opens_its_passages_in_place(client):
    sent = client.post("/ask", data={"q": "How is gout treated?", "sources": "", "previous": ["What is gout?"]})
    assert (sent.status_code, sent.location) == (303, "/ask?q=How+is+gout+treated?&previous=What+is+gout?")
    page = client.get("/ask", query_string={"q": "How is gout treated?"})
    assert page.status_code == 200
    assert "<title>How is gout treated? \u2013 medgraph</title>" in page.text
    cited = re.findall(r'<a class="cite" href="#([^"]+)"', page.text)
    assert cited
    for place in cited:
        quote = html.unescape(re.search(rf'<mark id="{place}">(.+?)</mark>', page.text, re.DOTALL)[1])
        assert page.text.count(f'id="{place}"') == 1
        assert " ".join(quote.split())[:40] in " ".join(html.unescape(page.text[: page.text.index("<aside")]).split())
    whole = re.findall(r'href="(/sections/[^"]+)#cited">The whole section', page.text)
    assert 0 < len(whole) == len(set(whole)) <= len(set(re.findall(r'id="source-(\d+)"', page.text)))
    assert '<mark id="cited">' in client.get(html.unescape(whole[0])).text
    assert page.text.count("not medical advice") == 1
    assert page.text.count("Each sentence was checked") == 1
    assert 'class="fault"' not in page.text
    nothing = client.get("/ask", query_string={"q": "How is gout treated in children?"}).text
    assert "Not enough evidence" in nothing
    assert "Nothing was found that speaks of gout together with children" in nothing
    assert "Each sentence was checked" not in nothing


def test_what_is_too_long_for_an_address_is_answered_where_it_is_sent_and_nothing_leads_home(client):
    page = client.post("/ask", data={"q": "How is gout treated? " + "Thank you. " * 800})
    assert page.status_code == 200
    assert '<h2 id="answer">' in page.text
    assert client.get("/ask").location == "/"
    for empty in ("", " ", "?!"):
        page = client.get("/ask", query_string={"q": empty})
        assert page.status_code == 400
        assert 'id="problem"' in page.text


def test_what_a_source_does_not_say_is_marked_and_what_another_says_against_it_is_shown(
    client, sample_graph, monkeypatch
):
    cited = Citation("a#1", "a", "A", "", "sample", "", 0, 4, "Yes.", "")
    other = replace(cited, section="b#1", document="b", title="B", quote="No.")
    sentences = (
        Sentence("Yes.", (cited,), "supported", contradicting=(other,)),
        Sentence("Perhaps.", (cited,), "no_evidence"),
    )
    monkeypatch.setattr(Service, "answer", lambda *_: Answer("?", "answered", sentences))
    page = client.get("/ask", query_string={"q": "What is gout?"}).text
    assert re.findall(r'class="fault">([^<]+)<', page) == ["Checked: its source does not say so"]
    assert "Another source says otherwise" in page
    assert '<mark id="p1-0">Yes.</mark>' in page


def test_the_page_begins_with_what_to_do_in_an_emergency(client):
    page = client.get("/ask", query_string={"q": "my chest hurts and my left arm is numb"}).text
    assert page.index("Act now") < page.index("This may be a heart attack") < page.index("Call your local emergency")
    assert "https://medlineplus.gov/ency/article/000063.htm" in page
    assert '<a href="tel:911">911 <small>US, Canada</small></a>' in page
    for besides in ("What to do first stands above.", "Closest to it", "Ask further", '<h2 id="answer">'):
        assert besides not in page
    assert "Act now" not in client.get("/ask", query_string={"q": "what is a heart attack?"}).text


def offered(page):
    """Give what is offered to ask: each question, and those before it."""
    found = re.search(r'<ul class="offered">(.*?)</ul>', page, re.DOTALL)
    links = map(html.unescape, re.findall(r'href="([^"]+)"', found[1] if found else ""))
    return [(parts["q"][0], parts.get("previous", [])) for parts in (parse_qs(urlsplit(one).query) for one in links)]


def test_what_to_ask_next_is_offered_and_answered(client):
    asked = offered(client.get("/ask", query_string={"q": "How is gout treated?"}).text)
    assert ("What are the symptoms of gout?", ["How is gout treated?"]) in asked
    assert len(asked) <= 6
    assert '<h2 id="answer">Answer</h2>' in client.get("/ask", query_string={"q": asked[0][0]}).text
    assert "Ask next" not in client.get("/ask", query_string={"q": "best pizza in town"}).text


def form(page, label="Ask further"):
    return re.search(rf'<form[^>]*aria-label="{label}.*?</form>', page, re.DOTALL)[0]


def hidden(form):
    return [html.unescape(one) for one in re.findall(r'<input type="hidden" name="previous" value="([^"]*)">', form)]


def test_a_dialogue_goes_on_from_page_to_page(client):
    page = client.get("/ask", query_string={"q": "What are the symptoms of asthma?"}).text
    assert "Asked before" not in page
    assert hidden(form(page)) == ["What are the symptoms of asthma?"]
    assert offered(page)[0][1] == hidden(form(page))
    page = client.get("/ask", query_string={"q": "and in children?", "previous": hidden(form(page))}).text
    assert "\u201cWhat are the symptoms of asthma in children?\u201d" in page
    before = re.search(r'<details class="before">.*?</details>', page, re.DOTALL)[0]
    assert re.findall(r'href="/ask\?q=([^"]+)"', before) == ["What+are+the+symptoms+of+asthma?"]
    asked = ["What are the symptoms of asthma?", "What are the symptoms of asthma in children?"]
    assert hidden(form(page)) == asked
    page = client.get("/ask", query_string={"q": "?!", "previous": asked})
    assert page.status_code == 400
    assert hidden(form(page.text, "Your question")) == asked
    back = client.get("/ask", query_string={"q": asked[0], "previous": asked}).text
    assert hidden(form(back)) == asked[:1]


def test_a_question_that_is_too_open_is_asked_back_on_the_page(client):
    page = client.get("/ask", query_string={"q": "gout"}).text
    assert "What would you like to know of gout: " in page
    assert offered(page)[0][1] == ["gout"]
    assert "Ask next" not in page


def test_a_forged_dialogue_on_the_page_is_refused_or_only_text(client):
    long = client.get("/ask", query_string={"q": "gout", "previous": ["x" * 1001, "What is gout?"]})
    assert long.status_code == 400
    assert "the field &#34;previous&#34; is a list of 2" in long.text
    assert set(hidden(form(long.text, "Your question"))) == {"What is gout?"}
    assert client.get("/ask", query_string={"q": "gout", "previous": ["x"] * 21}).status_code == 400
    hostile = '"><script>alert(1)</script>'
    page = client.get("/ask", query_string={"q": "What is gout?", "previous": [hostile]}).text
    assert "<script>" not in page
    assert hidden(form(page))[0] == hostile


def test_each_thing_asked_stands_over_what_answers_it_and_what_is_not_answered_is_said(client):
    page = client.get(
        "/ask", query_string={"q": "What are the stages of gout and how is it treated and prevented?"}
    ).text
    leads = re.findall(r"<h3>(What are the treatments|How can)[^<]*\?</h3>\s*<div class=\"answer\">", page)
    assert leads == ["What are the treatments", "How can"]
    assert '<p class="unanswered">Nothing loaded says what the stages of gout are.</p>' in page
    understood = re.search(r'<p class="understood">(.*?)</p>', page, re.DOTALL)[1]
    assert " ".join(re.sub("<[^>]+>", "", understood).split()) == (
        "Understood as Gout \u00b7 prevention, treatment, stages"
    )


def test_what_only_comes_near_never_looks_like_an_answer(client):
    page = client.get("/ask", query_string={"q": "Can I eat bananas with gout?"}).text
    assert "Nothing in the graph answers this exactly. Closest to it:</h2>" in page
    assert '<div class="related">' in page
    for sign in (">Answer</h2>", '<div class="answer">', "What this answer names"):
        assert sign not in page
        assert sign in client.get("/ask", query_string={"q": "What are the symptoms of celiac disease?"}).text


def test_pages_that_answer_elsewhere_are_linked_and_only_addresses_of_pages(client, sample_graph, monkeypatch):
    pages = [
        FoundPage(f"d{n}", "Zorblatt", url, "x", "", "causes", f"What causes Zorblatt {n}?", url, 0.9)
        for n, url in enumerate(("https://example.org/z", "javascript:alert(1)"))
    ]
    monkeypatch.setattr(Service, "answer", lambda *_: Answer("?", "not_enough_evidence", evidence=tuple(pages)))
    page = client.get("/ask", query_string={"q": "What causes Zorblatt?"}).text
    assert page.index("Not enough evidence") < page.index("Pages elsewhere that may help")
    assert '<a href="https://example.org/z" rel="noreferrer">What causes Zorblatt 0?</a>' in page
    assert "What causes Zorblatt 1?" in page
    assert "javascript:" not in page


def test_what_users_and_sources_write_is_text_on_the_page(client, database, encoder):
    hostile = "<script>alert(1)</script> gout\"'><img src=x onerror=alert(1)>"
    for page in (
        client.get("/ask", query_string={"q": hostile}),
        client.get("/ask", query_string={"q": "<b>!</b>" * 2000}),
    ):
        assert "<script>" not in page.text
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
    for forbidden in ("<script>", "<img", "<i>", "javascript:"):
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
    page = client.get("/ask", query_string={"q": "gout"}).text
    flat = " ".join(page[: page.index("<aside")].split())
    assert "<li> one &lt;b&gt;thing&lt;/b&gt; </li> <li> another, 100% sure.&#8288;<a" in flat
    assert flat.count("Plain.") == 3
    assert flat.count('<p class="lead"> Plain.') == 1
    assert flat.count("<p> Plain.") == 2
    (link,) = set(re.findall(r'href="(http://b/[^"]+)"', page))
    query = parse_qs(urlsplit(link.replace("&amp;", "&")).query)
    assert (query["dbms"], query["cmd"]) == (["bolt://c"], ["edit"])
    (statement,) = query["arg"]
    assert not set("#&+%?") & set(statement)
    assert run(database, statement)[0]["s"]["id"] == "x#1+2"


def test_the_picture_of_an_answer_shows_what_it_names_and_not_where_it_stands(client):
    page = client.get("/ask", query_string={"q": "What are the symptoms of celiac disease?"}).text
    picture = page[page.index("<svg") : page.index("</svg>")]
    assert "What this answer names" in picture
    assert 'href="/entities/sample:celiac-disease"' in picture
    assert "has symptom" in picture
    assert "HAS_" not in picture
    assert "[1]" in picture
    listed = page[page.index('<div class="stacked">') :]
    assert re.search(r"<dt>has symptom</dt>\s*<dd><a href=[^>]+>[^<]+</a>.*<span class=\"bar ", listed)


def test_filters_hold_for_an_answer_and_go_along_with_the_dialogue(client):
    asked = {"q": "How is gout treated?", "sources": "sample", "concepts": "gout", "since": "", "authors": " "}
    page = client.get("/ask", query_string=asked).text
    assert '<h2 id="answer">Answer</h2>' in page
    assert '<details class="again" open>' in page
    assert re.findall(r"<option selected>([^<]+)<", page) == ["sample"]
    carried = dict(re.findall(r'<input type="hidden" name="(\w+s)" value="([^"]*)">', form(page)))
    assert carried == {"previous": asked["q"], "sources": "sample", "concepts": "gout"}
    assert 'class="offered"' not in page
    page = client.get("/ask", query_string={"q": "and its symptoms?", "previous": asked["q"], "concepts": "asthma"})
    assert "No source that is loaded answers this" in page.text
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
    page = client.get("/ask", query_string={"q": "How is gout treated?", name: value})
    assert page.status_code == status
    assert said in page.text
    assert "<script>" not in page.text
    assert "<option>sample</option>" in page.text


class Writing(Service):
    """A service whose model writes a sentence every tenth of a second; it has no graph."""

    writes = True

    def __init__(self):
        super().__init__(Assembly(None, None, None))
        self.said, self.ended = 0, threading.Event()

    def choices(self):
        return {}

    def answer(self, question, filters, previous, composer, tell):
        cited = Citation("a#1", "a", "A", "", "sample", "", 0, 4, "Yes.", "")
        whole = Answer(question, "answered", (Sentence("Yes.", (cited,), "supported"),))
        try:
            tell("understood", whole)
            for _ in range(30):
                tell("sentence", whole.sentences[0])
                self.said += 1
                time.sleep(0.1)
        finally:
            self.ended.set()
        return whole

    def evidence(self, _):
        raise BusyError("too many questions at once")


@pytest.mark.parametrize(("method", "read"), [("HEAD", 0), ("GET", 0), ("GET", 2)])
def test_writing_ends_with_who_leaves_be_it_before_anything_was_sent(method, read):
    service = Writing()
    response = create_app(service).test_client().open("/ask?q=gout", method=method)
    parts = iter(response.response)
    for _ in range(read):
        assert next(parts)
    response.close()
    assert service.ended.wait(20)
    assert service.said < 30


def test_trouble_after_an_answer_was_written_is_told_on_its_page():
    page = create_app(Writing()).test_client().get("/ask?q=gout").text
    assert "Yes." in page
    assert re.search(r'<p id="problem">too many questions at once</p>', page)
    assert page.rstrip().endswith("</html>")
