"""`medgraph reproduce`: every paper on a few lines of its data, without a model, by batch files, and on bad input."""

import gzip
import json
import sys
from dataclasses import replace

import pytest
from click.testing import CliRunner

from medgraph.cli.main import main
from medgraph.files import locked
from medgraph_lab.evaluation.papers import PAPERS
from medgraph_lab.evaluation.papers.hyke import WAYS
from medgraph_lab.evaluation.papers.imaps import AIDED, BY_GRAPH, BY_MODEL, UNLABELLED
from tests.support.graphs import empty

ANSWERS = [
    ("Rest and colchicine help.", "Colchicine and rest ease gout."),
    ("Take colchicine.", "See a doctor."),
    ("Gout is arthritis.", "Gout is a form of arthritis."),
    ("Drink water.", ""),
]


ABSTRACT = """1|t|Gout
1|a|Colchicine induced asthma in a man with gout. Zzyzx rose.
1\t0\t4\tGout\tDisease\tGOUT
1\t5\t15\tColchicine\tChemical\tD003078
1\t24\t30\tasthma\tDisease\tD001249
1\t45\t49\tgout\tDisease\tGOUT
1\tCID\tD003078\tD001249
"""


def lines(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


@pytest.fixture
def data(tmp_path):
    """A folder of data with a few lines of each file."""
    folder = tmp_path / "data"
    scores = dict.fromkeys(("Average_completeness_score", "Average_specific_scores"), 2)
    rows = [
        {
            "Question": f"How is gout treated, case {place}?",
            "Doctor_Response": label,
            "some_prediction": answer,
            "Average_accuracy_score": place % 5,
            **scores,
        }
        for place, (label, answer) in enumerate(ANSWERS * 3)
    ]
    lines(folder / "imapscore" / "Small.txt", rows)
    lines(folder / "imapscore" / "Other.txt", [rows[0] | {"Doctor_Response": "应该检查血清补体"}])
    options = {"A": "Colchicine", "B": "Wine"}
    question = {"question": "Which drug treats gout?", "options": options, "answer": "A"}
    lines(folder / "choices" / "questions.jsonl", [question | {"id": str(place)} for place in range(2)])
    asked = [{"Question": "How is gout treated?", "Free_form_answer": "Gout is treated with colchicine."}]
    asked += [{"Question": "What is asthma?", "Free_form_answer": "A disease."}]
    must = {"Must_have": ["Gout is treated with colchicine."], "Nice_to_have": ["The moon rose."]}
    lines(folder / "kqa" / "questions.jsonl", [one | must for one in asked])
    head = "Question,answer,claim,category_x,majority_label,label_0,label_1,label_2\n"
    judged = "Q?,Gout hurts.,Gout hurts.,Must_have" + ",Entailment" * 4 + "\n"
    judged += "Q?,It rains.,Gout hurts.,Nice_to_have" + ",Neutral" * 3 + ",Entailment\n"
    (folder / "kqa" / "claims.csv").write_text(head + judged, encoding="utf-8")
    (folder / "bc5cdr").mkdir()
    (folder / "bc5cdr" / "devel.txt").write_text(ABSTRACT, encoding="utf-8")
    return folder


def packed(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress("".join(json.dumps(row) + "\n" for row in rows).encode()))


def told(medgraph, paper, data, *options, **more):
    return json.loads(medgraph("reproduce", paper, "--data", data, "--json", *options, **more))["rows"]


def test_metrics_agree_with_people_or_not(sample_graph, medgraph, data, tmp_path):
    out = tmp_path / "out"
    rows = told(
        medgraph, "imapscore", data, "--out", out, "--markdown", tmp_path / "a.md", "--html", tmp_path / "a.html"
    )
    found = {(row["table"], row["row"], row["measure"]): row for row in rows}
    assert "not English" in found["Other", "metrics without a model", ""]["note"]
    assert "MEDGRAPH_MODEL" in found["Other", BY_MODEL, ""]["note"]
    assert found["Small", "3 of the answers", ""]["note"] == "empty: all metrics give them 0"
    for metric in ("ROUGE-L", "imap score", "five parts, equal weights", "five parts, ridge regression, ten folds"):
        row = found["Small", metric, "Spearman ACC"]
        assert -1 <= row["low"] <= row["ours"] <= row["high"] <= 1
        assert row["items"] == 12
    assert (tmp_path / "a.md").read_text().startswith("# imapscore")
    page = (tmp_path / "a.html").read_text()
    assert page.startswith("<!doctype html>")
    assert page.count("<svg") == 4  # intervals of both tables, points and densities
    kept = (out / "items.jsonl").read_bytes()
    assert told(medgraph, "imapscore", data, "--out", out) == rows
    assert (out / "items.jsonl").read_bytes() == kept
    few = medgraph("reproduce", "imapscore", "--data", data, "--sample", 5, fails="after printing")
    assert "--sample leaves 5" in few


def test_options_are_chosen_by_search_and_rows_that_need_a_model_say_so(sample_graph, medgraph, data):
    rows = told(medgraph, "hyke", data)
    right = {row["row"]: row["ours"] for row in rows if row["measure"] == "EM, PCR"}
    assert right["option's words in what search finds"] == 1
    assert {row["row"] for row in rows if "MEDGRAPH_MODEL" in row["note"]} == set(WAYS)
    assert any("McNemar p" in row["note"] for row in rows)


def _in_rounds(command, settings, batch, most):
    """Run a command until no requests wait; gives its last result, and how many waited in each round."""
    waiting = []
    for number in range(most):
        done = CliRunner().invoke(main, command, obj=settings)
        if done.exit_code == 0:
            break
        assert done.exit_code == 3, done.output
        requests = (batch / "requests.jsonl").read_text(encoding="utf-8").splitlines()
        waiting.append(len(requests))
        lines(batch / f"replies{number}.jsonl", [_reply(json.loads(line)) for line in requests])
    return done, waiting


def test_a_model_chooses_by_batch_files(sample_graph, here, data, tmp_path):
    own = replace(here, model="openai:reader", model_reads=())
    command = ["reproduce", "hyke", "--data", str(data), "--batch", str(tmp_path / "batch"), "--json"]
    command += ["--out", str(tmp_path / "out"), "--orders", "5"]
    done, waiting = _in_rounds(command, own, tmp_path / "batch", 6)
    rows = json.loads(done.stdout)["rows"]
    right = {row["row"]: row["ours"] for row in rows if row["measure"] == "EM, PCR" and row["model"] == "openai:reader"}
    assert right == dict.fromkeys(WAYS, 1.0)
    assert 1 <= len(waiting) <= 4
    turned = next(row for row in rows if row["measure"] == "EM, mean of 5 orders of the options")
    assert 0 < turned["ours"] < 1  # the reader says A whatever it stands for


def test_maps_and_relations_are_written_by_batch_files(sample_graph, here, data, tmp_path):
    own = replace(here, model="openai:reader", model_reads=())
    command = ["reproduce", "imapscore", "--data", str(data), "--batch", str(tmp_path / "batch"), "--json"]
    command += ["--out", str(tmp_path / "out")]
    done, waiting = _in_rounds(command, own, tmp_path / "batch", 3)
    assert waiting == [3 * 13, 3 * 12]  # three runs of each answer; what two answers ask alike is asked once
    kept = [json.loads(line) for line in (tmp_path / "out" / "items.jsonl").read_text().splitlines()]
    related = [one["value"] for one in kept if one["table"].startswith("relations")]
    assert related == [[["colchicine", "drug", "narrower"]]] * 13
    rows = {(row["table"], row["row"], row["measure"]): row for row in json.loads(done.stdout)["rows"]}
    for metric in (BY_MODEL, AIDED, BY_GRAPH, UNLABELLED):
        row = rows["Small", metric, "Spearman ACC"]
        assert (row["items"], row["model"]) == (12, "openai:reader")
    assert rows["Other", BY_MODEL, ""]["note"] == "1 of 1 answers have all replies, and correlations need 11"


def test_what_no_paper_has_is_measured(sample_graph, medgraph, data):
    found = {(row["table"], row["row"], row["measure"]): row for row in told(medgraph, "beyond", data)}
    assert "MEDGRAPH_MODEL" in found["harm of retrieval", "HyKGE", ""]["note"]
    assert found["BC5CDR devel: diseases linked", "ids of the abstract", "F1"]["printed"] == 0.806
    told_of = "BC5CDR devel: diseases that chemicals induce", "in one sentence, names given"
    assert (found[*told_of, "recall"]["ours"], found[*told_of, "precision"]["ours"]) == (1, 0.5)
    assert found["K-QA: agreement with physicians", "as answers are checked", "accuracy"]["ours"] == 1
    assert found["K-QA: agreement with physicians", "physicians 1 and 3", "Cohen's kappa"]["ours"] == 0
    assert found["K-QA: statements", "physicians' own answers", "must-have statements entailed"]["ours"] == 0.5


def test_harm_is_counted_from_what_hyke_keeps(sample_graph, here, data, tmp_path):
    ways = {way: "B" if way in {"CoN", "CoK"} else "A" for way in WAYS}
    items = [
        {"table": f"choice by openai:reader: {way}", "item": str(place), "value": [ways[way] if place else "B", 1.0]}
        for way in WAYS
        for place in range(2)
    ]
    lines(tmp_path / "out" / "items.jsonl", items)
    own = replace(here, model="openai:reader", model_reads=())
    command = ["reproduce", "beyond", "--data", str(data), "--batch", str(tmp_path / "batch"), "--json"]
    done = CliRunner().invoke(main, [*command, "--out", str(tmp_path / "out")], obj=own)
    rows = {(row["row"], row["measure"]): row["ours"] for row in json.loads(done.stdout)["rows"]}
    assert rows["CoN", "right without, wrong with"] == 0.5
    assert rows["CoN", "of those right without, wrong with"] == 1
    assert rows["HyKGE", "right without, wrong with"] == rows["HyKGE", "wrong without, right with"] == 0


def _reply(request):
    """Answer each kind of request that pipelines make."""
    body = request["body"]
    schema = json.dumps(body.get("response_format", ""))
    text = "Colchicine treats gout."
    if '"sure"' in schema:
        text = json.dumps({"option": "A", "sure": 90})
    elif '"notes"' in schema:
        text = json.dumps({"notes": []})
    elif '"constraint"' in schema:
        label, response = ([{"term": "medicine", "values": [name]}] for name in ("Colchicine", "drug"))
        text = json.dumps({"query": ["medicine"], "constraint": [], "first": label, "second": response})
    elif '"pairs"' in schema:
        text = json.dumps({"pairs": [{"first": "A1", "second": "B1", "relation": "narrower"}]})
    elif schema != '""':
        text = json.dumps(_least(body["response_format"]["json_schema"]["schema"]))
    message = {"choices": [{"message": {"content": text}, "finish_reason": "stop"}], "model": "reader"}
    return {"custom_id": request["custom_id"], "response": {"status_code": 200, "body": message}}


def _least(schema):
    """Make the least object of a schema."""
    kinds = {"array": [], "string": "gout", "boolean": False, "number": 0, "integer": 0}
    shape = schema["$defs"][schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    return {name: kinds.get(kind.get("type"), "gout") for name, kind in shape["properties"].items()}


@pytest.mark.parametrize("paper", ["joint-reasoning", "illama"])
def test_answers_stand_beside_physicians(sample_graph, medgraph, data, paper):
    rows = told(medgraph, paper, data)
    answered = {row["row"]: row["ours"] for row in rows if row["measure"] == "shows sentences"}
    assert answered["extractive"] == 1
    assert all(row["note"] for row in rows if row["ours"] is None)
    if paper == "illama":
        assert {row["measure"] for row in rows} >= {"ms end to end, p95", "ROUGE-2"}
        assert any("run: medgraph index subgraphs" in row["note"] for row in rows)


@pytest.mark.parametrize("paper", PAPERS)
def test_a_wrong_folder_is_said(sample_graph, medgraph, tmp_path, paper):
    assert "is missing; name a folder that has it with --data" in medgraph(
        "reproduce", paper, "--data", tmp_path, fails=True
    )


def test_papers_and_files_that_cannot_be_used_are_said(sample_graph, medgraph, data, tmp_path, monkeypatch):
    with locked(tmp_path / "out" / "lock"):
        failed = medgraph("reproduce", "hyke", "--data", data, "--out", tmp_path / "out", fails=True)
    assert "another run writes into" in failed
    with monkeypatch.context() as lacking:
        lacking.setitem(sys.modules, "matplotlib", None)
        failed = medgraph("reproduce", "hyke", "--data", data, "--html", tmp_path / "a.html", fails=True)
    assert "needs matplotlib; run in the folder of medgraph: pip install '.[plots]'" in failed
    assert "'magic' is not one of" in medgraph("reproduce", "magic", fails=True)
    assert "cannot be written" in medgraph("reproduce", "hyke", "--data", data, "--html", data / "no" / "a", fails=True)
    question = {"id": "1", "question": "Q?", "options": {"A": "a"}, "answer": "B"}
    lines(data / "choices" / "questions.jsonl", [question])
    assert "questions.jsonl:1: has no option" in medgraph("reproduce", "hyke", "--data", data, fails=True)


ABSTRACTS = {
    "1": ("Papilin", "Papilin is a secreted protein of the extracellular matrix."),
    "2": ("Gout", "Gout is treated with colchicine in adults."),
    "3": ("Asthma", "Asthma is treated with inhaled steroids."),
}


@pytest.fixture
def literature(database, medgraph, data):
    """A graph of three abstracts, with the files of VerifAI's tables."""
    documents = [
        {"id": f"pmid:{name}", "title": title, "sections": [{"id": f"pmid:{name}#abstract", "text": text}]}
        for name, (title, text) in ABSTRACTS.items()
    ]
    lines(data / "documents.jsonl", documents)
    medgraph("load", "documents", data / "documents.jsonl", "--as", "bioasq")
    medgraph("index", "all")
    packed(data / "bioasq" / "abstracts.jsonl.gz", [{"pmid": n, "text": ". ".join(t)} for n, t in ABSTRACTS.items()])
    asked = [("Is papilin secreted?", "1"), ("How is gout treated?", "2"), ("How is asthma treated?", "3")]
    lines(data / "bioasq" / "referenced.jsonl", [{"id": n, "question": q, "pmids": [n]} for q, n in asked])
    abstracts = [{"doc_id": int(n), "title": t, "abstract": [text]} for n, (t, text) in ABSTRACTS.items()]
    claim = {"claim": ABSTRACTS["2"][1], "evidence": {"2": [{"sentences": [0], "label": "SUPPORT"}]}, "id": 1}
    claim["cited_doc_ids"] = [2]
    packed(data / "scifact" / "corpus.jsonl.gz", abstracts)
    lines(data / "scifact" / "claims_train.jsonl", [claim])
    lines(data / "citint" / "corpus.jsonl", abstracts)
    lines(data / "citint" / "claims_dev.jsonl", [claim])
    (data / "healthver").mkdir()
    rows = "claim,evidence,label,topic_ip\n" + "".join(
        f"Gout hurts.,Gout hurts.,Supports,{topic}\nGout hurts.,The moon rose.,Neutral,{topic}\n" for topic in range(6)
    )
    (data / "healthver" / "healthver_dev.csv").write_text(rows)
    return data


def test_abstracts_are_found_referred_to_and_judged(literature, medgraph):
    rows = told(medgraph, "verifai", literature)
    found = {(row["row"], row["measure"]): row for row in rows}
    for way in ("lexical", "semantic", "semantic, bits rescored", "hybrid .7/.3", "learned", "bm25s"):
        assert found[way, "MAP@10"]["ours"] == 1
        assert found[way, "P@10"]["ours"] == pytest.approx(0.1)
    assert "25 million" in found["hybrid .7/.3", "MAP@10"]["note"]
    assert found["lexical", "ms, median"]["ours"] > 0
    assert found["hybrid .7/.3 less lexical", "MAP@10"]["ours"] == 0
    assert found["extractive", "most relevant referenced"]["ours"] == found["extractive", "answered"]["ours"] == 1
    assert found["extractive", "invented references"]["ours"] == 0
    assert "MEDGRAPH_MODEL" in found["referenced", ""]["note"]
    for name in ("scifact", "healthver", "citint"):
        assert found[f"{name}, as answers are checked", "accuracy"]["ours"] == 1
    assert found["healthver, fitted to the sentence reader's states, five folds by topic", "macro F1"]["items"] == 12


def test_a_graph_without_the_abstracts_is_said_and_the_rest_measured(literature, database, medgraph):
    empty(database)
    medgraph("load", "sample")
    found = {(row["table"], row["row"]): row for row in told(medgraph, "verifai", literature)}
    assert found["search", "the other rows"]["note"].startswith("the graph lacks abstracts of bioasq")
    assert "there is no source 'bioasq'" in found["references", "the other rows"]["note"]
    assert found["verification", "citint, as answers are checked"]["ours"] == 1


def test_what_was_measured_is_printed_before_a_file_that_cannot_be_used(sample_graph, medgraph, data):
    (data / "imapscore" / "Small.txt").write_text("{}")
    failed = medgraph("reproduce", "imapscore", "--data", data, fails="after printing")
    assert "Small.txt:1: lacks 'Question'" in failed
