"""Prompts: one file each under `prompts/`, with a header that says where it comes from and what is filled in.

```
---
paper: VerifAI (Košprdić et al., 2024)
version: 1
variables: question, evidence
---
# system

Answer from the evidence alone.

# user

{question}

{evidence}
```
"""

from __future__ import annotations

import hashlib
import html
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from ..errors import CatalogueError, InputError
from ..models.protocol import Message

if TYPE_CHECKING:
    from ..models.protocol import Role

FOLDER: Final = Path(__file__).parent / "prompts"
_KEYS: Final = ("paper", "version", "variables")
_TURN: Final = re.compile(r"^# (system|user|assistant)$", re.MULTILINE)
_VARIABLE: Final = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt file: the paper whose prompt it is, or `none`, what is filled in, and its SHA-256 in hex."""

    name: str
    paper: str
    version: str
    variables: tuple[str, ...]
    text: str
    hash: str

    def fill(self, **values: str) -> tuple[Message, ...]:
        """Fill the prompt; what is filled in is text, and nothing in it is filled in again.

        Raises:
            TypeError: A variable has no text, or there is none of that name.
        """
        if values.keys() != set(self.variables):
            raise TypeError(f"prompt {self.name} takes {', '.join(self.variables)}, not {', '.join(values)}")
        turns = _TURN.split(_body(self.text))[1:]
        return tuple(
            Message(cast("Role", role), _VARIABLE.sub(lambda found: values[found[1]], text).strip())
            for role, text in zip(turns[::2], turns[1::2], strict=True)
        )


def escaped(text: str) -> str:
    """Write a text so that nothing in it ends the element of a prompt that it stands in."""
    return html.escape(text, quote=False)


@cache
def prompt(name: str, folder: Path = FOLDER) -> Prompt:
    """Read a prompt.

    Raises:
        InputError: There is none of this name.
        CatalogueError: The file breaks the rules; the message names file and line.
    """
    path = folder / f"{name}.md"
    if name not in names(folder):
        raise InputError(f"no prompt is called {name!r}; there is {', '.join(names(folder)) or 'none'}")
    text = path.read_text(encoding="utf-8")
    head = _head(path, text)
    variables = tuple(filter(None, re.split(r",\s*", head["variables"])))
    if _TURN.search(_body(text)) is None:
        raise CatalogueError("it has no turn; begin one with `# system` or `# user`", path, len(_KEYS) + 3)
    for number, line in enumerate(text.splitlines(), start=1):
        if unknown := set(_VARIABLE.findall(line)) - set(variables):
            raise CatalogueError(f"{{{min(unknown)}}} is not among its variables", path, number)
    if unused := set(variables) - set(_VARIABLE.findall(_body(text))):
        raise CatalogueError(f"the variable {min(unused)} is not used", path, 2 + _KEYS.index("variables"))
    return Prompt(name, head["paper"], head["version"], variables, text, hashlib.sha256(text.encode()).hexdigest())


def names(folder: Path = FOLDER) -> list[str]:
    """List the prompts, in alphabetical order."""
    return sorted(path.stem for path in folder.glob("*.md"))


def _head(path: Path, text: str) -> dict[str, str]:
    lines = text.splitlines()
    if lines[:1] != ["---"] or lines[len(_KEYS) + 1 : len(_KEYS) + 2] != ["---"]:
        raise CatalogueError(f"it must begin with a header between two lines `---`: {', '.join(_KEYS)}", path, 1)
    head = {}
    for number, (key, line) in enumerate(zip(_KEYS, lines[1:], strict=False), start=2):
        if not line.startswith(f"{key}:"):
            raise CatalogueError(f"the header has `{key}: …` here", path, number)
        head[key] = line.partition(":")[2].strip()
    return head


def _body(text: str) -> str:
    return text.split("---\n", 2)[2]
