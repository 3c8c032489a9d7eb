"""Pairs of entities that may mean the same, with how sure each is, by what is known of the entities."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from itertools import chain, combinations, pairwise, product
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..patterns import read_patterns, threshold, thresholds
from ..schema.prefixes import is_list
from ..schema.vocabulary import CONDITIONS
from .curated import drug_names, lay_names
from .words import GENERIC, LITTLE, normalise, word_list, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

# Label → what may mean the same as others of it; a label that is not here goes with its own only.
_GROUPS: Final = {
    **dict.fromkeys(CONDITIONS, "condition"),
    **dict.fromkeys(("Drug", "Chemical"), "drug"),
    "Gene": "gene",
    "Protein": "protein",
    **dict.fromkeys(("Anatomy", "Cell"), "anatomy"),
}
_RULES: Final = read_patterns(Path(__file__).with_name("pairing.tsv"))
_SHORT: Final = 3  # letters of a name that is too short to tell by


@dataclass(frozen=True, slots=True)
class Member:
    """What is known of an entity that may be joined."""

    id: str
    label: str
    name: str
    synonyms: Sequence[str] = ()
    xrefs: Sequence[str] = ()
    cuis: Sequence[str] = ()  # concepts of the UMLS that sources state for it
    replaced_by: Sequence[str] = ()  # ids of what took its place, where its source gave it up
    matches: Sequence[str] = ()  # ids that a mapping states to be exactly the same
    obsolete: bool = False  # whether its source gave it up; it then joins only what took its place

    @property
    def vocabulary(self) -> str:
        """The prefix of its id."""
        return self.id.partition(":")[0]

    @property
    def group(self) -> str:
        """What it may be joined with."""
        return _GROUPS.get(self.label, self.label)

    @property
    def term(self) -> str:
        """The vocabulary that tells it from others; a list does not, nor does one that gave it up."""
        return "" if is_list(self.vocabulary) or self.replaced_by else self.vocabulary


ACCEPTED: Final = "accepted"  # how a pair was found that a curator accepted


@dataclass(frozen=True, slots=True, order=True)
class EntityPair:
    """Two entities that may mean the same."""

    order: float  # what is looked at first, the lowest: the less sure, the later
    one: str
    other: str
    method: str
    evidence: str
    score: float  # how sure it is, from 0 to 1


def name_words(name: str) -> frozenset[str]:
    """Give the words of a name that tell it from others, in their form for comparison, without little ones."""
    return frozenset(word.normal for word in words(name) if word.normal not in LITTLE)


def bare_name(member: Member) -> str:
    """Leave out what stands in brackets behind a name, its initials or a brand of a drug, and for whom a page is.

    Adults have what a name says where it names nobody; what children have may be something else (diabetes).
    """
    if is_list(member.vocabulary) and member.group == "condition":
        return _RULES["initials"].sub("", _RULES["adults"].sub("", member.name))
    return (_RULES["brackets"] if member.group == "drug" else _RULES["initials"]).sub("", member.name)


def two_names(member: Member) -> tuple[str, ...]:
    """Give the two names of a list's title such as `Shingles (herpes zoster)` or `Acne or pimples`; else none."""
    found = (
        _RULES["two names"].fullmatch(member.name)
        if is_list(member.vocabulary) and member.group == "condition"
        else None
    )
    return (found[1], found[2] or found[3]) if found else ()


def is_telling(name: str) -> bool:
    """Tell whether a name is more than a few letters, which stand for several things."""
    letters = sum(c.isalnum() for c in name)
    return letters > _SHORT and not (name.isupper() and " " not in name)


def as_one_word(name: str) -> str:
    """Write a name of two words as one: `pinkeye` of `pink eye`; empty for others, and words of a letter or two."""
    found = _RULES["two words"].fullmatch(name)
    return f"{found[1]}{found[2]}".lower() if found else ""


def key_of(name: str) -> str:
    """Give the words of a name in alphabetical order, without little ones unless it has no others."""
    plain = [word.normal for word in words(name)]
    return " ".join(sorted(word for word in plain if word not in LITTLE)) or " ".join(plain)


# Prefixes of cross-references that stand for the same thing; classifications, such as ICD10CM, are broader.
_ALIKE: Final = frozenset(
    {"UMLS", "MESH", "OMIM", "SNOMEDCT", "Orphanet", "NCIT", "GARD", "EFO", "HP", "MONDO", "DOID"}
)
_GENERIC: Final = frozenset(map(normalise, word_list("general")))
NARROWING: Final = frozenset(map(normalise, word_list("narrowing")))
_WEAK: Final = threshold("linking.pairing.weak")
_FEW: Final = 2  # titles of a list that may have one concept; where more have it, it is broader than they are
# Entities that are called the same, of which each two are a pair; of more, only those that follow one another.
_MANY: Final = 12
_SCORES: Final = {"replaced": 1.0, "stated": 1.0, **thresholds("linking.pairing.score")}  # how a pair was found
# What is looked at before all else: of two terms that may be what another is, the one that is called so.
_FIRST: Final = thresholds("linking.pairing.first")
# How a kind of something is found beside it: by what a list's annotators gave both.
_BY_WORDS: Final = frozenset({"cui", "agreed", "synonym", "title"})


def pairs_of(members: Mapping[str, Member]) -> Iterator[EntityPair]:
    """Find entities that may mean the same, each two once, in the surest way, and add up what speaks for them."""
    yield from _together(_found(members))


def _found(members: Mapping[str, Member]) -> Iterator[EntityPair]:
    referring: dict[tuple[str, str], int] = Counter(
        (m.vocabulary, xref) for m in members.values() for xref in set(m.xrefs)
    )
    for member in members.values():
        yield from _stated(member, members, referring)
    current = {key: member for key, member in members.items() if not member.obsolete}
    yield from _shared_ids(current)
    yield from _shared_concepts(current)
    yield from _shared_names(current)


def _together(pairs: Iterable[EntityPair]) -> Iterator[EntityPair]:
    """Add up what several ways say of the same two entities: each leaves less room for doubt."""
    found: dict[tuple[str, str], dict[str, EntityPair]] = defaultdict(dict)
    for pair in sorted(pairs):
        found[pair.one, pair.other].setdefault(pair.method, pair)
    for ways in found.values():
        best = min(ways.values())
        doubt = math.prod(1 - pair.score for pair in ways.values() if pair is best or pair.score > _WEAK)
        before = max(_FIRST.get(method, 0.0) for method in ways)
        yield replace(best, order=doubt - 1 - before, score=round(1 - doubt, 4))


def _pair(one: Member, other: Member, method: str, evidence: str) -> Iterator[EntityPair]:
    if one.id != other.id and one.group == other.group:
        first, second = sorted((one.id, other.id))
        agree = len(one.cuis) == 1 and one.cuis == other.cuis
        if method in _BY_WORDS and _narrows(one, other) and not agree:
            method = "extended name"
        score = _SCORES[method]
        yield EntityPair(-score, first, second, method, evidence, score)


def _narrows(one: Member, other: Member) -> bool:
    """Tell whether a list calls one as the other is called, with a word that makes a kind of it."""
    if not (is_list(one.vocabulary) or is_list(other.vocabulary)):
        return False
    names = name_words(bare_name(one)), name_words(bare_name(other))
    return (names[0] < names[1] or names[1] < names[0]) and bool((names[0] ^ names[1]) & NARROWING)


def _stated(
    member: Member, members: Mapping[str, Member], referring: Mapping[tuple[str, str], int]
) -> Iterator[EntityPair]:
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


def _shared_ids(members: Mapping[str, Member]) -> Iterator[EntityPair]:
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


def _shared_concepts(members: Mapping[str, Member]) -> Iterator[EntityPair]:
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
    telling = len(member.cuis) > 1 or own & NARROWING or " and " in member.name
    return bool(telling) and any(name < own for name in called if name)


def _is_whole(member: Member, names: Iterable[frozenset[str]]) -> bool:
    """Tell whether a title is all that its concept is about: annotators give a title the concepts of its parts."""
    title = name_words(member.name)
    return member.label != "Topic" and not any(
        (name < title and not title - name <= _GENERIC) or name <= _GENERIC for name in names if name
    )


def _shared_names(members: Mapping[str, Member]) -> Iterator[EntityPair]:
    """Pair what is called the same, and what has a name as a synonym with what is called so, if anything is."""
    named: dict[tuple[str, str], dict[str, list[Member]]] = defaultdict(lambda: defaultdict(list))
    whole = {name.lower() for member in members.values() for name in (member.name, *member.synonyms)}
    for member in members.values():
        for key, kind in _keys(member, whole).items():
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
        for one, other in combinations(called, 2) if len(called) <= _MANY else pairwise(called):
            yield from _pair(one, other, "name", key)
        for one, other in product(called[:_MANY], known):
            yield from _pair(one, other, _by_synonym(key, kinds, other, settled, one), key)
        initials = kinds["initials"] if called else ()
        for other in initials:
            if len(initials) > 1:
                yield from _pair(called[0], other, "initials", key) if is_list(called[0].vocabulary) else ()
            elif not is_list(other.vocabulary):
                yield from _pair(called[0], other, "synonym", key)
        for one, other in pairwise(() if called else known):
            yield from _pair(one, other, "synonyms", key)


def _keys(member: Member, whole: Set[str] = frozenset()) -> dict[str, str]:
    """Give what an entity's names have in common with others, as a `name`, a `synonym` or `initials`."""
    keys = {own: "name"} if (own := key_of(member.name)) else {}
    if bare := key_of(bare_name(member)):
        keys.setdefault(bare, "synonym")
    every = (member.name, *member.synonyms)
    for synonym in (*member.synonyms, *two_names(member), *lay_names(every), *chain(*drug_names(every))):
        if key := key_of(synonym):
            keys.setdefault(key, "synonym" if is_telling(synonym) else "initials")
    for name in every:
        if (one := as_one_word(name)) in whole:
            keys.setdefault(key_of(one), "synonym")
    return keys


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
    bare = bare_name(member)
    both = set(map(key_of, two_names(member)))
    if key_of(bare) == key or (key in both and both <= _keys(called).keys()):
        return "title"
    words_called, words_own = (name_words(name) - _GENERIC - GENERIC for name in (called.name, bare))
    differs = words_called < words_own or (is_list(called.vocabulary) and words_own < words_called)
    if set(member.cuis) & set(called.cuis) and not differs:
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
