"""What the tables of papers are measured with: items, maps, rankings, pairs and metrics of texts."""

import json
import re
from types import SimpleNamespace

import numpy as np
import pytest

from medgraph.errors import InputError, RequestsWaitError, SourceFileError
from medgraph_lab.evaluation.papers import beyond, imaps
from medgraph_lab.evaluation.papers.bench import ITEMS, Plot, Workbench, kept_in, measured, missing, needed
from medgraph_lab.evaluation.papers.illama import Order, ranked
from medgraph_lab.evaluation.papers.imaps import Values, agreed, likeness
from medgraph_lab.evaluation.papers.imapscore import Spearman
from medgraph_lab.evaluation.papers.report import intervals, markdown, page
from medgraph_lab.evaluation.papers.text_metrics import (
    Rarity,
    bert_score,
    bleu_4,
    flesch,
    meteor,
    new_words,
    overlap,
    phrases,
    plain_sentences,
    rouge_2,
)
from medgraph_lab.evaluation.papers.written import ReferenceQuestion, by_chance
from medgraph_lab.evaluation.sets.pubtator import GoldMention, GoldText
from tests.support.graphs import run
from tests.support.linking import entity, linker_of, names_of

MADE = {"paper": "hyke", "encoder": "e"}


def test_a_killed_run_goes_on_where_it_stopped(tmp_path):
    asked = []

    def find(item):
        asked.append(item)
        if item == "c" and asked.count("c") == 1:
            raise KeyboardInterrupt
        return [item, 1.5]

    items = {name: name for name in "abc"}
    with pytest.raises(KeyboardInterrupt), kept_in(tmp_path, MADE) as kept:
        Workbench(None, tmp_path, kept=kept).each("t", items, find)
    with (tmp_path / ITEMS).open("ab") as file:
        file.write(b'{"table": "t", "it')  # killed within a line
    with kept_in(tmp_path, MADE) as kept:
        found = Workbench(None, tmp_path, kept=kept).each("t", items, find)
    assert found == {name: [name, 1.5] for name in "abc"}
    assert asked == ["a", "b", "c", "c"]


def test_two_runs_do_not_write_the_same_folder_and_other_settings_need_another(tmp_path):
    with kept_in(tmp_path, MADE), pytest.raises(InputError, match="another run writes into"), kept_in(tmp_path, MADE):
        pass
    with pytest.raises(InputError, match="name another --out"), kept_in(tmp_path, MADE | {"encoder": "f"}):
        pass
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be used"), kept_in(tmp_path / "file", MADE):
        pass


def test_what_waits_for_a_reply_is_counted_and_not_kept(tmp_path):
    def wait(item):
        raise RequestsWaitError(item)

    bench = Workbench(None, tmp_path)
    assert bench.each("t", {"a": 1, "b": 2}, wait) == {}
    assert bench.waiting == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [("{}", "lacks 'id'"), ("[1]", "no JSON object"), ("oh", "no JSON object"), ("", "is empty"), (None, "is missing")],
)
def test_files_that_cannot_be_used_are_named(tmp_path, text, said):
    if text is not None:
        (tmp_path / "some.jsonl").write_text(text)
    with pytest.raises(SourceFileError, match=rf"some\.jsonl.*{said}"):
        Workbench(None, tmp_path).lines("some.jsonl", "id")


def test_the_same_items_are_chosen_each_time(tmp_path):
    items = {str(place): place for place in range(50)}
    five = Workbench(None, tmp_path, 5).chosen(items)
    assert len(five) == 5
    assert five == Workbench(None, tmp_path, 5).chosen(dict(reversed(items.items())))
    assert five.items() <= Workbench(None, tmp_path, 9).chosen(items).items()
    assert Workbench(None, tmp_path).chosen(items) == items


def test_figures_have_intervals():
    row = measured("t", "r", "m", [0, 1] * 50)
    assert (row.ours, row.items) == (0.5, 100)
    assert 0.39 < row.low < 0.42 < 0.58 < row.high < 0.62
    assert measured("t", "r", "m", []).note == "no item is left to measure"
    always, never = measured("t", "r", "m", [True] * 20), measured("t", "r", "m", [False] * 20)
    assert (always.low, always.high) == (pytest.approx(0.832, abs=0.001), 1)
    assert (never.low, never.high) == (0, pytest.approx(0.168, abs=0.001))
    rising = Spearman(np.arange(20.0), np.arange(20.0) ** 3)
    assert rising.value() == pytest.approx(1)
    assert Spearman(np.zeros(20), np.arange(20.0)).value() == 0


def test_a_missing_extra_is_named_with_what_installs_it():
    with pytest.raises(InputError, match=r"needs no_such_module; run .*: pip install '\.\[evaluate\]'"):
        needed("no_such_module.metrics")


def test_tables_are_written_as_markdown_and_as_a_page():
    rows = [measured("search", "a|b", "P@10", [1.0, 1.0], printed=0.2), missing("other", "<all>")]
    text = markdown("verifai", rows, "made with")
    assert "| a\\|b | P@10 | 0.200 | 1.000 | 1.000 to 1.000 | 2 | none |  |" in text
    assert "## other" in text
    three = [measured("search", name, measure, [0, 1]) for name in "abc" for measure in ("ms", "P@10")]
    (drawn,) = intervals([*three, *rows])
    assert (drawn.title, list(drawn.series)) == ("search: P@10", ["a", "b", "c", "a|b"])
    plots = [Plot("other", "curves", "Some", ("", ""), {})]
    told = page("verifai", [*three, *rows], "made with", plots, lambda kind, title, *_: f"[{kind} {title}]")
    assert "&lt;all&gt;" in told
    assert told.index("[intervals search: P@10]") < told.index("<h2>other") < told.index("[curves Some]")
    assert json.dumps(rows[1].note).count("MEDGRAPH_MODEL") == 1


TEXT = "Gout. Colchicine induced asthma in a man with anaemia."


def mention(name, ids, kind="Disease"):
    start = TEXT.index(name)
    return GoldMention(start, start + len(name), name, frozenset(ids), kind)


def test_mentions_ids_and_pairs_are_counted():
    linker = linker_of(
        entity("DOID:1", "gout", ids=["DOID:1", "MESH:G"]),
        entity("DOID:2", "anaemia", ids=["DOID:2", "MESH:WRONG"]),
        entity("DB:1", "colchicine", label="Drug"),
    )
    marked = (
        mention("Gout", {"MESH:G"}),
        mention("Colchicine", {"MESH:C"}, "Chemical"),
        mention("asthma", {"MESH:A"}),
        mention("anaemia", {"MESH:B"}),
    )
    text = GoldText("1", TEXT, marked, frozenset({("MESH:C", "MESH:A")}))
    found = beyond.counted(linker, text, {"MESH:G", "MESH:WRONG"}, {("MESH:C", "MESH:B")})
    assert found[beyond.MENTIONS] == found[beyond.DOCUMENTS] == (1, 1, 2)
    assert found[beyond.DOCUMENTS + beyond.KNOWN] == found[beyond.MENTIONS + beyond.KNOWN] == (1, 1, 0)
    assert found["mentions, names given"] == (1, 1, 2)
    assert found["chemicals, span"] == (1, 0, 0)
    assert found["in one abstract, names given"] == (1, 2, 0)
    assert found["in one sentence, names given"] == (1, 1, 0)
    assert found["related in the graph, names given"] == (0, 1, 1)
    assert found[beyond.MODEL][0] == 1
    assert found["the model of roles, names as linked"] == (0, found["the model of roles, names as linked"][1], 1)


def values(*names):
    return {name: f"e:{name}" for name in names}


def test_the_score_follows_the_formula():
    label = {"treatment": values("rest", "nsaid"), "condition": values("gout"), "exams and tests": values("x-ray")}
    response = {"treatment": values("rest", "ibuprofen", "tea"), "condition": values("arthritis")}
    kinds = {("e:ibuprofen", "e:nsaid"), ("e:gout", "e:arthritis")}
    related = imaps.relations_by_graph(label, response, kinds)
    told = imaps.term_scores(label, response, related)
    # rest is the same, and the label's nsaid includes ibuprofen: one of two related pairs
    assert told["treatment"] == imaps.TermScore(1.0, 2 / 3, 0.5)
    assert told["condition"] == imaps.TermScore(1.0, 1.0, 0.0)  # gout belongs to arthritis
    assert imaps.score(label, response, related) == pytest.approx((1 + 2 / 3 - 0.5 + 2) / 6)
    assert imaps.score(label, response, imaps.relations_by_graph(label, response, ())) == pytest.approx(
        (1 / 2 + 1 / 3) / 6
    )
    assert imaps.score({}, response, related) == imaps.score(label, {}, related) == 0


def test_values_are_what_a_text_names_by_their_kind_and_the_graph_relates_them(sample_graph):
    linker = names_of(sample_graph)()
    asked, told = (imaps.values_of(linker, text) for text in ("How is gout treated?", "Colchicine helps with gout."))
    assert list(asked) == ["condition"]
    assert told["condition"] == asked["condition"]
    assert imaps.as_text(imaps.names_of(linker, "Gout hurts.")).lower() == "condition: gout"
    (row,) = run(sample_graph, "MATCH (a:Entity)-[:IS_A]->(b:Entity) RETURN a.id AS a, b.id AS b LIMIT 1")
    assert imaps.kinds_among(sample_graph, {"condition": {"1": row["a"], "2": row["b"]}}) >= {(row["a"], row["b"])}
    assert imaps.kinds_among(sample_graph, {}) == set()


def test_what_two_of_three_runs_say_is_kept_as_the_first_words_it():
    runs = [
        [Values("medicine", ["Colchicine", "ibuprofen"]), Values("advice", ["rest"])],
        [Values("medicine", ["colchicine"]), Values("medicine", ["ibuprofen tablet"])],
        [Values("medicine", ["aspirin", ""]), Values("outlook", ["resting"])],
    ]
    assert agreed(runs) == {"medicine": ["colchicine", "ibuprofen"]}
    assert agreed([]) == agreed([[], [], []]) == {}
    assert likeness("gout", "gout") == 1
    assert likeness("gout", "asthma") == likeness("", "gout") == 0


def test_a_value_is_related_to_nothing_else_once_it_has_the_same():
    label, response = {"test": ["blood test", "x-ray"]}, {"test": ["complete blood count", "radiograph", "mri"]}
    broader = ("blood test", "complete blood count")
    related = {broader: imaps.BROADER, ("x-ray", "radiograph"): imaps.SAME, ("x-ray", "mri"): imaps.NARROWER}
    assert imaps.term_scores(label, response, related) == {"test": imaps.TermScore(1.0, 2 / 3, 0.5)}


def test_words_of_the_question_and_polite_sentences_do_not_count():
    rarity = Rarity(["gout hurts", "take colchicine", "rest", "sleep", "drink water"])
    same = new_words("Does gout hurt?", "Take colchicine for gout.", "Colchicine.", rarity)
    none = new_words("Does gout hurt?", "Take colchicine for gout.", "Gout hurts.", rarity)
    assert (same, none) == (pytest.approx(2 / 3), pytest.approx(0, abs=1e-6))
    assert plain_sentences("Hello and welcome. Take colchicine twice daily. Take care.") == [
        "Take colchicine twice daily."
    ]
    assert phrases("Take low dose colchicine, and rest at home.")[0].endswith("low dose colchicine")


FOUND = {
    "best": {"How is gout treated?": {"text": "colchicine", "label": "By colchicine."}},
    "worse": {"How is gout treated?": {"text": "bananas", "label": "By colchicine."}},
    "silent": {"How is gout treated?": {"text": " ", "label": "By colchicine."}},
}


class Model:
    """Ranks what names colchicine first, and adds marks that nobody asked about."""

    def complete(self, request):
        said = re.findall(r"<(A\d)>(\w+)<", request.messages[-1].content)
        best_first = sorted(said, key=lambda one: one[1] != "colchicine")
        return SimpleNamespace(value=Order(["A9", *(mark for mark, _ in best_first)]))


def bench_of(model):
    def each(_name, items, work):
        return {key: work(item) for key, item in items.items()}

    return SimpleNamespace(load_model=model, model=model and model(), model_name="m", each=each)


def test_ranks_are_shares_of_the_way_from_last_to_first():
    rows = {row.row: row for row in ranked(bench_of(Model), "t", FOUND)}
    assert {name: row.ours for name, row in rows.items()} == pytest.approx({"best": 1, "worse": 0.5, "silent": 0})


def test_without_a_model_the_row_says_so():
    (row,) = ranked(bench_of(None), "t", FOUND)
    assert "model" in row.note


SAID = "Colchicine eases gout attacks."


def test_texts_that_are_the_same_score_most_and_others_nothing():
    for metric in (rouge_2, meteor):
        assert metric(SAID, SAID) == pytest.approx(1, abs=0.01)
        assert metric("Nothing alike here.", SAID) == metric("", SAID) == metric("", "") == 0
    assert bleu_4([SAID], [SAID]) == pytest.approx(1)


def test_pairs_of_words_count_each_once():
    assert rouge_2("rest and rest and rest", "rest and ice") == pytest.approx(2 / 6)


def test_meteor_takes_stems_and_no_synonyms():
    assert meteor("gout attacks", "gout attack") == pytest.approx(meteor("gout attack", "gout attack"))
    assert meteor("gout assault", "gout attack") < meteor("gout attacks", "gout attack")


def test_tokens_match_the_nearest_of_the_other_side():
    east, north = np.eye(2, dtype=np.float32)
    both = np.array([east, north])
    assert bert_score(both, both) == pytest.approx(1)
    assert bert_score(both, east[None]) == pytest.approx(2 / 3)  # recall of a half, precision of all
    assert bert_score(both, np.zeros((0, 2), dtype=np.float32)) == 0


def test_reading_ease_falls_with_syllables():
    assert flesch("The cat sat.") == pytest.approx(206.835 - 3 * 1.015 - 84.6)
    assert flesch("Rheumatological manifestations necessitate evaluation.") < 0
    assert flesch("...") == 0


def test_densities_have_in_common_what_both_cover():
    near = [10.0, 20.0, 30.0]
    assert overlap(near, near) == pytest.approx(1, abs=0.01)
    assert overlap(near, [1000.0, 1010.0]) == pytest.approx(0, abs=0.01)
    assert 0.3 < overlap(near, [20.0, 30.0, 40.0]) < 0.9
    assert overlap(near, [20.0]) == overlap([], near) == 0


def test_each_question_is_given_the_answer_of_another():
    found = by_chance({name: ReferenceQuestion(name, name.upper()) for name in "abc"})
    assert [(one["text"], one["label"]) for one in found.values()] == [("B", "A"), ("C", "B"), ("A", "C")]
