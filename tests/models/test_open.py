"""Which model the settings ask for, and what is refused."""

from dataclasses import replace

import pytest

from medgraph.doctor.machine import language_model
from medgraph.errors import InputError, SettingsError
from medgraph.models.open import describe, open_model
from medgraph.settings import Settings
from tests.support.doctor import only
from tests.support.scripted import Scripted, says


@pytest.fixture
def plain(tmp_path):
    return Settings(tmp_path, tmp_path)


def test_none_is_set(plain):
    said = "no language model is set; set MEDGRAPH_MODEL to openai:NAME or gguf:FILE or transformers:FOLDER"
    with pytest.raises(SettingsError, match=said):
        open_model(plain)


@pytest.mark.parametrize("model", ["gpt-4", "anthropic:x", "openai:", ":x", "openai", "smollm2"])
def test_what_is_no_model(plain, model):
    choices = r"openai:NAME or .* or a name of `medgraph models list` \(smollm2-135m\), or unset it"
    with pytest.raises(SettingsError, match=f"MEDGRAPH_MODEL is '{model}'; set it to {choices}"):
        open_model(replace(plain, model=model))


def test_a_faulty_table_of_prices_is_found_before_a_call(at, tmp_path):
    with Scripted(says("")) as server, pytest.raises(SettingsError, match="MEDGRAPH_MODEL_PRICES"):
        at(server, MEDGRAPH_MODEL_PRICES=str(tmp_path / "none.tsv"))


@pytest.mark.parametrize("model", ["smollm2-135m", "gguf:smollm2-135m"])
def test_a_model_that_was_not_fetched(plain, model):
    with pytest.raises(InputError, match="the model smollm2-135m is not here; fetch it: medgraph models get"):
        open_model(replace(plain, model=model))


def test_the_doctor_shows_the_model(at, plain, monkeypatch):
    assert list(language_model(plain)) == []
    with Scripted(says("")) as server:
        at(server)
        set_to = replace(plain, model="openai:scripted-1")
        assert only(language_model(set_to), "ok").what == f"openai:scripted-1@{server.url} is set; it was not called"
    assert server.requests == []
    found = only(language_model(replace(plain, model="gguf:none.gguf")), "broken")
    assert "none.gguf cannot be read" in found.what
    assert found.remedy


def test_the_card_of_a_small_model_warns(smollm):
    told = [describe(replace(Settings.from_environment(), model=f"{scheme}smollm2-135m")) for scheme in ("", "gguf:")]
    assert told[0] == told[1]
    assert "is for wiring and tests only" in told[0]
