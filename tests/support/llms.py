"""What the tests ask language models, heads of their files, and tiny models."""

import struct
from typing import Literal

import msgspec

from medgraph.models.protocol import Message, Request


class Verdict(msgspec.Struct):
    answers: Literal["yes", "partly", "no"]
    why: str


ASKED = Request((Message("system", "Be brief."), Message("user", "What helps against gout?")), max_tokens=50)
STRUCTURED = Request(ASKED.messages, schema=Verdict, max_tokens=50)


def gguf(path, kind="llama", context=512, first=()):
    """Write a file that has a head alone."""
    name = b"general.architecture"
    pairs = [*first, (name, struct.pack("<IQ", 8, len(kind)) + kind.encode())]
    pairs += [(f"{kind}.context_length".encode(), struct.pack("<II", 4, context))]
    data = b"GGUF" + struct.pack("<IQQ", 3, 0, len(pairs))
    path.write_bytes(data + b"".join(struct.pack("<Q", len(key)) + key + value for key, value in pairs))
    return path


TEMPLATE = "{% for m in messages %}{{ m['role'] }} {{ m['content'] }} {% endfor %}assistant"
WORDS = "user system assistant gout rest ice helps against what be brief . ?".split()
SIZES = {"d_model": 16, "hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}


def tiny(folder, kind, template=TEMPLATE, context=300):
    """Build a model of a few words, which writes as many as it may; it needs torch and transformers."""
    import torch
    import transformers
    from tokenizers import Tokenizer, models, pre_tokenizers

    words = {word: n for n, word in enumerate(["<pad>", "</s>", "<unk>", *WORDS])}
    inner = Tokenizer(models.WordLevel(words, unk_token="<unk>"))
    inner.pre_tokenizer = pre_tokenizers.Whitespace()
    special = {"pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>"}
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=inner, **special)
    tokenizer.chat_template = template
    tokenizer.save_pretrained(folder)
    torch.manual_seed(3)
    common = {"vocab_size": len(words), "pad_token_id": 0, "eos_token_id": 1, "bos_token_id": 1}
    if kind == "llama":
        config = transformers.LlamaConfig(**common, **SIZES, max_position_embeddings=context)
        model = transformers.LlamaForCausalLM(config)
    else:
        sizes = {"d_model": 16, "d_kv": 8, "d_ff": 16, "num_layers": 1, "num_heads": 2, "decoder_start_token_id": 0}
        model = transformers.T5ForConditionalGeneration(transformers.T5Config(**common, **sizes))
    model.generation_config.suppress_tokens = [0, 1, 2]
    model.save_pretrained(folder)
    return folder
