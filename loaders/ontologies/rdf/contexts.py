"""Contexts of JSON-LD that stand elsewhere: found, never fetched, and put into the document from files."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from ....errors import SourceFileError
from ...files.json_items import open_json

if TYPE_CHECKING:
    from collections.abc import Mapping


def open_with_contexts(path: Path, given: str = "") -> BinaryIO:
    """Open JSON-LD to read its bytes, with each context that it names by an address in it.

    A context may lie beside the document, called as its address ends, or `context.jsonld`; or one file is `given`.
    """
    wanted = addresses(path)
    if not wanted:
        return open_json(path)
    files = {address: _file(path, address, given) for address in wanted}
    if missing := [address for address, file in files.items() if file is None]:
        said = f"its @context stands at {', '.join(missing)[:500]}, which is not fetched"
        raise SourceFileError(f"{said}; fetch it, and give it with --option context=FILE (or put it in the file)", path)
    contexts = {address: _context(file) for address, file in files.items() if file}
    with open_json(path) as file:
        return io.BytesIO(json.dumps(_put(json.load(file), contexts)).encode())


def addresses(path: Path) -> list[str]:
    """List the addresses that a document names as contexts, each once; a `SourceFileError` where it is no JSON."""
    import ijson

    found: dict[str, None] = {}
    with open_json(path) as file:
        try:
            for place, event, value in ijson.parse(file):
                if event == "string" and place.endswith(("@context", "@context.item", "@context.@import")):
                    found[value] = None
        except (ijson.JSONError, UnicodeDecodeError) as error:
            message = " ".join(str(error).split())[:200]
            raise SourceFileError(f"is not whole JSON in UTF-8 ({message}); fetch it again", path) from error
    return list(found)


def _file(path: Path, address: str, given: str) -> Path | None:
    names = (address.rstrip("/").rpartition("/")[2], "context.jsonld")
    files = [Path(given)] if given else [path.with_name(name) for name in names if name]
    return next((file for file in files if given or (file.is_file() and file != path)), None)


def _context(file: Path) -> Any:
    try:
        with open_json(file) as opened:
            found = json.load(opened)
    except ValueError as error:
        raise SourceFileError(f"is no JSON ({error}); give the file with the context", file) from error
    return found.get("@context", found) if isinstance(found, dict) else found


def _put(value: Any, contexts: Mapping[str, Any]) -> Any:
    if isinstance(value, list):
        return [_put(part, contexts) for part in value]
    if not isinstance(value, dict):
        return value
    return {key: _filled(part, contexts) if key == "@context" else _put(part, contexts) for key, part in value.items()}


def _filled(value: Any, contexts: Mapping[str, Any]) -> Any:
    if isinstance(value, str):
        return contexts.get(value, value)
    if isinstance(value, list):
        parts = [_filled(part, contexts) for part in value]
        return [inner for part in parts for inner in (part if isinstance(part, list) else [part])]
    if isinstance(value, dict) and isinstance(address := value.get("@import"), str):
        rest = {key: part for key, part in value.items() if key != "@import"}
        return {**contexts.get(address, {}), **rest}
    return value
