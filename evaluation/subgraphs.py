"""Subgraphs as text: how many words of a condition's page they have, and how well their documents are found.

What is searched for are short questions that experts made of messages (MeQSum, the half to choose by), each with the
documents of the source `graph` that tell what it asks, chosen by reading.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from ..errors import SourceFileError
from ..graph import catalogue
from ..progress import progress
from ..queries.filters import DERIVED, Filters
from ..queries.lucene import STOP, all_words
from ..queries.modes import MODES
from ..queries.salience import stem
from ..queries.subgraphs import MAX_RELATIONS, subgraph_of
from .halves import number, part_of
from .retrieval import DEPTH, measures
from .sets import meqsum
from .sets.grades import rows_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from ..graph.database import Database
    from ..queries.retriever import Retriever
    from ..queries.subgraphs import Subgraph, SubgraphRelation

    Row = dict[str, Any]

SOURCE: Final = "medquad"
"""Whose pages are compared."""

_SHORTEST: Final = 3
"""Letters of a word that counts."""


def measure_subgraphs(database: Database, part: str, sample: int) -> list[Row]:
    """Measure what share of the content words of pages about conditions their subgraphs have in words.

    Returns:
        A row for each text that is compared: the whole subgraph's, what is told in it by others than the page, and its
        name alone; with the mean share of the page's different stems, and of all its content words.
    """
    pages = [row for row in database.read(catalogue.get("condition_pages"), source=SOURCE) if _half(row) == part]
    pages = sorted(pages, key=lambda row: number(row["document"]))[:sample]
    shares: dict[str, list[tuple[float, float]]] = {}
    with progress("comparing pages", "page", len(pages)) as bar:
        for page in pages:
            words = Counter(stems(" ".join(page["texts"])))
            found = subgraph_of(database, page["concept"], limit=MAX_RELATIONS)
            for name, told in _texts(found, page["sections"]).items():
                if words:
                    shares.setdefault(name, []).append(_shares(words, told))
            bar.update(1)
    return [_row(name, several) for name, several in shares.items()]


def measure_search(retriever: Retriever, messages: Path, judged: Path) -> list[Row]:
    """Measure how well documents of subgraphs are found by each mode.

    Returns:
        A row a mode: of how many questions, nDCG@10, recall@10 and mean reciprocal rank. Documents that the graph
        lacks, since too few say what they told, are left out, and questions of which none is left.

    Raises:
        SourceFileError: The table names none of the messages, or no document that the graph has.
    """
    wanted = {row["message"]: set(row["documents"].split()) for row in rows_of(judged, ("message", "documents"))}
    asked = [one for one in meqsum.read(messages, "dev", meqsum.ALL) if one.id in wanted]
    if not asked:
        raise SourceFileError("names none of these messages", judged)
    firsts = sorted(f"{document}#1" for one in asked for document in wanted[one.id])
    known = {section.document for section in retriever.texts(firsts)}
    grades = {one.id: dict.fromkeys(wanted[one.id] & known, 1) for one in asked}
    grades = {name: given for name, given in grades.items() if given}
    if not grades:
        raise SourceFileError("names no document that the graph has; run: medgraph index subgraphs", judged)
    found: dict[str, dict[str, list[str]]] = {mode: {} for mode in MODES}
    with progress("searching", "question", len(grades)) as bar:
        for one in (one for one in asked if one.id in grades):
            question = retriever.question(one.short, Filters(sources=(DERIVED,)))
            for mode, rankings in found.items():
                hits = retriever.search(question, mode=mode, top_k=DEPTH)
                rankings[one.id] = list(dict.fromkeys(hit.document for hit in hits))
            bar.update(1)
    return [
        {"search": mode, "questions": len(grades)}
        | {name: round(float(values.mean()), 3) for name, values in measures(rankings, grades).items()}
        for mode, rankings in found.items()
    ]


def stems(text: str) -> list[str]:
    """Give the stems of a text's content words."""
    return [stem(word) for word in all_words(text) if len(word) >= _SHORTEST and word not in STOP]


def _half(page: Row) -> str:
    return part_of(page["concept"])


def _texts(found: Subgraph, sections: Sequence[str]) -> dict[str, set[str]]:
    """Give the stems of a subgraph's text, without what the page alone tells, and of the name alone."""
    whole = set(stems(found.text))
    own = [row for row in found.relations if _only_in(row, sections)]
    others = _names(row for row in found.relations if not _only_in(row, sections))
    described = set() if found.centre.origin in sections else set(stems(found.centre.description))
    name = set(stems(found.centre.name))
    told = {word for word in whole if word not in _names(own) | set(stems(found.centre.description))}
    return {"whole": whole, "told by others": told | others | described | name, "name": name}


def _only_in(row: SubgraphRelation, sections: Sequence[str]) -> bool:
    """Tell whether nothing but some sections tells a relation."""
    return all(voice.evidence and set(voice.evidence) <= set(sections) for voice in row.said)


def _names(rows: Iterable[SubgraphRelation]) -> set[str]:
    return {word for row in rows for end in (row.head, row.tail) for word in stems(end.name)}


def _shares(words: Counter[str], told: set[str]) -> tuple[float, float]:
    kept = [word for word in words if word in told]
    return len(kept) / len(words), sum(words[word] for word in kept) / words.total()


def _row(name: str, shares: Sequence[tuple[float, float]]) -> Row:
    different, all_of_them = (round(sum(share[place] for share in shares) / len(shares), 3) for place in (0, 1))
    return {"text": name, "pages": len(shares), "stems found": different, "words found": all_of_them}
