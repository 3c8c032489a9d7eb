"""The commands that measure quality."""

import json
from contextlib import contextmanager, nullcontext
from types import SimpleNamespace

import pytest

from medgraph.evaluation.sets.meqsum import ALL
from tests.support.commands import MADE_WITH
from tests.support.graphs import state_of

ROWS = [{"mode": "lexical", "questions": 7, "mrr": 0.25}, {"mode": "hybrid", "questions": 7, "mrr": 0.5}]


@pytest.mark.parametrize(
    "command", [["retrieval"], ["answers", "small.obo"], ["messages", __file__]], ids=lambda words: words[0]
)
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--part", "test"], "'test' is not one of 'dev', 'held'"),
        (["--sample", "few"], "'few' is not a valid integer"),
    ],
)
def test_options_that_cannot_be_used(evaluate, command, options, message):
    done = evaluate(*command, *options)
    (line,) = done.stderr.splitlines()
    assert (done.exit_code, done.stdout) == (1, "")
    assert message in line
    assert line.endswith(f"(see main evaluate {command[0]} --help)")


def test_figures_of_retrieval_are_a_table_or_json(evaluate, monkeypatch):
    calls = []

    def measure(*arguments):
        calls.append(arguments)
        return ROWS

    monkeypatch.setattr("medgraph.evaluation.retrieval.evaluate", measure)
    done = evaluate("retrieval")
    assert (done.exit_code, done.stderr) == (0, "")
    assert [line.split() for line in done.stdout.splitlines()][2:] == [["lexical", "7", "0.25"], ["hybrid", "7", "0.5"]]
    assert json.loads(evaluate("retrieval", "--part", "dev", "--sample", 7, "--json").stdout) == {
        "rows": ROWS,
        **MADE_WITH,
    }
    assert calls == [("the graph", "the retriever", "held", 300), ("the graph", "the retriever", "dev", 7)]


def test_all_sets_are_one_table(evaluate, monkeypatch, tmp_path):
    calls = []
    row = {"set": "rqe", "way": "learned", "n": 7, "value": 0.5, "beside": "", "p": None}
    monkeypatch.setattr("medgraph.answers.assembly.make_retriever", lambda *_: ("the retriever", lambda: "encoder"))
    monkeypatch.setattr("medgraph.evaluation.devsets.check", lambda *given: calls.append(given))
    monkeypatch.setattr(
        "medgraph.evaluation.devsets.evaluate",
        lambda *given: calls.append(given) or [row | {"also": {"mrr": 0.25, "preferred": 1.0}}],
    )
    printed = evaluate("retrieval", "--data", tmp_path, "--part", "dev", "--sample", 7)
    assert printed.stdout.splitlines()[2].split() == [
        "rqe",
        "learned",
        "7",
        "0.5",
        "mrr",
        "0.250,",
        "preferred",
        "1.000",
    ]
    found = json.loads(evaluate("retrieval", "--data", tmp_path, "--set", "rqe", "--set", "mqp", "--json").stdout)
    assert found == {"rows": [row | {"also": {"mrr": 0.25, "preferred": 1.0}}], **MADE_WITH}
    assert calls[0] == (tmp_path, ("mediqa", "medquad", "meqsum", "pubmedqa", "mqp", "rqe"))
    assert calls[2] == (tmp_path, ("rqe", "mqp"))
    (bench, sets), (_, chosen) = calls[1], calls[3]
    assert (sets, chosen) == ((), ("rqe", "mqp"))
    assert (bench.database, bench.retriever, bench.encoder) == ("the graph", "the retriever", "encoder")
    assert (bench.data, bench.part, bench.sample) == (tmp_path, "dev", 7)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--set", "rqe"], "--set and --keep go with --data FOLDER"),
        (["--keep", "kept"], "--set and --keep go with --data FOLDER"),
        (["--data", "nowhere"], "'nowhere' does not exist"),
        (["--data", "{}", "--set", "rqe"], "rqe_train.xml: is missing, and the set rqe is made of it"),
        (["--data", "{}"], "alexa.xml: is missing, and the set mediqa is made of it"),
        (["--data", "{}", "--set", "trec"], "there is no set 'trec'; known are mediqa"),
    ],
)
def test_sets_that_cannot_be_measured(evaluate, tmp_path, options, message):
    done = evaluate("retrieval", *(option.format(tmp_path) for option in options))
    (line,) = done.stderr.splitlines()
    assert (done.exit_code, done.stdout) == (1, "")
    assert message in line


def test_graded_answers_are_measured_in_a_graph_apart(evaluate, monkeypatch, tmp_path):
    calls = []

    @contextmanager
    def apart(settings, folder):
        yield "the graph apart", settings
        calls.append(("closed", folder))

    monkeypatch.setattr(
        "medgraph.answers.assembly.make_retriever", lambda graph, *_: (f"of {graph}", lambda: "encoder")
    )
    monkeypatch.setattr("medgraph.graph.scratch.scratch_graph", apart)
    monkeypatch.setattr("medgraph.evaluation.mediqa.read", lambda folder: (["question"], ["answer"]))
    monkeypatch.setattr("medgraph.evaluation.consumer.fill", lambda graph, *rest: calls.append((graph, *rest[1:])))
    monkeypatch.setattr("medgraph.evaluation.consumer.evaluate", lambda *given: calls.append(given) or ROWS)
    printed = evaluate("consumer", tmp_path, "--keep", tmp_path / "kept", "--json")
    assert json.loads(printed.stdout) == {"rows": ROWS, **MADE_WITH}
    assert calls == [
        ("the graph apart", ["answer"], "encoder"),
        (["question"], ["answer"], "the graph apart", "of the graph", "of the graph apart", "encoder"),
        ("closed", tmp_path / "kept"),
    ]
    assert evaluate("consumer", tmp_path).stdout.splitlines()[0].split() == ["mode", "questions", "mrr"]
    assert calls[-1] == ("closed", None)
    assert "does not exist" in evaluate("consumer", tmp_path / "none").stderr


def test_answers_to_judged_questions_are_measured_in_a_graph_apart(evaluate, monkeypatch, tmp_path):
    calls = []
    names = SimpleNamespace(mentions="what finds names")
    monkeypatch.setattr("medgraph.answers.assembly.make_retriever", lambda *_: (names, lambda: "encoder"))
    monkeypatch.setattr("medgraph.graph.scratch.scratch_graph", lambda own, folder: nullcontext(("apart", own)))
    monkeypatch.setattr("medgraph.evaluation.mediqa.read", lambda folder: (["question"], ["answer"]))
    monkeypatch.setattr("medgraph.evaluation.consumer.fill", lambda graph, *rest: calls.append((graph, *rest[1:])))
    monkeypatch.setattr("medgraph.evaluation.judged.Apart", lambda *given: (given[0], given[-1]))
    monkeypatch.setattr("medgraph.evaluation.judged.ask", lambda *given: calls.append(given[:2]) or "outcomes")
    for name in ("table", "latency", "curve"):
        monkeypatch.setattr(f"medgraph.evaluation.judged.{name}", lambda asked, name=name: [{name: asked}])
    expected = {"rows": [{"table": "outcomes"}], "milliseconds": [{"latency": "outcomes"}], **MADE_WITH}
    assert json.loads(evaluate("judged", tmp_path, "--json").stdout) == expected
    assert calls == [("apart", ["answer"], "encoder"), (["question"], ("apart", "what finds names"))]
    with_curve = json.loads(evaluate("judged", tmp_path, "--curve", "--json").stdout)
    assert with_curve == expected | {"curve": [{"curve": "outcomes"}]}
    printed = evaluate("judged", tmp_path, "--curve").stdout.splitlines()
    assert [line for line in printed if not line.startswith("-")] == [
        "table", "outcomes", "", "milliseconds", "latency", "outcomes", "", "curve", "curve", "outcomes"
    ]  # fmt: skip


def test_messages_are_measured_by_half_and_sample(evaluate, monkeypatch, tmp_path):
    calls = []
    monkeypatch.setattr("medgraph.evaluation.messages.read", lambda *given: calls.append(given) or ["message"])
    monkeypatch.setattr("medgraph.evaluation.messages.evaluate", lambda *given: calls.append(given) or ROWS)
    table = tmp_path / "messages.csv"
    table.touch()
    assert json.loads(evaluate("messages", table, "--part", "dev", "--sample", 7, "--json").stdout) == {
        "rows": ROWS,
        **MADE_WITH,
    }
    assert len(evaluate("messages", table).stdout.splitlines()) == 4
    assert calls[::2] == [(table, "dev", 7), (table, "held", 150)]
    assert calls[1] == ("the retriever", ["message"])


def test_what_matters_in_messages_is_fitted_to_all_of_the_half_to_choose_by(evaluate, monkeypatch, tmp_path):
    calls = []
    names = SimpleNamespace(mentions="what finds names")
    monkeypatch.setattr("medgraph.answers.assembly.make_retriever", lambda *_: (names, None))
    monkeypatch.setattr("medgraph.evaluation.messages.read", lambda *given: given)
    monkeypatch.setattr("medgraph.evaluation.salience.fit_file", lambda *given: calls.append(given))
    table = tmp_path / "messages.csv"
    table.touch()
    assert evaluate("messages", table, "--fit", tmp_path / "model.tsv").stdout == ""
    assert calls == [((table, "dev", ALL), "what finds names", tmp_path / "model.tsv")]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["evaluate", "retrieval"], "the questions are made from MedQuAD, which the graph lacks"),
        (["evaluate", "answers", "nope.obo"], "the questions are made from MedQuAD, which the graph lacks"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_changes_nothing(medgraph, sample_graph, arguments, message):
    before = state_of(sample_graph)
    assert message in medgraph(*arguments, fails=True)
    assert state_of(sample_graph) == before
