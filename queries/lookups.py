"""Finds the medicine and the kinds of section that a question looks up, and orders sections by them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ..linking.linked import SPELLING, WORDING
from ..patterns import read_pairs, read_patterns
from ..schema.vocabulary import CONDITIONS, GENERAL, lists, patterns
from . import fusion, lucene
from .message import without_kind
from .salience import name_stem, stem

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from .entities import Mention
    from .question import Question

# What sections are ranked by.
RANKED_BY: Final = ("section", "type", "heading", "question", "text", "published", "forms")
_MEDICINES: Final = frozenset(("Drug", "Chemical"))
_INEXACT: Final = frozenset((SPELLING, WORDING))  # how a name is found that may be another one's
# Kind of section of a medicine → kinds that tell it where no section is of that kind.
_INSTEAD: Final = lists("instead")
# Kind → kinds that tell it before one of its own, where they say so: what forbids a medicine to pregnant women.
_BEFORE: Final = lists("before")
# Kind → what a section must say that tells it in place of one of the kind, and is never quoted, or before it.
_STATES: Final = patterns("said")
_FORM: Final = {
    form: re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
    for form, words in read_pairs(Path(__file__).with_name("forms.tsv"))
}
_BY_MOUTH: Final = "mouth"
_WARNING: Final = "precautions"  # the kind that tells nearly anything
_CAUSES: Final = "causes"  # the kind that asks of a medicine whether it does something
_NOT_FOR: Final = "contraindication"
_FOR: Final = "indication"
_MEDICATIONS: Final = "interactions with medications"
_FOODS: Final = "interactions with foods"
_FOOD: Final = {
    "alcohol": re.compile(r"\b(?:alcohol|wine|beer|liquor|drinking)\b"),
    "grapefruit": re.compile(r"grapefruit"),
}
# Kinds that ask what a medicine does, or does together with something: what is named besides must be told of.
_DOES: Final = {_CAUSES, _FOODS, _WARNING, "side effects", _NOT_FOR, _MEDICATIONS}
_VAGUE: Final = frozenset(("Anatomy", "Topic"))
_VAGUE_KINDS: Final = frozenset((_CAUSES, GENERAL))  # what words ask for that may ask something else of a medicine
_WORKS: Final = "how does it work"
_LOOKS: Final = "appearance"
TOGETHER: Final = "interactions"  # how kinds begin that tell what medicines do with each other
_RULES: Final = read_patterns(Path(__file__).with_name("lookups.tsv"))
_HALF_LIFE: Final = "half-life"  # what labels say where people ask how long something stays
_USAGE: Final = "usage"
_EATING: Final = ("food", "meals", "eating", "stomach")  # what labels say where people ask whether to eat with it
_ONSET: Final = "onset"  # what labels say where people ask how soon something works
SHORT: Final = 7  # words of a question that asks of what is no illness what a medicine does to it, at most; set by hand
_FEW: Final = 2  # decimals by which shares of words are compared: what is older is not better for a rare word


def stems_of(mention: Mention) -> list[list[str]]:
    """Give the stems of each name by which a question knows something, as it was typed, and as the graph has it."""
    names = dict.fromkeys((mention.surface, mention.name, mention.matched))
    return [[name_stem(word) for word in lucene.all_words(name)] for name in names]


@dataclass(frozen=True, slots=True)
class Lookup:
    """A medicine, and the kinds of section that a question asks of it."""

    medicine: Mention
    kinds: Sequence[str]  # the kinds that are asked for, and behind them those that tell it where there are none
    asked: int  # how many of them are asked for
    besides: Mapping[str, float]  # other words of the question, by how much each tells; no numbers
    called: Sequence[Mapping[str, float]]  # the same in other words: by the names of what the question calls otherwise
    needs: bool  # whether a section must have one of these: another medicine, or what this one may do
    forms: frozenset[str]  # the forms of the medicine that are asked about; empty for any
    lasts: bool  # whether it is asked how long something of it stays

    def coverage(self, text: str) -> float:
        """Give the share of the question's other words, or of those for them, that a text has."""
        return max(fusion.coverage(words, text) for words in (self.besides, *self.called))

    def covers(self, kind: str) -> bool:
        """Tell whether sections of a kind tell what is asked: those of the kinds asked for, and what forbids it."""
        return kind in self.kinds[: self.asked] or kind in _BEFORE.get(self.kinds[0], ())

    def is_named(self, section: Mapping[str, Any]) -> bool:
        """Tell whether the title of a section's document, or another name of it, is one of the medicine's."""
        return fusion.has_name(" ".join((section["title"], *section["aliases"])).lower(), stems_of(self.medicine))

    def rank(self, section: Mapping[str, Any]) -> tuple[Any, ...] | None:
        """Rank a section by `RANKED_BY`, the least first; None for no such section.

        Returns:
            Whether it lacks what it must tell of; then kind, form, words, date, place.
        """
        kind, question, have = section["type"], section["question"], forms_in(" ".join(section["forms"]))
        named = self.forms and (have or forms_in(section["text"]))  # an injection is no patch
        if kind not in self.kinds or (named and self.forms.isdisjoint(named)):
            return None
        if kind == GENERAL and not _RULES["defines"].match(question):  # what labels tell patients is no overview
            return None
        told = round(self.coverage(f"{section['heading']} {question} {section['text']}"), _FEW)
        stand_in, other_form = self.kinds.index(kind) >= self.asked, bool(have) and _BY_MOUTH not in have
        said = _STATES.get(self.kinds[0]) if stand_in else None
        partly = told < 1 if self.kinds[0] == _CAUSES else not told and kind == _WARNING
        if stand_in and (not said.search(section["text"]) if said else partly):
            return None
        before = stand_in and self.covers(kind)
        lacks = (bool(said) and not before) or (self.needs and not told)
        aside = bool(_RULES["kinetics"].search(section["heading"])) != self.lasts
        place = int(number[0]) if (number := _RULES["number"].search(section["section"])) else 0
        told_as = -1 if before and not lacks else stand_in
        return lacks, told_as, other_form, aside, -told, _latest(section["published"]), not question, place


def forms_in(text: str) -> frozenset[str]:
    """Find the forms of medicines that a text names."""
    return frozenset(form for form, words in _FORM.items() if words.search(text))


def _latest(published: str) -> int:
    digits = published.replace("-", "")
    return -int(digits.ljust(8, "0")) if digits.isdigit() else 0


def exact_medicines(question: Question) -> list[Mention]:
    """Give the medicines that a question names; a name spelt nearly so may be another's: hydralazine, hydroxyzine.

    So may a name with more behind it: what one brand has without and with `PM` is not the same.
    """
    return [
        one
        for one in question.about
        if one.label in _MEDICINES
        and one.method not in _INEXACT
        and not _RULES["variant"].match(question.text, one.end)
    ]


def misspelt(question: Question, labels: Collection[str] = _MEDICINES, *, in_message: bool = False) -> Mention | None:
    """Give a medicine that a question, or a message, names by a name spelt nearly so: hydralazine is no hydroxyzine."""
    found = (one for one in question.mentions if one.label in labels and one.method == SPELLING)
    return next(found, None) if question.is_message == in_message else None


def lookups_of(question: Question) -> list[Lookup]:
    """Find what a question looks up: nothing where it names no medicine, or asks for no kind of section.

    Of several medicines only what they do with each other is looked up. The name alone asks what it is.
    """
    exact = _apart([_substance(question, one) for one in exact_medicines(question)])
    several = len(_apart([one for one in question.about if one.label in _MEDICINES])) > 1
    if question.is_message or not exact:
        return []
    alone = set(question.words) <= set(lucene.all_words(exact[0].surface))
    asked = _requested(question, several=several) or ([GENERAL] if alone else _does(question, several=several))
    more = (other for kind in asked for other in (*_BEFORE.get(kind, ()), *_INSTEAD[kind]))
    kinds = list(dict.fromkeys((*asked, *more)))
    forms, lasts = forms_in(question.text), bool(_RULES["lasts"].search(question.text))
    names = {other.surface: other.name for other in question.about}
    found = []
    for one in exact if asked else ():
        words = words_besides(question, fusion.model(), [one], asked)
        besides = {word: tells for word, tells in words.items() if not word.isdigit()}
        others = _others(question, one, asked[0])
        if (
            needs := several
            or asked[0] == _CAUSES
            or bool((others or (words and asked[0] == _MEDICATIONS)) and asked[0] in _DOES)
            or bool(others and asked[0] == _LOOKS)
        ):
            besides = _stems(others) or besides
        if lasts and _WORKS in asked:
            besides = {_HALF_LIFE: 1.0}
        elif _WORKS in asked and _RULES["begins"].search(question.text):
            needs, besides = True, {_ONSET: 1.0}
        called = [_stems([names.get(other, other) for other in others] if needs else [])]
        if asked[0] == _USAGE and _RULES["meals"].search(question.text):
            needs, (besides, *called) = True, [_stems([word]) for word in _EATING]
        found.append(Lookup(one, kinds, len(asked), besides, called, needs, forms, lasts))
    return found


def _apart(medicines: Sequence[Mention]) -> list[Mention]:
    """Leave out medicines whose name is a part of another's: who asks of insulin Lantus asks of one."""
    words = [set(lucene.all_words(one.name)) for one in medicines]
    return [one for one, mine in zip(medicines, words, strict=True) if not any(mine < others for others in words)]


def _stems(names: Iterable[str]) -> dict[str, float]:
    return {stem(word): 1.0 for name in names for word in lucene.all_words(name)}


def _requested(question: Question, *, several: bool) -> list[str]:
    """Give the kinds of section that are asked of a medicine: by what only asks so of one, where nothing else tells."""
    asked = [kind for kind in question.intents if kind in _INSTEAD]
    if not several and any(one.label in CONDITIONS for one in question.about):  # an illness is no other medicine
        asked = [kind for kind in asked if kind != _MEDICATIONS]
    if _VAGUE_KINDS.issuperset(asked):
        asked = [kind for kind, asks in patterns("of medicines").items() if asks.search(question.text)] or asked
    return [kind for kind in asked if not several or kind.startswith(TOGETHER)]


def _does(question: Question, *, several: bool) -> list[str]:
    """Give the kinds of section that tell what a medicine does to what is named besides, or together with that."""
    medicines = [one for one in question.about if one.label in _MEDICINES]
    left, is_long = words_besides(question, fusion.model(), medicines), len(lucene.all_words(question.text)) > SHORT
    if several:
        joining = {stem(word) for word in _RULES["joining"].findall(question.text)}
        more = left.keys() - joining and (is_long or _RULES["chooses"].search(question.text))
        return [] if question.intents or more else [_MEDICATIONS, _FOODS]
    ill = [one for one in question.about if one.label in CONDITIONS]
    if not left or (not ill and is_long) or _RULES["measures"].search(question.text):
        return []
    if not ill:
        return [_CAUSES]
    if words_besides(question, fusion.model(), [*medicines, *ill]):
        return [_CAUSES, _NOT_FOR]
    return [_CAUSES, _NOT_FOR, _FOR]


def _others(question: Question, medicine: Mention, asked: str) -> list[str]:
    """Give what is named besides a medicine that an answer must name: what it is taken with, a strength of a tablet."""
    vague = {"Anatomy"} if asked.startswith(TOGETHER) else _VAGUE
    named = [other for other in question.about if other.start != medicine.start and other.label not in vague]
    # What two medicines are taken for need not stand where it is told what they do together.
    drugs = [other for other in named if other.label in _MEDICINES] if asked.startswith(TOGETHER) else []
    others = [other.surface for other in drugs or named]
    if asked == _FOODS:
        others += [food for food, words in _FOOD.items() if words.search(question.text)]
    if asked.startswith(TOGETHER) and not others and (mixed := _RULES["mixed"].search(question.text)):
        others += [part for part in mixed.groups() if medicine.surface not in part.lower()]
    if asked == _LOOKS:
        others += _RULES["strength"].findall(question.text)
    return others


def _substance(question: Question, medicine: Mention) -> Mention:
    """Give what a medicine in one of its forms is: albuterol for `albuterol oral inhalation`."""
    plain = medicine.surface
    for words in _FORM.values():
        plain = words.sub(" ", plain)
    plain = " ".join(plain.split())
    if plain == medicine.surface:
        return medicine
    found = [one for one in question.linker(plain) if one.surface == plain and one.label in _MEDICINES]
    return replace(found[0], surface=medicine.surface) if found else medicine


def words_besides(
    question: Question,
    model: fusion.FusionModel,
    named: Sequence[Mention] | None = None,
    of_medicine: Iterable[str] = (),
) -> dict[str, float]:
    """Keep words that neither ask for a kind of section nor name something: what is `named`, or asked about if None.

    Args:
        of_medicine: Kinds that are asked of a medicine, too.
    """
    text = without_kind(question.text, question.intents)
    for kind in of_medicine:
        text = asks.sub(" ", text) if (asks := patterns("of medicines").get(kind)) else text
    left = {stem(word) for word in lucene.all_words(text)}
    left -= {
        stem(word) for one in (question.about if named is None else named) for word in lucene.all_words(one.surface)
    }
    return {name: rare for name, rare in telling_words(question, model).items() if name in left}


def telling_words(question: Question, model: fusion.FusionModel) -> dict[str, float]:
    """Give the stems of a question's words by how much each tells, without those of just any question."""
    every = fusion.rarities(question.weights, model)
    particular = {stem(word) for word in question.particular}
    return {name: rare for name, rare in every.items() if name in particular} or every
