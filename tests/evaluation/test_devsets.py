"""All sets for development as one table: files that lack, comparisons, and every set on a small graph."""

import json
import re
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest

from medgraph.embeddings.index import index
from medgraph.errors import InputError, SourceFileError
from medgraph.evaluation import consumer
from medgraph.evaluation.devsets import FILES, Bench, Result, check, evaluate, short_ranks, table
from medgraph.evaluation.retrieval import ALL, FLOOR
from medgraph.evaluation.sets.meqsum import Message
from medgraph.evaluation.statistics import Mean, compare, holm
from medgraph.loaders.commands import load_named
from medgraph.queries.retriever import Retriever
from tests.support.linking import names_of
from tests.support.mediqa import MESSAGES, write_mediqa
from tests.support.paths import FILES as SAMPLES

PAIRS = "".join(
    f'<pair value="{value}"><chq>What helps {name}?</chq><faq>{other} {name}?</faq></pair>'
    for name in ("gout", "asthma", "fever", "palsy")
    for value, other in (("true", "What treats"), ("false", "Who has"))
)
HELD = 1
"""How many of the questions of these pairs are in the half `held`."""


@pytest.fixture
def data(tmp_path):
    """A folder with all files of all sets."""
    for folder in ("mediqa", "questions", "pubmedqa"):
        (tmp_path / folder).mkdir()
    write_mediqa(tmp_path / "mediqa")
    (tmp_path / "questions" / "meqsum.csv").write_text(MESSAGES)
    (tmp_path / "questions" / "mqp_dev.csv").write_text("1,What helps?,What treats?,1\n1,What helps?,Who is it?,0\n")
    (tmp_path / "questions" / "rqe_train.xml").write_text(f"<RQE>{PAIRS}</RQE>")
    (tmp_path / "pubmedqa" / "pqal_dev.json").write_text(json.dumps({"201": {"QUESTION": "Does the spray work?"}}))
    return tmp_path


def bench(database, encoder, data, apart=None, part="held"):
    return Bench(database, Retriever(database, lambda: encoder, names_of(database)), encoder, data, part, 3, apart)


def test_what_lacks_is_named(data):
    check(data, list(FILES))
    for name, files in FILES.items():
        for file in files:
            (data / file).rename(data / "elsewhere")
            check(data, [other for other in FILES if other != name])
            with pytest.raises(SourceFileError, match=re.escape(f"{data / file}: is missing, and the set {name} is")):
                check(data, [name])
            (data / "elsewhere").rename(data / file)
    with pytest.raises(InputError, match="there is no set 'bioasq'; known are mediqa, medquad, meqsum, pubmedqa, mqp"):
        check(data, ["medquad", "bioasq"])


def result(way, beside, *values, **also):
    return Result("medquad", "source", way, beside, "mrr", Mean(np.array(values, dtype=float)), also)


def test_each_way_is_compared_with_the_one_beside_it():
    floor, learned = [0.1, 0.3, 0.2, 0.5], [0.9, 0.4, 0.6, 0.9]
    less = [0.8, 0.5, 0.6, 0.1]
    rows = table(
        [
            result("floor", "", *floor),
            result("learned", "floor", *learned, recall=0.75),
            result("less", "learned", *less),
            replace(result("floor", "", *less), style="everyday"),
            replace(result("learned", "floor", *learned), style="everyday"),
        ]
    )
    assert [row["way"] for row in rows] == ["floor", "learned", "less", "floor", "learned"]
    assert [row["value"] for row in rows] == pytest.approx([0.275, 0.7, 0.5, 0.5, 0.7])
    assert [row["more"] for row in rows[:3]] == [None, pytest.approx(0.425), pytest.approx(-0.2)]
    assert rows[4]["more"] == pytest.approx(0.2)  # beside the floor of its own style
    one, other = (compare(Mean(np.array(a)), Mean(np.array(b))) for a, b in ((learned, floor), (less, learned)))
    assert [row["p"] for row in rows[1:3]] == holm([one.p, other.p])
    assert rows[4]["p"] == other.p  # alone among its own
    assert (rows[1]["low"], rows[1]["high"]) == (one.low, one.high)
    assert (rows[1]["also"], rows[2]["also"]) == ({"recall": 0.75}, {})


def test_sets_are_measured_with_what_they_have_something_for(medquad_graph, encoder, data):
    rows = evaluate(bench(medquad_graph, encoder, data), ["medquad", "meqsum", "mqp", "rqe"])
    ways = {name: {row["way"] for row in rows if row["set"] == name} for name in FILES}
    assert ways["medquad"] == {FLOOR, *(way.name for way in ALL)} - {"learned without messages"}
    assert ways["meqsum"] == {FLOOR, *(way.name for way in ALL), "encoder of passages", "encoder of questions"}
    assert len(ways["mqp"]) == len(ways["rqe"]) == 4
    assert {row["style"] for row in rows if row["set"] == "medquad"} == {"source", "everyday", "misspelt"}
    assert {(row["set"], row["measure"]) for row in rows} == {
        ("medquad", "ndcg@10"), ("meqsum", "overlap@10"), ("meqsum", "mrr"), ("mqp", "auc"), ("rqe", "auc")
    }  # fmt: skip
    assert all(0 <= row["value"] <= 1 and row["n"] <= 3 for row in rows)
    compared = [row for row in rows if row["beside"]]
    assert all(row["low"] <= row["more"] <= row["high"] and 0 < row["p"] <= 1 for row in compared)
    assert len(rows) - len(compared) == 7  # a floor for each set and style
    assert {row["n"] for row in rows if row["set"] == "rqe"} == {HELD}
    learned = {row["style"]: row for row in rows if (row["set"], row["way"]) == ("medquad", "learned")}
    assert learned["source"]["value"] > 0.9


def test_graded_answers_are_measured_in_a_graph_apart(database, encoder, settings, data):
    @contextmanager
    def apart(answers):
        consumer.fill(database, settings, answers, encoder)
        yield database, Retriever(database, lambda: encoder, names_of(database))

    rows = evaluate(bench(database, encoder, data, apart), ["mediqa"])
    assert {(row["style"], row["n"]) for row in rows} == {("simple", 2), ("message", 1), ("all", 3)}
    found = {row["way"]: row for row in rows if row["style"] == "all"}
    assert {"questions", "learned without types", "learned without names"}.isdisjoint(found)
    assert found["learned"]["also"].keys() == {"mrr", "accepted", "order"}
    assert found["learned without words"]["also"].keys() == {"mrr"}
    assert found["hybrid"]["value"] == pytest.approx(1, abs=0.05)


def test_abstracts_are_found_by_what_they_say(database, encoder, settings, data):
    load_named(database, settings, "pubmedqa", SAMPLES / "pubmedqa" / "pqal_made_up.json")
    index(database, encoder, "all")
    rows = {row["way"]: row for row in evaluate(bench(database, encoder, data, part="dev"), ["pubmedqa"])}
    assert {"questions", "learned without questions", "learned without messages"}.isdisjoint(rows)
    assert (rows["learned"]["measure"], rows["learned"]["value"], rows["learned"]["n"]) == ("mrr", 1, 1)
    assert rows["learned"]["also"] == {"recall@10": 1}


def test_a_set_that_the_graph_lacks_is_refused(medquad_graph, encoder, data):
    with pytest.raises(InputError, match="the graph has no abstract of PubMedQA"):
        evaluate(bench(medquad_graph, encoder, data), ["pubmedqa"])


class Known:
    """Encodes what names gout one way, and anything else another; as questions, the other way round."""

    def encode(self, texts):
        return np.array([[1, 0] if "gout" in text else [0, 1] for text in texts], dtype=np.float32)

    def encode_questions(self, texts):
        return self.encode(texts)[:, ::-1]


def test_short_questions_are_ranked_for_their_messages():
    every = [Message("1", "gout hurts", "Treat gout?"), Message("2", "it itches", "Rash?"), Message("3", "", "Fever?")]
    found = short_ranks(every[:2], every, Known())
    assert found["encoder of passages"].tolist() == [1, 1]
    assert found["encoder of questions"].tolist() == [1 / 3, 1 / 2]
    assert found[FLOOR].tolist() == [1, 1]
