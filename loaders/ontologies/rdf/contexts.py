"""Contexts of JSON-LD, which must stand in the file: nothing is fetched."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....errors import SourceFileError
from ...files.constants import open_json

if TYPE_CHECKING:
    from pathlib import Path


def check_contexts(path: Path) -> None:
    """Make sure that a JSON-LD file refers to no context elsewhere.

    Raises:
        SourceFileError: It is no JSON, or does.
    """
    import ijson

    with open_json(path) as file:
        try:
            for place, event, value in ijson.parse(file):
                if event == "string" and place.endswith(("@context", "@context.item", "@context.@import")):
                    raise SourceFileError(
                        f"takes its context from {value[:200]}, which is not fetched; write the context into the file",
                        path,
                    )
        except (ijson.JSONError, UnicodeDecodeError) as error:
            message = " ".join(str(error).split())[:200]
            raise SourceFileError(f"is not whole JSON in UTF-8 ({message}); fetch it again", path) from error
