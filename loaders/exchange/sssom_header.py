"""Reads the metadata of an SSSOM mapping set, from the comments in front or the file beside it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from ...errors import SourceFileError
from ...schema import prefixes
from ..base import Reject
from ..files import texts

if TYPE_CHECKING:
    from pathlib import Path

_XSD: Final = "http://www.w3.org/2001/XMLSchema#"
MAX_HEADER: Final = 4_000_000
_BESIDE: Final = (".sssom.yml", ".sssom.yaml", ".yml", ".yaml")
_TABLE: Final = re.compile(r"(\.sssom)?\.(tsv|csv|txt)(\.gz)?$", re.IGNORECASE)


@dataclass(slots=True)
class Header:
    """What stands in front of the mappings: texts, lists and mappings of texts, as `said` by name.

    Prefixes stand for beginnings of URIs, extensions (columns that are none of the standard) for property and type.
    """

    said: dict[str, Any] = field(default_factory=dict)
    prefixes: dict[str, str] = field(default_factory=dict)
    extensions: dict[str, tuple[str, str]] = field(default_factory=dict)

    def text(self, name: str) -> str:
        """Give what is said under a name: of a list, the items with `|` between; empty where nothing is said."""
        value = self.said.get(name, "")
        if isinstance(value, list):
            return "|".join(str(item).replace("|", "\\|") for item in value)
        return value if isinstance(value, str) else ""

    def curie(self, text: str) -> str | None:
        """Give the standard CURIE of an id, or the address that the file makes of it; None for an unknown prefix."""
        full = self.full(text)
        return prefixes.standard(full) or (full if full != text else None)

    def full(self, text: str) -> str:
        """Write an id in full whose prefix the file explains, and any other as it is."""
        prefix, colon, local = text.partition(":")
        return self.prefixes[prefix] + local if colon and local and prefix in self.prefixes else text

    def reference(self, text: str) -> str:
        """Write an id in full that nobody but the file explains; any other as it is."""
        full = self.full(text)
        return text if "://" not in full or prefixes.standard(full) else full


def read(path: Path) -> Header:
    """Read what a file's comments say, or else the file beside it that has its name and ends in `.sssom.yml`."""
    lines = _comments(path)
    if lines:
        return of(_parsed("\n".join(lines), path))
    found = beside(path)
    return of(_parsed(_text(found), found)) if found else Header()


def beside(path: Path) -> Path | None:
    """Find the file beside a table that has its name and tells of it."""
    stem = _TABLE.sub("", path.name)
    return next((file for suffix in _BESIDE if (file := path.with_name(stem + suffix)).is_file()), None)


def _comments(path: Path) -> list[str]:
    found, size = [], 0
    for item in texts.lines(path):
        if isinstance(item, Reject) or not item[1].startswith("#"):
            break
        found.append(item[1][1:].rstrip("\t"))  # a spreadsheet gives each line as many cells as the table has
        size += len(item[1])
        if size > MAX_HEADER:
            raise SourceFileError(
                f"has more than {MAX_HEADER:,} characters in front of its mappings; shorten them", path, item[0]
            )
    return found


def _text(path: Path) -> str:
    if path.stat().st_size > MAX_HEADER:
        raise SourceFileError(f"has more than {MAX_HEADER:,} bytes; shorten it", path)
    found = []
    for item in texts.lines(path):
        if isinstance(item, Reject):
            raise SourceFileError(item.reason, path, item.line)
        found.append(item[1])
    return "\n".join(found)


def _parsed(text: str, path: Path) -> dict[str, Any]:
    import yaml

    class Loader(yaml.BaseLoader):
        """Texts, lists and mappings; an alias would let a small file become a large one."""

        def compose_node(self, parent: Any, index: Any) -> Any:
            if self.check_event(yaml.AliasEvent):
                raise yaml.MarkedYAMLError(None, None, "an alias; write it out", self.peek_event().start_mark)  # type: ignore[no-untyped-call]
            return super().compose_node(parent, index)

        def construct_mapping(self, node: Any, deep: bool = False) -> Any:
            said: dict[str, Any] = {}
            for key, value in node.value:
                if said.setdefault(str(key.value), value.value) != value.value:
                    raise yaml.MarkedYAMLError(None, None, f"{key.value!r} stands twice; keep one", key.start_mark)
            return super().construct_mapping(node, deep)

    try:
        data = yaml.load(text, Loader=Loader)  # noqa: S506 - it makes texts, lists and mappings alone
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        reason = getattr(error, "problem", None) or getattr(error, "context", None) or "nested too deep"
        line = mark.line + 1 if mark else 1
        raise SourceFileError(f"its metadata is not YAML as SSSOM has it: {reason}", path, line) from error
    if data is None or data == "":
        return {}
    if not isinstance(data, dict):
        raise SourceFileError("its metadata is no mapping of names to values; write name: value on each line", path, 1)
    return {str(name): value for name, value in data.items()}


def of(said: dict[str, Any]) -> Header:
    """Find prefixes and further columns in what a file says of all its mappings."""
    curie_map = said.get("curie_map")
    pairs = curie_map.items() if isinstance(curie_map, dict) else ()
    known = {str(k): v.strip() for k, v in pairs if isinstance(v, str) and prefixes.is_base(v)}
    extensions = {}
    defined = said.get("extension_definitions")
    for item in defined if isinstance(defined, list) else []:
        if isinstance(item, dict) and isinstance(item.get("slot_name"), str):
            hint = str(item.get("type_hint", "")).replace(_XSD, "xsd:")
            extensions[item["slot_name"]] = (str(item.get("property", "")), hint)
    return Header(said, known, extensions)
