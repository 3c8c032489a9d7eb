"""What is recorded of the service is what the service gives today."""

import json
from ast import literal_eval

import pytest

from medgraph.queries.filters import Filters
from tests.support.recorded import FILE, gave

TIMES = {"timing_ms", "finished"}
CALLS = [(name, said, told) for (name, said), told in map(json.loads, FILE.read_text(encoding="utf-8").splitlines())]


def without_times(value):
    if isinstance(value, dict):
        return {name: without_times(one) for name, one in value.items() if name not in TIMES}
    return [without_times(one) for one in value] if isinstance(value, list) else value


def read(value):
    """Read the value of a filter: lists and truth as Python writes them, or a text."""
    return literal_eval(value) if value.startswith("(") or value in {"True", "False"} else value


# What an answer rests on is asked for by the answer, of which the file has only the question.
@pytest.mark.parametrize("name", sorted({name for name, *_ in CALLS} - {"evidence"}))
def test_the_real_service_gives_what_is_recorded(service, sample_graph, name):
    for said, told in ((said, told) for called, said, told in CALLS if called == name):
        given = said.pop("options", {}) | said  # without what is empty
        if name == "answer":
            given = {"question": ""} | given
            given["filters"] = Filters(**{one: read(value) for one, value in said.get("filters", {}).items()})
        now = json.loads(json.dumps(gave(getattr(service, name), (), given)))
        assert without_times(now) == without_times(told), said
