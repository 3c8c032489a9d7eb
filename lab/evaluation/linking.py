"""Evaluates entity linking on corpora, on MedQuAD's foci, on misspelt names, and by labels of mentions.

Few drugs have ids that corpora know: a chemical counts when the graph has a name of it. Relations of sections and paths
of the graph are measured by human labels, too.
"""

from __future__ import annotations

import random
from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

from medgraph.graph import catalogue
from medgraph.linking.concepts import concepts_of, load_members
from medgraph.linking.joining import join
from medgraph.linking.names import build_linker
from medgraph.queries.paths import MAX_PATHS, find_paths
from medgraph.schema.prefixes import is_list

from .sets.grades import rows_of
from .sets.pubtator import found_in, ids_of, known_ids, named_rightly, read_corpus

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from medgraph.graph.database import Database
    from medgraph.linking.linker import Linker
    from medgraph.linking.pairing import Member
    from medgraph.queries.entities import LinkerOf
    from medgraph.queries.paths import Path as Found

    from .sets.pubtator import GoldText

    Row = dict[str, Any]
    Judged = list[tuple[bool, bool]]  # whether each labelled one is right, and whether the graph holds it

FIRST: Final = 5  # paths of a pair that are looked at
_PAIRS: Final = ("part", "kind", "first", "first_name", "second", "second_name", "wanted")
_USEFUL: Final = ("first", "second", "path")
# How paths are ordered: by rank, or naively, the shortest first.
_ORDERS: Final[dict[str, Callable[[Found], tuple[Any, ...]]]] = {
    "rank": lambda path: (-path.score,),
    "length": lambda path: (len(path.hops), path.text),
}

_MENTIONS: Final = ("part", "section", "start", "end", "surface", "concept", "name", "label")
_RELATIONS: Final = ("set", "head", "relation", "tail", "section", "surface", "right")
_CURVE: Final = (0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 1.01)  # where the bins of a reliability curve begin

SURE: Final = 0.97  # score from which on a focus counts as covered: something is called so, in this order of words
CHEMICAL: Final = "Chemical"  # what BC5CDR calls a mention of a substance
SUBSTANCES: Final = ("Drug", "Chemical")  # labels of what such a mention may stand for
MISSPELT: Final = 500
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_SHORTEST: Final = 6


def measure_paths(database: Database, linker: LinkerOf, pairs: Path, useful: Path) -> list[dict[str, Any]]:
    """Measure by each order of paths of how many pairs one of the first is useful, of all and of those not related."""
    judged: dict[tuple[str, str], set[str]] = defaultdict(set)
    for row in rows_of(useful, _USEFUL):
        judged[row["first"], row["second"]].add(row["path"])
    found = {
        pair: find_paths(database, linker, pair, limit=MAX_PATHS)[0].paths
        for pair in [(row["first"], row["second"]) for row in rows_of(pairs, _PAIRS) if row["part"] == "judged"]
    }
    far = [pair for pair, paths in found.items() if not any(len(path.hops) == 1 for path in paths)]
    rows = []
    for order, key in _ORDERS.items():
        good = {
            pair
            for pair, paths in found.items()
            if judged[pair] & {path.text for path in sorted(paths, key=key)[:FIRST]}
        }
        rows.append(
            {
                "order": order,
                "pairs": len(found),
                "useful": _share(len(good), len(found)) if found else None,
                "not direct": len(far),
                "useful, not direct": _share(len(good & set(far)), len(far)) if far else None,
                "without a path": sum(not paths for paths in found.values()),
            }
        )
    return rows


def measure_mentions(database: Database, path: Path) -> list[Row]:
    """Measure labelled mentions by part: precision of those that the graph holds, and recall of the right ones."""
    rows: list[Row] = [
        {**row, "start": int(row["start"]), "end": int(row["end"])}
        for row in rows_of(path, _MENTIONS, ("right", "wrong", "unclear"))
        if row["label"] != "unclear"
    ]
    found = database.read(catalogue.get("found_mentions"), rows=rows)
    held = {(row["section"], row["start"], row["end"]): frozenset(row["ids"]) for row in found}
    judged: dict[str, Judged] = defaultdict(list)
    for row in rows:
        ids = held.get((row["section"], row["start"], row["end"]), frozenset())
        judged[row["part"]].append((row["label"] == "right", row["concept"] in ids))
    return [{"part": part, **_kept(pairs)} for part, pairs in judged.items()]


def measure_relations(database: Database, path: Path) -> list[Row]:
    """Measure how many of the relations that sections tell are right."""
    rows = rows_of(path, _RELATIONS, ("yes", "no"))
    found = database.read(catalogue.get("found_relations"), rows=rows)
    held = {(row["head"], row["relation"], row["tail"]) for row in found}
    judged: dict[str, Judged] = defaultdict(list)
    for row in rows:
        name = f"relations of sections, {row['set']}, {row['relation']}"
        judged[name].append((row["right"] == "yes", (row["head"], row["relation"], row["tail"]) in held))
    return [{"task": name, **_kept(pairs), "f1": None} for name, pairs in judged.items()]


def measure_labelled(path: Path) -> list[Row]:
    """Measure how many relations of a table with their scores are right: a row a type, and one a bin of scores."""
    groups: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    for row in rows_of(path, ("relation", "score", "right"), ("yes", "no")):
        judged = (float(row["score"]), row["right"] == "yes")
        groups[row["relation"]].append(judged)
        groups[f"score from {max(edge for edge in _CURVE if edge <= judged[0]):g}"].append(judged)
    return [
        {
            "relations": name,
            "n": len(judged),
            "precision": _mean([right for _, right in judged]),
            "mean score": _mean([score for score, _ in judged]),
        }
        for name, judged in sorted(groups.items())
    ]


def _kept(judged: Judged) -> Row:
    kept, right = [right for right, held in judged if held], [held for right, held in judged if right]
    return {"n": len(kept), "precision": _mean(kept), "recall": _mean(right)}


def _mean(values: Sequence[float]) -> float:
    return round(sum(values) / len(values), 4) if values else 0.0


def evaluate(
    database: Database, linker: Linker, corpus: Path, common: Path | None = None, labelled: Path | None = None
) -> list[Row]:
    """Measure linking."""
    texts = read_corpus(corpus)
    members = list(load_members(database))
    known = known_ids(members)
    substances = {name.lower() for m in members if m.label in SUBSTANCES for name in (m.name, *m.synonyms)}
    floor = _Exact(members)
    marks_chemicals = any(mention.kind == CHEMICAL for text in texts for mention in text.mentions)
    return [
        names(texts, known, "names of the corpus, exact names", floor.ids),
        names(texts, known, "names of the corpus", lambda name: ids_of(linker, name)),
        in_context(texts, known, linker),
        spans(texts, known, linker),
        *([chemicals(texts, substances, linker)] if marks_chemicals else []),
        foci(members),
        misspelt(members, linker),
        *([cards(database, linker, common)] if common else []),
        *(measure_relations(database, labelled) if labelled else []),
    ]


def cards(database: Database, linker: Linker, path: Path) -> Row:
    """Measure how many everyday names lead to one concept that has all entities of the condition, and no others."""
    concept_of = {row["entity"]: row["concept"] for row in database.stream(catalogue.get("stored_meanings"))}
    members = defaultdict(set)
    for key, concept in concept_of.items():
        members[concept].add(key)
    right = asked = 0
    rows = rows_of(path, ("name", "same", "may"))
    labelled = {key.partition(":")[0] for row in rows for cell in (row["same"], row["may"]) for key in cell.split("|")}
    for row in rows:
        same, may = (set(row[column].split("|")) - {""} for column in ("same", "may"))
        found = linker.name(row["name"])
        held = members[linker.holdings.concept_id(found[0].entity)] if found else set()
        held = {key for key in held if key.partition(":")[0] in labelled}
        asked += 1
        right += bool(found) and held <= same | may and _has_all(held, same & concept_of.keys(), same | may)
    return _row("everyday names, one card", asked, _share(right, asked))


def _has_all(held: set[str], same: set[str], whole: set[str]) -> bool:
    """Tell whether all pages of lists are there, and a term of each vocabulary, of which one alone can be."""
    vocabularies = {key.partition(":")[0] for key in held & whole}
    return all(key in held or (not is_list(kind := key.partition(":")[0]) and kind in vocabularies) for key in same)


class _Exact:
    """The floor: names looked up as they are, in small letters."""

    def __init__(self, members: Iterable[Member]) -> None:
        self._ids: dict[str, set[str]] = defaultdict(set)
        for member in members:
            for name in (member.name, *member.synonyms):
                self._ids[" ".join(name.lower().split())] |= {member.id, *member.xrefs}

    def ids(self, name: str) -> set[str]:
        return self._ids.get(" ".join(name.lower().split()), set())


def names(texts: Sequence[GoldText], known: set[str], task: str, ids_of: Any) -> Row:
    """Measure how many marked mentions get one of their ids when they are looked up as names."""
    wanted = [mention for text in texts for mention in text.mentions if mention.ids & known]
    right = sum(bool(ids_of(mention.surface) & mention.ids) for mention in wanted)
    return _row(task, len(wanted), _share(right, len(wanted)))


def in_context(texts: Sequence[GoldText], known: set[str], linker: Linker) -> Row:
    """Measure the same with what their texts explain: short forms stand for what the text says."""
    counted = [named_rightly(text, known, linker) for text in texts]
    right, wanted = (sum(column) for column in zip(*counted, strict=True))
    return _row("names of the corpus, short forms as explained", wanted, _share(right, wanted))


def spans(texts: Sequence[GoldText], known: set[str], linker: Linker) -> Row:
    """Measure how many marked mentions are found in their texts, to the character and with one of their ids."""
    counted = [found_in(text, known, linker) for text in texts]
    right, wrong, missed = (sum(column) for column in zip(*counted, strict=True))
    precision, recall = _share(right, right + wrong), _share(right, right + missed)
    f1 = _share(2 * right, 2 * right + wrong + missed)
    return _row("mentions of the corpus, span and id", right + missed, recall, precision, f1)


def chemicals(texts: Sequence[GoldText], known: set[str], linker: Linker) -> Row:
    """Measure how many marked chemicals are found as substances, and how many of the substances found are marked."""
    right = wrong = hit = wanted = 0
    for text in texts:
        marked = [(m.start, m.end, m.surface.lower() in known) for m in text.mentions if m.kind == CHEMICAL]
        found = [m for m in linker.text(text.text) if linker.holdings.label(m.entity) in SUBSTANCES]
        places = {(m.start, m.end) for m in found}
        wanted += sum(named for _, _, named in marked)
        hit += sum(named and (start, end) in places for start, end, named in marked)
        for m in found:
            inside = any(start <= m.start and m.end <= end for start, end, _ in marked)
            right, wrong = right + inside, wrong + (not inside)
    precision, recall = _share(right, right + wrong), _share(hit, wanted)
    f1 = round(2 * precision * recall / (precision + recall), 3) if precision + recall else 0.0
    return _row("chemicals of the corpus", wanted, recall, precision, f1)


def foci(members: Sequence[Member]) -> Row:
    """Measure how many of MedQuAD's conditions get a concept that it states, with all its names withheld."""
    ours = [m for m in members if m.vocabulary == "medquad" and m.label not in {"Topic", "Drug"} and m.cuis]
    rest = {m.id: m for m in members if m.vocabulary != "medquad"}
    linker = build_linker(_rows(rest))
    covered = right = 0
    for member in ours:
        found = linker.name(member.name)
        ids = linker.holdings.ids(found[0].entity).split("|") if found else []
        if found and found[0].score >= SURE and any(key.startswith("UMLS:") for key in ids):
            covered += 1
            right += bool(set(ids) & {f"UMLS:{cui}" for cui in member.cuis})
    task = f"foci of MedQuAD to a stated concept, {_share(covered, len(ours))} covered"
    return _row(task, covered, _share(right, covered))


def _rows(members: Mapping[str, Member]) -> Iterator[Row]:
    for concept, group in concepts_of(join(members.values()), members):
        for key in group:
            member = members[key]
            yield {
                "id": key,
                "label": member.label,
                "name": member.name,
                "synonyms": member.synonyms,
                "other_names": (),
                "concept": concept["cui"],
                "concept_name": concept["name"],
                "ids": concept["ids"],
                "near": concept["near"],
                "members": len(group),
                "documents": 0,
                "obsolete": bool(member.replaced_by),
            }


def misspelt(members: Sequence[Member], linker: Linker, seed: int = 0) -> Row:
    """Measure how many names with one or two slips of the finger are understood."""
    chance = random.Random(seed)  # noqa: S311 - slips of a finger are no secret
    conditions = sorted((m.name, m.id) for m in members if m.label == "Disease" and len(m.name) >= _SHORTEST)
    chosen = chance.sample(conditions, min(MISSPELT, len(conditions)))
    right = 0
    for name, _ in chosen:
        meant = linker.name(name)
        slipped = slip(name, chance.choice((1, 2)), chance)
        found = linker.name(slipped)
        held = linker.holdings
        right += bool(meant and found and held.concept(meant[0].entity) == held.concept(found[0].entity))
    return _row("misspelt names", len(chosen), _share(right, len(chosen)))


def slip(name: str, slips: int, chance: random.Random) -> str:
    """Misspell a name as fingers do: a letter left out, doubled, exchanged with the next, or another one."""
    for _ in range(slips):
        places = [i for i, c in enumerate(name[:-1]) if c.isalpha() and name[i + 1].isalpha()]
        if not places:
            break
        at = chance.choice(places)
        kind = chance.randrange(4)
        middle = ("", name[at] * 2, name[at + 1] + name[at], chance.choice(_LETTERS))[kind]
        name = name[:at] + middle + name[at + 1 + (kind == 2) :]
    return name


def _row(task: str, n: int, recall: float, precision: float | None = None, f1: float | None = None) -> Row:
    return {"task": task, "n": n, "precision": precision, "recall": recall, "f1": f1}


def _share(part: int, whole: int) -> float:
    return round(part / whole, 3) if whole else 0.0
