"""Tables of patterns: what they match, and what is said of a wrong line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.errors import InputError
from medgraph.patterns import read_patterns, small


def table(folder, text):
    path = folder / "table.tsv"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_lines_of_a_kind_are_one_pattern(tmp_path):
    patterns = read_patterns(table(tmp_path, "# animals\n\npet\tcats?\npet\tdogs? house\nwild\twolf\n"))
    assert set(patterns) == {"pet", "wild"}
    assert [match[0] for match in patterns["pet"].finditer("a cat, the dog house, cats")] == [
        "cat",
        "dog house",
        "cats",
    ]


def test_patterns_neither_begin_nor_end_inside_of_a_word(tmp_path):
    cat = read_patterns(table(tmp_path, "pet\tcat\npet\t, dog\npet\t(?<=a )cow$\n"))["pet"]
    assert cat.search("a cat")
    assert cat.search("rat, dog")
    assert cat.search("a cow")
    assert not any(cat.search(text) for text in ("cats", "bobcat", "rat, dogs", "the cow"))


def test_a_list_is_named_by_the_lines_below(tmp_path):
    patterns = read_patterns(table(tmp_path, "<pet>\tcats?|dogs?\n<my pet>\tmy <pet>\nowned\t<my pet>|your <pet>\n"))
    assert set(patterns) == {"owned"}
    assert patterns["owned"].findall("my dog, your cats, his cat") == ["my dog", "your cats"]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("pet", "there is no pattern"),
        ("pet\t", "there is no pattern"),
        ("\tcat", "there is no kind"),
        ("pet\tmy <animal>", "no list <animal> stands above"),
        ("pet\tcat(", r"'cat\(' is no regular expression: missing \)"),
    ],
)
def test_a_wrong_line_is_named(tmp_path, line, problem):
    with pytest.raises(InputError, match=rf"table\.tsv:2: {problem}.*; write KIND, a tab, and the pattern"):
        read_patterns(table(tmp_path, f"wild\twolf\n{line}\n"))


@given(st.text())
def test_small_letters_stay_in_their_places(text):
    lower = small(text)
    assert len(lower) == len(text)
    assert all(now in {was, was.lower()} for was, now in zip(text, lower, strict=True))


def test_letters_whose_small_form_is_longer_stay():
    assert small("NO İ, Ä") == "no İ, ä"
