"""`medgraph reproduce joint-reasoning` and `illama`: pages of a question's own are hidden, and a model's rows."""

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

from medgraph.cli.main import main
from medgraph_lab.evaluation.papers import illama
from medgraph_lab.evaluation.papers.joint_reasoning import KQA, MEDQUAD
from medgraph_lab.evaluation.papers.written import BERT, BLEU, CONTRADICTS, METEOR, NLI, ROUGE, STS

PAGES = {
    "GARD": "Gout is treated with colchicine, which eases swelling and pain of the joints.",
    "NIDDK": "Doctors treat gout with allopurinol, which lowers uric acid in the blood.",
}
PAGE = """<Document id="1" source="{source}" url="https://example.org/{source}"><Focus>Gout</Focus>
<FocusAnnotations><Category>Disease</Category></FocusAnnotations><QAPairs>
<QAPair pid="1"><Question qid="1-1" qtype="treatment">What are the treatments for Gout ?</Question>
<Answer>{text}</Answer></QAPair></QAPairs></Document>"""
MEDIQA = """<{root}><Question QID="1"><QuestionText>{question}</QuestionText><AnswerList>
<Answer ReferenceScore="2"><AnswerURL/><AnswerText>Gout: It hurts.</AnswerText></Answer>
<Answer ReferenceScore="4"><AnswerURL/><AnswerText>Gout: Colchicine eases it.</AnswerText></Answer>
</AnswerList></Question></{root}>"""


def lines(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


@pytest.fixture
def data(database, medgraph, tmp_path):
    """A folder of data with a few lines of each file, and a graph with two pages of MedQuAD on gout."""
    folder = tmp_path / "data"
    (folder / "medquad").mkdir(parents=True)
    for source, text in PAGES.items():
        (folder / "medquad" / f"{source}.xml").write_text(PAGE.format(source=source, text=text), encoding="utf-8")
    medgraph("load", "sample")
    medgraph("load", "medquad", folder / "medquad")
    medgraph("index", "all")
    asked = [("How is gout treated?", "Gout is treated with colchicine."), ("What is asthma?", "A disease.")]
    lines(folder / "kqa" / "questions.jsonl", [{"Question": q, "Free_form_answer": a} for q, a in asked])
    return folder


def told(medgraph, paper, data, *options):
    rows = json.loads(medgraph("reproduce", paper, "--data", data, "--json", *options))["rows"]
    return {(row["table"], row["row"], row["measure"]): row for row in rows}


def test_a_question_is_answered_without_the_page_that_it_is_from(data, medgraph, tmp_path):
    found = told(medgraph, "joint-reasoning", data, "--out", tmp_path / "out")
    kept = [json.loads(line) for line in (tmp_path / "out" / "items.jsonl").read_text().splitlines()]
    answered = [one for one in kept if one["table"].startswith(f"{MEDQUAD} by none")]
    assert {one["item"] for one in answered} == {"medquad:GARD_GARD#1", "medquad:NIDDK_NIDDK#1"}
    for one in answered:
        assert one["value"]["label"] in PAGES.values()
        assert one["value"]["label"] not in one["value"]["text"]
    texts = {one["item"]: one["value"]["text"] for one in answered if one["table"].endswith(": joint/joint")}
    assert "allopurinol" in texts["medquad:GARD_GARD#1"]
    for measure in (ROUGE, "ROUGE-L, median", BERT, STS, CONTRADICTS, "Flesch reading ease"):
        assert found[MEDQUAD, "joint", measure]["items"] == found[KQA, "joint", measure]["items"] == 2
    assert found[f"{MEDQUAD}, by what is asked", "joint: treatment", ROUGE]["ours"] > 0
    assert "MEDGRAPH_MODEL" in found[MEDQUAD, "written", ""]["note"]
    assert "index kge --model TransE" in found["learned relations", "TransE", ""]["note"]
    assert told(medgraph, "joint-reasoning", data, "--out", tmp_path / "out") == found


def test_a_model_writes_candidates_once_for_all_rows_that_choose_among_them(data, here, medgraph, tmp_path):
    own, batch = replace(here, model="openai:reader"), tmp_path / "batch"
    command = ["reproduce", "joint-reasoning", "--data", str(data), "--batch", str(batch), "--json"]
    done = CliRunner().invoke(main, command, obj=own)
    assert done.exit_code == 3, done.output
    requests = [json.loads(line) for line in (batch / "requests.jsonl").read_text(encoding="utf-8").splitlines()]
    lines(batch / "replies.jsonl", [_reply(one) for one in requests])
    done = CliRunner().invoke(main, command, obj=own)
    assert done.exit_code == 0, done.output
    found = {(row["table"], row["row"], row["measure"]): row for row in json.loads(done.stdout)["rows"]}
    for way in ("joint", "joint/joint", "joint:one_length=true"):
        row = found[MEDQUAD, f"{way}, written", ROUGE]
        assert (row["model"], row["items"]) == ("openai:reader", 2)
    assert found[MEDQUAD, "joint, written", ROUGE]["ours"] != found[MEDQUAD, "joint", ROUGE]["ours"]
    assert found[MEDQUAD, "joint", ROUGE]["model"] == "none"


def _reply(request):
    message = {"choices": [{"message": {"content": "Gout is treated with rest."}, "finish_reason": "stop"}]}
    return {"custom_id": request["custom_id"], "response": {"status_code": 200, "body": message | {"model": "reader"}}}


def test_consultations_stand_beside_people_and_subgraphs_are_searched(data, medgraph, tmp_path, monkeypatch):
    medgraph("index", "subgraphs")
    ids = json.loads(medgraph("search", "gout treatment", "--source", "graph", "--json"))
    document = next(hit["document"] for hit in ids["results"])
    (data / "questions").mkdir()
    messages = "".join(f"{place},My toe hurts. It is gout. What helps?,How is gout treated?\n" for place in range(8))
    (data / "questions" / "meqsum.csv").write_text(f"file,question,summary\n{messages}")
    judged = tmp_path / "judged.tsv"
    judged.write_text("message\tdocuments\n" + "".join(f"{place}\t{document}\n" for place in range(8)))
    monkeypatch.setattr(illama, "JUDGED", judged)
    for name, root in (
        ("alexa", "MEDIQA2019-Task3-QA-TrainingSet2-Alexa"),
        ("validation", "MEDIQA2019-Task3-QA-ValidationSet"),
    ):
        (data / "mediqa").mkdir(exist_ok=True)
        (data / "mediqa" / f"{name}.xml").write_text(MEDIQA.format(root=root, question="How is gout treated?"))
    found = told(medgraph, "illama", data)
    assert 0 < found[illama.SEARCH, "learned", "nDCG@10"]["ours"] <= 1
    assert found[illama.SEARCH, f"learned less {illama.WHOLE}", "nDCG@10"]["low"] is not None
    for table in ("generation on K-QA", "generation on MEDIQA's messages, dev"):
        for measure in (BERT, METEOR, "ROUGE-2", NLI, BLEU):
            assert 0 <= found[table, "extractive", measure]["ours"] <= 1
        assert "bioasq" not in {row for _, row, _ in found} or found[table, "bioasq", ""]["note"]
    assert "is missing" in found["generation on iCliniq (ChatDoctor)", "all", ""]["note"]
    assert found["latency and throughput", "consult, 4 at once", "a second"]["ours"] > 0
    spent = {
        name: found["latency and throughput", "consult", f"ms {name}, median"]["ours"]
        for name in ("search", "end to end")
    }
    assert 0 < spent["search"] < spent["end to end"]
