"""Prompts as files."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ..models.protocol import Message


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt."""

    name: str
    text: str
    hash: str

    def fill(self, **values: str) -> tuple[Message, ...]:
        """Fill it."""
        parts = re.split(r"^# (system|user)$", self.text, flags=re.MULTILINE)[1:]
        filled = []
        for role, text in zip(parts[::2], parts[1::2], strict=True):
            told = re.sub(r"\{(\w+)\}", lambda found: values.get(found[1], found[0]), text)
            filled.append(Message(role, told.strip()))  # type: ignore[arg-type]
        return tuple(filled)


@cache
def prompt(name: str) -> Prompt:
    """Read it."""
    text = (Path(__file__).parent / "prompts" / f"{name}.md").read_text(encoding="utf-8")
    return Prompt(name, text, hashlib.sha256(text.encode()).hexdigest())
