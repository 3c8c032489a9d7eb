"""The harness of search and its sets as one table, on a small graph."""

import json
import math
import re
import sys
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest

from medgraph.embeddings.index import index
from medgraph.errors import InputError, SourceFileError
from medgraph.loaders.commands import load_named
from medgraph.queries.filters import Restriction
from medgraph.queries.retriever import Retriever
from medgraph_lab.evaluation.retrieval import (
    ALL,
    FLOOR,
    WEIGHTS,
    Bench,
    Blend,
    Case,
    SearchResult,
    compared,
    measure,
    measures,
)
from medgraph_lab.evaluation.search import FILES, check, evaluate
from medgraph_lab.evaluation.sets import mediqa
from medgraph_lab.evaluation.statistics import Mean, compare, holm
from tests.support.linking import names_of
from tests.support.mediqa import MESSAGES, write_mediqa
from tests.support.paths import FILES as SAMPLES


@pytest.fixture
def data(tmp_path):
    """A folder with all files of all sets."""
    for folder in ("mediqa", "questions", "pubmedqa"):
        (tmp_path / folder).mkdir()
    write_mediqa(tmp_path / "mediqa")
    (tmp_path / "questions" / "meqsum.csv").write_text(MESSAGES)
    (tmp_path / "pubmedqa" / "pqal_dev.json").write_text(json.dumps({"201": {"QUESTION": "Does the spray work?"}}))
    return tmp_path


def bench(database, encoder, data, apart=None, part="held"):
    return Bench(database, Retriever(database, lambda: encoder, names_of(database)), encoder, data, part, 3, apart)


def test_what_lacks_is_named(data):
    check(data, list(FILES))
    for name, files in FILES.items():
        for file in files:
            (data / file).rename(data / "elsewhere")
            with pytest.raises(SourceFileError, match=re.escape(f"{data / file}: is missing, and the set {name} is")):
                check(data, [name])
            (data / "elsewhere").rename(data / file)
    with pytest.raises(InputError, match="there is no set 'bioasq'; known are mediqa, medquad, meqsum, pubmedqa"):
        check(data, ["medquad", "bioasq"])


@pytest.mark.thorough
def test_sets_are_measured_with_what_they_have_something_for(medquad_graph, encoder, data):
    rows = evaluate(bench(medquad_graph, encoder, data), ["medquad", "meqsum"])
    ways = {name: {row["way"] for row in rows if row["set"] == name} for name in FILES}
    assert ways["medquad"] == {FLOOR, *(way.name for way in ALL)} - {"learned without messages"}
    assert ways["meqsum"] == {FLOOR, *(way.name for way in ALL)}
    assert {row["style"] for row in rows if row["set"] == "medquad"} == {"source", "everyday", "misspelt"}
    assert {(row["set"], row["measure"]) for row in rows} == {
        ("medquad", "ndcg@10"), ("meqsum", "overlap@10")
    }  # fmt: skip
    assert all(0 <= row["value"] <= 1 and row["n"] <= 3 for row in rows)
    beside = [row for row in rows if row["beside"]]
    assert all(row["low"] <= row["more"] <= row["high"] and 0 < row["p"] <= 1 for row in beside)
    assert len(rows) - len(beside) == 4  # a floor for each set and style
    learned = {row["style"]: row for row in rows if (row["set"], row["way"]) == ("medquad", "learned")}
    assert learned["source"]["value"] > 0.9
    with pytest.raises(InputError, match="the graph has no abstract of PubMedQA"):
        evaluate(bench(medquad_graph, encoder, data), ["pubmedqa"])


@pytest.mark.thorough
def test_graded_answers_are_measured_in_a_graph_apart(database, encoder, settings, data):
    @contextmanager
    def apart(answers):
        mediqa.fill(database, settings, answers, encoder)
        yield database, Retriever(database, lambda: encoder, names_of(database))

    class Elsewhere(Retriever):
        """Restricts questions to the sources of another graph, as one that has what relations tell does."""

        def question(self, text, *_args, **_options):
            return replace(super().question(text), restriction=Restriction(all_sources=["elsewhere"], hidden="graph"))

    searched = bench(database, encoder, data, apart)
    elsewhere = Elsewhere(database, lambda: encoder, names_of(database))
    rows = evaluate(replace(searched, retriever=elsewhere), ["mediqa"])
    assert {(row["style"], row["n"]) for row in rows} == {("simple", 2), ("message", 1), ("all", 3)}
    found = {row["way"]: row for row in rows if row["style"] == "all"}
    assert {"questions", "learned without types", "learned without names"}.isdisjoint(found)
    assert found["learned"]["also"].keys() == {"mrr", "accepted", "order"}
    assert found["learned"]["also"]["order"] > 0.4
    assert 0 <= found["learned"]["also"]["accepted"] <= 1
    assert found["learned without words"]["also"].keys() == {"mrr"}
    assert found["hybrid"]["value"] == pytest.approx(1, abs=0.05)
    assert found["hybrid"]["also"]["mrr"] == 1


@pytest.mark.thorough
def test_abstracts_are_found_by_what_they_say(database, encoder, settings, data):
    load_named(database, settings, "pubmedqa", SAMPLES / "pubmedqa" / "pqal_made_up.json")
    index(database, encoder, "all")
    rows = {row["way"]: row for row in evaluate(bench(database, encoder, data, part="dev"), ["pubmedqa"])}
    assert {"questions", "learned without questions", "learned without messages"}.isdisjoint(rows)
    assert (rows["learned"]["measure"], rows["learned"]["value"], rows["learned"]["n"]) == ("mrr", 1, 1)
    assert rows["learned"]["also"] == {"recall@10": 1}


TEN = [f"x{i}" for i in range(10)]
EXAMPLES = [
    ("ndcg@10", ["a", "b", "c"], "a", 1),
    ("ndcg@10", ["b", "a", "c"], "a", 1 / math.log2(3)),
    ("ndcg@10", ["a", "x", "b"], "ab", 1.5 / (1 + 1 / math.log2(3))),
    ("ndcg@10", [*TEN, "a"], "a", 0),
    ("ndcg@10", [], "a", 0),
    ("recall@10", ["a", "x", "b"], "abcd", 0.5),
    ("recall@10", ["a", "a"], "a", 1),
    ("recall@10", [*TEN, "a"], "a", 0),
    ("mrr", ["x", "y", "a", "b"], "ab", 1 / 3),
    ("mrr", [*TEN, "a"], "a", 1 / 11),
    ("mrr", ["x"], "a", 0),
]


@pytest.mark.parametrize(("name", "ranking", "relevant", "expected"), EXAMPLES)
def test_measures_of_worked_examples(name, ranking, relevant, expected):
    assert measures({"q": ranking}, {"q": dict.fromkeys(relevant, 1)})[name][0] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("ir_measures", lambda: measures({"q": ["a"]}, {"q": {"a": 1}})),
        ("bm25s", lambda: Blend({"a": "gout"}, ["a"], np.ones((1, 2)), None)),
    ],
)
def test_a_missing_library_is_named_with_what_installs_it(monkeypatch, name, call):
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(InputError, match=re.escape("pip install '.[evaluate]'")):
        call()


def test_ways_are_measured_beside_the_floor(medquad_graph, encoder):
    retriever = Retriever(medquad_graph, lambda: encoder, names_of(medquad_graph))
    bench = Bench(medquad_graph, retriever, encoder, None, "held", 9, None)
    found = bench.floor.results("What is Quimbly fever treated with?", 1)
    assert list(found) == list(WEIGHTS)
    (best,) = {place.section for place in found[0.5]}
    cases = [Case(name, "What is Quimbly fever treated with?", frozenset({name})) for name in (best, "none")]
    rows = measure(bench, "test", cases, [way for way in ALL if way.name in {"lexical", "learned"}], "mrr")
    assert list(rows) == [FLOOR, "lexical", "learned"]
    assert rows[FLOOR]["mrr"].tolist() == [1, 0]
    assert rows["learned"]["recall@10"].tolist() == [1, 0]


def result(way, beside, *values, **also):
    return SearchResult("medquad", "source", way, beside, "mrr", Mean(np.array(values, dtype=float)), also)


def test_each_way_is_compared_with_the_one_beside_it():
    floor, learned, less = [0.1, 0.3, 0.2, 0.5], [0.9, 0.4, 0.6, 0.9], [0.8, 0.5, 0.6, 0.1]
    rows = compared(
        [
            result("floor", "", *floor),
            result("learned", "floor", *learned, recall=0.75),
            result("less", "learned", *less),
            replace(result("floor", "", *less), style="everyday"),
            replace(result("learned", "floor", *learned), style="everyday"),
        ]
    )
    assert [row["value"] for row in rows] == pytest.approx([0.275, 0.7, 0.5, 0.5, 0.7])
    assert [row["more"] for row in rows] == [None, *map(pytest.approx, (0.425, -0.2)), None, pytest.approx(0.2)]
    one, other = (compare(Mean(np.array(a)), Mean(np.array(b))) for a, b in ((learned, floor), (less, learned)))
    assert [row["p"] for row in rows[1:3]] == holm([one.p, other.p])
    assert rows[4]["p"] == other.p  # alone among its own
    assert (rows[1]["low"], rows[1]["high"], rows[1]["also"]) == (one.low, one.high, {"recall": 0.75})
