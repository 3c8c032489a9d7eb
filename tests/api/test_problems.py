"""What goes wrong is told as a problem, without what is nobody else's business."""

from medgraph.api import problems
from medgraph.api.app import create_app
from medgraph.api.service import Service
from medgraph.errors import EncoderError
from tests.support.linking import names_of
from tests.support.service import problem, service_over


def test_what_was_not_foreseen_is_a_problem_without_details(client, monkeypatch):
    def fail(self, question, filters):
        raise RuntimeError("secret")

    monkeypatch.setattr(Service, "answer", fail)
    detail = problem(client.post("/v1/answers", json={"question": "gout"}), 500)
    assert "secret" not in detail


def test_trouble_on_the_page_is_logged_too(sample_graph, encoder, caplog):
    def refuse():
        raise EncoderError("no encoder today")

    page = (
        create_app(service_over(sample_graph, refuse, names_of(sample_graph)))
        .test_client()
        .post("/", data={"question": "What is gout?"})
    )
    assert page.status_code == 503
    assert page.headers["Retry-After"] == str(problems.RETRY_AFTER)
    assert "no encoder today" in page.text
    assert "EncoderError: no encoder today" in caplog.text
