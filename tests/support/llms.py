"""What the tests ask language models."""

from typing import Literal

import msgspec

from medgraph.models.protocol import Message, Request


class Verdict(msgspec.Struct):
    answers: Literal["yes", "partly", "no"]
    why: str


ASKED = Request((Message("system", "Be brief."), Message("user", "What helps against gout?")), max_tokens=50)
STRUCTURED = Request(ASKED.messages, schema=Verdict, max_tokens=50)
