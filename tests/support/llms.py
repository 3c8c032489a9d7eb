"""What the tests ask language models, and the heads of their files."""

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
