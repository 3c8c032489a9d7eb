"""Wherever an answer or a search shows a source, it says how old that is, and that its site is retired."""

import json
import re
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from medgraph.api.agents.tools import Tools
from medgraph.api.app import create_app
from medgraph.cli.main import main
from medgraph.client.results import Answer
from medgraph.embeddings.index import index
from medgraph.loaders.commands import load_named
from tests.support.answers import answerer_of
from tests.support.graphs import run
from tests.support.linking import names_of
from tests.support.service import service_over

QUESTION = "How is Zorblatt disease treated?"
SAID = {
    "old": ("from 2011, more than ten years old", "retired in 2017"),
    "undated": ("from 2019 or before", ""),
}


def document(name, **more):
    section = {"question": QUESTION, "type": "treatment", "text": "Zorblatt disease is treated with a long rest."}
    return {"id": name, "title": "Zorblatt disease", "sections": [section], **more}


@pytest.fixture(params=SAID)
def asked(request, here, database, encoder, settings, tmp_path):
    """A graph of one document, which is dated and of a retired site, or else undated; with what is to be said of it."""
    more = {"published": "2011", "url": "http://nihseniorhealth.gov/z"} if request.param == "old" else {}
    path = tmp_path / "corpus.jsonl"
    path.write_text(json.dumps(document("d", **more)) + "\n", encoding="utf-8")
    load_named(database, settings, "documents", path)
    run(database, "MATCH (s:Source) SET s.version = '2019-10'")
    index(database, encoder, "all")
    return SimpleNamespace(
        said=SAID[request.param],
        service=service_over(database, lambda: encoder, names_of(database)),
        answer=answerer_of(database, encoder).ask(QUESTION),
        here=here,
    )


def test_everything_that_shows_a_source_says_how_old_it_is(asked):
    dated, retired = asked.said
    client = create_app(asked.service).test_client()
    tools = Tools(asked.service, 10)
    (cited,) = (c for s in asked.answer.sentences for c in s.citations)
    found = client.get("/v1/search", query_string={"q": QUESTION}).get_json()["results"]
    section = client.get("/v1/sections/d%231").get_json()
    given = [cited, asked.answer.evidence[0], tools.ask(QUESTION).sources[0], tools.search(QUESTION).passages[0]]
    for one in (*given, *(SimpleNamespace(**row) for row in (found[0], section))):
        assert one.dated == dated
        assert retired in one.retired
        assert bool(one.retired) == bool(retired)
    assert (found[0]["publisher"], found[0]["published"]) == (section["publisher"], section["published"])
    shown = [Answer(**{name: getattr(asked.answer, name) for name in Answer.__dataclass_fields__})._repr_html_()]
    shown += [client.get(path, query_string={"q": QUESTION}).text for path in ("/ask", "/search", "/sections/d%231")]
    shown += [CliRunner().invoke(main, [command, QUESTION], obj=asked.here).stdout for command in ("ask", "search")]
    for text in shown:
        assert dated in text
        assert retired in re.sub(r"\s+", " ", text)
