"""Values between 0 and 1 that decide stand in one table, each with its unit and where it comes from."""

import ast
import re

import pytest

from medgraph.errors import InputError
from medgraph.patterns import threshold, thresholds
from tests.support.tree import MODULES, ROOT

PRODUCT = [path for path in MODULES if path.relative_to(ROOT).parts[0] != "lab"]
ROWS = [
    line.split("\t")
    for line in (ROOT / "thresholds.tsv").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]
UNITS = {"probability", "score", "cosine", "share", "ratio", "weight", "log odds"}
OTHERWISE = {
    "seconds": "api.app._TURN api.logs._BUCKETS models.openai_server.FIRST_WAIT server.lifecycle._POLL_SECONDS",
    "shares of memory": "doctor.examine.MEMORY_SHARE doctor.examine.HEAP_SHARE loaders.bulk.sorting._FULL "
    "server.process._TRANSACTION_SHARE",
    "lengths in a picture": "pictures.captions._OTHER pictures.layout._SHARES pictures.layout._SHARES_OF_TWO",
    "sizes and rates of learning": "embeddings.kge.learning._CONVE embeddings.kge.learning._PRESETS "
    "embeddings.kge.triples.SHARES linking.roles._LEAST",
    "parameters of papers": "answers.pipelines.papers.JOINT answers.pipelines.papers.HYKE queries.fusion.PRESETS",
    "what keeps numbers apart from 0": "embeddings.kge.vectors._SMALL linking.joining._LEAST_DOUBT "
    "linking.joining._LITTLE queries.fusion._LEAST",
    "counts": "queries.made_questions._DOUBT schema.languages.WEIGHTS",
}
"""What else has a value between 0 and 1, by its unit."""


def called(path):
    """Yield the name of each function that a module calls by name, with the text that it is called with."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        named = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id.startswith("threshold")
        if named and isinstance(node.args[0], ast.Constant):
            yield node.func.id, node.args[0].value


def test_each_row_is_used_by_name_and_each_name_is_a_row():
    names = [name for name, *_ in ROWS]
    used = set()
    for path in PRODUCT:
        text = path.read_text(encoding="utf-8")
        for function, name in called(path):
            folder = ".".join(path.relative_to(ROOT).parent.parts)
            assert name.startswith(f"{folder}."), f"{path} uses {name}"
            used.add(name)
            if function == "thresholds":
                used |= (group := {row for row in names if row.startswith(f"{name}.")})
                used.remove(name)
                assert [row for row in group if f'"{row.rpartition(".")[2]}"' not in text] == []
    assert sorted(used) == names


def test_each_row_has_a_value_a_unit_and_an_origin():
    assert len(ROWS) > 90
    for name, value, unit, decides, origin in ROWS:
        assert 0 < float(value) < 1, name
        assert unit in UNITS, name
        assert re.search(r"\w \w", decides), name
        assert re.search(r"\w \w", origin), name
    assert threshold("answers.selecting.floor") == pytest.approx(0.78)
    assert thresholds("answers.signs.answers") == {"message": 0.65, "question": 0.55}


@pytest.mark.parametrize("find", [threshold, thresholds])
def test_a_name_without_a_row_is_refused(find):
    with pytest.raises(InputError, match=r"thresholds\.tsv has no row 'answers\.selecting\.flor'"):
        find("answers.selecting.flor")


def test_no_other_value_between_0_and_1_stands_at_the_top_of_a_module():
    found = {
        ".".join([*path.relative_to(ROOT).with_suffix("").parts, target.id])
        for path in PRODUCT
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value
        for target in ([node.target] if isinstance(node, ast.AnnAssign) else node.targets)
        for one in ast.walk(node.value)
        if isinstance(one, ast.Constant) and isinstance(one.value, float) and 0 < one.value < 1
    }
    assert found == {name for names in OTHERWISE.values() for name in names.split()}
