"""How often the right document of what relations tell is found, with questions that medgraph made for it and without.

What is searched for are short questions that experts made of messages (MeQSum, the half to choose by), each with the
documents of the source `graph` that tell what it asks, chosen by reading. The check of made questions is measured by
questions that were read: is each like a patient's, and does its document tell what it asks?
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..errors import SourceFileError
from ..loaders.base import Reject
from ..loaders.files import tables
from ..progress import progress
from ..queries import patients
from ..queries.filters import DERIVED, Filters
from ..queries.hits import merged
from .messages import ALL, read
from .retrieval import measures

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from ..queries.hits import Hit
    from ..queries.question import Question
    from ..queries.retriever import Retriever

    Search = Callable[[Retriever, Question], Sequence[Hit]]

DEPTH: Final = 10
_LONG: Final = 30


def _without(mode: str) -> Search:
    left_out = ("questions",) if mode == "learned" else ()
    return lambda retriever, asked: retriever.search(asked, mode=mode, top_k=_LONG, without=left_out)


def _beside(mode: str) -> Search:
    search = _without(mode)
    return lambda retriever, asked: merged(
        [search(retriever, asked), retriever.search(asked, mode="questions", top_k=_LONG)]
    )


WAYS: Final[Mapping[str, tuple[str, Search]]] = {
    **{mode: ("without", _without(mode)) for mode in ("lexical", "semantic", "learned")},
    "made questions alone": ("with", lambda one, asked: one.search(asked, mode="questions", top_k=_LONG)),
    **{f"{mode}, merged by rank": ("with", _beside(mode)) for mode in ("lexical", "semantic", "learned")},
}
"""Ways to search, without made questions and with them."""


def measure_search(retriever: Retriever, messages: Path, judged: Path) -> list[dict[str, Any]]:
    """Measure how well documents of what relations tell are found.

    Args:
        retriever: Searches the graph.
        messages: MeQSum's table.
        judged: A table of the messages that are searched for, with ids of the documents that tell what each asks.

    Returns:
        A row a way: of how many questions, how often a right document is found first, and nDCG@10. Documents that the
        graph has not, since too few say what they told, are left out, and questions of which none is left.

    Raises:
        SourceFileError: A table cannot be read.
        DatabaseError: The database refused or went away.
    """
    wanted = {row["message"]: set(row["documents"].split()) for row in _rows(judged, ["message", "documents"])}
    asked = [one for one in read(messages, "dev", ALL) if one.id in wanted]
    if not asked:
        raise SourceFileError("names none of these messages", judged)
    firsts = sorted(f"{document}#1" for one in asked for document in wanted[one.id])
    known = {section.document for section in retriever.texts(firsts)}
    relevant = {one.id: frozenset(wanted[one.id] & known) for one in asked if not wanted[one.id].isdisjoint(known)}
    if not relevant:
        raise SourceFileError("names no document that the graph has; run: medgraph index subgraphs", judged)
    asked = [one for one in asked if one.id in relevant]
    found: dict[str, dict[str, list[str]]] = {name: {} for name in WAYS}
    with progress("searching", "question", len(asked)) as bar:
        for one in asked:
            question = retriever.question(one.short, Filters(sources=(DERIVED,)))
            for name, (_, search) in WAYS.items():
                found[name][one.id] = list(dict.fromkeys(hit.document for hit in search(retriever, question)))[:DEPTH]
            bar.update(1)
    rows = []
    for name, (made, _) in WAYS.items():
        first = sum(bool(set(ranking[:1]) & relevant[key]) for key, ranking in found[name].items()) / len(asked)
        gain = measures(found[name], relevant)["ndcg@10"].mean()
        rows.append(
            {"search": name, "made questions": made, "questions": len(asked), "first": round(first, 3)}
            | {"nDCG@10": round(float(gain), 3)}
        )
    return rows


def measure_check(labels: Path) -> list[dict[str, Any]]:
    """Measure the check of what is like a patient's by questions that were read.

    Args:
        labels: A table of questions: `like` and `relevant` (1 or 0), document, kind, label, wording and name.

    Returns:
        A row for all that were tried and one for those that pass: how many, and what share is like a patient's, and
        relevant.

    Raises:
        SourceFileError: The table cannot be read.
    """
    rows = _rows(labels, ["like", "relevant", "document", "kind", "label", "wording", "name"])
    model = patients.model()
    passing = [row for row in rows if model.likeness(row["wording"], row["name"]) >= patients.LEAST]
    return [
        {"questions": name, "number": len(some)}
        | {
            column: round(sum(row[column] == "1" for row in some) / max(1, len(some)), 3)
            for column in ("like", "relevant")
        }
        for name, some in (("tried", rows), ("like a patient's, by the check", passing))
    ]


def _rows(path: Path, columns: list[str]) -> list[dict[str, str]]:
    return [item[1] for item in tables.read(path, columns) if not isinstance(item, Reject)]
