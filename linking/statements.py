"""Decides what sentences say of their page's subject: its relations, which words refer to it, which define it.

Whether a sentence states its section's relation (cause, complication, treatment) for a thing is told by words that
stand in `statements.tsv`.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..patterns import read_patterns, small
from ..text import without_bullet
from .roles import head_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..graph.database import Row

_LIST: Final = 400  # characters from the head of a list to what stands in it, at most
# Characters of the sentence that are looked at for what tells of something else: lists come as one long sentence.
_BEFORE: Final = 250
_BEHIND: Final = 80
_WHOLE: Final = 100  # per cent
_WORDS: Final = 160  # characters of the words that say how often, at most
_RULES: Final = read_patterns(Path(__file__).with_name("statements.tsv"))
# Relations that a sentence may deny.
_RISKS: Final = ("CAUSED_BY", "HAS_RISK_FACTOR", "HAS_COMPLICATION", "WORSENED_BY")
# Relations of which the rules are more often right than the model.
_CHECKED: Final = ("TREATED_BY", "PREVENTED_BY", "CONTRAINDICATED_WITH", "DIAGNOSED_BY")


def states(relation: str, text: str, sentence: tuple[int, int], place: tuple[int, int]) -> bool:
    """Tell whether a sentence says that a thing has a relation (`CAUSED_BY`) to what its section is about.

    Not where the words around it tell of something else, or do not tell.
    """
    if refuses(relation, text, sentence, place):
        return False
    begin, start = sentence[0], place[0]
    needed = _RULES.get(f"{relation} needed")
    return (
        needed is None
        or bool(needed.search(small(text[begin:start])))
        or bool(_RULES["item"].search(text[:start][-_LIST:]))
    )


def refuses(relation: str, text: str, sentence: tuple[int, int], place: tuple[int, int]) -> bool:
    """Tell whether words deny a thing's relation to the section's subject: it is avoided, only studied, and so on."""
    (begin, stop), (start, end) = sentence, place
    before, behind = small(text[begin:start]), small(text[end : max(stop, end)])
    around = f"{before[-_BEFORE:]}{small(text[start:end])}{behind[:_BEHIND]}"
    if any(_found(f"{relation} not", words) for words in (around, small(head_of(text, start)))):
        return True
    return _touches(f"{relation} before", before, at_end=True) or _touches(f"{relation} behind", behind, at_end=False)


def overrules(
    relation: str, text: str, sentence: tuple[int, int], place: tuple[int, int], *, condition: bool = False
) -> bool:
    """Tell whether rules refuse what the model of roles tells: it is denied, or they are more often right."""
    (begin, stop), (start, end) = sentence, place
    before, behind = small(text[begin:start])[-_BEFORE:], small(text[end : max(stop, end)])
    if relation and (_touches("any likened", before, at_end=True) or _touches("any name", behind, at_end=False)):
        return True
    if relation in _RISKS and (
        any(_found("any denied", words) for words in (before, small(head_of(text, start))))
        or _touches("any treated", before, at_end=True)
        or _touches("any lowered", behind, at_end=False)
        or (condition and _touches("any drug", behind, at_end=False))
    ):
        return True
    return relation in _CHECKED and refuses(relation, text, sentence, place)


def misread(relation: str, quote: str, over: str) -> str:
    """Tell why words, and what stands over them, may not say a relation that a model read in them; empty if they may.

    Relations of which the rules know no words are the model's to tell.
    """
    if _found("any untold", small(quote)):
        return "negated"
    unsaid = f"{relation} told" in _RULES and not _found(f"{relation} told", small(f"{over} {quote}"))
    return "not in such words" if unsaid else ""


def gives(role: str, text: str, sentence: tuple[int, int], place: tuple[int, int]) -> bool:
    """Tell whether a drug's section gives a thing a role (`effect`): not what it treats, nor a heading."""
    named = _RULES.get(f"{role} name")
    return not (named and named.fullmatch(small(text[slice(*place)]))) and states(role, text, sentence, place)


def frequency_of(text: str, place: tuple[int, int], names: Iterable[str]) -> tuple[float, str] | None:
    """Find how often a drug has an effect that a row of a table is on, in per cent, and the words that say so.

    `Headache; Aspirin (%): 12; Placebo (%): 9` tells 12: the column is of the drug alone, or there is no other, and
    placebo had it less often.
    """
    begin, end = text.rfind("\n", 0, place[0]) + 1, text.find("\n", place[1])
    first, *cells = text[begin : end if end >= 0 else len(text)].split("; ")
    if not cells or _RULES["row effect"].sub("", small(first)) != small(text[slice(*place)]):
        return None
    columns = [(small(head), value, said) for said in cells for head, _, value in [said.rpartition(": ")]]
    shares = [(head, share, said) for head, value, said in columns if (share := _share(head, value))]
    least = max((share for head, share, _ in shares if "placebo" in head), default=0.0)
    for head, share, said in shares:
        named = [name for name in map(small, names) if name in head]
        alone = any(not _found("row other", head.replace(name, "")) for name in named or [""] * (len(cells) == 1))
        if alone:
            return (share, said[-_WORDS:]) if share > least else None
    return None


def _share(head: str, value: str) -> float | None:
    """Read a cell of a table as a share, in per cent; of `39 (36.4)` the second number, where counts are given."""
    found = _RULES["row share"].fullmatch(value)
    said = found and _found("row percent", head + value) and ("(" in value or not _found("row count", head))
    return float(found[1]) if found and said and float(found[1]) <= _WHOLE else None


def is_of_another(text: str, sentence: tuple[int, int], start: int, names: Iterable[tuple[int, bool | None]]) -> bool:
    """Tell whether a sentence, or the head of the list that a place is in, tells the symptoms of another condition.

    Args:
        names: Where each name begins, in order, and whether it is another condition than the section is about; None for
            other entities, and for what may be the same. A sentence that names the section's own first tells of that.
    """
    begin, another = sentence[0], False
    if (head := head_of(text, start)) and (at := text.rfind(head, 0, start)) >= 0:
        begin = min(begin, at)
    for place, is_another in names:
        if begin <= place < start:
            if is_another is False:
                return False
            if _touches("any of", small(text[max(begin, place - _BEHIND) : place]), at_end=True):
                another = bool(is_another)
    return another


def names_subject(title: str, surface: str) -> bool:
    """Tell whether words name what a page is about, or a part or kind of it: all of one stand in the other."""
    mine, theirs = (frozenset(_RULES["word"].findall(small(words))) for words in (title, surface))
    return bool(mine and theirs) and (mine <= theirs or theirs <= mine)


def _found(kind: str, text: str) -> bool:
    pattern = _RULES.get(kind)
    return pattern is not None and bool(pattern.search(text))


def _touches(kind: str, text: str, *, at_end: bool) -> bool:
    """Tell whether words of a kind stand at the end of a text, or at its beginning."""
    pattern = _RULES.get(kind)
    if pattern is None:
        return False
    if not at_end:
        return bool(pattern.match(text.lstrip()))
    last = len(text.rstrip())
    return any(match.end() >= last for match in pattern.finditer(text))


def refer_to_subject(
    text: str, named: Sequence[tuple[int, int, bool]], spans: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Find where the page's subject is referred to, by conditions that are `named` (start, end, is subject)."""
    known = _Named([start for start, *_ in named], [is_subject for *_, is_subject in named])
    return sorted(_references(text, known, spans), key=itemgetter(0))


@dataclass(frozen=True, slots=True)
class _Named:
    """The conditions that a text names, in order: where each begins, and whether it is the page's subject."""

    starts: list[int]
    subjects: list[bool]

    def last(self, start: int, end: int) -> bool | None:
        """Tell whether the last one between two places is the subject; None when there is none."""
        at = bisect_left(self.starts, end) - 1
        return self.subjects[at] if at >= 0 and self.starts[at] >= start else None

    def first(self, start: int, end: int) -> int:
        """Tell where the first one between two places begins if that is the subject; -1 otherwise."""
        at = bisect_left(self.starts, start)
        return self.starts[at] if at < len(self.starts) and self.starts[at] < end and self.subjects[at] else -1


def _references(text: str, named: _Named, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    for number, (start, end) in enumerate(spans):
        before = spans[number - 1][0] if number else start
        for match in _RULES["this"].finditer(text, start, end):
            yield match.span()
        generic = _RULES["generic"].search(text, before, end)
        for match in _RULES["the"].finditer(text, start, generic.end() if generic else end):
            if named.last(before, match.start()) is not False:
                yield match.span()
        if number and _RULES["it"].match(text, start, end) and _subject_leads(text, named, *spans[number - 1]):
            yield start, start + 2
        for match in _RULES["it too"].finditer(text, start, end):
            if named.last(start, match.start()):
                yield match.span(1)


def _subject_leads(text: str, named: _Named, start: int, end: int) -> bool:
    """Tell whether a sentence is about the subject from its beginning."""
    first = named.first(start, end)
    return (first >= 0 and not text[start:first].strip(" (\"'")) or bool(_RULES["this"].match(text, start, end))


OVERVIEW: Final = "information"  # type of the sections that say what something is
_SENTENCES: Final = 8  # sentences of an overview that are looked at
_SHORT: Final = 90  # characters of a sentence that says too little alone
_LONGEST: Final = 600  # characters of a description, at most; a longer sentence is a list
_BETWEEN: Final = 160  # characters between subject and verb, at most: `, also known as …,` and what stands in brackets


def find_description(section: Row, spans: Sequence[tuple[int, int]], mentions: Sequence[Row]) -> Row | None:
    """Find the one or two sentences of an overview (`type`, `text`, `focus`) that say what its subject is, or None."""
    if section["type"] != OVERVIEW or len(section["focus"]) != 1:
        return None
    (concept,) = section["focus"]
    named = {row["start"]: row["end"] for row in mentions if row["concept"] == concept}
    text = section["text"]
    for number, (start, end) in enumerate(spans[:_SENTENCES]):
        begin = without_bullet(text, start)
        if _is_definition(text, begin, end, named):
            return {"concept": concept, "start": begin, "end": _with_next(text, spans, number)}
    return None


def _is_definition(text: str, start: int, end: int, named: dict[int, int]) -> bool:
    if text[end - 1] not in '.)"' or end - start > _LONGEST or not text[start].isalnum():
        return False
    article = _RULES["article"].match(text, start)
    begin = article.end() if article else start
    subject = named.get(begin, named.get(start))
    if subject is None:
        return False
    said = _RULES["defines"].match(text, subject, min(end, subject + _BETWEEN + _LONGEST))
    return said is not None and not _RULES["empty"].search(text, subject, end)


def _with_next(text: str, spans: Sequence[tuple[int, int]], number: int) -> int:
    """Give the end of a sentence, or of the next one where the first says little and that goes on."""
    start, end = spans[number]
    if end - start >= _SHORT or number + 1 == len(spans):
        return end
    following, stop = spans[number + 1]
    goes_on = _RULES["goes on"].match(text, following) and "\n" not in text[end:following]
    return stop if goes_on and text[stop - 1] == "." and stop - start <= _LONGEST else end
