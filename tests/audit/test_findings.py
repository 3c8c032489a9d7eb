"""Findings: ids that last, and what was known before."""

import json

import pytest

from medgraph.audit.findings import read_known
from medgraph.errors import InputError
from tests.support.audits import AUDIT


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
