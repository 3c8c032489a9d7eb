"""What pipelines are made of: printed defaults, stages that can be left out, and parameters that are read strictly."""

import pytest

from medgraph.answers.pipelines.catalogue import PIPELINES, pipeline_named
from medgraph.answers.pipelines.papers import rouge_l
from medgraph.answers.pipelines.pipeline import choose
from medgraph.answers.prompting import prompt
from medgraph.errors import InputError

PRINTED = {
    "joint": {"contexts": 5, "min_tokens": 40, "max_tokens": 150, "beams": 4, "temperature": 0.7},
    "hyke": {
        "hypothesis_tokens": 300,
        "temperature": 0.6,
        "delta": 0.7,
        "hops": 3,
        "window": 10,
        "overlap": 4,
        "top": 10,
    },
    "referenced": {"documents": 10, "weights": "literature", "max_tokens": 1225, "repetition_penalty": 1.1},
    "consult": {"candidates": 50, "documents": 10},
}
"""What the papers print."""

OPTIONAL = {
    "joint": ["search", "candidates", "subgraph", "joint"],
    "hyke": ["hypothesis", "paths", "descriptions", "rerank"],
    "referenced": [],
    "consult": ["rerank", "threshold"],
    "base": [],
    "graphrag": ["neighbourhood", "descriptions"],
    "query-expansion": ["rewrite"],
    "chain-of-note": ["notes"],
    "chain-of-knowledge": ["rationale"],
}


def test_defaults_are_those_that_the_papers_print():
    for name, printed in PRINTED.items():
        values = choose(PIPELINES[name]).values
        assert {key: values[key] for key in printed} == printed, name
        assert all(PIPELINES[name].parameters[key].printed for key in printed), name


def test_stages_can_be_left_out_and_prompts_are_files():
    assert {
        name: [one.name for one in pipeline.stages if one.without] for name, pipeline in PIPELINES.items()
    } == OPTIONAL
    for pipeline in PIPELINES.values():
        for name in pipeline.prompts:
            assert prompt(name).version


@pytest.mark.parametrize(
    ("name", "without", "settings", "said"),
    [
        ("hyke", ["nothing"], [], "there is hypothesis, paths, descriptions, rerank to leave out"),
        ("hyke", ["answer"], [], "gives no answer without 'answer'"),
        ("hyke", [], ["hops=4"], "from 1 to 3"),
        ("hyke", [], ["hops=2.5"], "whole number"),
        ("hyke", [], ["delta=nan"], "number"),
        ("hyke", [], ["delta"], "sets nothing of hyke; there is hypothesis_tokens=300"),
        ("joint", [], ["one_length=perhaps"], "true or false"),
        ("joint", [], ["graph=only"], "joint or alone"),
        ("base", [], ["k=2"], "there is max_tokens=800"),
    ],
)
def test_what_cannot_be_left_out_or_set_is_said(name, without, settings, said):
    with pytest.raises(InputError, match=said):
        choose(PIPELINES[name], without, settings)


def test_there_are_nine_and_no_other():
    assert len(PIPELINES) == 9
    with pytest.raises(InputError, match="there are joint, hyke, referenced, consult, base"):
        pipeline_named("magic")


def test_values_are_of_the_type_of_the_default():
    values = choose(PIPELINES["joint"], (), ["one_length=TRUE", "contexts=2", "temperature=0"]).values
    assert (values["one_length"], values["contexts"], values["temperature"]) == (True, 2, 0.0)


@pytest.mark.parametrize(
    ("text", "reference", "score"),
    [
        ("Gout is treated.", "gout is treated", 1.0),
        ("police killed the gunman", "police kill the gunman", 0.75),  # Lin's own example: 3 of 4 words in order
        ("the gunman kill police", "police kill the gunman", 0.5),
        ("a b c d", "b d", 2 * 2 / 6),
        ("", "gout", 0.0),
        ("!", "gout", 0.0),
    ],
)
def test_rouge_l_is_the_f1_of_the_longest_common_subsequence(text, reference, score):
    assert rouge_l(text, reference) == pytest.approx(score)
    assert rouge_l(reference, text) == pytest.approx(score)
