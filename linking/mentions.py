"""The step that notes what every text mentions, and the relations that it tells: `medgraph index links`.

Sections are linked one by one, by the names that the graph has; what was linked by the same names is left alone. What a
page about a condition names as its symptom, treatment or cause makes a relation.
"""

from __future__ import annotations

import hashlib
import json
import re
from bisect import bisect_right
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..files import table_lines
from ..graph import catalogue
from ..graph.engine import LOCAL, Engine, Step
from ..patterns import threshold
from ..progress import progress
from ..schema.concept_relations import fold_terms
from ..schema.vocabulary import CONDITIONS, ENTITY_LABELS, SYMMETRIC
from ..text import counted, sentences
from .context import OWN, Context, Pipeline
from .roles import (
    DRUG_KINDS,
    DRUG_ROLES,
    LABELS,
    MARKS,
    OTHER,
    ROLES,
    STATED,
    SUBJECT,
    TURNED,
    Name,
    described,
    model,
)
from .statements import find_description, frequency_of, gives, is_of_another, names_subject, overrules, refer_to_subject
from .terms import Term, find_terms
from .words import GENERIC, LITTLE, word_list, words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..graph.database import Database, Row
    from .linked import Linked
    from .linker import Linker
    from .renamed import Renamed

VAGUE: Final = tuple(name for _, name in table_lines(Path(__file__).with_name("vague.tsv")))
SURE: Final = threshold("linking.mentions.told")
LIKELY: Final = threshold("linking.mentions.likely")


def index_relations(database: Database) -> int | None:
    """Find the relations that sections tell of what other sections are about than before; None where nothing is stale.

    Only what has changed is written; what an interrupted call took up is taken up again.
    """
    if not database.write(catalogue.get("stale_heads"))[0]["heads"]:
        return None
    told = {role: relation for role, (relation, _) in STATED.items()}
    labels = {role: [*allowed] for role, (_, allowed) in STATED.items()}
    query = catalogue.get("find_relations")
    given = {"vague": VAGUE, "least": LIKELY, "enough": SURE, "drug_roles": [*DRUG_ROLES], "turned": TURNED}
    both = {relation for role, (relation, _) in DRUG_ROLES.items() if role in TURNED or relation in SYMMETRIC}
    order = {"symmetric": SYMMETRIC, "ranks": list(ENTITY_LABELS), "shared": sorted(both)}
    rows = database.run(query, relations=told, labels=labels, **given, **order)
    database.run(catalogue.get("contest_relations"))
    database.write(catalogue.get("write_frequencies"))
    database.write(catalogue.get("settle_heads"))
    return rows[0]["found"] if rows else 0


PAGE: Final = 2000  # topics a page
_SURE_TITLE: Final = threshold("linking.mentions.title")
# What stands between a title's subject and what its page says of it: `Gout - discharge`.
_FORM: Final = re.compile(r"\s+-+\s+|:\s+")
_PLAIN: Final = word_list("plain")


def index_topics(database: Database, linker: Linker, names: str) -> int | None:
    """Join topics that documents are about to the conditions that their titles name, by so named names.

    Former ones are replaced; it gives None where all topics were looked up by these names.
    """
    joined = None
    for page in database.pages(catalogue.get("described_topics"), PAGE, names=names):
        rows = [{"topic": row["id"], "named": list(_named(linker, row))} for row in page]
        database.write(catalogue.get("write_topics"), rows=rows, names=names)
        joined = (joined or 0) + sum(bool(row["named"]) for row in rows)
    return joined


def _named(linker: Linker, topic: Row) -> Iterator[Row]:
    held, seen = linker.holdings, {topic["concept"]}
    for surface, linked in conditions_of(linker, topic["name"]):
        concept = held.concept_id(linked.entity)
        if concept not in seen:
            seen.add(concept)
            yield {"concept": concept, "surface": surface, "score": linked.score}


def conditions_of(linker: Linker, title: str) -> list[tuple[str, Linked]]:
    """Find the conditions that a title names, with its words: of its subject (`Gout - discharge`) if it has any."""
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
        if linked.score >= _SURE_TITLE and linker.holdings.is_condition(linked.entity) and surface.lower() not in _PLAIN
    ]


VERSION: Final = 9  # raised when texts are linked in another way
BATCH: Final = 400  # sections a transaction
_COREFERENCE: Final = threshold("linking.mentions.coreference")
_UNSURE: Final = threshold("linking.mentions.noted")
SURE_MENTION: Final = threshold("linking.mentions.role")
_OF_DRUG: Final = threshold("linking.mentions.effect")
_SHORT_FORM: Final = re.compile(r"[A-Z]\w*[A-Z]")  # a word that may stand for a name, such as `TB`
# What is known of a mention while its section is linked, and is not stored.
_AID: Final = frozenset(("mark", "sentence"))
# Relation of terms → the label that these have for the model of roles.
_LIKE: Final = {
    **dict.fromkeys(("HAS_SYMPTOM", "CAUSED_BY", "HAS_RISK_FACTOR", "HAS_COMPLICATION"), "Symptom"),
    **dict.fromkeys(("TREATED_BY", "PREVENTED_BY"), "Treatment"),
    "DIAGNOSED_BY": "Test",
}


@dataclass(frozen=True, slots=True)
class Links:
    """What was linked."""

    sections: int
    mentions: int
    relations: int | None  # that sections tell of what they may tell of otherwise; None where that is nothing
    topics: int | None = None  # topics, of those looked up, whose titles name a condition; None where none was
    terms: int = 0
    kept: int = 0  # sections that other names leave as they were

    def summary(self) -> str:
        """Say it in a sentence."""
        found = "relations as they were" if self.relations is None else f"{counted(self.relations, 'relation')} found"
        found += "" if self.topics is None else f", {self.topics:,} topics joined to conditions"
        found += f", {self.terms:,} places of terms" if self.terms else ""
        kept = f", {self.kept:,} left as they were" if self.kept else ""
        return f"{counted(self.sections, 'section')} linked, {counted(self.mentions, 'mention')}{kept}; {found}"


@dataclass(frozen=True, slots=True)
class Reading:
    """What sections are linked by: names, and how texts are read before these are looked up."""

    linker: Linker
    pipeline: Pipeline = OWN


def index_links(
    database: Database,
    linker: Linker,
    names: str,
    pipeline: Pipeline = OWN,
    engine: Engine = LOCAL,
    renamed: Renamed | None = None,
) -> Links:
    """Note what sections mention, by so named names and a pipeline, and what follows; it goes on where broken off.

    Sections that were linked by former names are looked at for what was `renamed`, and linked where they have it.
    """
    by = ":".join(filter(None, (str(VERSION), names, pipeline.name)))
    total = database.read(catalogue.get("count_unlinked"), names=by)[0]["sections"]
    linked = found = told = kept = 0

    def store(rows: list[Row]) -> None:
        database.write(catalogue.get("write_terms"), rows=rows)
        database.write(catalogue.get("write_descriptions"), rows=rows)
        database.write(catalogue.get("write_mentions"), rows=rows, names=by)

    reading = Reading(linker, pipeline)

    def changed(pages: Iterator[list[Row]]) -> Iterator[list[Row]]:
        """Leave out what other names leave as it was, and note that."""
        nonlocal kept
        for page in pages:
            same = {row["id"] for row in page if renamed and not pipeline.name and _is_as_it_was(row, renamed)}
            if same:
                rows = [{"section": row["id"], "given": row["linked"].split()[1]} for row in page if row["id"] in same]
                database.write(catalogue.get("keep_mentions"), rows=rows, names=by)
                kept += len(same)
                bar.update(len(same))
            if others := [row for row in page if row["id"] not in same]:
                yield others

    with progress("linking", "section", total) as bar:
        pages = changed(database.pages(catalogue.get("unlinked"), BATCH, names=by))
        for rows in engine.store(Step("links", by, linked_sections), reading, pages, store):
            linked += len(rows)
            found += sum(len(row["mentions"]) for row in rows)
            told += sum(len(row["terms"]) for row in rows)
            bar.update(len(rows))
    for page in database.pages(catalogue.get("stale_terms"), BATCH):
        fold_terms(database.write, [row["id"] for row in page])
    return Links(linked, found, index_relations(database), index_topics(database, linker, by), told, kept)


def _is_as_it_was(section: Row, renamed: Renamed) -> bool:
    """Tell whether all that a section was linked by is as it was, but for names that it does not have."""
    by = f"{VERSION}:{renamed.former} {_fingerprint(section)}"
    return section["linked"] == by and not renamed.touches(section["text"], section["title"])


def _fingerprint(section: Row) -> str:
    """Give a fingerprint of what a section is linked by beside names: its text, chunks and what it is about."""
    given = [value for name, value in section.items() if name != "linked"]
    return hashlib.blake2b(json.dumps(given).encode(), digest_size=8).hexdigest()


def linked_sections(page: list[Row], reading: Reading) -> list[Row]:
    """Link sections: rows of `section`, `mentions`, `terms`, and where it is `described`."""
    return [_section(reading.linker, row, reading.pipeline) for row in page]


def _section(linker: Linker, section: Row, pipeline: Pipeline) -> Row:
    spans = sentences(section["text"])
    mentions = _mentions(linker, section, spans, pipeline)
    terms = list(_terms(section, spans, mentions, pipeline))
    stored = [{name: value for name, value in row.items() if name not in _AID} for row in mentions]
    described_at = find_description(section, spans, mentions)
    given = {"section": section["id"], "given": _fingerprint(section)}
    return given | {"mentions": stored, "terms": terms, "described": described_at}


def _terms(
    section: Row, spans: Sequence[tuple[int, int]], mentions: Sequence[Row], pipeline: Pipeline
) -> Iterator[Row]:
    """Find what the section is plainly about and no vocabulary has, unless it says something else of it."""
    found = find_terms(section, spans, ((row["start"], row["end"]) for row in mentions))
    said = pipeline.contexts(section["text"], spans, ((term.start, term.end) for term in found))
    roles = _roles_of_terms(section, spans, mentions, found)
    for term, (_, how) in zip(found, said, strict=True):
        role = roles.get(term.start)
        if not how.negated and not how.family and (role is None or ROLES[role][0] == term.relation):
            yield asdict(term) | {"id": term.id, "surface": section["text"][term.start : term.end]}


def _roles_of_terms(
    section: Row, spans: Sequence[tuple[int, int]], mentions: Sequence[Row], found: Sequence[Term]
) -> dict[int, str]:
    """Give the role of each term that stands in one sentence, by where it begins: a list may be of what to avoid."""
    labels = {term.start: _LIKE[term.relation] for term in found}
    names = [Name(term.start, term.end, MARKS[labels[term.start]]) for term in found]
    names += [Name(row["start"], row["end"], row["mark"]) for row in mentions if row["start"] not in labels]
    names.sort(key=lambda name: name.start)
    described_terms = described(section["text"], section["type"], spans, names, labels)
    told = model().predict([*described_terms.values()])
    return {start: role for start, (role, _) in zip(described_terms, told, strict=True)}


def _mentions(linker: Linker, section: Row, spans: Sequence[tuple[int, int]], pipeline: Pipeline) -> list[Row]:
    text, chunks = section["text"], section["chunks"]
    starts = [start for _, start, _ in chunks]
    found = [linked for linked in linker.text(text, section["focus"], pipeline) if linked.score >= _UNSURE]
    found = sorted([*found, *_referring(linker, section, found, spans)], key=lambda linked: linked.start)
    places = [(linked.start, linked.end) for linked in found]
    rows = []
    for linked, (sentence, said) in zip(found, pipeline.contexts(text, spans, places), strict=True):
        chunk = bisect_right(starts, linked.start) - 1
        if chunk >= 0:
            rows.append(
                _row(linker, linked, text)
                | {"chunk": chunks[chunk][0], "sentence": sentence}
                | {flag: getattr(said, flag) for flag in Context.__slots__}
            )
    _add_roles(linker, section, spans, rows)
    return rows


def _add_roles(linker: Linker, section: Row, spans: Sequence[tuple[int, int]], rows: list[Row]) -> None:
    """Add to each mention its role towards what the section is about, and how likely it has it."""
    labels = [linker.holdings.label(row.pop("number")) for row in rows]
    if section["drugs"] and not section["conditions"]:
        _add_drug_roles(section, rows, labels)
        return
    subjects = frozenset(section["conditions"])
    names = [
        Name(row["start"], row["end"], SUBJECT if row["concept"] in subjects else MARKS.get(label, OTHER))
        for row, label in zip(rows, labels, strict=True)
    ]
    judged = {
        row["start"]: label
        for row, label in zip(rows, labels, strict=True)
        if subjects and label in LABELS and row["concept"] not in subjects and _has_role(section, row)
    }
    found = described(section["text"], section["type"], spans, names, judged)
    told = dict(zip(found, model().predict([*found.values()]), strict=True))
    others = [(row["start"], _is_another(section, row, label)) for row, label in zip(rows, labels, strict=True)]
    for row, name in zip(rows, names, strict=True):
        row["mark"] = name.mark
        role, score = told.get(row["start"], (None, None))
        place, condition = (row["start"], row["end"]), judged.get(row["start"]) in CONDITIONS
        if role and (
            overrules(ROLES[role][0], section["text"], row["sentence"], place, condition=condition)
            or (role == "symptom" and is_of_another(section["text"], row["sentence"], row["start"], others))
        ):
            role, score = "mentioned", None
        row["role"], row["role_score"] = role, score


def _add_drug_roles(section: Row, rows: list[Row], labels: Sequence[str]) -> None:
    """Add to mentions the role that a drug's section gives them: what it does besides, who must not have it."""
    for row, label in zip(rows, labels, strict=True):
        place = row["start"], row["end"]
        told = [
            role
            for role in DRUG_KINDS.get(section["type"], ())
            if label in DRUG_ROLES[role][1]
            and _has_role(section, row)
            and gives(role, section["text"], row["sentence"], place)
        ]
        row["mark"] = MARKS.get(label, OTHER)
        row["role"], row["role_score"] = (told[0], _OF_DRUG) if told else (None, None)
        often = frequency_of(section["text"], place, section["called"]) if told == ["effect"] else None
        row["frequency"], row["frequency_words"] = often or (None, None)


def _is_another(section: Row, row: Row, label: str) -> bool | None:
    """Tell whether a mention names another disease than the section is about; None where it may be a kind of that."""
    if row["concept"] in section["conditions"]:
        return False
    in_list = section["text"].startswith(",", row["end"])  # symptoms of a sleep disorder, constipation …
    if label != "Disease" or in_list or _SHORT_FORM.search(row["surface"]):
        return None
    title, mine = ({word.normal for word in words(text)} for text in (section["title"], row["surface"]))
    return None if (title & mine) - GENERIC - LITTLE else True


def _has_role(section: Row, row: Row) -> bool:
    """Tell whether a mention is sure, of what is there, and not of what the page is about, or of a kind of it."""
    absent = row["negated"] or row["family"]
    return row["score"] >= SURE_MENTION and not absent and not names_subject(section["title"], row["surface"])


def _referring(
    linker: Linker, section: Row, found: Sequence[Linked], spans: Sequence[tuple[int, int]]
) -> Iterator[Linked]:
    """Find the words that stand for the page's subject, where it has one, and that is a condition."""
    if len(section["focus"]) != 1 or (subject := linker.name(section["title"], 1)) == []:
        return
    held, (focus,) = linker.holdings, section["focus"]
    if held.concept_id(subject[0].entity) != focus or not held.is_condition(subject[0].entity):
        return
    named = [
        (linked.start, linked.end, held.concept_id(linked.entity) == focus)
        for linked in found
        if held.is_condition(linked.entity)
    ]
    taken = [range(linked.start, linked.end) for linked in found]
    for start, end in refer_to_subject(section["text"], named, spans):
        if not any(start in place for place in taken):
            yield replace(subject[0], start=start, end=end, method="coreference", score=_COREFERENCE)


def _row(linker: Linker, linked: Linked, text: str) -> Row:
    return {
        "concept": linker.holdings.concept_id(linked.entity),
        "entity": linker.holdings.id(linked.entity),
        "number": linked.entity,
        "start": linked.start,
        "end": linked.end,
        "surface": text[linked.start : linked.end],
        "method": linked.method,
        "score": linked.score,
    }
