"""The checks of an audit: each a file under queries/audit/, what mends what it finds, and what Python adds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from ..graph import catalogue
from ..schema.prefixes import prefix
from ..schema.vocabulary import KIN, METAGRAPH, RELATION_ENDS
from . import cycles, languages, texts
from .findings import Finding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ..graph.database import Database

    Find = Callable[[Database, Mapping[str, Any]], Iterator[Finding]]

MANY_CLAIMS: Final = 5
"""A concept that so many entities of one source claim is too broad for any of them."""

LIMIT: Final = 10_000
"""Findings a check at most; more of one kind are not read one by one."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing to look for.

    Attributes:
        name: Its name, and that of its file under queries/audit/.
        remedy: What mends what it finds.
        values: Values for the statement's parameters beside `source`, `examples` and `limit`.
        find: How rows become findings, where they are not findings already.
    """

    name: str
    remedy: str
    values: Mapping[str, Any] = field(default_factory=dict)
    find: Find | None = None

    def run(self, database: Database, scope: Mapping[str, Any]) -> Iterator[Finding]:
        """Look.

        Args:
            database: The graph.
            scope: The values of `source`, `examples` and `limit`.

        Yields:
            What was found.
        """
        if self.find is not None:
            yield from self.find(database, scope)
            return
        query = catalogue.get(self.name)
        values = {name: value for name, value in {**scope, **self.values}.items() if name in query.parameters}
        for row in database.stream(query, **values):
            row["keys"], row["examples"] = tuple(row["keys"]), tuple(row["examples"])
            yield Finding(check=self.name, **row)


def unknown_prefixes(database: Database, scope: Mapping[str, Any]) -> Iterator[Finding]:
    """Find ids whose prefix nobody knows: neither the table of prefixes nor the source itself.

    Args:
        database: The graph.
        scope: The values of `source` and `examples`.

    Yields:
        A finding for each source, kind of id and prefix.
    """
    own = {row["source"] for row in database.read(catalogue.get("sources"))}
    for row in database.stream(catalogue.get("unknown_prefixes"), source=scope["source"], examples=scope["examples"]):
        word = row["prefix"]
        if word and (word in own or prefix(word)):
            continue
        what = f"{row['field']} with the unknown prefix {word}" if word else f"{row['field']} that are no CURIEs"
        severe = row["field"] == "ids"
        keys = (row["source"] or "", row["field"], word)
        examples = tuple(row["examples"])
        yield Finding("unknown_prefixes", "warning" if severe else "note", keys[0], keys, what, row["count"], examples)


CHECKS: Final = (
    Check("nodes_without_source", "load the source that states them, or `medgraph unload` what is left of it"),
    Check("relations_without_source", "load the source again, or delete the relations in Neo4j Browser"),
    Check("unknown_loads", "load the source again"),
    Check("sources_without_version", "load it again and state the release"),
    Check("sources_without_licence", "load it again with --licence"),
    Check(
        "unknown_prefixes",
        "correct the ids in the source, or add the prefix to schema/prefixes.tsv",
        {},
        unknown_prefixes,
    ),
    Check("relations_without_evidence", "nothing, where the source gives none"),
    Check("missing_evidence", "load the source with the sections that it names"),
    Check("parts_without_whole", "`medgraph unload` the source and load it again"),
    Check("empty_documents", "nothing, where the page has no text; else correct the source"),
    Check("lonely_entities", "nothing, where more is to come; else unload them"),
    Check(
        "misplaced_relations",
        "turn the relation round in the source or its loader, or correct the kind of its entities",
        {"ends": [{"type": t, "subjects": [*s], "objects": [*o]} for t, (s, o) in RELATION_ENDS.items()]},
    ),
    Check("kinds_mixed", "correct the kind of one of the two", {"kin": [list(group) for group in KIN]}),
    Check("undesigned_relations", "delete them in Neo4j Browser", {"design": [list(shape) for shape in METAGRAPH]}),
    Check("is_a_both_ways", "decide which is the broader one, or make them one entity"),
    Check("is_a_cycles", "take out the relation of the ring that is wrong", {}, cycles.find),
    Check("relations_to_itself", "take them out of the source"),
    Check("obsolete_in_use", "point them to what replaced it"),
    Check("duplicate_names", "give them one id, or names that tell them apart"),
    Check("shared_concepts", "take the concept away from the entities that it is too broad for", {"many": MANY_CLAIMS}),
    Check("several_concepts", "leave the concept that means the same, and make the others relations"),
    Check("shared_xrefs", "nothing for classifications such as ICD; else leave the one that means the same"),
    Check("lost_letters", "write the name with its letters in the source, and save that as UTF-8"),
    Check("suspicious_names", "correct the names in the source", {}, texts.names),
    Check("suspicious_texts", "correct the texts in the source, or how it is read", {}, texts.texts),
    Check("foreign_texts", "leave them out: searching and answering are made for English", {}, languages.find),
)
"""In the order of the report."""
