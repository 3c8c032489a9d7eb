"""For whom a question is asked, and that only what speaks of them is shown.

What a page says for everybody may harm a child, an unborn one, somebody with weak kidneys, or who takes another
medicine. `populations.tsv` says how questions name such people and what a text has that speaks of them; illnesses and
medicines that are taken are the names that the graph finds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..errors import InputError
from ..files import table_cells
from ..patterns import read_patterns, read_words, small
from ..queries import lucene
from ..queries.relation_sentences import listed
from ..queries.salience import name_stem
from ..text import put_right
from .facts import DRUGS
from .signs import CONTEXT_LABELS
from .things import things_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ..queries.entities import Mention
    from ..queries.question import Question
    from .answer import Answer
    from .scoring import ScoredSection

_TABLE: Final = Path(__file__).with_name("populations.tsv")
_COLUMNS: Final = 5
_NAMED: Final = "population, what it is called, whom to ask, and two patterns"
_RULES: Final = read_patterns(Path(__file__).with_name("population_words.tsv"))
_SPELT: Final = tuple(sorted(read_words(Path(__file__).with_name("word_lists.tsv"))["population"]))
_FEW: Final = 2  # things that are named when nothing speaks of them, at most; set by hand
_PHARMACIST: Final = "a doctor or a pharmacist"
_BABY, _CHILD, _SON, _PREGNANCY, _OLD, _ALLERGY = "baby", "child", "son", "pregnancy", "old", "allergy"
_ILLNESS: Final = "illness"
_MEDICINE: Final = "medicine"

# Years from which on somebody is no infant, an adult, and old; set by hand.
_INFANT: Final = 1
ADULT: Final = 18
_AGED: Final = 65

_TEENS: Final = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
)
_NUMBERS: Final = {word: number for number, word in enumerate(_TEENS.split(), start=1)}
CHILDREN: Final = frozenset((_BABY, _CHILD, _SON))
_SAME: Final = {_CHILD: CHILDREN, _BABY: CHILDREN, _PREGNANCY: frozenset((_PREGNANCY,))}
_APART: Final = {_CHILD: "child|teen", _BABY: "infants?|newborn", _PREGNANCY: "postpartum|prenatal"}

# How a title says that a page is for some alone: `Asthma in Children`, `Newborn jaundice`.
_OF_SOME: Final = r"\b(?:in|during|for|and)"
_BY_AGE: Final = CHILDREN | {_OLD}
_PEOPLE: Final = _BY_AGE | {_PREGNANCY, "breastfeeding", _ALLERGY}


@dataclass(frozen=True, slots=True)
class Population:
    """Somebody for whom an answer for everybody may be wrong."""

    kind: str  # such as `pregnancy`, or `medicine` and `illness` for what the graph names
    called: str  # how an answer calls it
    ask: str  # whom to ask
    speaks: re.Pattern[str]  # what a text has that speaks of it, in small letters
    # Whether the question says so of somebody who is there, so that later turns are of them, too.
    personal: bool = False
    # What a sentence or its page must have, too, where only its page is on this; None for nothing.
    beside: re.Pattern[str] | None = None
    passage: bool = False  # whether it is enough that the passage speaks of it, since nothing is asked that is done

    def is_addressed(self, head: str, sentence: str, passage: str) -> bool:
        """Tell whether a sentence of a passage, in small letters, under a head speaks of this population."""
        if self.speaks.search(passage if self.passage else sentence):
            return True
        return bool(self.speaks.search(head) and (self.beside is None or self.beside.search(f"{head} {sentence}")))


@dataclass(frozen=True, slots=True)
class _Row:
    kind: str
    called: str
    ask: str
    typed: re.Pattern[str]
    speaks: str


def populations_in(text: str, mentions: Iterable[Mention] = ()) -> tuple[Population, ...]:
    """Find for whom a question is asked: people, and what they have and take, as far as `mentions` name these."""
    plain = _RULES["past"].sub(" ", _corrected(text))
    mine = bool(_RULES["mine"].search(plain))
    found = {one.kind: one for one in _named(plain, personal=mine)}
    ages = set(ages_in(plain))
    if ages and min(ages) >= ADULT:
        found.pop(_SON, None)
    for age in ages:
        kind = _BABY if age < _INFANT else _CHILD if age < ADULT else _OLD if age >= _AGED else ""
        if kind and not (kind == _BABY and _PREGNANCY in found):
            found.setdefault(kind, _population(read_populations()[kind], "", personal=mine))
    if _BABY in found and ages and min(ages) >= _INFANT:
        found.pop(_BABY)
    if _SON in found and (_CHILD in found or _BABY in found):
        found.pop(_SON)
    for_mother = _RULES["i take"].search(plain) or not any(age < _INFANT for age in ages)
    if _BABY in found and {_PREGNANCY, "breastfeeding"} & found.keys() and for_mother:
        found.pop(_BABY)
    if _BABY in found:
        found.pop(_CHILD, None)
    more = _taken_or_had(plain, list(mentions), personal=mine)
    known = tuple(found.values())
    return (*known, *(one for one in more if not any(of.speaks.search(_corrected(one.called)) for of in known)))


def find_populations(
    text: str, mentions: Iterable[Mention], previous: Sequence[str] = (), asking: str | None = None
) -> tuple[Population, ...]:
    """Find for whom a turn of a dialogue is asked; who was told of as being there in an earlier turn stays.

    `I am pregnant` holds for all that follows, and `in children` for its own turn. Where nothing is asked that is done,
    illnesses do not count, and a passage that speaks of the age is enough. `What is kidney disease?` is for nobody.

    Args:
        asking: The sentences of the text that ask; None where all of it does.
    """
    named = [one for one in mentions if one.label not in CONTEXT_LABELS]
    asks = _RULES["advice"].search(small(text if asking is None else asking))
    # Medicines that alone are asked about tell nothing of who takes them.
    subjects = [_corrected(one.surface) for one in named] if all(one.label in DRUGS for one in named) else []
    of_subject = {kind for kind, row in read_populations().items() if any(map(row.typed.fullmatch, subjects))}
    told = [_with(one, named) for one in populations_in(text, named) if one.kind not in of_subject]
    mine = [
        one for one in told if asks or one.kind in _PEOPLE or (one.kind != _ILLNESS and (one.beside or one.personal))
    ]
    kept = {one.kind: one for earlier in previous for one in populations_in(earlier) if one.personal}
    found = (*mine, *(one for kind, one in kept.items() if kind not in {other.kind for other in mine}))
    done = _RULES["advice"].search(small(text)) if asking == "" else asks
    return tuple(replace(one, passage=True) if not done and one.kind in _BY_AGE else one for one in found)


def _with(one: Population, mentions: Iterable[Mention]) -> Population:
    """Let a sentence of a page on somebody also name what is asked about, where that is something else."""
    others = [other for other in mentions if not one.speaks.search(small(f"{other.surface} . {other.name}"))]
    return replace(one, beside=_called_so(others)) if others and one.beside is None else one


def cautioned(answer: Answer, question: Question, populations: Sequence[Population]) -> Answer:
    """Say, where nothing is quoted, that nothing was found for those for whom something is asked, and whom to ask."""
    if not populations or answer.sentences or answer.urgent or answer.remark:
        return answer
    return replace(answer, caution=_caution(question, populations), ask_back=None)


def _caution(question: Question, populations: Sequence[Population]) -> str:
    things = () if question.is_message else things_in(question.text, question.mentions)
    named = [one.text for one in things if one.label]
    others = list(dict.fromkeys(one for one in named if not any(of.speaks.search(small(one)) for of in populations)))
    asked = listed(others) if 0 < len(others) <= _FEW else "this"
    return (
        f"Nothing was found that speaks of {asked} together with {_called(populations)}, and what holds for others may "
        f"be wrong here: ask {populations[0].ask} before you take, stop or change anything."
    )


def with_populations(question: str, populations: Sequence[Population]) -> str:
    """Write a question for a language model, with whom it is for, where that is somebody special."""
    if not populations:
        return question
    return f"{question} (Asked for: {_called(populations)}. Say only what the evidence says of that.)"


def _called(populations: Sequence[Population]) -> str:
    return listed(list(dict.fromkeys(one.called for one in populations)))


def speaking(
    question: str, populations: Sequence[Population], evidence: Iterable[ScoredSection]
) -> list[ScoredSection]:
    """Keep sections that speak of all populations, with those of their sentences that do; the others' go.

    Where the heading or title of a section speaks of somebody, all of its sentences do. Pages for children or on
    pregnancy are kept where these are asked about; pages on what is denied go (`dermatitis that is not eczema`).
    """
    plain, kinds = small(question), {one.kind for one in populations}
    elsewhere = [title for kind, title, asks in _for_some() if not (kinds & _SAME[kind] or asks.search(plain))]
    mine = [
        item
        for item in evidence
        if not (_is_for_others(item.section.title, elsewhere, plain) or _is_denied(item.section.title, plain))
    ]
    if not populations:
        return mine
    kept = []
    for item in mine:
        head, passage = head_of(item), small(item.section.text)
        said = [one for one in item.sentences if speaks_of(populations, head, one.candidate.text, passage)]
        others = [one for one in item.other_sentences if speaks_of(populations, head, one.text, passage)]
        kept.append(replace(item, sentences=said, other_sentences=others))
    return [item for item in kept if item.sentences]


def _is_for_others(title: str, others: Iterable[re.Pattern[str]], plain: str) -> bool:
    found = (one.search(small(title)) for one in others)
    return any(one and one[0] not in plain for one in found)


def _is_denied(title: str, plain: str) -> bool:
    """Tell whether a question in small letters says that it does not ask about what a title names."""
    named = [name_stem(word) for word in lucene.all_words(_RULES["general"].sub(" ", small(title)))]
    behind = (lucene.all_words(plain[found.end() :]) for found in _RULES["denies"].finditer(plain))
    return bool(named) and any(named == [name_stem(word) for word in words[: len(named)]] for words in behind)


@cache
def _for_some() -> Sequence[tuple[str, re.Pattern[str], re.Pattern[str]]]:
    """Give kinds, with how a title says that a page is for them alone, and how a question says that it asks of them."""
    speaks = {kind: read_populations()[kind].speaks for kind in _APART}
    return [
        (
            kind,
            re.compile(rf"(?:{_OF_SOME}) (?:{speaks[kind]})\b|\A(?:{first})\b"),
            re.compile(rf"\b(?:{speaks[kind]}|{first})\b"),
        )
        for kind, first in _APART.items()
    ]


def besides(populations: Sequence[Population], medicines: Sequence[Mention]) -> tuple[Population, ...]:
    """Leave out that the one medicine is taken, of which its own label speaks; of several a label says no more."""
    own = medicines[0].surface if len(medicines) == 1 else None
    return tuple(one for one in populations if not (one.kind == _MEDICINE and one.called == own))


def speaks_of(populations: Sequence[Population], head: str, sentence: str, passage: str) -> bool:
    """Tell whether a sentence of a passage, under a head, both in small letters, speaks of all populations."""
    return all(one.is_addressed(head, small(sentence), passage) for one in populations)


def head_of(item: ScoredSection) -> str:
    """Give what stands over the sentences of a section, in small letters."""
    section = item.section
    return small(f"{section.title} . {section.heading} . {section.question}")


def _named(plain: str, *, personal: bool) -> Iterable[Population]:
    for row in read_populations().values():
        if found := row.typed.search(plain):
            name = next(filter(None, found.groupdict().values()), "")
            yield _population(row, name, personal=personal)


def _corrected(text: str) -> str:
    """Write a text in small letters, with misspelt words that tell of somebody put right."""
    typed = small(text).replace("\u2019", "'")
    return _RULES["word"].sub(lambda found: put_right(found[0], _SPELT), typed)


def _population(row: _Row, name: str, *, personal: bool) -> Population:
    speaks = rf"\b(?:{row.speaks})\b"
    if row.kind == _ALLERGY and name:
        # What is said of other allergies is not said of this one.
        speaks = rf"(?s)(?=.*{speaks})(?=.*\b{re.escape(name_stem(name))})"
    called = row.called.replace("{name}", name or "it") if name else row.called.replace(" to {name}", "")
    return Population(row.kind, called, row.ask, re.compile(speaks), personal)


def ages_in(plain: str) -> Iterable[float]:
    """Give the ages that a text in small letters names, in years."""
    for found in _RULES["age"].finditer(plain):
        number = found["of"] or found["is"] or found["at"] or found["young"]
        unit = found["unit"] or found["span"] or found["small"] or "years"
        years = float(_NUMBERS.get(number) or number)
        yield years / (12 if unit.startswith("m") else 52 if unit.startswith("w") else 365 if unit[0] == "d" else 1)


def _taken_or_had(plain: str, mentions: Sequence[Mention], *, personal: bool) -> Iterable[Population]:
    """Find medicines that are taken beside what is asked of, and illnesses beside which something is asked for."""
    for kind, labels, before in ((_MEDICINE, DRUGS, _RULES["takes"]), (_ILLNESS, ("Disease",), _RULES["has"])):
        for one in mentions:
            others = [other for other in mentions if other.entity != one.entity]
            stands = one.label in labels and before.search(plain[: one.start])
            if others and stands:
                beside = _called_so(others)
                yield Population(kind, one.surface, _PHARMACIST, _called_so([one]), personal, beside)


def _called_so(mentions: Iterable[Mention]) -> re.Pattern[str]:
    names = dict.fromkeys(small(name) for one in mentions for name in (one.surface, one.name, one.matched))
    stems = [[re.escape(name_stem(word)) for word in lucene.all_words(name)] for name in names]
    joined = "|".join(r"\w*\W+(?:\w+\W+)?".join(words) for words in stems if words)
    return re.compile(rf"\b(?:{joined})")


@cache
def read_populations(path: Path = _TABLE) -> Mapping[str, _Row]:
    """Read the table of populations; InputError where a line lacks a column, or a pattern is none."""
    rows: dict[str, _Row] = {}
    for number, (kind, called, ask, typed, speaks) in table_cells(path, _COLUMNS, _NAMED):
        told = speaks
        for before in rows.values():
            told = told.replace(f"{{{before.kind}}}", before.speaks)
        try:
            rows[kind] = _Row(kind, called, ask, re.compile(rf"\b(?:{typed})(?!\w)"), told)
            re.compile(told)
        except re.error as error:
            raise InputError(f"{path}:{number}: no regular expression: {error}") from error
    return rows
