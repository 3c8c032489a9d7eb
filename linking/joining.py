"""Entities of different sources that mean the same, joined on evidence that anybody can check.

Pairs of entities are looked at from the surest to the least sure: what a source states itself, one's id among the
other's cross-references, cross-references that both have, concepts of the UMLS, names. A pair joins the groups that its
two are in, unless that would bring together two terms of one vocabulary, which it tells apart, or what a curator keeps
apart; such a pair is refused, and kept with the chain that would have done it. What is less sure than `CERTAIN` waits
as a proposal. What a curator accepted comes first, and may join two terms of one vocabulary.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Final

from ..schema.prefixes import is_list
from ..schema.vocabulary import CONDITIONS
from .forest import ACCEPTED, Forest, Pair
from .lay import lay_names
from .words import LITTLE, normalise, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

CERTAIN: Final = 0.9
"""From this score on, a pair joins; below, it waits for a curator."""

_GROUPS: Final = {
    **dict.fromkeys(CONDITIONS, "condition"),
    "Drug": "drug",
    "Chemical": "drug",
    "Gene": "gene",
    "Protein": "protein",
    "Anatomy": "anatomy",
    "Cell": "anatomy",
}
"""Label → what may mean the same as others of it; a label that is not here goes with its own only."""

_ALIKE: Final = frozenset(
    {"UMLS", "MESH", "OMIM", "SNOMEDCT", "Orphanet", "NCIT", "GARD", "EFO", "HP", "MONDO", "DOID"}
)
"""Prefixes of cross-references that stand for the same thing; classifications, such as ICD10CM, are broader."""

_BRACKETS: Final = re.compile(r"\s*\([^()]*\)\s*$")
_INITIALS: Final = re.compile(r"\s*\([A-Z][A-Z0-9/-]*\)\s*$")
_TWO_NAMES: Final = re.compile(r"(.+?)\s*\(([^()]{4,})\)")
_GENERIC: Final = frozenset(
    normalise(word)
    for word in "disease disorder syndrome symptom sign condition finding problem infection injury".split()
)
"""Names of everything: a page is not about them, whatever concepts an annotator gave it."""

_NARROWING: Final = frozenset(
    normalise(word)
    for word in """
    acute chronic juvenile pediatric childhood child infantile infant neonatal newborn adult maternal early late onset
    gestational benign malignant recurrent secondary bacterial viral fungal ocular cutaneous oral genital
    1 2 3 4 5 6 7 8 9 10
    """.split()
)
"""Words that make a kind of a condition of it: pediatric Crohn's disease is not what Crohn's disease names."""

_WEAK: Final = 0.6
"""Up to this score, what is found speaks for doubt, and does not add to what else is known."""

_FEW: Final = 2
"""Titles of a list that may have one concept; where more have it, it is broader than they are."""

_SHORT: Final = 3
"""Letters of a name that is too short to tell by."""

_SCORES: Final = {
    "replaced": 1.0,
    "stated": 1.0,
    "name": 0.98,
    "xref": 0.97,
    "cui": 0.95,
    "shared xref": 0.94,
    "agreed": 0.94,
    "synonym": 0.93,
    "title": 0.92,
    "initials": 0.91,
    "synonyms": 0.85,
    "ambiguous name": 0.6,
    "extended name": 0.5,
    "broad xref": 0.6,
}
"""How a pair was found → how sure it is; the order follows from which were right of those read, not from a fit."""


_BY_WORDS: Final = frozenset({"cui", "agreed", "synonym", "title"})
"""How a kind of something is found beside it: by what a list's annotators gave both."""

_TORN: Final = ("title", "initials")
"""How what is a list's own word is found, the surest first: it counts where it leads to one thing only."""

_MISSPELT: Final = 85.0
"""Likeness in percent from which on a title is another's, misspelt."""


@dataclass(frozen=True, slots=True)
class Member:
    """What is known of an entity that may be joined.

    Attributes:
        id: Its id.
        label: Its category.
        name: Its preferred name.
        synonyms: Other names of the same.
        xrefs: Its ids elsewhere.
        cuis: Concepts of the UMLS that sources state for it.
        replaced_by: Ids of what took its place, where its source gave it up.
        matches: Ids that a mapping states to be exactly the same.
        obsolete: Whether its source gave it up; it then joins only what took its place.
    """

    id: str
    label: str
    name: str
    synonyms: Sequence[str] = ()
    xrefs: Sequence[str] = ()
    cuis: Sequence[str] = ()
    replaced_by: Sequence[str] = ()
    matches: Sequence[str] = ()
    obsolete: bool = False

    @property
    def vocabulary(self) -> str:
        """The prefix of its id."""
        return self.id.partition(":")[0]

    @property
    def group(self) -> str:
        """What it may be joined with."""
        return _GROUPS.get(self.label, self.label)


@dataclass(frozen=True, slots=True)
class Refused:
    """A pair that would have joined two terms of one vocabulary, or what a curator keeps apart.

    Attributes:
        pair: The pair.
        terms: The two.
        chain: The pairs that led from the first to the second, this one included.
    """

    pair: Pair
    terms: tuple[str, str]
    chain: tuple[Pair, ...]


@dataclass(frozen=True, slots=True)
class Joined:
    """What came of all pairs.

    Attributes:
        groups: Members of each group in the order of their ids, groups of one included.
        reasons: Id of an entity → the pair that brought it into its group; none for the first of each.
        proposals: Pairs that are not sure enough, of entities in different groups.
        refused: Pairs that were not let in.
        alike: Pairs that are not sure enough, those included that would bring two terms of a vocabulary together.
    """

    groups: list[list[str]]
    reasons: dict[str, Pair]
    proposals: list[Pair]
    refused: list[Refused]
    alike: list[Pair]


def join(members: Iterable[Member], decisions: Mapping[tuple[str, str], bool] | None = None) -> Joined:
    """Join entities that mean the same.

    Args:
        members: The entities.
        decisions: What curators decided: two ids in alphabetical order → whether they mean the same.

    Returns:
        Groups of entities, what brought each into its own, and what remains to be decided; the same for the same
        entities in any order.
    """
    by_id = {member.id: member for member in members}
    decided = dict(decisions or {})
    rejected = {ids for ids, same in decided.items() if not same}
    found = [*_together(_pairs(by_id)), *_accepted(by_id, decided)]
    pairs = sorted(pair for pair in found if (pair.one, pair.other) not in rejected)
    forest = Forest({member.id: _term(member) for member in by_id.values()}, rejected)
    refused: dict[tuple[str, str], Refused] = {}
    waiting: dict[tuple[str, str], Pair] = {}
    for _, step in groupby(sorted(pairs, key=_step), key=_step):
        together = list(step)
        torn = _Torn(forest, [pair for pair in together if pair.method in _TORN], by_id)
        for pair in together:
            ids = (pair.one, pair.other)
            if pair.score < CERTAIN or (pair.method in _TORN and torn(pair)):
                waiting.setdefault(ids, pair)
            elif ids not in refused and (terms := forest.clash(pair)):
                refused[ids] = Refused(pair, terms, tuple(forest.chain(*terms, pair)))
            elif ids not in refused:
                forest.join(pair)
    alike = [pair for pair in waiting.values() if not forest.same(pair)]
    proposals = [pair for pair in alike if not forest.clash(pair)]
    return Joined(forest.groups(), forest.reasons(), proposals, list(refused.values()), alike)


def _step(pair: Pair) -> int:
    """Tell when a pair's turn is: after those by which it is seen whether a list's word leads to one thing only."""
    return _TORN.index(pair.method) + 1 if pair.method in _TORN else 0


def _term(member: Member) -> str:
    """Name the vocabulary that tells an entity from others; a list does not, nor does one that gave the entity up."""
    return "" if is_list(member.vocabulary) or member.replaced_by else member.vocabulary


class _Torn:
    """Titles of lists whose other names are those of several things, which they then cannot all be."""

    def __init__(self, forest: Forest, pairs: Sequence[Pair], members: Mapping[str, Member]) -> None:
        self._forest, self._members = forest, members
        self._roots = {key: forest.root(key) for pair in pairs for key in (pair.one, pair.other)}
        self._known = {forest.root(key) for key, member in members.items() if not is_list(member.vocabulary)}
        self._found: dict[str, set[str]] = defaultdict(set)
        for pair in pairs:
            for title, there in self._sides(pair):
                self._found[title].add(there)

    def __call__(self, pair: Pair) -> bool:
        if self._forest.same(pair) or _is_misspelt(self._members[pair.one], self._members[pair.other]):
            return False
        return any(len(self._found[title]) > 1 or {title, there} <= self._known for title, there in self._sides(pair))

    def _sides(self, pair: Pair) -> Iterator[tuple[str, str]]:
        """Give the groups of a title that has the other's name or initials, and of the other."""
        for title, there in ((pair.one, pair.other), (pair.other, pair.one)):
            member = self._members[title]
            called = _key(member.name) == pair.evidence
            if is_list(member.vocabulary) and called is (pair.method == "initials"):
                yield self._roots[title], self._roots[there]


def _is_misspelt(one: Member, other: Member) -> bool:
    from rapidfuzz import fuzz

    return fuzz.ratio(_key(one.name), _key(other.name)) >= _MISSPELT


def _pairs(members: Mapping[str, Member]) -> Iterator[Pair]:
    referring: dict[tuple[str, str], int] = Counter(
        (m.vocabulary, xref) for m in members.values() for xref in set(m.xrefs)
    )
    for member in members.values():
        yield from _stated(member, members, referring)
    current = {key: member for key, member in members.items() if not member.obsolete}
    yield from _shared_ids(current)
    yield from _shared_concepts(current)
    yield from _shared_names(current)


def _together(pairs: Iterable[Pair]) -> Iterator[Pair]:
    """Add up what several ways say of the same two entities: each leaves less room for doubt."""
    found: dict[tuple[str, str], dict[str, Pair]] = defaultdict(dict)
    for pair in sorted(pairs):
        found[pair.one, pair.other].setdefault(pair.method, pair)
    for ways in found.values():
        best, *others = sorted(ways.values())
        doubt = math.prod(1 - pair.score for pair in ways.values() if pair is best or pair.score > _WEAK)
        yield replace(best, order=doubt - 1, score=round(1 - doubt, 4)) if others else best


def _accepted(members: Mapping[str, Member], decided: Mapping[tuple[str, str], bool]) -> Iterator[Pair]:
    for (one, other), same in decided.items():
        if same and one in members and other in members:
            yield Pair(-2.0, one, other, ACCEPTED, "a curator's decision", 1.0)


def _pair(one: Member, other: Member, method: str, evidence: str) -> Iterator[Pair]:
    if one.id != other.id and one.group == other.group:
        first, second = sorted((one.id, other.id))
        if method in _BY_WORDS and _narrows(one, other) and not _agree(one, other):
            method = "extended name"
        score = _SCORES[method]
        yield Pair(-score, first, second, method, evidence, score)


def _narrows(one: Member, other: Member) -> bool:
    """Tell whether a list calls one as the other is called, with a word that makes a kind of it."""
    if not (is_list(one.vocabulary) or is_list(other.vocabulary)):
        return False
    names = name_words(_bare(one)), name_words(_bare(other))
    return (names[0] < names[1] or names[1] < names[0]) and bool((names[0] ^ names[1]) & _NARROWING)


def _agree(one: Member, other: Member) -> bool:
    """Tell whether each has one concept of the UMLS, the same."""
    return len(one.cuis) == 1 and one.cuis == other.cuis


def _stated(member: Member, members: Mapping[str, Member], referring: Mapping[tuple[str, str], int]) -> Iterator[Pair]:
    """Pair an entity with what its source says that it is; what several terms refer to is broader than each."""
    for method, ids in (("replaced", member.replaced_by), ("stated", member.matches)):
        for key in ids:
            if key in members:
                yield from _pair(member, members[key], method, key)
    for key in member.xrefs:
        if key in members:
            sole = referring[member.vocabulary, key] == 1 and _may_be(member, members[key])
            yield from _pair(member, members[key], "xref" if sole else "broad xref", key)


def _may_be(one: Member, other: Member) -> bool:
    """Tell whether a cross-reference may be to the same: not from a disease to a sign with no word in common."""
    if "Disease" not in (one.label, other.label) or "Symptom" not in (one.label, other.label):
        return True
    mine, theirs = (frozenset().union(*map(name_words, (member.name, *member.synonyms))) for member in (one, other))
    return bool(mine & theirs)


def _shared_ids(members: Mapping[str, Member]) -> Iterator[Pair]:
    """Pair what has the same id elsewhere; an id that one vocabulary has for several of its terms is a broad one."""
    holders: dict[str, list[Member]] = defaultdict(list)
    for member in members.values():
        for xref in set(member.xrefs):
            if xref.partition(":")[0] in _ALIKE and not xref.startswith("UMLS:"):
                holders[xref].append(member)
    for xref, found in holders.items():
        terms = defaultdict(list)
        for member in found:
            terms[member.vocabulary].append(member)
        broad = any(len(same) > 1 for same in terms.values())
        firsts = (min(same, key=lambda m: m.id) for same in terms.values())
        for one, other in pairwise(sorted(firsts, key=lambda m: m.id)):
            yield from _pair(one, other, "broad xref" if broad else "shared xref", xref)


def _shared_concepts(members: Mapping[str, Member]) -> Iterator[Pair]:
    """Pair what stands for the same concept of the UMLS with the entity whose only one it is."""
    holders: dict[str, list[Member]] = defaultdict(list)
    for member in members.values():
        for cui in member.cuis:
            holders[cui].append(member)
    for cui, found in holders.items():
        terms = defaultdict(list)
        names = [name_words(name) for member in found for name in (member.name, *member.synonyms)]
        called = [name_words(member.name) for member in found if not is_list(member.vocabulary)]
        titles = Counter(m.vocabulary for m in found if is_list(m.vocabulary) and _is_whole(m, names))
        for member in found:
            if not is_list(member.vocabulary) and not _is_more(member, called):
                terms[member.vocabulary].append(member)
        sole = sorted((same[0] for same in terms.values() if len(same) == 1), key=lambda m: m.id)
        for one, other in pairwise(sole):
            yield from _pair(one, other, "cui", cui)
        for member in found:
            if is_list(member.vocabulary):
                sure = titles[member.vocabulary] <= _FEW and len(member.cuis) == 1 and _is_whole(member, names)
                for anchor in sole:
                    yield from _pair(member, anchor, "cui" if sure else "extended name", cui)


def _is_more(member: Member, called: Iterable[frozenset[str]]) -> bool:
    """Tell whether a term is a kind of what its concept is, or that and something else: syncope and collapse."""
    own = name_words(member.name)
    telling = len(member.cuis) > 1 or own & _NARROWING or " and " in member.name
    return bool(telling) and any(name < own for name in called if name)


def _is_whole(member: Member, names: Iterable[frozenset[str]]) -> bool:
    """Tell whether a title is all that its concept is about: annotators give a title the concepts of its parts."""
    title = name_words(member.name)
    return member.label != "Topic" and not any(
        (name < title and not title - name <= _GENERIC) or name <= _GENERIC for name in names if name
    )


def name_words(name: str) -> frozenset[str]:
    """Give the words of a name that tell it from others.

    Args:
        name: The name.

    Returns:
        The words in their form for comparison, without little ones.
    """
    return frozenset(word.normal for word in words(name) if word.normal not in LITTLE)


def _shared_names(members: Mapping[str, Member]) -> Iterator[Pair]:
    """Pair what is called the same, and what has a name as a synonym with what is called so, if anything is."""
    named: dict[tuple[str, str], dict[str, list[Member]]] = defaultdict(lambda: defaultdict(list))
    for member in members.values():
        for key, kind in _keys(member).items():
            named[member.group, key][kind].append(member)
    settled = {
        member.id
        for kinds in named.values()
        if any(not is_list(other.vocabulary) for other in kinds["name"])
        for member in kinds["name"]
        if is_list(member.vocabulary)
    }
    for (_, key), kinds in named.items():
        called, known = _sole(kinds["name"]), _sole(kinds["synonym"])
        for one, other in pairwise(called):
            yield from _pair(one, other, "name", key)
        for other in known if called else ():
            yield from _pair(called[0], other, _by_synonym(key, kinds, other, settled, called[0]), key)
        initials = kinds["initials"] if called else ()
        for other in initials:
            if len(initials) > 1:
                yield from _pair(called[0], other, "initials", key) if is_list(called[0].vocabulary) else ()
            elif not is_list(other.vocabulary):
                yield from _pair(called[0], other, "synonym", key)
        for one, other in pairwise(() if called else known):
            yield from _pair(one, other, "synonyms", key)


def _keys(member: Member) -> dict[str, str]:
    """Give what an entity's names have in common with others, each with what the name is to it."""
    keys = {own: "name"} if (own := _key(member.name)) else {}
    if bare := _key(_bare(member)):
        keys.setdefault(bare, "synonym")
    every = (member.name, *member.synonyms)
    for synonym in (*member.synonyms, *_both(member), *lay_names(every)):
        if key := _key(synonym):
            keys.setdefault(key, "synonym" if _telling(synonym) else "initials")
    return keys


def _both(member: Member) -> tuple[str, ...]:
    """Give the two names of a list's title such as `Shingles (herpes zoster)`."""
    found = _TWO_NAMES.fullmatch(member.name) if is_list(member.vocabulary) and member.group == "condition" else None
    return found.groups() if found else ()


def _by_synonym(
    key: str, kinds: Mapping[str, Sequence[Member]], member: Member, settled: Set[str], called: Member
) -> str:
    """Tell how sure it is that what has a name as a synonym is what is called so."""
    # Lists give their titles the names of broader and narrower things as well: a synonym of theirs counts where no
    # other title of the list has it, the title is no longer or shorter wording of it, and no vocabulary calls something
    # as the title is called, unless a concept of the UMLS says the same.
    if not is_list(member.vocabulary):
        taken = any(m.vocabulary == member.vocabulary for m in kinds["name"])
        return "ambiguous name" if taken else "synonym"
    bare = _bare(member)
    both = set(map(_key, _both(member)))
    if _key(bare) == key or (key in both and both <= _keys(called).keys()):
        return "title"
    if set(member.cuis) & set(called.cuis) and not name_words(called.name) - _GENERIC < name_words(bare) - _GENERIC:
        return "agreed"
    if key in both or sum(m.vocabulary == member.vocabulary for m in kinds["synonym"]) > 1:
        return "ambiguous name"
    name, title = frozenset(key.split()), name_words(bare)
    if name < title or title < name:
        return "ambiguous name"
    return "ambiguous name" if member.id in settled else "title"


def _sole(members: Sequence[Member]) -> list[Member]:
    """Leave out terms of a vocabulary that calls several so; best known vocabularies first."""
    terms = defaultdict(list)
    for member in members:
        terms[member.vocabulary].append(member)
    sole = [m for vocabulary, same in terms.items() for m in same if is_list(vocabulary) or len(same) == 1]
    return sorted(sole, key=lambda m: (is_list(m.vocabulary), m.id))


def _telling(name: str) -> bool:
    """Tell whether a synonym is more than a few letters, which stand for several things."""
    letters = sum(c.isalnum() for c in name)
    return letters > _SHORT and not (name.isupper() and " " not in name)


def _bare(member: Member) -> str:
    """Leave out what stands in brackets behind a name: its initials, or a brand of a drug."""
    return (_BRACKETS if member.group == "drug" else _INITIALS).sub("", member.name)


def _key(name: str) -> str:
    """Give what names have in common that differ in the order of words and in little words only."""
    plain = [word.normal for word in words(name)]
    return " ".join(sorted(word for word in plain if word not in LITTLE)) or " ".join(plain)
