"""A folder of transformers in this process: tiny models that the tests build, where the extra is installed."""

import json
from contextlib import closing
from dataclasses import replace

import pytest

from medgraph.errors import ContextExceededError, ModelError, ModelReplyError, SchemaMismatchError, SettingsError
from medgraph.models.open import describe, open_model
from medgraph.models.protocol import Message, Request
from medgraph.settings import Settings
from tests.support.llms import ASKED, STRUCTURED, TEMPLATE, tiny

pytestmark = pytest.mark.extra


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Builds a tiny model with weights by chance."""

    def built(kind, template=TEMPLATE):
        return tiny(tmp_path_factory.mktemp(kind), kind, template)

    return built


@pytest.fixture(scope="module", params=["llama", "t5"])
def model(request, folder, tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    return open_model(Settings(home, home, model=f"transformers:{folder(request.param)}", threads=1))


def test_a_reply(model):
    reply = model.complete(ASKED)
    assert reply.text
    assert (reply.finish, reply.usage.reply_tokens, reply.usage.estimated) == ("length", 50, False)
    assert 5 < reply.usage.prompt_tokens < 40


def test_a_stream_brings_what_the_whole_reply_says(model):
    *pieces, reply = model.stream(ASKED)
    assert len(pieces) > 1
    assert "".join(pieces).split() == reply.text.split()


def test_a_stop_string_ends_the_reply_before_it(model):
    asked = replace(ASKED, temperature=1.0, seed=5)
    words = model.complete(asked).text.split()
    stop = next(word for word in words[2:] if word != words[0])
    *pieces, reply = model.stream(replace(asked, stop=("never", stop)))
    assert (reply.finish, reply.text.split()) == ("stop", " ".join(words).partition(stop)[0].split())
    assert "".join(pieces).strip() == reply.text


def test_a_seed_repeats_what_chance_decides(model):
    asked = replace(ASKED, temperature=1.0, seed=5)
    assert model.complete(asked).text == model.complete(asked).text != model.complete(replace(asked, seed=6)).text


def test_structured_output_is_checked(model):
    with pytest.raises((SchemaMismatchError, ModelReplyError)):
        model.complete(replace(STRUCTURED, max_tokens=5))


def test_leaving_a_stream_ends_the_call(model):
    with closing(model.stream(replace(ASKED, max_tokens=150))) as pieces:
        next(pieces)
    assert model.complete(ASKED).usage.reply_tokens == 50


def test_names_and_counts(model):
    assert model.count_tokens("gout helps") == 2
    assert model.name.startswith("transformers:")
    assert ", transformers 5." in model.fingerprint
    with pytest.raises(ContextExceededError):
        model.complete(Request((Message("user", "gout " * model.context),)))


def test_no_chat_template(folder, tmp_path):
    with pytest.raises(ModelError, match="has no chat template"):
        open_model(Settings(tmp_path, tmp_path, model=f"transformers:{folder('llama', None)}"))


@pytest.mark.parametrize(
    ("config", "said"),
    [
        (None, "is no folder of transformers: its config.json cannot be read"),
        ("{", "is no folder of transformers"),
        ("[]", "is no folder of transformers"),
        (json.dumps({"architectures": ["BertModel"]}), "holds BertModel, which does not write texts"),
        ("{}", "holds a model of no kind"),
        (json.dumps({"architectures": ["LlamaForCausalLM"], "model_type": "llama"}), "cannot be loaded"),
    ],
)
def test_folders_that_hold_no_model(tmp_path, config, said):
    if config is not None:
        (tmp_path / "config.json").write_text(config)
    with pytest.raises(ModelError, match=said):
        open_model(Settings(tmp_path, tmp_path, model=f"transformers:{tmp_path}"))


def test_the_doctor_knows_the_kind(folder, tmp_path):
    said = describe(Settings(tmp_path, tmp_path, model=f"transformers:{folder('t5')}"))
    assert said.endswith("holds a model of the kind seq2seq; it was not loaded")


def test_without_the_extra(tmp_path, monkeypatch):
    monkeypatch.setattr("medgraph.models.local.find_spec", lambda name: None)
    with pytest.raises(SettingsError, match=r"pip install '\.\[train\]'"):
        open_model(Settings(tmp_path, tmp_path, model=f"transformers:{tmp_path}"))
