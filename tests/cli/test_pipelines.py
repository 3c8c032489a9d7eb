"""`medgraph pipelines` and `ask --pipeline`: what people see of the papers' pipelines."""

import json

import pytest
from click.testing import CliRunner

from medgraph.answers.pipelines.catalogue import PIPELINES
from medgraph.cli.main import main
from tests.support.joined import joined

ASKED = "How is gout treated?"


def test_pipelines_are_listed_with_papers_stages_and_defaults(medgraph):
    listed = medgraph("pipelines")
    assert all(name in listed for name in PIPELINES)
    shown = medgraph("pipelines", "hyke")
    assert "HyKGE" in shown
    assert "hypothesis_tokens      300  yes" in shown
    told = json.loads(medgraph("pipelines", "--json"))["pipelines"]
    assert [one["name"] for one in told] == list(PIPELINES)
    assert medgraph("pipelines", "magic", fails=True).startswith("there is no pipeline 'magic'; there are joint")


def test_a_pipeline_explains_how_it_came_to_its_answer(sample_graph, medgraph):
    printed = medgraph("ask", ASKED, "--pipeline", "joint", "--without", "joint", "--set", "contexts=2", "--explain")
    assert "Pipeline joint" in printed
    assert "joint (left out)" in printed
    assert "no language model is set" in " ".join(printed.split())
    assert "Candidate 2 from" in printed
    told = json.loads(medgraph("ask", ASKED, "--pipeline", "referenced", "--json"))["pipeline"]
    assert [stage["name"] for stage in told["stages"]] == ["search", "answer"]


def test_consult_answers_from_subgraphs_alone_and_says_where_none_is_related(medgraph, graph, settings, tmp_path):
    joined(graph, settings, tmp_path)
    medgraph("index", "subgraphs")
    told = json.loads(medgraph("ask", "What are the symptoms of gout?", "--pipeline", "consult", "--json"))
    found = {one["section"] for one in told["evidence"] if "section" in one}
    assert found
    assert all(name.startswith("graph:") for name in found)
    assert "the encoder's order stands" in told["pipeline"]["stages"][1]["note"]
    none = json.loads(medgraph("ask", "Where do hamsters get insurance?", "--pipeline", "consult", "--json"))
    assert none["sentences"] == []
    strict = ["--pipeline", "consult", "--set", "threshold=1", "--json"]
    none = json.loads(medgraph("ask", "What are the symptoms of gout?", *strict))["pipeline"]["stages"][2]
    assert none["note"] == "none of these: no subgraph is likely enough to answer"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--without", "paths"], "name one with --pipeline"),
        (["--explain"], "name one with --pipeline"),
        (["--pipeline", "hyke", "--composer", "graph"], "leave --composer or --pipeline out"),
        (["--pipeline", "hyke", "--set", "hops=9"], "hops is '9'; set it to a whole number from 1 to 3"),
        (["--pipeline", "hyke", "--without", "answer"], "gives no answer without 'answer'"),
    ],
)
def test_what_does_not_go_together_is_said(here, options, said):
    done = CliRunner().invoke(main, ["ask", ASKED, *options], obj=here)
    assert done.exit_code in {1, 2}
    assert said in " ".join(done.output.split())
