"""An answer as plain data."""

import json

from medgraph.answers.answer import NOTICE

SECTION = "section document title url source licence type question score dated retired".split()


def test_plain_data_is_json_of_the_documented_form(answerer):
    data = json.loads(json.dumps(answerer.ask("How is gout treated?").as_dict()))
    assert {"question", "status", "sentences", "entities", "evidence", "timing_ms", "notice"} <= data.keys()
    sentence = data["sentences"][0]
    assert sentence.keys() == {
        "text",
        "citations",
        "verdict",
        "about",
        "short_forms",
        "agreeing",
        "claims",
        "contradicting",
        "facts",
        "probability",
        "sources",
    }
    assert sentence["citations"][0].keys() == {
        "section", "document", "title", "url", "source", "licence", "start", "end", "quote", "cypher",
        "notices", "type", "publisher", "published", "dated", "retired",
    }  # fmt: skip
    assert [list(item) for item in data["evidence"]] == [list(SECTION)] * len(data["evidence"])
    assert json.dumps(data).count(NOTICE) == 1
