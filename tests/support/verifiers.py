"""Small cross-encoders: a model for natural language inference of random weights, and what stands for any."""

import json

import numpy as np
from safetensors.numpy import save_file
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.processors import TemplateProcessing

from medgraph_lab.evaluation.verification import QuotedSentence

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789.,;%"
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
WIDTH = 32
LABELS = {"0": "CONTRADICTION", "1": "NEUTRAL", "2": "ENTAILMENT"}


def write_inferring(folder, labels=None, **changes):
    """Write a model of two layers that has the same weights each time."""
    folder.mkdir(parents=True, exist_ok=True)
    vocabulary = [*SPECIAL, *LETTERS, *(f"##{letter}" for letter in LETTERS)]
    config = {
        "model_type": "bert",
        "architectures": ["BertForSequenceClassification"],
        "hidden_act": "gelu",
        "hidden_size": WIDTH,
        "num_attention_heads": 2,
        "num_hidden_layers": 2,
        "intermediate_size": 2 * WIDTH,
        "max_position_embeddings": 96,
        "type_vocab_size": 2,
        "vocab_size": len(vocabulary),
        "id2label": LABELS if labels is None else labels,
        **changes,
    }
    (folder / "config.json").write_text(json.dumps(config))
    save_file(_weights(len(vocabulary), len(config["id2label"])), folder / "model.safetensors")
    tokenizer = Tokenizer(WordPiece({word: place for place, word in enumerate(vocabulary)}, unk_token="[UNK]"))
    tokenizer.normalizer, tokenizer.pre_tokenizer = BertNormalizer(), BertPreTokenizer()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", vocabulary.index("[CLS]")), ("[SEP]", vocabulary.index("[SEP]"))],
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


def _weights(words, labels):
    chance = np.random.default_rng(7)

    def linear(name, out, into):
        return {f"{name}.weight": chance.normal(0, 0.3, (out, into)), f"{name}.bias": chance.normal(0, 0.1, out)}

    def norm(name):
        return {f"{name}.weight": chance.normal(1, 0.1, WIDTH), f"{name}.bias": chance.normal(0, 0.1, WIDTH)}

    found = {
        f"bert.embeddings.{name}_embeddings.weight": chance.normal(0, 1, (rows, WIDTH))
        for name, rows in (("word", words), ("position", 96), ("token_type", 2))
    }
    found |= norm("bert.embeddings.LayerNorm")
    for layer in ("bert.encoder.layer.0", "bert.encoder.layer.1"):
        for name in ("query", "key", "value"):
            found |= linear(f"{layer}.attention.self.{name}", WIDTH, WIDTH)
        found |= linear(f"{layer}.attention.output.dense", WIDTH, WIDTH) | norm(f"{layer}.attention.output.LayerNorm")
        found |= linear(f"{layer}.intermediate.dense", 2 * WIDTH, WIDTH)
        found |= linear(f"{layer}.output.dense", WIDTH, 2 * WIDTH) | norm(f"{layer}.output.LayerNorm")
    found |= linear("bert.pooler.dense", WIDTH, WIDTH) | linear("classifier", labels, WIDTH)
    return {name: value.astype(np.float32) for name, value in found.items()}


class Always:
    """Judges each pair alike, and notes what it was given."""

    def __init__(self, supports=0.0, contradicts=0.0):
        self._row = [supports, contradicts, 1 - supports - contradicts]
        self.batches = []

    def chances(self, pairs):
        self.batches.append(list(pairs))
        return np.array([self._row] * len(pairs), dtype=np.float32)


_PLAIN = [
    (f"s{part}{number}", text.format(part))
    for part in ("heart", "liver", "skin", "brain", "stomach", "spleen")
    for number, text in enumerate(
        (
            "This disease is known to affect the {} of most adults.",
            "It can damage the {} within 3 weeks in 10 percent of people.",
            "Higher doses have been given to people whose {} was weak.",
            "The {} does not hurt before the disease has been treated.",
        )
    )
]
SENTENCES = [QuotedSentence(section, text, (_PLAIN[place - 1][1],)) for place, (section, text) in enumerate(_PLAIN)]
"""Sentences that faults of all kinds but one can be put into."""
