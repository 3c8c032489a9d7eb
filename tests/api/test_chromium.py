"""The pages in a real browser: headless Chromium, by mouse, by keyboard and by the rules for screen readers."""

import os
import re
import shutil
from contextlib import contextmanager
from dataclasses import replace

import pytest

from medgraph.api import desk
from medgraph.api.access import LimitedKey, Options
from medgraph.models.open import open_model
from tests.support.graphs import run
from tests.support.linking import names_of
from tests.support.scripted import cut, says, status
from tests.support.service import running, service_over
from tests.support.written import TREATED, asked_of, sentences

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
REQUIRED = os.environ.get("MEDGRAPH_TEST_PAGES") == "required"
ARGUMENTS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()

SEVERAL = "What are the stages of gout and how is it treated and prevented?"
PATHS = (
    "/",
    "/sections/sample:gout%236?start=0&end=20",
    "/entities/sample:gout",
    "/entities?q=gout",
    "/search?q=gout&types=treatment",
    "/subgraph?name=gout",
    "/paths?name=gout&name=heart+failure",
    "/docs",
    "/sources",
    "/queries",
    "/queries/who_treats?condition=gout",
    "/nowhere",
)

REFUSED = ("the server responded with a status of 40", "net::ERR_FAILED")
"""What Chromium itself says when a question cannot be used, or a page or a server is not there."""

pytestmark = [
    pytest.mark.skipif(not CHROMIUM and not REQUIRED, reason="no Chromium is found, so the pages are not looked at"),
    pytest.mark.slow,
]


@pytest.fixture(scope="module")
def chromium():
    assert CHROMIUM, "MEDGRAPH_TEST_PAGES is required, and no Chromium is found"
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def site(sample_graph, encoder, server):
    """The address of a running service."""
    options = Options(browser=server.status().browser_uri)
    with running(service_over(sample_graph, lambda: encoder, names_of(sample_graph)), options) as served:
        yield f"http://127.0.0.1:{served.port}"


@pytest.fixture
def opened(chromium, site):
    """Open pages of the site."""
    with opening(chromium, site) as open_page:
        yield open_page


@pytest.fixture
def opened_where_a_model_writes(chromium, sample_graph, encoder, settings, monkeypatch, tmp_path):
    """Open pages of a site whose model follows steps."""

    @contextmanager
    def at(*steps):
        with asked_of(settings, monkeypatch, tmp_path, *steps) as (_, own):
            model, names = open_model(own), names_of(sample_graph)
            service = service_over(
                sample_graph, lambda: encoder, names, composer="generated", load_model=lambda: model, patience=30
            )
            service.warm_up()
            with running(service) as served, opening(chromium, f"http://127.0.0.1:{served.port}") as open_page:
                yield open_page

    return at


@contextmanager
def opening(chromium, site):
    """Open pages of a site, and afterwards make sure that none complained or fetched anything from elsewhere."""
    contexts, complaints = [], []

    def open_page(path="/", **options):
        context = chromium.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.on(
            "console",
            lambda message: None if any(map(message.text.__contains__, REFUSED)) else complaints.append(message.text),
        )
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: complaints.append(f"dialog {dialog.message}"))
        page.on("request", lambda r: None if r.url.startswith(site) else complaints.append(f"asked for {r.url}"))
        page.goto(site + path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def asking(page):
    """Give the form for a question; on the page of an answer it is folded."""
    for summary in page.locator("details.again:not([open]) > summary").all():
        summary.click()
    return page.get_by_role("search", name="Your question")


def ask(page, question="How is gout treated?", wait="#answer"):
    form = asking(page)
    form.get_by_label("Your question").fill(question)
    with page.expect_navigation(wait_until="commit"):
        form.get_by_role("button", name="Ask").click()
    page.wait_for_selector(wait)
    return page


def number(page, which=1):
    return page.get_by_role("link", name=f"Source {which}: ").first


WHOLE = sentences(*TREATED).text


@pytest.mark.parametrize("scripts", [True, pytest.param(False, marks=pytest.mark.thorough)])
def test_sentences_are_shown_as_they_come_and_the_whole_answer_in_their_place(opened_where_a_model_writes, scripts):
    with opened_where_a_model_writes(says(WHOLE, between=0.15)) as opened:
        page = ask(opened(java_script_enabled=scripts), wait=".draft")
        draft = page.locator(".draft")
        draft.get_by_text(TREATED[0]).wait_for()
        shown = draft.text_content()
        assert TREATED[1] not in shown
        assert "Understood as \u201cHow is gout treated?\u201d" in shown
        assert (
            draft.get_by_role("link", name="Gout").first.get_attribute("href").startswith("/sections/sample:gout%236?")
        )
        assert page.title().startswith("How is gout treated? ")
        page.wait_for_selector("#answer")
        draft.wait_for(state="hidden")
        text = page.locator(".whole").inner_text()
        assert all(said in text for said in (*TREATED, "Written by openai:scripted-1", "Ask next"))
        assert "q=How+is+gout+treated" in page.url


@pytest.mark.thorough
def test_a_model_that_fails_midway_and_a_question_of_no_use(opened_where_a_model_writes):
    broken = cut(WHOLE, after=WHOLE.count(" ") - 2)
    with opened_where_a_model_writes(broken, sentences(), status(500)) as opened:
        page = ask(opened())
        page.wait_for_load_state()
        text = page.locator(".whole").inner_text()
        assert "Quoted, and not written by openai:scripted-1" in text
        assert TREATED[0] not in text
        assert ask(page).get_by_role("heading", name="No answer found").is_visible()
        ask(page, "?!", wait="#problem")
        assert page.locator(".draft").count() == 0


@pytest.mark.parametrize("scripts", [True, False])
def test_an_answer_can_be_shared_and_a_citation_opens_its_passage_in_place(opened, scripts):
    page = ask(opened(java_script_enabled=scripts))
    assert page.get_by_role("heading", name="Answer").is_visible()
    page = opened(page.url[page.url.index("/ask") :], java_script_enabled=scripts)
    assert page.get_by_role("heading", level=1).text_content() == "How is gout treated?"
    assert not page.locator(".card mark").first.is_visible()
    said = number(page).evaluate("a => a.parentElement.textContent")
    number(page).click()
    mark = page.locator(".card mark").first
    mark.wait_for()
    assert mark.text_content().split()[0] in said
    assert 0 <= mark.bounding_box()["y"] < page.viewport_size["height"]
    page.get_by_role("link", name="The whole section of source 1").click()
    page.wait_for_selector("#cited")
    page.go_back()
    assert page.get_by_role("heading", name="Answer").is_visible()


@pytest.mark.parametrize("width", [360, 1280])
def test_sources_stand_beside_an_answer_where_there_is_room_and_a_picture_is_a_list_where_there_is_none(opened, width):
    page = ask(opened(viewport={"width": width, "height": 740}), "Who is at risk for gout?")
    answer, sources = (page.locator(place).bounding_box() for place in (".answer", "aside"))
    assert (sources["x"] > answer["x"] + answer["width"]) is (width > 1000)
    assert page.locator(".graph").is_visible() is (width > 1000)
    assert page.locator(".stacked").is_visible() is (width < 1000)
    if width < 1000:
        page.locator(".stacked a").first.click()
        page.wait_for_url("**/entities/**")


def test_the_box_grows_and_enter_sends_it(opened):
    page = opened()
    box = asking(page).get_by_label("Your question")
    low = box.bounding_box()["height"]
    box.press_sequentially("gout")
    for _ in range(5):
        box.press("Shift+Enter")
    assert box.bounding_box()["height"] > low
    box.fill("How is gout treated?")
    box.press("Enter")
    page.wait_for_selector("#answer")


@pytest.mark.thorough
@pytest.mark.parametrize("width", [360, 1280])
def test_what_to_do_in_an_emergency_is_seen_before_all_else(opened, width):
    page = ask(opened(viewport={"width": width, "height": 740}), "my chest hurts and my left arm is numb")
    alert = page.get_by_role("alert")
    assert alert.get_by_role("heading", name="This may be a heart attack").is_visible()
    assert alert.bounding_box()["y"] < page.locator("#answer").bounding_box()["y"]
    assert alert.get_by_text("Call your local emergency number").bounding_box()["y"] < 740


@pytest.mark.thorough
def test_the_picture_leads_to_what_it_shows(opened):
    page = ask(opened(), "Who is at risk for gout?")
    picture = page.get_by_role("group", name="What this answer names")
    assert "Gout" in picture.locator(".name").all_text_contents()
    assert picture.locator(".disease > rect").first.evaluate("e => getComputedStyle(e).fill") != "rgb(0, 0, 0)"
    picture.get_by_role("link", name="Gout", exact=True).click()
    page.wait_for_url("**/entities/sample:gout")
    around = page.get_by_role("group", name="Gout: what sources say, and who says so")
    around.get_by_role("link", name="arthritis").first.click()
    assert page.get_by_role("heading", level=1).text_content() == "arthritis"


@pytest.mark.thorough
def test_the_browser_asks_for_the_key_and_the_page_works_with_it(chromium, sample_graph, encoder):
    key = "a-key-for-this-test"
    with running(service_over(sample_graph, lambda: encoder, names_of(sample_graph)), Options(keys=(key,))) as served:
        for password, status in ((key, 200), ("wrong", 401)):
            credentials = {"username": "anybody", "password": password}
            context = chromium.new_context(http_credentials=credentials)
            page = context.new_page()
            assert page.goto(f"http://127.0.0.1:{served.port}/").status == status
            if status == 200:
                assert number(ask(page)).is_visible()
            context.close()


@pytest.mark.thorough
@pytest.mark.parametrize("scripts", [pytest.param(True, marks=pytest.mark.thorough), False])
def test_from_an_example_to_what_to_ask_next_to_search_and_an_entity(opened, scripts):
    page = opened(java_script_enabled=scripts)
    page.locator(".offered a").first.click()
    assert page.get_by_role("heading", name="Answer", exact=True).is_visible()
    asked = page.get_by_role("heading", level=1).text_content()
    page.get_by_role("region", name="Ask next").get_by_role("link").first.click()
    assert page.get_by_role("heading", name="Answer", exact=True).is_visible()
    assert page.get_by_role("heading", level=1).text_content() != asked
    page.get_by_role("link", name="Search", exact=True).click()
    page.get_by_label("Words or a question").fill("gout")
    page.get_by_text("Some passages only").click()
    page.get_by_label("Kind of section").select_option("treatment")
    page.get_by_role("button", name="Search").click()
    assert page.locator(".results mark").first.text_content().lower().startswith("gout")
    assert page.get_by_label("Kind of section").input_value() == "treatment"
    assert not page.locator(".why").first.is_visible()
    page.locator(".results summary").first.click()
    assert page.locator(".why").first.is_visible()
    page.locator(".results h3 a").first.click()
    page.wait_for_selector("#cited")
    page.get_by_role("link", name="Look up").click()
    page.get_by_label("by name or id").fill("gout")
    page.get_by_role("button", name="Look up").click()
    page.get_by_role("link", name="Gout", exact=True).click()
    assert page.get_by_role("heading", level=1).text_content() == "Gout"


def further(page, said):
    page.get_by_role("textbox", name="Ask further, such as").fill(said)
    with page.expect_navigation():
        page.get_by_role("search", name="Ask further").get_by_role("button", name="Ask").click()
    return page


@pytest.mark.thorough
@pytest.mark.parametrize("scripts", [True, False])
def test_a_dialogue_goes_on_and_back(opened, scripts):
    page = further(ask(opened(java_script_enabled=scripts), "How is asthma treated?"), "and in children?")
    assert page.locator(".understood").text_content().strip().startswith("Understood as")
    assert "How is asthma treated in children?" in page.locator(".understood").text_content()
    further(page, "and gout?")
    page.get_by_text("Asked before").click()
    before = page.locator(".before a")
    assert before.all_text_contents() == ["How is asthma treated?", "How is asthma treated in children?"]
    before.last.click()
    assert page.get_by_role("heading", level=1).text_content() == "How is asthma treated in children?"
    assert page.locator(".before a").count() == 1
    page = ask(opened(java_script_enabled=scripts), "gout")
    page.locator(".offered").get_by_role("link", name="treatment").click()
    assert page.get_by_role("heading", level=1).text_content() == "What are the treatments for gout?"


@pytest.mark.thorough
def test_from_an_entity_to_what_goes_with_it_and_to_paths(opened):
    page = opened("/entities/sample:coronary-artery-disease", java_script_enabled=False)
    page.get_by_role("link", name="What goes with it, in sentences").click()
    assert page.get_by_role("heading", level=2).text_content() == "Coronary artery disease"
    page.get_by_label("Which relations").select_option("complications")
    page.get_by_role("button", name="Show").click()
    assert page.get_by_role("heading", level=3).all_text_contents() == ["Complications"]
    page.get_by_role("link", name="all that is known of it").click()
    page.get_by_label("How Coronary artery disease goes together with").fill("heart failure")
    page.get_by_role("button", name="Find paths").click()
    assert page.get_by_role("group", name="How these go together").is_visible()
    page.get_by_role("link", name="What goes with Coronary artery disease").click()
    assert page.get_by_label("Which relations").input_value() == ""


@pytest.mark.thorough
def test_answers_from_some_sources_only(opened):
    page = opened(java_script_enabled=False)
    assert not page.get_by_label("Author").is_visible()
    page.get_by_text("Answer from some sources only").click()
    page.get_by_label("Concept").fill("asthma")
    page = ask(page)
    assert "within: concept asthma" in page.locator("main").text_content()
    assert page.get_by_label("Concept").input_value() == "asthma"
    page.get_by_label("Concept").fill("")
    assert ask(page).get_by_role("heading", name="Answer", exact=True).is_visible()


@pytest.mark.thorough
def test_a_dead_link_is_told_on_a_page(opened):
    page = opened("/")
    page.goto(page.url + "entities/nope")
    assert page.get_by_role("heading", level=1).text_content() == "Not Found"
    page.get_by_role("link", name="Ask a question").click()
    assert asking(page).get_by_label("Your question").is_visible()


@pytest.mark.thorough
def test_everything_can_be_done_with_the_keyboard(opened):
    page = opened()
    for _ in range(8):  # past the seven links of the head
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "question"
    page.keyboard.type("How is gout treated?")
    page.keyboard.press("Enter")
    page.wait_for_selector("#answer")
    links = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        name, outline = page.evaluate(
            "[document.activeElement.outerHTML, getComputedStyle(document.activeElement).outlineStyle]"
        )
        if name.startswith("<body"):
            break
        assert outline == "solid", f"it cannot be seen that {name} has the focus"
        links.add(name)
    assert any('class="cite"' in name for name in links)
    assert any("<summary" in name for name in links)


@pytest.mark.thorough
def test_axe_finds_nothing(opened):
    from axe_playwright_python.sync_playwright import Axe

    def check(page, *schemes):
        for scheme in schemes or ("light",):
            page.emulate_media(color_scheme=scheme)
            found = Axe().run(page).response["violations"]
            assert [(v["id"], [node["html"] for node in v["nodes"]]) for v in found] == [], scheme

    check(opened(), "light", "dark")
    check(ask(opened()), "light", "dark")
    check(ask(opened(), "best pizza in town"))
    check(ask(opened(), "my baby is not breathing and his lips are blue"))
    check(ask(opened(), "symptoms?"))
    check(ask(opened(), "?!", wait="#problem"))
    page = ask(opened())
    number(page).click()
    check(page, "light", "dark")
    check(ask(opened(), SEVERAL), "light", "dark")
    check(further(ask(opened(), "gout"), "and in children?"))
    page = opened()
    page.locator("summary").click()
    page.get_by_label("Concept").fill("asthma")
    check(ask(page), "light", "dark")
    for path in PATHS:
        check(opened(path), *(("light", "dark") if path.startswith(("/entities/", "/subgraph", "/paths")) else ()))


@pytest.mark.thorough
@pytest.mark.parametrize("width", [360, pytest.param(1280, marks=pytest.mark.thorough)])
def test_nothing_is_cut_off(opened, width):
    viewport = {"width": width, "height": 740}
    questions = ("How is gout treated?", SEVERAL, "I took 30 paracetamol and want to die")
    pages = [ask(opened(viewport=viewport), question) for question in questions]
    pages.append(further(ask(opened(viewport=viewport), "gout"), "what are the side effects of its treatment?"))
    pages += [opened(path, viewport=viewport) for path in PATHS]
    for page in pages:
        assert page.evaluate("document.documentElement.scrollWidth") <= width, page.url
        small = page.evaluate(
            "[...document.querySelectorAll('button, input:not([type=hidden]), select, summary')]"
            ".filter(e => e.getBoundingClientRect().height < 24).length"
        )
        assert small == 0


SIGNS = """
source: {id: signs, title: Signs of our ward, version: 2026-03, licence: CC-BY-4.0}
entities:
  - {id: "signs:{disease|slug}", label: Disease, name: "{disease}"}
  - {id: "signs:{sign|slug}", label: Symptom, name: "{sign}"}
"""


@pytest.mark.parametrize("scripts", [True, pytest.param(False, marks=pytest.mark.thorough)])
def test_a_curator_tries_a_table_out_loads_it_and_takes_it_back(
    chromium, database, encoder, here, tmp_path, monkeypatch, scripts
):
    from axe_playwright_python.sync_playwright import Axe

    monkeypatch.setattr(desk, "PULSE", 0.05)
    (tmp_path / "signs.csv").write_text("disease,sign\nGout,joint pain\n,cough\n")
    (tmp_path / "signs.yaml").write_text(SIGNS)
    key = "a-key-of-a-curator"
    work = desk.Desk(replace(here, home=tmp_path / "home"), lambda database: iter(()))
    options = Options(limited=(LimitedKey(key, curates=True),), desk=work)
    service = service_over(database, lambda: encoder, names_of(database))
    with running(service, options) as served, opening(chromium, f"http://127.0.0.1:{served.port}") as open_page:
        page = open_page(
            "/",
            http_credentials={"username": "ann", "password": key},
            java_script_enabled=scripts,
            viewport={"width": 360, "height": 740},
        )
        page.get_by_role("link", name="Curate").click()
        page.get_by_label("Read as").select_option("mapping.yaml")
        page.get_by_label("Mapping (YAML)").set_input_files(tmp_path / "signs.yaml")
        page.get_by_label("Files, up to 256 MB").set_input_files(tmp_path / "signs.csv")
        look(page, "curate", Axe() if scripts else None)
        page.get_by_role("button", name="Try out").click()
        page.get_by_text("signs: 3 records would be added").wait_for()
        assert page.get_by_role("row").last.inner_text().split()[:3] == ["reject", "signs.csv", "3"]
        look(page, "dry-run", Axe() if scripts else None)
        page.get_by_role("button", name="Load it").click()
        page.get_by_text("signs: 3 records added").wait_for()
        assert not page.locator(".state").last.is_visible() or not page.locator(".state").count()
        page.get_by_role("main").get_by_role("link", name="Curate").click()
        page.get_by_label("Source", exact=True).last.select_option("signs")
        page.get_by_role("button", name="Take its last load back").click()
        page.get_by_text("3 removed, 0 restored").wait_for()


def look(page, name, axe):
    """Make sure that a page fits, and that screen readers can read it; keep a picture where a folder is named."""
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
    if folder := os.environ.get("MEDGRAPH_TEST_PICTURES"):
        page.screenshot(path=f"{folder}/{name}.png", full_page=True)
    if axe:
        assert [(v["id"], [node["html"] for node in v["nodes"]]) for v in axe.run(page).response["violations"]] == []


def test_what_sources_write_does_not_run(opened, database, encoder):
    hostile = "<img src=x onerror=alert(1)><script>alert(2)</script>'\"><svg onload=alert(3)>"
    run(
        database,
        "CREATE (s:Source {id: 'x', title: $t, url: 'javascript:alert(5)', licence: $t, version: ''}) "
        "CREATE (s)<-[:FROM]-(d:Document {id: 'x', title: $t, url: 'javascript:alert(4)', source: 'x'}) "
        "CREATE (d)-[:HAS_SECTION]->(:Section {id: 'x#1', type: $t, heading: $t, question: $t, text: $t, position: 1}) "
        "CREATE (d)-[:ABOUT]->(e:Entity:Disease {id: 'x', name: $t, synonyms: [$t], definition: $t}) "
        "CREATE (e)-[:FROM]->(s) CREATE (e)-[:HAS_CUI]->(:Concept {cui: 'C0000001', name: $t}) "
        "CREATE (e)-[:IS_A {source: 'x'}]->(:Entity:Disease {id: 'y', name: $t})",
        t=hostile,
    )
    for path in ("/sections/x%231?start=0&end=9", "/entities/x", "/sources", "/queries/sources?run=1"):
        page = opened(path)
        assert hostile[:28] in page.inner_text("main")
        assert page.locator("main img, main script").count() == 0
    for text in (hostile, "\u202e\u05d2\u05d0\u05d5\u05d8 gout", "gout " * 2000):
        page = opened()
        asking(page).get_by_label("Your question").fill(text)
        asking(page).get_by_role("button", name="Ask").click()
        page.wait_for_url(re.compile("/ask"))
        assert page.locator("main img, main script").count() == 0
        assert asking(page).get_by_label("Your question").input_value().strip() == text.strip()
        assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]


@pytest.mark.thorough
def test_the_link_into_neo4j_browser_brings_the_whole_statement(chromium, opened, server):
    href = ask(opened()).locator("a", has_text="in Neo4j Browser").first.get_attribute("href")
    page = chromium.new_page()
    try:
        page.goto(href)
        page.get_by_test_id("password").fill(server.password())
        page.get_by_test_id("connect").click()
        page.wait_for_selector("text=You are connected", timeout=60_000)
        page.get_by_test_id("editor-Run").click()
        page.wait_for_selector(
            "[data-testid='vizicon'], svg.neod3viz, [data-testid='graphCanvas'] , canvas", timeout=60_000
        )
    finally:
        page.close()
