"""A graph's names are packed: by which names each entity is found, and of what kind each name is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ..schema.prefixes import is_list
from ..schema.vocabulary import CONDITIONS
from .holdings import Collected, Holding, Holdings
from .lay import drug_names, lay_names
from .lexicon import ACRONYM, BRAND, LISTED, NAME, OTHER, SYNONYM, Lexicon, Named
from .spelling import Similar, Vocabulary, plain
from .words import eponym, tumor

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..graph.database import Row


_WORD: Final = re.compile(r"[^\W\d_]+")


def packed_names(rows: Iterable[Row]) -> tuple[Lexicon, Holdings, Similar, Vocabulary]:
    """Pack names, of rows as `named_entities_of_concepts` gives them, in memory, with what finds them misspelt."""
    lexicon, holdings = _held(rows)
    similar = Similar.build(_spellings(lexicon, holdings), lexicon.text)
    return lexicon, holdings, similar, Vocabulary.build(_words(lexicon, holdings))


def _held(rows: Iterable[Row]) -> tuple[Lexicon, Holdings]:
    """Pack names and what they belong to, of which no row is kept."""
    collected = Collected()
    lexicon = Lexicon.build(_names(rows, collected))
    return lexicon, collected.packed()


def _names(rows: Iterable[Row], collected: Collected) -> Iterator[Named]:
    for row in rows:
        number = len(collected)
        collected.add(_holding(row))
        if row["obsolete"] and not row["documents"]:
            continue
        yield Named(number, row["name"], NAME)
        own = (row["name"], *row["synonyms"])
        lay = lay_names(own)
        # What the table has as a short form is what people mean by it, whatever else is called so.
        yield from (Named(number, name, NAME) for name in lay if ACRONYM.fullmatch(name))
        # What comes of too much of a drug is listed under its names, too.
        generic, brands = drug_names(() if row["label"] in CONDITIONS else own)
        others = [*row["synonyms"], *generic, *map(eponym, own), *(name for name in lay if not ACRONYM.fullmatch(name))]
        listed = is_list(row["id"].partition(":")[0])
        for name in dict.fromkeys(filter(None, others)):
            yield Named(number, name, LISTED if listed and not ACRONYM.fullmatch(name) else SYNONYM)
        yield from (Named(number, name, BRAND) for name in brands)
        yield from (Named(number, name, OTHER) for name in (*row["other_names"], *filter(None, map(tumor, own))))


def _holding(row: Row) -> Holding:
    return Holding(
        row["id"],
        row["label"] or "",
        row["concept"],
        row["concept_name"],
        "|".join(row["ids"]),
        row["near"] or "",
        row["members"],
        row["documents"],
    )


def _spellings(lexicon: Lexicon, holdings: Holdings) -> Iterator[tuple[int, str]]:
    """Give each spelling once; symbols of genes are never misspelt names."""
    seen: set[int] = set()
    for number in range(len(lexicon)):
        if not holdings.is_gene(int(lexicon.entities[number])):
            spelling = plain(lexicon.text(number))
            key = hash(spelling)
            if key not in seen:
                seen.add(key)
                yield number, spelling


def _words(lexicon: Lexicon, holdings: Holdings) -> Iterator[str]:
    """Give the words of all names but genes' symbols."""
    for number in range(len(lexicon)):
        if not holdings.is_gene(int(lexicon.entities[number])):
            yield from set(_WORD.findall(lexicon.text(number).lower()))
