"""Findings: ids that last, and what was known before."""

import json

import pytest

from medgraph.audit.findings import Finding, read_known
from medgraph.errors import InputError
from tests.support.audits import AUDIT


def test_ids_depend_on_check_and_keys_alone():
    first = Finding("one", "error", "s", ("a", "b"), "x", 2)
    assert first.id == Finding("one", "note", "t", ("a", "b"), "y", 9, ("z",)).id
    others = [("two", ("a", "b")), ("one", ("b", "a")), ("one", ("a",)), ("one", ("ab",)), ("one", ('a", "b',))]
    assert len({first.id, *(Finding(check, "error", "s", keys, "x", 2).id for check, keys in others)}) == 6
    assert first.id == "27311b3e99db"


def test_what_was_known_before_fails_only_when_it_has_grown(tmp_path):
    (finding,) = AUDIT.findings
    assert AUDIT.failing("error", {}) == [finding]
    assert AUDIT.failing("never", {}) == []
    assert AUDIT.failing("error", {finding.id: 2}) == []
    assert AUDIT.failing("error", {finding.id: 1}) == [finding]
    file = tmp_path / "known.json"
    file.write_text(json.dumps(AUDIT.as_dict()))
    assert read_known(file) == {finding.id: 2}
    assert read_known(None) == {}
    for text in ("", "[]", "{}", '{"checks": [1]}', '{"checks": [{"findings": [{"id": "x"}]}]}'):
        file.write_text(text)
        with pytest.raises(InputError, match="is not what `medgraph audit --json` printed"):
            read_known(file)
    with pytest.raises(InputError, match="cannot be read"):
        read_known(tmp_path / "none")
