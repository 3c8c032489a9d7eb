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
    from ..queries.paths import Path, PathEnd, PathNode
    from ..queries.question import Question
    from ..queries.voices import Backing, PathVoice


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
    return [facts_on(path) for pair in pairs for path in pair.paths]


def facts_on(path: Path) -> tuple[CitedFact, ...]:
    """Give the relations on the way of a path, in order."""
    steps = zip(itertools.pairwise(path.nodes), path.hops, strict=True)
    return tuple(
        fact_of(one, other, forward=hop.forward, said=hop.said, backing=hop.backing) for (one, other), hop in steps
    )


def fact_of(
    one: PathNode | PathEnd, other: PathNode, *, forward: bool, said: tuple[PathVoice, ...], backing: Backing
) -> CitedFact:
    """Make a fact that can be cited.

    Args:
        forward: Whether the relation leads from the one to the other.
        said: Who says so, the surest first.
        backing: What that is worth.
    """
    fact = CitedFact(
        subject=one.id,
        subject_name=in_sentence(one.name, [], one.label),
        relation=said[0].relation,
        forward=forward,
        object=other.id,
        object_name=in_sentence(other.name, [], other.label),
        label=other.label,
        text="",
        said=said,
        cypher=catalogue.get("fact_graph").filled(first=one.id, second=other.id),
        backing=backing,
    )
    return replace(fact, text=worded([fact]))
