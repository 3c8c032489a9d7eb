"""Questions that a seq2seq model makes: repeatable, written down as they come, and kept where they fit."""

import json

import numpy as np
import pytest

from medgraph.errors import InputError
from medgraph.training.corpus import Embedded
from medgraph.training.generated import FILE, Generator, Wanted, generate, sift
from medgraph.training.matches import topic
from medgraph.training.questions import Example

WORDS = ["what", "is", "gout", "how", "treated", "a", "painful", "toe", "?"]


def example(name, kind):
    mine = f"{name}/{kind}"
    return Example(mine, f"{kind}?", kind, "A", [name], frozenset([mine]), frozenset([mine]), frozenset([name]))


EXAMPLES = [example(name, kind) for name in ("Gout", "Ague") for kind in ("symptoms", "treatment")]
PASSAGES = Embedded(
    np.eye(4, dtype=np.float32),
    [one.section for one in EXAMPLES],
    [one.names[0] for one in EXAMPLES],
    [f"A text on {one.section}." for one in EXAMPLES],
    [""] * 4,
)


class Asks:
    """Counts what it is asked."""

    name = "a-model"

    def __init__(self):
        self.asked = []

    def ask(self, text, count, seed):
        self.asked.append((text, seed))
        return [f"{text} {number}?" for number in range(count)]


def test_what_was_made_is_taken_again_and_the_rest_is_made(tmp_path):
    first, second = Asks(), Asks()
    whole = generate(first, EXAMPLES, PASSAGES, Wanted(4, 2), tmp_path)
    assert {section: len(texts) for section, texts in whole.items()} == {one.section: 2 for one in EXAMPLES}
    lines = (tmp_path / FILE).read_text().splitlines(keepends=True)
    assert json.loads(lines[0]) == {"generator": "a-model", "each": 2, "seed": 7}
    (tmp_path / FILE).write_text("".join(lines[:3]) + lines[3][:9])  # interrupted in the middle of a line
    assert generate(second, EXAMPLES, PASSAGES, Wanted(4, 2), tmp_path) == whole
    assert second.asked == first.asked[2:]
    assert generate(Asks(), EXAMPLES, PASSAGES, Wanted(2, 2), tmp_path).items() <= whole.items()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"generator": "another", "each": 3, "seed": 7}\n', "made by another model or with other options"),
        ('{"generator": "a-model", "each": 3, "seed": 7}\n[1]\n', "is damaged"),
        ("nonsense\n", "is damaged"),
    ],
)
def test_what_another_model_made_is_refused(tmp_path, content, message):
    (tmp_path / FILE).write_text(content)
    with pytest.raises(InputError, match=f"{FILE} .*{message}.*delete it, or choose another folder"):
        generate(Asks(), EXAMPLES, PASSAGES, Wanted(), tmp_path)


def test_questions_have_to_be_like_a_patients_be_read_as_meant_and_find_their_section():
    class Near:
        """Finds all questions but one."""

        def encode(self, texts):
            rows = [[1.0, 0.9, 0.8, 0.7] if "I " in text else [-1.0, 0.0, 0.0, 0.0] for text in texts]
            return np.array(rows, dtype=np.float32)

    many = Embedded(
        np.concatenate([PASSAGES.values, np.tile(PASSAGES.values[1:], (3, 1))]),
        [*PASSAGES.sections, *(f"s{number}" for number in range(9))],
        *([*column, *column[1:] * 3] for column in (PASSAGES.titles, PASSAGES.texts, PASSAGES.stored)),
    )
    odd = example("Gout [NOS], 12/3", "symptoms")
    texts = ["What symptoms of gout do I have?", "How is gout treated?", "signs of gout?"]
    asked = {"Gout/symptoms": texts, odd.section: [f"What are the symptoms of {odd.names[0]} ?"]}
    (match,), made = sift(asked, [*EXAMPLES, odd], many, Near())
    assert match.asked == [texts[0]]
    assert match.answers == ("Gout\nA text on Gout/symptoms.",)
    assert match.tells == {topic("Gout", "symptoms")}
    assert (made.documents, made.tried, made.kept) == (2, 4, 1)
    assert (made.unlike, made.misread, made.unfound) == (1, 1, 1)
    assert sift({}, EXAMPLES, many, Near())[0] == []


@pytest.fixture
def model(_torch, tmp_path):
    """A folder with a tiny T5 that knows nothing, and a tokenizer of a few words."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast, T5Config, T5ForConditionalGeneration

    torch.manual_seed(1)
    words = Tokenizer(models.WordLevel({w: i for i, w in enumerate(["<pad>", "</s>", "<unk>", *WORDS])}, "<unk>"))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    folder = tmp_path / "tiny-t5"
    PreTrainedTokenizerFast(
        tokenizer_object=words, pad_token="<pad>", eos_token="</s>", unk_token="<unk>"
    ).save_pretrained(folder)
    sizes = {"d_model": 16, "d_kv": 8, "d_ff": 32, "num_layers": 1, "num_heads": 2}
    T5ForConditionalGeneration(T5Config(vocab_size=12, decoder_start_token_id=0, **sizes)).save_pretrained(folder)
    return folder


def test_a_seq2seq_model_makes_the_same_questions_with_the_same_seed(model):
    generator = Generator(model)
    assert generator.name.startswith("tiny-t5-")
    made = generator.ask("gout is a painful toe", 4, 5)
    assert 1 < len(made) <= 4
    assert {word for text in made for word in text.split()} <= {*WORDS, "<unk>"}
    assert Generator(model).ask("gout is a painful toe", 4, 5) == made
    assert generator.ask("gout is a painful toe", 4, 6) != made


@pytest.mark.usefixtures("_torch")
def test_a_folder_without_a_seq2seq_model_is_refused(base, model, tmp_path):
    with pytest.raises(InputError, match=r"type 'bert', which is no seq2seq model; give a folder of transformers"):
        Generator(base)
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="empty is no model folder"):
        Generator(tmp_path / "empty")
    (model / "model.safetensors").write_bytes(b"cut off")
    with pytest.raises(InputError, match=r"tiny-t5 cannot be loaded .* give a folder"):
        Generator(model)


def test_without_torch_what_to_install_is_said(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "torch", None)
    with pytest.raises(InputError, match=r"pip install 'medgraph\[train\]'"):
        Generator(tmp_path)
