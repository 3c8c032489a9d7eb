"""Lines that long work keeps: it goes on where it was killed."""

import msgspec
import pytest

from medgraph_lab.evaluation.kept_lines import KeptLines


@pytest.mark.parametrize(("torn", "kept"), [("", [1]), ('{"number": 2', [1]), ('{"number": 2}', [1, 2])])
def test_work_that_was_killed_within_a_line_goes_on(tmp_path, torn, kept):
    class Done(msgspec.Struct):
        number: int

    path = tmp_path / "done.jsonl"
    path.write_text(f'{{"number": 1}}\n{torn}', encoding="utf-8")
    lines = KeptLines(path, Done, lambda one: one.number, "thing that is done")
    assert list(lines.found) == kept
    lines.add(Done(3))
    assert list(KeptLines(path, Done, lambda one: one.number, "thing that is done").found) == [*kept, 3]
