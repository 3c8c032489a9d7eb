"""`medgraph ask --keep` with its run, `medgraph replay` and `forget`, and the saved queries on runs."""

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

from medgraph import __version__
from medgraph.cli.main import main
from medgraph.embeddings.index import index
from medgraph.loaders.commands import load_named
from tests.support.graphs import run, state_of
from tests.support.scripted import status
from tests.support.written import asked_of, put_reply, sentences

TEXT = "Zorblatt disease is treated with a long rest by the sea."
WRITTEN = "Zorblatt disease is treated with long rests by the sea."
FALSE = "Zorblatt disease is treated with penicillin."
SAYS = (sentences(WRITTEN, FALSE),)
QUESTION = "How is Zorblatt disease treated?"
CITED = "PMID:1#1"

ARTICLE = (
    '<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID Version="1">1</PMID>{note}<Article><Journal><JournalIssue>'
    "<PubDate><Year>2020</Year></PubDate></JournalIssue><Title>J</Title></Journal>"
    "<ArticleTitle>Treatment of Zorblatt disease</ArticleTitle><Abstract><AbstractText>{text}</AbstractText></Abstract>"
    "</Article></MedlineCitation></PubmedArticle></PubmedArticleSet>\n"
)
RETRACTED = (
    '<CommentsCorrectionsList><CommentsCorrections RefType="RetractionIn"><RefSource>Ann Nothing. 2024</RefSource>'
    "</CommentsCorrections></CommentsCorrectionsList>"
)


@pytest.fixture
def load(database, encoder, settings, tmp_path):
    """Loads the one abstract of PubMed that there is."""

    def put(text=TEXT, note=""):
        path = tmp_path / "pubmed26n0001.xml"
        path.write_text(ARTICLE.format(text=text, note=note), encoding="utf-8")
        load_named(database, settings, "pubmed", path)
        index(database, encoder, "all")

    put()
    return put


@pytest.fixture
def written(medgraph, here, load, monkeypatch, tmp_path):
    """Runs a command beside a server that follows steps."""

    def call(*arguments, steps=SAYS, **more):
        with asked_of(here, monkeypatch, tmp_path, *steps) as (_, own):
            changed = {name: more.pop(name) for name in ("model", "prices", "unsupported") if name in more}
            return medgraph(*arguments, settings=replace(own, **changed), **more)

    return call


def kept_by(command, *options, **more):
    """Ask and keep; give the answer's id."""
    command("ask", QUESTION, "--keep", *options, **more)
    return json.loads(command("query", "kept_answers", "--json"))["rows"][0]["answer"]


def replayed(command, *arguments, **more):
    return json.loads(command("replay", *arguments, "--json", **more))


def test_a_run_of_a_language_model_holds_how_the_answer_came_about(written, graph, tmp_path):
    prices = tmp_path / "prices.tsv"
    prices.write_text("openai:scripted-1\t1.0\t2.0\n", encoding="utf-8")
    name = kept_by(written, "--composer", "generated", "--source", "pubmed", prices=prices)
    (row,) = run(graph, "MATCH (r:Run)-[:GAVE]->(:Answer {id: $id}) RETURN r {.*} AS r", id=name)
    told = row["r"]
    assert {key: told[key] for key in ("id", "question", "composer", "status", "model", "seed", "version")} == {
        "id": f"{name}@1",
        "question": QUESTION,
        "composer": "generated",
        "status": "answered",
        "model": "openai:scripted-1",
        "seed": 0,
        "version": __version__,
    }
    assert told["fingerprint"].startswith("openai:scripted-1@http://127.0.0.1:")
    assert told["precision"] == "f32"
    assert [prompt.partition("@")[0] for prompt in told["prompts"]] == ["generated"]
    assert json.loads(told["filters"])["sources"] == ["pubmed"]
    assert (told["sentences"], told["verdicts"]) == ([WRITTEN], ["supported"])
    assert (told["dropped"], told["reasons"], told["removed_ids"]) == ([FALSE], ["no_evidence"], 0)
    assert told["evidence"] == [CITED]
    assert [len(known) for known in told["hashes"]] == [64]
    assert told["prompt_tokens"] > told["reply_tokens"] > 0
    assert told["cost"] == pytest.approx((told["prompt_tokens"] + 2 * told["reply_tokens"]) / 1e6)
    spent = dict(zip(told["stages"], told["milliseconds"], strict=True))
    assert spent["total"] > spent["generate"] > 0
    assert "fallback" not in told
    assert run(graph, "MATCH (:Run)-[:READ]->(s:Section) RETURN s.id AS id") == [{"id": CITED}]


def test_the_same_again_is_the_same_and_says_who_wrote(written):
    name = kept_by(written, "--composer", "generated")
    found = replayed(written, name)
    assert found["same"]
    changed = ("came", "went", "verdicts", "changed", "gone", "used", "unused")
    assert [found[key] for key in changed] == [[]] * len(changed)
    # The server of the tests has another port each time, which is another fingerprint.
    assert {one["what"] for one in found["made"]} <= {"fingerprint"}
    printed = written("replay", name)
    assert f"{QUESTION}\n{name}@1, 20" in printed
    assert "generated, by openai:scripted-1\nthe answer is the same\n" in printed


def test_a_pipeline_is_replayed_with_what_was_left_out_and_set(written, graph):
    name = kept_by(written, "--pipeline", "chain-of-note", "--without", "notes", "--set", "sections=3")
    (row,) = run(graph, "MATCH (r:Run)-[:GAVE]->(:Answer {id: $id}) RETURN r {.*} AS r", id=name)
    told = row["r"]
    assert json.loads(told["pipeline"]) == {
        "name": "chain-of-note",
        "without": ["notes"],
        "parameters": {"sections": "3"},
    }
    assert (told["composer"], told["model"], told["sentences"]) == ("chain-of-note", "openai:scripted-1", [WRITTEN])
    assert [prompt.partition("@")[0] for prompt in told["prompts"]] == ["chain_of_note_answer"]
    assert replayed(written, name)["same"]


def test_what_is_different_is_shown(written, load):
    name = kept_by(written, "--composer", "generated")
    again = sentences("By the sea, Zorblatt disease is treated with a long rest.")
    found = replayed(written, name, steps=(again,))
    assert (found["same"], found["went"]) == (False, [WRITTEN])
    assert found["came"] == ["By the sea, Zorblatt disease is treated with a long rest."]
    failed = replayed(written, name, steps=(status(400, "no"),))
    assert failed["came"] == [TEXT]
    assert {"fallback", "structured"} <= {one["what"] for one in failed["made"]}
    load(TEXT + " Zorblatt disease is rare.")
    found = replayed(written, name)
    assert (found["same"], found["changed"], found["gone"]) == (True, [CITED], [])
    printed = written("replay", name, steps=(again,))
    assert "the answer is another one\nsentences that are new:\n  By the sea, Zorblatt" in printed
    assert "evidence that says something else now:\n  PMID:1#1\n" in printed
    assert f"sentences that are no more:\n  {WRITTEN}\n" in printed


def test_answers_without_a_model_are_replayed_by_their_settings_and_leave_nothing(medgraph, load, graph):
    name = kept_by(medgraph)
    states = [run(graph, "MATCH (n:Answer|Claim|Run) RETURN n {.*} AS n ORDER BY n.id")]
    found = replayed(medgraph, name)
    assert (found["same"], found["made"], found["before"]["model"]) == (True, [], "")
    assert found["before"]["evidence"] == [CITED]
    states.append(run(graph, "MATCH (n:Answer|Claim|Run) RETURN n {.*} AS n ORDER BY n.id"))
    assert states[0] == states[1]
    load("Zorblatt disease is treated with ice.")
    found = replayed(medgraph, name)
    assert (found["came"], found["went"]) == (["Zorblatt disease is treated with ice."], [TEXT])
    load(note=RETRACTED)
    found = replayed(medgraph, f"{name}@1")
    assert (found["went"], found["gone"], found["after"]["status"]) == ([TEXT], [CITED], "not_enough_evidence")


def test_each_keeping_leaves_a_run_and_forgetting_takes_them_out(written, graph):
    first = kept_by(written, "--composer", "generated")
    assert kept_by(written, "--composer", "generated", steps=(sentences(WRITTEN),)) == first
    other = kept_by(written)
    runs = run(graph, "MATCH (r:Run) RETURN r.id AS id ORDER BY r.kept")
    assert [row["id"] for row in runs] == [f"{first}@1", f"{first}@2", f"{other}@1"]
    assert replayed(written, first)["before"]["id"] == f"{first}@2"
    assert replayed(written, f"{first}@1")["before"]["dropped"] == [FALSE]
    assert written("forget", first) == "1 answer forgotten\n"
    assert run(graph, "MATCH (r:Run) RETURN r.id AS id") == [{"id": f"{other}@1"}]
    written("forget", "--all")
    assert run(graph, "MATCH (n:Answer|Claim|Run) RETURN n") == []


@pytest.mark.parametrize("name", ["answer:nope", "answer:nope@1", "", "\u75db\u98ce"])
def test_what_is_not_kept_cannot_be_replayed(medgraph, database, name):
    told = f"no answer or run {name!r} is kept; medgraph query kept_answers lists the answers"
    assert medgraph("replay", name, fails=True) == told


def test_a_replay_may_be_answered_by_batch_files(written, here, tmp_path):
    name = kept_by(written, "--composer", "generated")
    own, folder = replace(here, model="openai:scripted-1"), tmp_path / "batch"
    command = ["replay", name, "--batch", str(folder), "--json"]
    done = CliRunner().invoke(main, command, obj=own)
    assert (done.exit_code, done.stdout) == (3, "")
    put_reply(folder, "scripted-1", WRITTEN)
    done = CliRunner().invoke(main, command, obj=own)
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["same"]


def test_saved_queries_tell_of_cost_and_of_what_was_dropped(written, medgraph):
    kept_by(written, "--composer", "generated")
    kept_by(written, "--composer", "generated", "--source", "pubmed")
    kept_by(written, "--composer", "generated", "--since", "2019", steps=(status(400, "no"),))
    kept_by(written)
    rows = json.loads(medgraph("query", "runs_by_day", "--json"))["rows"]
    assert [(row["composer"], row["model"], row["runs"], row["fallbacks"], row["cost"]) for row in rows] == [
        ("extractive", None, 1, 0, None),
        ("generated", "openai:scripted-1", 3, 1, None),
    ]
    assert rows[1]["prompt_tokens"] > 2 * 100 > rows[0]["prompt_tokens"] == 0
    (dropped,) = json.loads(medgraph("query", "most_dropped", "--json"))["rows"]
    assert dropped == {
        "sentence": FALSE,
        "why": "no_evidence",
        "times": 2,
        "models": ["openai:scripted-1"],
        "questions": [QUESTION],
    }


def test_a_retraction_that_is_loaded_later_flags_what_was_kept(written, medgraph, load):
    names = {kept_by(written), kept_by(written, "--composer", "generated")}
    assert json.loads(medgraph("query", "retracted_answers", "--json"))["rows"] == []
    load(note=RETRACTED)
    rows = json.loads(medgraph("query", "retracted_answers", "--json"))["rows"]
    assert {row["answer"] for row in rows} == names
    assert {row["claim"] for row in rows} == {TEXT, WRITTEN}
    assert {(row["document"], row["title"], row["documents"]) for row in rows} == {
        ("PMID:1", "Treatment of Zorblatt disease", 1)
    }
    load()
    assert json.loads(medgraph("query", "retracted_answers", "--json"))["rows"] == []


def test_an_answer_is_kept_as_quoted_and_forgotten(medgraph, sample_graph):
    before = state_of(sample_graph)
    question = ("ask", "How is gout treated?")
    answer = json.loads(medgraph(*question, "--keep", "--json"))
    rows = run(
        sample_graph,
        "MATCH (a:Answer)-[:MAKES]->(c:Claim)-[r:SUPPORTED_BY]->(k:Chunk)<-[:HAS_CHUNK]-(s:Section) "
        "RETURN c.text AS claim, r.quote AS quote, s.id AS section, k.text AS text",
    )
    claims = [claim for sentence in answer["sentences"] for claim in sentence["claims"]]
    assert {row["claim"] for row in rows} == {claim["text"] for claim in claims}
    assert {row["section"] for row in rows} == {"sample:gout#6"}
    assert all(row["quote"] in row["text"] for row in rows)
    listed = json.loads(medgraph("query", "kept_answers", "--json"))["rows"]
    assert [row["question"] for row in listed] == ["How is gout treated?"]
    assert medgraph("forget", listed[0]["answer"]) == "1 answer forgotten\n"
    assert medgraph("forget", "--all") == "0 answers forgotten\n"
    assert state_of(sample_graph) == before
