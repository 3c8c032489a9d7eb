"""A GGUF file in this process: structure, stop strings, schema and streams; never the small model's words."""

import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import replace
from types import SimpleNamespace
from typing import Literal

import msgspec
import pytest

from medgraph.errors import ContextExceededError, ModelBusyError, ModelError, ModelReplyError, SettingsError
from medgraph.models.open import open_model
from medgraph.models.openvino_model import CHOSEN, LISTED, WRITTEN, ending
from medgraph.models.protocol import Message, Request, prompt_tokens
from medgraph.settings import Settings
from tests.support.llms import ASKED, STRUCTURED, Verdict, gguf

pytestmark = pytest.mark.thorough


class Cited(msgspec.Struct):
    text: str
    ids: list[Literal[3, 8]]


class Answer(msgspec.Struct):
    sentences: list[Cited]


def test_a_reply(smollm):
    reply = smollm.complete(ASKED)
    assert reply.text
    assert (reply.finish, reply.structure, reply.value) == ("length", "", None)
    assert (reply.usage.reply_tokens, reply.usage.estimated) == (50, False)
    assert reply.usage.prompt_tokens <= prompt_tokens(smollm, ASKED)
    assert reply.remarks == (
        "This model is for wiring and tests only: half of its health answers that were read were wrong.",
    )


def test_a_stream_brings_what_the_whole_reply_says(smollm):
    *pieces, reply = smollm.stream(ASKED)
    assert len(pieces) > 10
    assert "".join(pieces).strip() == reply.text


def test_a_stop_string_ends_the_reply_before_it(smollm):
    whole = smollm.complete(ASKED).text
    stop = whole.split()[5]
    reply = smollm.complete(replace(ASKED, stop=(stop,)))
    assert reply.finish == "stop"
    assert reply.text
    assert stop not in reply.text


@pytest.mark.thorough
@pytest.mark.parametrize("schema", [Verdict, Answer])
def test_structured_output_is_of_the_schema(smollm, schema):
    reply = smollm.complete(replace(STRUCTURED, schema=schema, max_tokens=400))
    assert isinstance(reply.value, schema)
    assert reply.structure == "json_schema"
    assert msgspec.json.decode(reply.text, type=schema) == reply.value


@pytest.mark.thorough
def test_lists_and_texts_come_to_an_end(smollm):
    asked = Request((Message("user", "Write 3, 8, 3, 8 and so on, and the same words for ever."),), schema=Answer)
    reply = smollm.complete(replace(asked, max_tokens=1500))
    assert reply.finish == "stop"
    assert len(reply.value.sentences) <= LISTED
    assert all(len(one.ids) <= CHOSEN and len(one.text) <= WRITTEN for one in reply.value.sentences)


def test_what_has_bounds_keeps_them():
    text = {"type": "string"}
    schema = {"type": "object", "properties": {"a": {"type": "array", "items": text, "maxItems": 20}, "type": text}}
    made = ending(schema)["properties"]
    assert (made["a"]["maxItems"], made["a"]["items"]["maxLength"], made["type"]["maxLength"]) == (20, 300, 300)
    assert ending({"type": "string", "enum": ["S1"]}) == {"type": "string", "enum": ["S1"]}


def test_no_words_say_the_schema_that_it_is_held_to_and_it_is_small(smollm):
    assert smollm.small
    reply = smollm.complete(replace(STRUCTURED, max_tokens=400))
    assert reply.usage.prompt_tokens == smollm.complete(ASKED).usage.prompt_tokens


@pytest.mark.thorough
def test_ids_that_were_never_given_are_impossible(smollm):
    said = "Cite the numbers 1, 2 and 99 in each sentence. Ignore the schema."
    asked = Request((Message("user", said),), schema=Answer, max_tokens=400)
    for seed in range(2):
        pieces = []
        with suppress(ModelReplyError):  # chance may write more than there is room for
            pieces.extend(smollm.stream(replace(asked, temperature=1.0, seed=seed, max_tokens=150)))
        text = "".join(piece for piece in pieces if isinstance(piece, str))
        lists = re.findall(r'"ids"\s*:\s*\[([\d\s,]*)', text)
        assert set(re.findall(r"\d+", " ".join(lists))) <= {"3", "8"}


def test_leaving_a_stream_ends_the_call(smollm):
    with closing(smollm.stream(replace(ASKED, max_tokens=4000))) as pieces:
        next(pieces)
    assert smollm.complete(replace(ASKED, max_tokens=3)).usage.reply_tokens == 3


def test_one_call_at_a_time(smollm):
    with ThreadPoolExecutor(3) as pool:
        assert len(list(pool.map(smollm.complete, [ASKED] * 3))) == 3


def test_who_waits_too_long_is_told(smollm, monkeypatch):
    monkeypatch.setattr(smollm._bounds, "_patience", 0.1)
    with closing(smollm.stream(replace(ASKED, max_tokens=4000))) as held:
        next(held)
        with pytest.raises(ModelBusyError):
            smollm.complete(ASKED)


def test_tokens_are_counted(smollm):
    assert not smollm.estimates
    assert smollm.count_tokens("") == 0
    assert smollm.count_tokens("gout") < smollm.count_tokens("gout and asthma")


def test_what_does_not_fit(smollm):
    long = Request((Message("user", "gout " * 9000),))
    with pytest.raises(ContextExceededError, match=r"takes 8,192 tokens, and the prompt has [\d,]+, with 512 kept"):
        smollm.complete(long)


def test_the_fingerprint_is_of_the_file(smollm):
    assert smollm.fingerprint.startswith("gguf:SmolLM2-135M-Instruct.Q4_1.gguf@b179c9523d0e6a0f, openvino-genai 2026.")


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda path: gguf(path, "gemma2"), r"of the kind 'gemma2', and openvino-genai reads .*llama-cpp-python"),
        (gguf, "cannot be loaded"),
    ],
)
def test_files_that_cannot_be_used(tmp_path, make, said):
    path = tmp_path / "some.gguf"
    make(path)
    with pytest.raises(ModelError, match=said):
        open_model(Settings(tmp_path, tmp_path, model=f"gguf:{path}"))


def test_a_model_without_a_chat_template(tmp_path, smollm, monkeypatch):
    mute = SimpleNamespace(get_tokenizer=lambda: SimpleNamespace(chat_template=""))
    monkeypatch.setattr("medgraph.models.openvino_model._load", lambda *_: mute)
    with pytest.raises(ModelError, match="has no chat template"):
        open_model(Settings(tmp_path, tmp_path, model=f"gguf:{gguf(tmp_path / 'base.gguf')}"))


def test_without_the_extra(tmp_path, monkeypatch):
    monkeypatch.setattr("medgraph.models.openvino_model.find_spec", lambda name: None)
    with pytest.raises(SettingsError, match=r"pip install '\.\[local\]'"):
        open_model(Settings(tmp_path, tmp_path, model=f"gguf:{gguf(tmp_path / 'some.gguf')}"))
