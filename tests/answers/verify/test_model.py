"""The verifier's weights: read, written, and refused where they are not whole."""

import pytest

from medgraph.answers.verify.model import FILE, INTERCEPT, LEVELS, SIGNS, model, read, signs_of, write
from medgraph.answers.verify.rules import compare
from medgraph.errors import InputError


def test_what_was_written_is_read_again(tmp_path):
    write(model(), tmp_path / "v.tsv", "by hand")
    assert read(tmp_path / "v.tsv") == model()
    assert (tmp_path / "v.tsv").read_text(encoding="utf-8").startswith("# by hand\n")


@pytest.mark.parametrize(
    "change",
    [
        lambda lines: lines[:-1],
        lambda lines: [*lines, "supports\tanother sign\t1"],
        lambda lines: [*lines, "supports\tcovered\tmany"],
        lambda lines: [*lines, "supports\tcovered\tnan"],
        lambda lines: [*lines, "supports"],
    ],
)
def test_a_file_that_is_cut_short_or_of_another_version_is_refused_with_the_remedy(tmp_path, change):
    path = tmp_path / "v.tsv"
    path.write_text("\n".join(change(FILE.read_text(encoding="utf-8").splitlines())), encoding="utf-8")
    with pytest.raises(InputError, match="medgraph train verifier FILE"):
        read(path)


def test_the_weights_that_come_with_medgraph_tell_the_same_from_what_differs():
    same, other = (compare("It causes fever.", text) for text in ("It causes fever.", "It does not cause fever."))
    assert len(signs_of(same)) == len(SIGNS)
    assert all({*SIGNS, INTERCEPT} == set(model().weights[level]) for level in LEVELS)
    assert model().likely("supports", same) > 0.9 > 0.1 > model().likely("supports", other)
    assert model().likely("contradicts", other) > 0.5 > model().likely("contradicts", same)
