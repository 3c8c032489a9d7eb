"""What the tables of papers are measured with: items that are kept, intervals, and files that cannot be used."""

import json

import numpy as np
import pytest

from medgraph.errors import InputError, RequestsWaitError, SourceFileError
from medgraph_lab.evaluation.papers.bench import ITEMS, Plot, Workbench, kept_in, measured, missing, needed
from medgraph_lab.evaluation.papers.imapscore import Spearman
from medgraph_lab.evaluation.papers.report import intervals, markdown, page

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
    with pytest.raises(InputError, match=r"needs no_such_module: pip install 'medgraph\[evaluate\]'"):
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
