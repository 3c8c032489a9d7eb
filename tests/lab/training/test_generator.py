"""The tuning of a language model on consultations: a tiny model that learns, where the extra `train` is installed."""

import json
import re
import sys
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner
from safetensors.numpy import load_file, save_file

from medgraph.cli.main import main
from medgraph.embeddings.encoders.layers import CARD
from medgraph.errors import InputError, ModelError
from medgraph.models.open import open_model
from medgraph.models.protocol import Message, Request
from medgraph.settings import Settings
from medgraph_lab.training import generator
from medgraph_lab.training.generator import Options, load, train
from medgraph_lab.training.library import CHECKPOINTS
from tests.support.llms import tiny

EVIDENCE = ["Ice helps against gout.", "Rest helps the back."]
LINES = [
    {"message": f"My toe number {n} hurts.", "question": "what helps ?", "answer": "Ice helps. ", "evidence": EVIDENCE}
    for n in range(24)
]
FEW = Options(epochs=3, batch=4, rate=1e-2)
BEFORE, AFTER = "loss before", "loss after"


@pytest.fixture
def file(tmp_path):
    """Writes lines as a file."""

    def written(*lines):
        path = tmp_path / "consultations.jsonl"
        path.write_text("".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in lines))
        return path

    return written


@pytest.fixture
def base(tmp_path):
    folder = tiny(tmp_path / "base", "llama", context=2048)
    known = weights(folder)
    known["lm_head.weight"] *= 50  # it stays as it is, and by chance it is so small that every word is as likely
    save_file(known, folder / "model.safetensors", {"format": "pt"})
    return folder


def tuned(base, path, folder, options=FEW, minutes=0.0):
    return train(base, load(path), folder, options, "CC0", minutes)


def command(*given, status=0):
    result = CliRunner().invoke(main, ["train", "generator", *map(str, given)])
    assert result.exit_code == status, result.output
    return result.stderr if status else result.stdout


def weights(folder):
    return load_file(folder / "model.safetensors")


def test_a_line_becomes_what_the_pipeline_asks_and_what_it_reads(file):
    sentences = [{"text": "It may be gout.", "ids": ["S1", "S2"]}]
    one, plain, bare = load(
        file(
            {"message": "My toe <hurts>.", "question": "Gout?", "answer": sentences, "evidence": EVIDENCE},
            {
                "question": "What helps?",
                "answer": "- Rest may help the back.\n- Ice helps. Take care!",
                "evidence": EVIDENCE,
            },
            "\n",
            {"question": "What helps?", "answer": "Rest."},
        )
    )
    assert [turn.role for turn in one.turns] == ["system", "user"]
    assert "JSON Schema" in one.turns[0].content
    for part in ("<message>My toe &lt;hurts&gt;.</message>", "<question>Gout?</question>", '<evidence id="S2">Rest'):
        assert part in one.turns[1].content
    assert json.loads(one.reply) == {"sentences": sentences}
    assert "<message>What helps?</message>\n<question>What helps?</question>" in plain.turns[1].content
    cited = [(sentence["text"], sentence["ids"]) for sentence in json.loads(plain.reply)["sentences"]]
    assert cited == [("Rest may help the back.", ["S2"]), ("Ice helps.", ["S1"]), ("Take care!", [])]
    assert (one.cites, plain.cites, bare.cites) == (True, True, False)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"question": "Gout?", "ans', r"consultations.jsonl:2: this is no consultation: Input data was truncated"),
        ("[1]", ":2: this is no consultation: Expected `object`, got `array`"),
        ('{"answer": "Ice."}', ":2: .* neither question nor message"),
        ('{"question": 7, "answer": "Ice."}', r":2: .* Expected `str`, got `int` - at `\$.question`"),
        ('{"question": "Gout?"}', ":2: .* missing required field `answer`"),
        ('{"question": "Gout?", "answer": [{"text": "Ice."}]}', ":2: .* missing required field `ids`"),
        ('{"question": "Gout?", "answer": [{"text": "Ice.", "ids": ["S1"]}]}', "cites 'S1', and evidence is none"),
        ('{"question": "Gout?", "answer": "Ice.", "evidence": "Ice."}', r":2: .* Expected `array`, got `str`"),
        ('{"question": "Gout?", "answer": ""}', r":2: .* length >= 1 - at `\$.answer`"),
    ],
)
def test_a_damaged_line_is_named(file, line, message):
    with pytest.raises(InputError, match=message):
        load(file(LINES[0], line))


def test_an_empty_file_and_one_that_is_no_text_are_refused(file):
    path = file("\n")
    with pytest.raises(InputError, match="has no consultation; give a line of JSON"):
        load(path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match=":1: this is no consultation"):
        load(path)


def test_without_the_extra_what_to_install_is_said(file, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "peft", None)
    given = ("--model", tmp_path, "--consultations", file(*LINES))
    message = command(tmp_path / "made", *given, status=1)
    assert re.fullmatch(r"Error: training needs torch .*; run .*: pip install '\.\[train\]'\n", message)
    assert not (tmp_path / "made").exists()


@pytest.mark.extra
def test_a_model_learns_and_can_be_asked(base, file, tmp_path):
    path, made = file(*LINES), tmp_path / "made"
    given = ("--model", base, "--consultations", path, "--epochs", 3, "--rate", 0.01, "--licence", "CC0")
    text = command(made, *given)
    card = json.loads((made / CARD).read_text())
    assert f"trained on 22 consultations in {card['seconds']} s; loss on 2 held out" in text
    assert f"MEDGRAPH_MODEL=transformers:{made}" in text
    assert card[AFTER] < 0.7 * card[BEFORE]
    assert (card["base"], card["licence of the consultations"], card["options"]["rank"]) == ("base", "CC0", 16)
    assert not (made / CHECKPOINTS).exists()
    before, after = weights(base), weights(made)
    assert before.keys() == after.keys()
    moved = {name for name, value in after.items() if np.abs(before[name] - value).max() > 1e-4}
    assert all(".self_attn." in name or ".mlp." in name for name in moved)
    assert len(moved) == 7
    model = open_model(Settings(tmp_path, tmp_path, model=f"transformers:{made}", threads=1))
    assert model.complete(Request((Message("user", "What helps?"),), max_tokens=5)).text


@pytest.mark.extra
def test_the_reply_alone_is_learned_behind_what_the_model_will_read(base, file):
    from transformers import AutoTokenizer

    tokenizer, (one,) = AutoTokenizer.from_pretrained(base), load(file(LINES[0]))
    row = generator._row(one, tokenizer)
    start = row["labels"].count(-100)
    assert row["labels"] == [-100] * start + row["input_ids"][start:]
    assert row["input_ids"][start:] == [*tokenizer(one.reply)["input_ids"], tokenizer.eos_token_id]
    assert tokenizer.decode(row["input_ids"][:start]).endswith("assistant")


@pytest.mark.extra
@pytest.mark.parametrize(("where", "at", "again"), [("training_step", 7, 4), ("_save_optimizer_and_scheduler", 2, 4)])
def test_an_interrupted_training_ends_as_one_that_was_not(base, file, tmp_path, monkeypatch, where, at, again):
    from transformers import Trainer

    def counted(patch, name, last=None):
        plain, calls = getattr(Trainer, name), []

        def call(self, *given, **named):
            calls.append(name)
            if len(calls) == last:
                raise KeyboardInterrupt
            return plain(self, *given, **named)

        patch.setattr(Trainer, name, call)
        return calls

    monkeypatch.setattr("medgraph_lab.training.generator.SAVE_EVERY", 4)
    path = file(*LINES)
    whole = tuned(base, path, tmp_path / "whole")
    with monkeypatch.context() as patch:
        counted(patch, where, at)
        with pytest.raises(KeyboardInterrupt):
            tuned(base, path, tmp_path / "cut")
    steps = counted(monkeypatch, "training_step")
    cut = tuned(base, path, tmp_path / "cut")
    assert len(steps) == 18 - again
    assert (cut[BEFORE], cut[AFTER]) == (whole[BEFORE], whole[AFTER])
    whole, cut = weights(tmp_path / "whole"), weights(tmp_path / "cut")
    assert max(float(np.abs(whole[name] - cut[name]).max()) for name in whole) < 1e-6


@pytest.mark.extra
def test_a_training_stops_when_its_time_is_over_and_goes_on(base, file, tmp_path):
    path, made = file(*LINES), tmp_path / "made"
    given = ("--model", base, "--consultations", path, "--rate", 0.01)
    text = command(made, *given, "--minutes", 0.0001)
    assert "stopped after 1 of 18 steps; the same command goes on" in text
    assert tuned(base, path, made) == json.loads((made / CARD).read_text())
    whole, cut = tuned(base, path, tmp_path / "whole"), tuned(base, path, made)
    assert (whole[AFTER], whole["run"]) == (cut[AFTER], cut["run"])


@pytest.mark.extra
def test_a_folder_of_something_else_is_refused_and_what_ended_is_not_done_again(base, file, tmp_path, monkeypatch):
    path, made = file(*LINES), tmp_path / "made"
    card = tuned(base, path, made, replace(FEW, epochs=1))
    monkeypatch.setattr("medgraph_lab.training.generator.run", None)
    assert tuned(base, path, made, replace(FEW, epochs=1)) == card
    for options, folder in ((FEW, made), (FEW, base)):
        with pytest.raises(InputError, match="holds something else, or a training of another model"):
            tuned(base, path, folder, options)
    assert {*weights(base)} == {*weights(made)}


@pytest.mark.extra
def test_what_no_model_can_learn_from_is_refused(base, file, tmp_path):
    made = tmp_path / "made"
    with pytest.raises(InputError, match="two messages of at most 2,048 tokens are needed"):
        tuned(base, file(LINES[0], LINES[0]), made)
    with pytest.raises(InputError, match="two messages of at most 20 tokens are needed"):
        tuned(base, file(*LINES), made, replace(FEW, tokens=20))
    with pytest.raises(ModelError, match="is no folder of transformers"):
        tuned(tmp_path / "none", file(*LINES), made)
    with pytest.raises(ModelError, match="of the kind seq2seq; consultations are learned by a causal one"):
        tuned(tiny(tmp_path / "t5", "t5"), file(*LINES), made)
    with pytest.raises(ModelError, match="has no chat template"):
        tuned(tiny(tmp_path / "mute", "llama", None), file(*LINES), made)
    assert not made.exists()
