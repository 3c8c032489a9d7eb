"""YAML as people write mappings: texts as they are written, and nothing that could run."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.errors import SourceFileError
from medgraph.loaders.mapping import source as mapping


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("a: !!python/object/apply:os.system ['touch HACKED']\n", 1, "has the tag !!python/object/apply:os.system"),
        ("a: b\nc: !!python/name:os.system\n", 2, "has the tag !!python/name:os.system, and tags are never followed"),
        ("a: !include /etc/passwd\n", 1, "has the tag !include"),
        ("? !!python/object/new:os.system [x]\n: b\n", 1, "has the tag !!python/object/new:os.system"),
        ("a: b\na: c\n", 2, "has the key 'a' twice, first in line 1; keep one"),
        ("a: &x [*x]\n", 1, "is not valid YAML: found undefined|has an alias that stands for something it is part of"),
        ("a: &x {b: *x}\n", 1, "has an alias that stands for something it is part of; write it out"),
        ("[a]: b\n", 1, "has a key that is no text"),
        ("a: [b\nc: d\n", 2, "is not valid YAML: while parsing a flow sequence expected"),
        ("a: b\n\tc: d\n", 2, "is not valid YAML"),
        ("a: 'b\n", 2, "is not valid YAML: while scanning a quoted scalar found unexpected end"),
        ("a: *b\n", 1, "is not valid YAML: found undefined alias"),
        ("a: b\n---\nc: d\n", 2, "is not valid YAML: expected a single document"),
        ("a: \x07\n", 1, "is not valid YAML: unacceptable character"),
        ("[" * 100_000, 1, "is not usable YAML: nested too deep"),
        (b"a: b\nc: \xe9\n", 2, "is not UTF-8: byte 0xE9; save the file as UTF-8"),
        (b"x" * 1_000_001, None, "is longer than 1,000,000 bytes, which no mapping is; is it the table?"),
    ],
)
def test_yaml_that_is_none_or_means_harm_is_one_clear_error(faults, tmp_path, monkeypatch, text, line, message):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SourceFileError, match=message) as caught:
        faults(text)
    assert caught.value.line == line
    assert not (tmp_path / "HACKED").exists()


def test_a_bomb_of_aliases_is_not_built(faults):
    levels = "".join(f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 10)}]\n" for n in range(1, 12))
    with pytest.raises(SourceFileError, match=r"has more than 20,000 values; its aliases repeat too much"):
        faults("l0: &l0 [x]\n" + levels)


@given(st.text(st.sampled_from("{}[]:,-&*!#'\" \nab|>%@`?"), max_size=40) | st.text(max_size=30))
def test_any_text_is_a_mapping_or_a_clear_error(tmp_path_factory, text):
    path = tmp_path_factory.mktemp("m") / "m.yaml"
    path.write_text(text, encoding="utf-8", errors="surrogatepass")
    try:
        form, found = mapping.check(path)
    except SourceFileError:
        return
    assert (form is None) == bool(found)
