"""The schema of mappings for editors: the one that ships, and that it refuses what we refuse."""

import json

import jsonschema_rs
import pytest
import yaml
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from medgraph.cli.main import main
from medgraph.loaders.mapping import keys
from medgraph.loaders.mapping import source as mapping
from medgraph.settings import Settings
from tests.support.mappings import ENTITY, HEAD
from tests.support.paths import ROOT


def test_the_schema_that_ships_is_the_one_of_the_keys():
    shipped = (ROOT / "loaders" / "mapping" / "mapping.schema.json").read_text(encoding="utf-8")
    assert json.loads(shipped) == keys.schema()
    assert CliRunner().invoke(main, ["mapping", "schema"], obj=Settings.from_environment()).stdout == shipped


@pytest.mark.parametrize(
    "text",
    [
        ENTITY.replace("label", "lable"),
        ENTITY.replace("Disease", "disease"),
        ENTITY.replace("entities", "entitys"),
        ENTITY.replace("}]", ", when: {a: {is: x}}}]"),
        ENTITY.replace("}]", ", properties: {n: {value: x, type: int}}}]"),
        "entities: [x]\n",
        "entities: []\n",
        "relations: [{subject: a, type: KNOWS, object: b}]\n",
        "columns: {a: {then: lwer}}\n" + ENTITY,
        "documents: [{id: a, title: b, sections: [{tekst: x}]}]\n",
        "table: {quoted: maybe}\n" + ENTITY,
        "",
    ],
)
def test_the_schema_refuses_what_we_refuse(faults, text):
    assert faults(HEAD + text)
    assert not jsonschema_rs.is_valid(keys.schema(), yaml.safe_load(HEAD + text))


@given(st.data())
def test_every_key_of_the_schema_is_one_of_ours(tmp_path_factory, data):
    """A mapping with a key that the schema offers is never told that the key is unknown."""
    kind = data.draw(st.sampled_from([*keys.RULES]))
    key = data.draw(st.sampled_from([*keys.RULES[kind]]))
    path = tmp_path_factory.mktemp("m") / "m.yaml"
    path.write_text(HEAD + f"{kind}: [{{{key}: '{{x}}'}}]\n")
    assert not [said for _, said in mapping.check(path)[1] if "unknown key" in said]
