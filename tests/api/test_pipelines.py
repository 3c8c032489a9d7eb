"""Pipelines over HTTP: listed, asked for, changed, and refused where they cannot be had."""

import pytest

from medgraph.answers.pipelines.catalogue import PIPELINES

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


def test_a_question_may_be_answered_by_a_pipeline(client):
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


def test_the_page_shows_how_a_pipeline_came_to_its_answer(client):
    page = client.get("/ask", query_string={"q": ASKED["question"], "pipeline": "joint"}).text
    assert "How the pipeline joint came to this" in page
    assert "nothing to act on" in page
    assert "ROUGE-L F1" in page
    assert "How the pipeline" not in client.get("/ask", query_string={"q": ASKED["question"]}).text
