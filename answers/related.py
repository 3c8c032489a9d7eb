"""How the things that a question asks about are related, step by step, as facts that can be cited."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING

from ..graph import catalogue
from ..queries.evidence import Evidence
from ..queries.relation_sentences import in_sentence
from .answer import CitedFact
from .facts import worded

if TYPE_CHECKING:
    from ..graph.database import Database
    from ..queries.entities import LinkerOf
    from ..queries.paths import Hop, Path, PathNode
    from ..queries.question import Question


def asked_paths(database: Database, linker: LinkerOf, question: Question) -> list[tuple[CitedFact, ...]]:
    """Find how the things that a question asks about are related.

    Args:
        linker: Gives what finds names when it is needed.

    Returns:
        The best paths of each pair, the facts of each in order; none of a long message, or of one thing.
    """
    if question.is_message or len(question.about) < 2:
        return []
    pairs = Evidence((), question, {}, database, linker).paths()
    return [_facts(path) for pair in pairs for path in pair.paths]


def _facts(path: Path) -> tuple[CitedFact, ...]:
    steps = zip(itertools.pairwise(path.nodes), path.hops, strict=True)
    return tuple(_fact(one, other, hop) for (one, other), hop in steps)


def _fact(one: PathNode, other: PathNode, hop: Hop) -> CitedFact:
    fact = CitedFact(
        subject=one.id,
        subject_name=in_sentence(one.name, [], one.label),
        relation=hop.said[0].relation,
        forward=hop.forward,
        object=other.id,
        object_name=in_sentence(other.name, [], other.label),
        label=other.label,
        text="",
        said=hop.said,
        cypher=catalogue.get("fact_graph").filled(first=one.id, second=other.id),
        backing=hop.backing,
    )
    return replace(fact, text=worded([fact]))
