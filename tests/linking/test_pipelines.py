"""Pipelines: medgraph's own, and scispaCy's and negspaCy's where the extra is installed."""

import re
import sys
from importlib import import_module

import pytest

from medgraph.errors import InputError
from medgraph.linking.context import OWN, open_pipeline
from medgraph.text import sentences
from tests.support.linking import entity, linker_of

LINKER = linker_of(
    entity("d:1", "glucose-6-phosphate dehydrogenase deficiency"), entity("d:2", "gout"), entity("d:3", "asthma")
)


@pytest.fixture(name="spacy")
def _spacy():
    return import_module("spacy")


@pytest.fixture
def model(spacy, tmp_path):
    """A model of spaCy in a folder, which marks `gout` alone."""
    language = spacy.blank("en")
    language.add_pipe("entity_ruler").add_patterns([{"label": "DISEASE", "pattern": "gout"}])
    language.to_disk(tmp_path / "model")
    return tmp_path / "model"


def named(text, pipeline):
    return [(text[one.start : one.end], LINKER.holdings.id(one.entity)) for one in LINKER.text(text, (), pipeline)]


def negated(text, word, pipeline):
    place = text.index(word), text.index(word) + len(word)
    ((_, context),) = pipeline.contexts(text, sentences(text), [place])
    return context.negated


def test_without_a_name_it_is_our_own():
    assert open_pipeline("") is OWN


@pytest.mark.parametrize("name", ["stanza", "scispacy_md", ":model"])
def test_another_library_is_refused(name):
    with pytest.raises(InputError, match=f"there is no pipeline '{name}'; write scispacy, or scispacy:MODEL"):
        open_pipeline(name)


def test_without_the_extra_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(InputError, match=re.escape("pip install '.[scispacy]'")):
        open_pipeline("scispacy")


@pytest.mark.scispacy
def test_a_model_that_is_not_there_is_named(spacy):
    with pytest.raises(InputError, match="there is no spaCy model 'nope_md': install its package, or give the folder"):
        open_pipeline("scispacy:nope_md")


@pytest.mark.scispacy
def test_scispacy_finds_short_forms(spacy):
    text = "People with glucose-6-phosphate dehydrogenase deficiency (G6PDD) avoid beans. G6PDD is inherited."
    pipeline = open_pipeline("scispacy")
    assert [(one.short, text[one.start : one.end]) for one in pipeline.abbreviations(text)] == [
        ("G6PDD", "glucose-6-phosphate dehydrogenase deficiency")
    ]
    assert [name for name, _ in named(text, pipeline)] == [
        "glucose-6-phosphate dehydrogenase deficiency", "G6PDD", "G6PDD",
    ]  # fmt: skip


@pytest.mark.scispacy
@pytest.mark.parametrize(
    ("text", "absent"),
    [
        ("There is no evidence of gout.", True),
        ("He denies gout, but has asthma.", True),
        ("She has gout.", False),
        ("No asthma was found. She has gout.", False),
    ],
)
def test_negspacy_tells_what_is_absent(spacy, text, absent):
    assert negated(text, "gout", open_pipeline("scispacy")) is absent


@pytest.mark.scispacy
def test_a_model_marks_the_mentions(model):
    text = "Gout and asthma are common, and gout hurts."
    assert [name for name, _ in named(text, OWN)] == ["Gout", "asthma", "gout"]
    assert named(text, open_pipeline(f"scispacy:{model}")) == [("gout", "d:2")]
