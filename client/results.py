"""Results that the client gives: those of the API, also as rows, frames of pandas, and what notebooks show."""

from __future__ import annotations

import html
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, ClassVar, Final

from ..answers import answer as answers
from ..answers.outline import quoted_in, relations_of
from ..api.resources import entities, sources
from ..errors import InputError, install_line
from ..pictures.relations import picture_of_paths, picture_of_subgraph
from ..pictures.svg import draw
from ..queries import results
from ..queries.enrichment import Enrichment
from ..queries.similar import SimilarConcepts
from ..queries.subgraphs import Subgraph

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd

    from ..queries.voices import RelationSource


CELL: Final = 200  # characters of a cell that notebooks show


class Table:
    """A result with rows."""

    rows: ClassVar[str]
    """The field that has the rows."""
    columns: ClassVar[tuple[str, ...]]
    """Fields of a row that notebooks show."""

    def to_rows(self) -> list[dict[str, Any]]:
        """Give the rows as plain data."""
        return [asdict(row) for row in getattr(self, self.rows)]

    def to_frame(self) -> pd.DataFrame:
        """Give the rows as a frame of pandas, nested fields as columns with dots; InputError without pandas."""
        try:
            import pandas as pd
        except ModuleNotFoundError as error:
            raise InputError(f"frames need pandas; {install_line('pandas')}") from error
        return pd.json_normalize(self.to_rows())

    def _repr_html_(self) -> str:
        rows = [{column: _cell(row.get(column)) for column in self.columns} for row in self.to_rows()]
        head = "".join(f"<th>{html.escape(column)}</th>" for column in self.columns)
        body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row.values())}</tr>" for row in rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: Any) -> str:
    text = "" if value is None else f"{value:.3g}" if isinstance(value, float) else str(value)
    return html.escape(text if len(text) <= CELL else f"{text[:CELL]}…")


class Answer(answers.Answer, Table):
    """An answer; its rows are its sentences.

    Example:
        >>> from medgraph import Medgraph
        >>> with Medgraph() as medgraph:
        ...     answer = medgraph.ask("How is gout treated?")
        >>> answer.status, answer.cited
        ('answered', ('sample:gout#6',))
    """

    rows = "sentences"
    columns = ("text", "verdict", "probability")

    def _repr_html_(self) -> str:
        urgent = "".join(f"<p><strong>{html.escape(f'{u.title}: {u.text}')}</strong></p>" for u in self.urgent)
        cited: dict[str, answers.Citation | RelationSource]
        cited = {c.section: c for s in quoted_in(self) for c in s.citations}
        cited |= {one.source.source: one.source for one in relations_of(self)}
        listed = "".join(
            f"<li>{html.escape(_origin(cited[s]))} {html.escape(f'{cited[s].url} {cited[s].retired}'.strip())}</li>"
            for s in self.cited
        )
        status = html.escape(self.caution or self.status.replace("_", " "))
        said = f'<p style="white-space: pre-line">{html.escape(self.text)}</p>'
        return f"{urgent}<p>{status}</p>{said}<ol>{listed}</ol><p><small>{html.escape(self.notice)}</small></p>"


def _origin(cited: answers.Citation | RelationSource) -> str:
    publisher = cited.publisher if isinstance(cited, answers.Citation) else "relations"
    return f"{cited.title} ({', '.join(filter(None, (publisher, cited.licence, cited.dated)))})"


class SearchResults(results.SearchResults, Table):
    """What a search found; its rows are the results.

    Example:
        >>> from medgraph import Medgraph
        >>> with Medgraph() as medgraph:
        ...     [hit.section for hit in medgraph.search("treatment of gout", top_k=1).results]
        ['sample:gout#6']
    """

    rows = "results"
    columns = ("title", "type", "text", "source", "dated", "score")


class FoundEntities(entities.FoundEntities, Table):
    """Entities that a text names.

    Example:
        >>> from medgraph import Medgraph
        >>> with Medgraph() as medgraph:
        ...     [found.id for found in medgraph.entities("podagra").entities]
        ['sample:gout']
    """

    rows = "entities"
    columns = ("id", "name", "label")


class Sources(sources.Sources, Table):
    """What is loaded."""

    rows = "sources"
    columns = ("source", "title", "version", "licence", "documents", "entities")


class Similar(SimilarConcepts, Table):
    """What stands in like relations."""

    rows = "similar"
    columns = ("name", "label", "similarity")


class FoundPaths(entities.FoundPaths, Table):
    """How things go together; its rows are the paths.

    Example:
        >>> from medgraph import Medgraph
        >>> with Medgraph() as medgraph:
        ...     [node.name for node in medgraph.paths("Atrial fibrillation", "Heart failure").pairs[0].paths[0].nodes]
        ['Atrial fibrillation', 'Coronary artery disease', 'Heart failure']
    """

    rows = "pairs"
    columns = ("text", "score")

    def to_rows(self) -> list[dict[str, Any]]:
        """Give the paths of all pairs as plain data."""
        return [asdict(path) for pair in self.pairs for path in pair.paths]

    def _repr_svg_(self) -> str:
        return draw(picture_of_paths(self.pairs))


class FoundSubgraph(Subgraph, Table):
    """What goes with something; its rows are the relations."""

    rows = "relations"
    columns = ("kind", "relation", "tail")

    def _repr_svg_(self) -> str:
        return draw(picture_of_subgraph(self))


class FoundEnrichment(Enrichment, Table):
    """What some things have in common; its rows are the concepts that have them."""

    rows = "results"
    columns = ("name", "relation", "hits", "given", "having", "background", "q")


# Type of the API → what the client gives for it.
RESULTS: Mapping[type, type] = {
    kind.__bases__[0]: kind
    for kind in (Answer, SearchResults, FoundEntities, Sources, Similar, FoundPaths, FoundSubgraph, FoundEnrichment)
}
