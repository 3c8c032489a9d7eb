"""Texts in which people marked what is mentioned, in the format of PubTator, and how much of each is linked rightly.

They are NCBI Disease (Doğan, Leaman and Lu, Journal of Biomedical Informatics 47, 2014) and BC5CDR (Li et al., Database
2016); a mention of a disease counts when one of its ids stands among the cross-references of the graph's diseases, as
others cannot be found.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from medgraph.errors import SourceFileError
from medgraph.linking.roles import MARKS, NAMES, NOTHING, SUBJECT, Name, features, model, words_of
from medgraph.text import sentences

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from medgraph.linking.linker import Linker
    from medgraph.linking.pairing import Member

KIND: Final = "abstract"
ENOUGH: Final = 0.4  # chance from which a pair counts as told: the best on two folds of the training set

RELATION: Final = "CID"  # what BC5CDR calls a chemical that induces a disease, which is no mention
_TEXT: Final = re.compile(r"(\d+)\|([ta])\|(.*)")


def pairs_of(abstract: GoldText) -> Iterator[tuple[tuple[str, str], list[str]]]:
    """Describe each chemical and disease that a sentence names together."""
    before = NOTHING
    for span in sentences(abstract.text):
        inside = [one for one in abstract.mentions if span[0] <= one.start and one.end <= span[1]]
        inside = sorted({one.start: one for one in inside}.values(), key=lambda one: one.start)
        for disease in sorted({id_ for one in inside if one.kind == "Disease" for id_ in one.ids}):
            marks = [Name(one.start, one.end, SUBJECT if disease in one.ids else MARKS[one.kind]) for one in inside]
            words = words_of(abstract.text, span, marks)
            for one in inside:
                if one.kind == "Chemical" and one.start in words.at:
                    described = features(words, words.at[one.start], KIND, one.kind, NOTHING, before)
                    yield from (((chemical, disease), described) for chemical in sorted(one.ids))
        before = words_of(abstract.text, span, ())


def predicted_pairs(abstract: GoldText) -> set[tuple[str, str]]:
    """Give the pairs of which the model of roles says that a sentence tells it: the chemical induces the disease."""
    pairs = list(pairs_of(abstract))
    if not pairs:
        return set()
    chances = model().chances([("Chemical", described) for _, described in pairs])[:, NAMES.index("causes")]
    return {pair for (pair, _), chance in zip(pairs, chances, strict=True) if chance >= ENOUGH}


def measure(path: Path) -> list[dict[str, Any]]:
    """Measure the model of roles by the pairs of abstracts."""
    abstracts = read_corpus(path)
    told = {(one.id, *pair) for one in abstracts for pair in predicted_pairs(one)}
    stated = {(one.id, *pair) for one in abstracts for pair in one.induced}
    right = len(told & stated)
    precision, recall = right / max(1, len(told)), right / max(1, len(stated))
    f1 = 2 * right / max(1, len(told) + len(stated))
    figures = {"precision": round(precision, 3), "recall": round(recall, 3), "f1": round(f1, 3)}
    return [{"task": "diseases that chemicals induce", "n": len(stated), **figures}]


@dataclass(frozen=True, slots=True)
class GoldMention:
    """A mention that people marked."""

    start: int
    end: int
    surface: str
    ids: frozenset[str]  # its ids, `MESH:` or `OMIM:`
    kind: str = "Disease"  # what people marked it as, such as `Chemical`


@dataclass(frozen=True, slots=True)
class GoldText:
    """A text with all mentions that people marked, and which chemicals induce which diseases by their ids."""

    id: str
    text: str
    mentions: tuple[GoldMention, ...]
    induced: frozenset[tuple[str, str]] = frozenset()


def read_corpus(path: Path) -> list[GoldText]:
    """Read a file in the format of PubTator: a title, an abstract, and a line a mention."""
    texts: dict[str, str] = {}
    marked: dict[str, list[GoldMention]] = defaultdict(list)
    induced: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for number, line in enumerate(lines_of(path), start=1):
        if found := _TEXT.fullmatch(line):
            texts[found[1]] = f"{texts[found[1]]} {found[3]}" if found[2] == "a" and found[1] in texts else found[3]
        elif "\t" in line:
            cells = line.split("\t")
            if cells[1] == RELATION and len(cells) > 3:
                induced[cells[0]].add((_curie(cells[2]), _curie(cells[3])))
                continue
            if len(cells) < 6 or not (cells[1].isdigit() and cells[2].isdigit()):
                raise SourceFileError("needs id, start, end, mention, class and ids", path, number)
            ids = frozenset(_curie(key) for key in re.split(r"[|+]", cells[5].strip()))
            marked[cells[0]].append(GoldMention(int(cells[1]), int(cells[2]), cells[3], ids, cells[4]))
    if not texts:
        raise SourceFileError("has no lines such as 10021369|t|A title", path)
    return [GoldText(key, text, tuple(marked[key]), frozenset(induced[key])) for key, text in texts.items()]


def lines_of(path: Path) -> list[str]:
    """Read the lines of a file."""
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SourceFileError(f"cannot be read: {error}", path) from error


def _curie(key: str) -> str:
    return key if key.startswith("OMIM:") else f"MESH:{key}"


def ids_of(linker: Linker, name: str) -> set[str]:
    """Give the ids of what is called so."""
    found = linker.name(name)
    return set(linker.holdings.ids(found[0].entity).split("|")) if found else set()


def named_rightly(text: GoldText, known: set[str], linker: Linker) -> tuple[int, int]:
    """Count the marked mentions that get one of their ids by their names and what the text explains."""
    found = {(m.start, m.end): m.entity for m in linker.text(text.text) if m.method == "abbreviation"}
    right = wanted = 0
    for mention in text.mentions:
        if mention.ids & known:
            entity = found.get((mention.start, mention.end))
            said = ids_of(linker, mention.surface) if entity is None else linker.holdings.ids(entity).split("|")
            wanted += 1
            right += not mention.ids.isdisjoint(said)
    return right, wanted


def found_in(text: GoldText, known: set[str], linker: Linker) -> tuple[int, int, int]:
    """Count the mentions of a text that are found to the character and with one of their ids."""
    wanted = {(m.start, m.end): m.ids for m in text.mentions if m.ids & known}
    others = {(m.start, m.end) for m in text.mentions if not m.ids & known}
    found = {(m.start, m.end): set(linker.holdings.ids(m.entity).split("|")) for m in linker.text(text.text)}
    hit = {place for place, ids in found.items() if place in wanted and ids & wanted[place]}
    wrong = sum(place not in hit and place not in others and bool(ids & known) for place, ids in found.items())
    return len(hit), wrong, len(wanted) - len(hit)


def known_ids(members: Iterable[Member]) -> set[str]:
    """Give the ids that the corpus may have and the graph has."""
    return {key for m in members if m.label == "Disease" for key in m.xrefs if key.startswith(("MESH:", "OMIM:"))}
