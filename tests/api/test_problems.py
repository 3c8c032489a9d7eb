"""What goes wrong is told as a problem, without what is nobody else's business."""

from medgraph.api.service import Service
from tests.support.service import problem


def test_what_was_not_foreseen_is_a_problem_without_details(client, monkeypatch):
    def fail(self, question, filters):
        raise RuntimeError("secret")

    monkeypatch.setattr(Service, "answer", fail)
    detail = problem(client.post("/v1/answers", json={"question": "gout"}), 500)
    assert "secret" not in detail
