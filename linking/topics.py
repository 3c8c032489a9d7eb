"""Topics joined to the conditions that their titles name: `Diabetes and exercise` is about diabetes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from ..graph import catalogue

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..graph.database import Database
    from .linked import Linked
    from .linker import Linker

    Row = dict[str, Any]

PAGE: Final = 2000
"""Topics a page."""

_SURE: Final = 0.9
"""Score from which on a title names a condition."""

_FORM: Final = re.compile(r"\s+-+\s+|:\s+")
"""What stands between a title's subject and what its page says of it: `Gout - discharge`."""

_PLAIN: Final = frozenset(
    "discharge surgery surgeries injury injuries stress screening procedure procedures weight age growth development "
    "health life drug drugs disease diseases disorder disorders problem problems pain smell taste "
    "sputum aspiration hyperplasia".split()
)
"""Words that are a condition's name elsewhere, and say too little in a title."""


def index_topics(database: Database, linker: Linker) -> int:
    """Join every topic that a document is about to the conditions that its title names; former ones are replaced.

    Args:
        database: The graph; its entities stand for concepts.

    Raises:
        DatabaseError: The database went away; a second call joins them all.
    """
    joined = 0
    for page in database.pages(catalogue.get("described_topics"), PAGE):
        rows = [{"topic": row["id"], "named": list(_named(linker, row))} for row in page]
        database.write(catalogue.get("write_topics"), rows=rows)
        joined += sum(bool(row["named"]) for row in rows)
    return joined


def _named(linker: Linker, topic: Row) -> Iterator[Row]:
    held, seen = linker.holdings, {topic["concept"]}
    for surface, linked in conditions_of(linker, topic["name"]):
        concept = held.concept_id(linked.entity)
        if concept not in seen:
            seen.add(concept)
            yield {"concept": concept, "surface": surface, "score": linked.score}


def conditions_of(linker: Linker, title: str) -> list[tuple[str, Linked]]:
    """Find the conditions that a topic's title names beside what it says of them.

    Args:
        title: The title, such as `Gout - discharge`.

    Returns:
        What the title says, and what that is; of its subject alone where that names any.
    """
    subject = _FORM.split(title, maxsplit=1)[0]
    for text in dict.fromkeys((subject, title)):
        if found := _conditions(linker, text, whole=text == title):
            return found
    return []


def _conditions(linker: Linker, text: str, *, whole: bool) -> list[tuple[str, Linked]]:
    """Find the conditions in a text; where the text is a title's whole name, in what remains without an outer word."""
    mentioned = linker.text(text)
    if len(mentioned) == 1 and (whole or not linker.holdings.is_condition(mentioned[0].entity)):
        linked = mentioned[0]
        words = text.split()
        if text[linked.start : linked.end] == text.strip() and len(words) > 1:
            shorter = (" ".join(words[:-1]), " ".join(words[1:]))
            parts = [_conditions(linker, part, whole=False) for part in shorter]
            return max(parts, key=lambda found: sum(len(surface) for surface, _ in found))
    found = [(text[linked.start : linked.end], linked) for linked in mentioned]
    return [
        (surface, linked)
        for surface, linked in found
        if linked.score >= _SURE and linker.holdings.is_condition(linked.entity) and surface.lower() not in _PLAIN
    ]
