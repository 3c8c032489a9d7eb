"""Plain text and Markdown as blocks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from ....errors import RecordError, SourceFileError
from ...base import Reject
from ...files.texts import lines
from . import html
from .blocks import Block, Contents

if TYPE_CHECKING:
    from pathlib import Path

_UNDERLINE: Final = re.compile(r"(={3,}|-{3,}|~{3,})\s*")
_ITEM: Final = re.compile(r"\s*(?:[-*•o+]|\(?\d{1,2}[.)])\s")
_WRAPPED: Final = 45  # characters from which a line of text is one that the next goes on from
_FRONT: Final = re.compile(r"---\n(.*?)\n(?:---|\.\.\.)\n", re.DOTALL)


def read_text(path: Path) -> Contents:
    """Read plain text: paragraphs between blank lines, headings where a line is underlined."""
    blocks: list[Block] = []
    paragraph: list[str] = []
    for line in [*_text(path).split("\n"), ""]:
        if paragraph and len(paragraph) == 1 and _UNDERLINE.fullmatch(line):
            blocks.append(Block(paragraph.pop(), 1 if line[0] == "=" else 2))
        elif not line.strip() and paragraph:
            blocks.append(Block("\n".join(paragraph)))
            paragraph = []
        elif paragraph and len(paragraph[-1]) >= _WRAPPED and not _ITEM.match(line):
            paragraph[-1] = f"{paragraph[-1]} {line.strip()}"
        elif line.strip():
            paragraph.append(" ".join(line.split()))
    return Contents(blocks)


def read_markdown(path: Path) -> Contents:
    """Read Markdown, with what YAML in front of it says of the document."""
    from markdown_it import MarkdownIt

    text = _text(path)
    front = _FRONT.match(text)
    page = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(text[front.end() :] if front else text)
    contents = html.of_pieces([f"<main>{page}</main>".encode()])
    return _stated(contents, _facts(front[1], path)) if front else contents


def _stated(contents: Contents, said: dict[str, Any]) -> Contents:
    authors = said.get("authors") or said.get("author") or []
    contents.title = str(said.get("title") or "")
    contents.authors = tuple(map(str, authors if isinstance(authors, list) else [authors]))
    contents.published = str(said.get("date") or said.get("published") or "")
    contents.url = str(said.get("url") or "")
    contents.language = str(said.get("lang") or said.get("language") or "")
    return contents


def _facts(front: str, path: Path) -> dict[str, Any]:
    import yaml

    try:
        said = yaml.safe_load(front)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        reason = f"has broken YAML in front ({getattr(error, 'problem', '')}); mend it, or take it out"
        raise SourceFileError(reason, path, mark.line + 2 if mark else 1) from error
    return said if isinstance(said, dict) else {}


def _text(path: Path) -> str:
    found = []
    for item in lines(path):
        if isinstance(item, Reject):
            raise SourceFileError(item.reason, path, item.line)
        found.append(item[1])
    if not any(map(str.strip, found)):
        raise RecordError("has no text")
    return "\n".join(found)
