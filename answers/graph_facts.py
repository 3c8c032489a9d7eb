"""Relations of one graph beside quotations: which are asked for, which are left to say, and their sources."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..graph import catalogue
from ..queries.hits import dated, retired
from ..queries.voices import RelationSource
from .facts import is_named, tell_facts
from .outline import quoted_in, relating
from .symptoms import facts_for

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..graph.database import Database, Row
    from ..queries.question import Question
    from .answer import Answer, CitedFact, Sentence


@dataclass(frozen=True, slots=True)
class GraphFacts:
    """Relations of one graph, for answers."""

    database: Database

    def asked(self, question: Question) -> list[CitedFact]:
        """Find the facts that a question asks for."""
        return facts_for(self.database, question)

    def besides(self, facts: Sequence[CitedFact], quoted: Sequence[Sentence]) -> tuple[Sentence, ...]:
        """Write what facts name that quotations do not, by any name; not what texts of one source alone tell."""
        text = " ".join(sentence.text for sentence in quoted).lower()
        spans = [
            {"section": c.section, "start": c.start, "end": c.end} for sentence in quoted for c in sentence.citations
        ]
        firm = (fact for fact in facts if fact.backing.corroborated or fact.backing.stated)
        left = [fact for fact in firm if not is_named(fact, text)]
        rows = self.database.read(catalogue.get("quoted_things"), passages=spans) if left else ()
        named = {row["thing"] for row in rows}
        return tell_facts([fact for fact in left if fact.object not in named], 1, beside=True)

    def with_sources(self, answer: Answer) -> Answer:
        """Add to an answer the sources of the relations that it rests on."""
        ids = list(dict.fromkeys(source for sentence in quoted_in(answer) for source in relating(sentence)))
        rows = self.database.read(catalogue.get("relation_sources"), ids=ids) if ids else ()
        return replace(answer, relation_sources=tuple(map(_source, rows)))


def _source(row: Row) -> RelationSource:
    told = dated("", row["version"]), retired(row["url"])
    return RelationSource(row["source"], row["title"], row["url"], row["licence"], *told)
