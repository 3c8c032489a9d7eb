"""Quotes the lead of the section of a medicine that a question looks up, or what of it has the question's words."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ..embeddings.candidate_sentences import candidates, found_at, stuck_before
from ..patterns import read_patterns, small, threshold
from ..queries import fusion
from ..queries.lookups import RANKED_BY, TOGETHER, exact_medicines, forms_in, lookups_of, stems_of
from ..queries.message import has_answer_words
from ..schema.vocabulary import CONDITIONS, GENERAL
from ..text import sentences
from .answer import ANSWERED, RELATED, Sentence
from .citing import citation_of, trimmed, verdict
from .populations import CHILDREN, head_of, speaks_of
from .scoring import is_label_on, sentences_of
from .selecting import best_sentences
from .signs import is_about

if TYPE_CHECKING:
    from collections.abc import Sequence, Set

    from ..embeddings.candidate_sentences import CandidateSentence
    from ..queries.lookups import Lookup
    from ..queries.question import Question
    from ..queries.retriever import SectionText
    from .answer import Status
    from .parts import QuestionPart
    from .scoring import ScoredSection, ScoredSentence

    Quoted = tuple[Status, tuple[Sentence, ...]]
    Sections = Sequence[ScoredSection]

LONGEST: Final = 1200  # characters of a sentence that is quoted, at most: lists of labels may be one; set by hand
ENOUGH: Final = 350  # characters from which on no other sentence is quoted; set by hand
TELLING: Final = threshold("answers.leads.telling")
LABELS: Final = 8  # sections of labels that a model is given, at most; set by hand
NEAR: Final = 2  # of these others than what is looked up, at least; set by hand
ALL: Final = threshold("answers.leads.all")
PRODUCTS: Final = 5  # products that are listed, at most; set by hand
CASES: Final = 6  # sentences on further cases that are quoted, at most; set by hand
READ_OF_LABELS: Final = threshold("answers.leads.read")
SURER: Final = threshold("answers.leads.surer")
STANDS: Final = threshold("answers.leads.stands")
FORBIDS: Final = threshold("answers.leads.forbids")
SENTENCES: Final = 2  # sentences of a label that reading chooses, at most; set by hand
_DOSE: Final = "dose"
_FORGOTTEN: Final = "forget a dose"
_INJECTION: Final = "injection"
_NOT_FOR: Final = "contraindication"
_OF_PRODUCTS: Final = frozenset(("appearance", "ingredients"))  # kinds that differ from product to product
_FIRST: Final = _OF_PRODUCTS | {_FORGOTTEN}  # kinds whose leads come before what was read
_ALIKE: Final = 5  # the first items of a rank, which tell how well a section answers
_RULES: Final = read_patterns(Path(__file__).with_name("leads.tsv"))


def with_labels(question: Question, evidence: Sections, found: Sections) -> list[ScoredSection]:
    """Put sections of the labels of the medicines that are named before what else a model may answer from.

    Of each medicine those that are looked up come first, then the nearest others.
    """
    lookups, read = lookups_of(question), {item.section.section: item for item in evidence}
    every = ([item for item in found if is_label_on(one, item)] for one in exact_medicines(question))
    of_each = list(filter(None, every))  # of those that have a label
    labels: dict[str, ScoredSection] = {}
    for own in of_each:
        most = max(1, LABELS // len(of_each))
        ranked = sorted((rank, place) for place, item in enumerate(own) if (rank := _rank(lookups, item)))
        asked = [own[place] for _, place in ranked]
        near = sorted((item for item in own if item not in asked), key=lambda one: -one.features["meaning"])
        chosen = [*asked[: max(1, most - NEAR)], *near][:most]
        labels |= {one.section.section: _with_lead(read.get(one.section.section, one), lookups) for one in chosen}
    return [*labels.values(), *(item for item in evidence if not item.section.label)]


def _rank(lookups: Sequence[Lookup], item: ScoredSection) -> tuple[Any, ...]:
    """Give how well a section is what is looked up, as `Lookup.rank` does; empty where it is not."""
    by = {name: getattr(item.section, name) for name in RANKED_BY}
    ranks = (one.rank(by) for one in lookups if is_label_on(one.medicine, item))
    return min(filter(None, ranks), default=())


def _with_lead(item: ScoredSection, lookups: Sequence[Lookup]) -> ScoredSection:
    """Let a section of which no sentence was chosen speak by those that have most of what is asked, and its first."""
    if item.sentences:
        return item
    text = item.section.text
    whole = [
        found_at(0, order, *span, text) for order, span in enumerate(sentences(text)) if span[1] - span[0] <= LONGEST
    ]
    if lookups:
        whole = sorted(whole, key=lambda one: -lookups[0].coverage(one.text))
    return replace(item, other_sentences=whole)


def unlabelled(question: Question, found: Sections) -> str:
    """Say that no label of the medicine that a question looks up is loaded, where one of a combination is."""
    for lookup in lookups_of(question):
        names = stems_of(lookup.medicine)
        labels = dict.fromkeys(item.section.title for item in found if item.section.label)
        titles = [title for title in labels if fusion.has_name(title.lower(), names)]
        if titles and not any(is_about(lookup.medicine, item.section) for item in found if item.section.label):
            return (
                f"No label of {lookup.medicine.name} by itself is loaded, and what one of a combination says"
                f" ({'; '.join(titles)}) holds for the combination."
            )
    return ""


def quote_label(part: QuestionPart, found: Sections, labels: Sections, most: int) -> Quoted | None:
    """Quote the label of a medicine that is asked about; None where nothing of it answers.

    What forbids the medicine, all cases of a forgotten dose and the products come first, then the lead of the section
    that is looked up, before it what was read that is surer.

    Args:
        found: All that was found, as it was scored; `labels` of it, read with the question.
    """
    found, labels = (_unless_injected(part.question, items, found) for items in (found, labels))
    (lead, behind), (read, sure) = _lead(part, found, labels, most), _likeliest(part, labels)
    return lead if lead and lead[0] == ANSWERED and sure < behind else read or lead


def _unless_injected(question: Question, items: Sections, found: Sections) -> list[ScoredSection]:
    """Leave out labels of injections where none is asked for and others, alone or combined, are swallowed or put on."""
    if forms_in(question.text):
        return [*items]
    others = [one.section.title.lower() for one in found if one.section.label and _forms(one) != {_INJECTION}]
    return [
        one for one in items if _forms(one) != {_INJECTION} or not any(one.section.title.lower() in it for it in others)
    ]


def _forms(item: ScoredSection) -> frozenset[str]:
    return forms_in(" ".join(item.section.forms))


def _lead(part: QuestionPart, found: Sections, labels: Sections, most: int) -> tuple[Quoted | None, float]:
    """Quote whole sentences of the section that a question looks up, with the heading and the form of the medicine.

    Returns:
        Whether they have anything of what is asked besides, and the sentences; None where nothing is looked up, no
        sentence speaks of those for whom it is asked, or reading says that none helps with what is asked besides; and
        how sure what was read is that comes before them.
    """
    lookups, makers = lookups_of(part.question), {_maker(item.section) for item in found} & {*part.question.words}
    ranked = [
        (rank, place, lookup)
        for place, item in enumerate(found)
        for lookup in lookups
        if _is_called(lookup, item.section, makers) and (rank := _rank([lookup], item)) and not rank[0]
    ]
    leads = (
        (rank[:_ALIKE], lookup, found[place].section, quoted)
        for rank, place, lookup in sorted(ranked, key=lambda one: one[:2])
        if (quoted := _lead_of(lookup, part, found[place], most))
        and (_mentions_other(lookup, quoted) or found[place].section.type != _DOSE)
    )
    if not (best := next(leads, None)):
        return None, 0.0
    rank, lookup, section, quoted = best
    first = rank[1] < 0 or lookup.kinds[0] in _FIRST
    if lookup.besides and not first and _helps(section, quoted, labels) < STANDS:
        return None, 0.0
    status: Status = ANSWERED if _mentions_other(lookup, quoted) else RELATED
    others = [other for other in leads if other[0] == rank] if lookup.kinds[0] in _OF_PRODUCTS else []
    looks: dict[str, Sentence] = {}  # by what is said of a product behind its name and the verb
    for _, _, section, quoted in (best, *others):
        for one in quoted:
            looks.setdefault(one.text.split(" is ", 1)[-1], _cited(one, section, maker=bool(others)))
    shown = tuple(looks.values())[: PRODUCTS if others else None]
    return (status, shown), math.inf if first else READ_OF_LABELS if lookup.besides else SURER


def _helps(section: SectionText, quoted: Sequence[CandidateSentence], labels: Sections) -> float:
    """Give how likely one of a section's sentences helps by reading; 0 where none was worth reading, 1 unread."""
    read = (said for item in labels if item.section.section == section.section for said in item.sentences)
    return max(
        (
            1.0 if said.helps is None else said.helps
            for said in read
            if any(one.start < said.candidate.end and said.candidate.start < one.end for one in quoted)
        ),
        default=0.0,
    )


def _likeliest(part: QuestionPart, labels: Sections) -> tuple[Quoted | None, float]:
    """Quote what of labels answers likeliest, with what it leans on, and tell how likely it does; None in doubt."""
    fit = [replace(item, sentences=said) for item in labels if (said := _quotable(part, item))]
    # Whom a medicine is forbidden is told that, though it may not be sure, and not how others take it.
    forbids = [replace(item, sentences=said) for item in fit if part.populations and (said := _forbidding(item))]
    best = max(forbids or fit, key=_surest, default=None)
    if not best or (sure := _surest(best)) < (FORBIDS if forbids else READ_OF_LABELS):
        return None, 0.0
    quoted = [said.candidate for _, said in best_sentences([best], SENTENCES)]
    if _FORGOTTEN in part.question.intents:
        quoted = _with_cases(quoted, sentences_of(best))
    return (ANSWERED, tuple(_cited(one, best.section) for one in quoted)) if quoted else None, sure


def _forbidding(item: ScoredSection) -> list[ScoredSentence]:
    likely = [said for said in item.sentences if (said.helps or 0.0) >= FORBIDS]
    return [said for said in likely if has_answer_words(said.candidate.text, [_NOT_FOR])]


def _surest(item: ScoredSection) -> float:
    return max(said.helps or 0.0 for said in item.sentences)


def _quotable(part: QuestionPart, item: ScoredSection) -> list[ScoredSentence]:
    """Keep sentences of a section that speak of those for whom it is asked, and read whole; none of another form."""
    forms, have = forms_in(part.question.text), _forms(item)
    if forms and have and forms.isdisjoint(have):
        return []
    kept = {one.order for one in _kept(part, item, [said.candidate for said in item.sentences])}
    return [said for said in item.sentences if said.candidate.order in kept]


def _mentions_other(lookup: Lookup, quoted: Sequence[CandidateSentence]) -> bool:
    """Tell whether sentences have any of what a question asks besides: a dose for one thing is none for another."""
    return not lookup.besides or lookup.coverage(" ".join(one.text for one in quoted)) > 0


def _maker(section: SectionText) -> str:
    """Give the first word of the maker's name, in small letters; empty where it is no label."""
    return section.publisher.lower().partition(" ")[0] if section.label else ""


def _is_called(lookup: Lookup, section: SectionText, makers: Set[str]) -> bool:
    """Tell whether a label is of a name, and of one of the makers, that are asked about, if of one product is told.

    What a generic looks like, or has in it, is not what a brand does.
    """
    if lookup.kinds[0] not in _OF_PRODUCTS:
        return True
    surface = lookup.medicine.surface.lower()
    names = (name.lower() for name in (section.title, *section.aliases))
    return any(surface in name or name in surface for name in names) and (not makers or _maker(section) in makers)


def _lead_of(lookup: Lookup, part: QuestionPart, item: ScoredSection, most: int) -> list[CandidateSentence]:
    """Choose sentences from the first on, or from the one on that has most of the question's other words."""
    kept = _kept(part, item, _sentences(item.section.text), lookup.kinds[0])
    told = [lookup.coverage(one.text) for one in kept]
    kinds = [item.section.type] if lookup.kinds[0] == GENERAL else lookup.kinds[: lookup.asked]
    states = [has_answer_words(one.text, kinds) for one in kept]
    first = max(range(len(kept)), key=lambda place: (told[place], states[place], -place), default=0)
    if not kept or (told[first] < ALL if lookup.needs else not any(states)):
        return []
    first = first if told[first] >= TELLING else states.index(True)
    while first and kept[first].needs and kept[first].order == kept[first - 1].order + 1:
        first -= 1
    if kept[first].needs and (kept[first].order or not kept[first].stands_for_page):  # what it leans on is not quoted
        whole = (place for place, one in enumerate(kept) if states[place] and not (lookup.needs or one.needs))
        first = next(whole, len(kept))
    chosen: list[CandidateSentence] = []
    for one in kept[first:]:
        torn = chosen and one.needs and one.order != chosen[-1].order + 1
        beside = chosen and lookup.needs and not (one.needs or told[kept.index(one)])
        if torn or beside or len(chosen) == most or sum(len(other.text) for other in chosen) >= ENOUGH:
            break
        chosen.append(one)
    of_kind = lookup.covers(item.section.type) or not lookup.kinds[0].startswith(TOGETHER)
    stated = (lookup.needs and of_kind) or any(states[kept.index(one)] for one in chosen)
    return _with_cases(chosen, kept) if stated and lookup.kinds[0] == _FORGOTTEN else chosen if stated else []


def _kept(
    part: QuestionPart, item: ScoredSection, found: Sequence[CandidateSentence], asked: str = ""
) -> list[CandidateSentence]:
    """Keep sentences that speak of those for whom it is asked, for a kind of section, and no child's dose."""
    text, head, passage = item.section.text, head_of(item), small(item.section.text)
    for_child = any(one.kind in CHILDREN for one in part.populations)  # whose dose goes by age and weight
    if _DOSE in {item.section.type, asked} if for_child else _RULES["young"].search(passage):
        return []
    kept = [
        one
        for one in found
        if not (one.broken or _RULES["apart"].search(one.text))
        and speaks_of(part.populations, head, f"{stuck_before(text, one.start)} {one.text}", passage)
        and not (for_child and _RULES["amount"].search(one.text))
    ]
    names = " ".join((item.section.title, *item.section.aliases, *item.section.names))
    if _DOSE in {item.section.type, asked} and _RULES["weekly"].search(names):
        ill = any(one.label in CONDITIONS for one in part.question.about)
        weekly = [one for one in kept if _RULES["week"].search(one.text)]
        kept = [one for one in weekly if ill or not _RULES["rarely"].search(f"{item.section.heading} {one.text}")]
    return kept


def _with_cases(chosen: Sequence[CandidateSentence], kept: Sequence[CandidateSentence]) -> list[CandidateSentence]:
    """Quote all cases, or none: who takes it once a day may not double what is for those who take it twice."""
    if not any(_RULES["case"].search(one.text) for one in chosen):
        return [*chosen]
    behind = kept[kept.index(chosen[-1]) + 1 :]
    last = max((place for place, one in enumerate(behind, start=1) if _RULES["case"].search(one.text)), default=0)
    return [*chosen, *behind[:last]] if last <= CASES else []


def _sentences(text: str) -> list[CandidateSentence]:
    """Cut a section of a label into its sentences, without those that do not read whole; a short one may be one."""
    end = behind.start() if (behind := _RULES["ends"].search(text)) else len(text)
    whole = 0 < end <= ENOUGH and not text[:end].rstrip().endswith(":")
    return candidates(0, text[:end], LONGEST) or ([found_at(0, 0, 0, end, text)] if whole else [])


def _cited(candidate: CandidateSentence, section: SectionText, *, maker: bool = False) -> Sentence:
    candidate = trimmed(candidate, section.text)
    citation = citation_of(section, candidate)
    about = f"{section.title} ({', '.join(section.forms).lower()})" if section.forms else section.title
    about += f" by {section.publisher}" if maker and section.publisher not in {"", section.collection} else ""
    over = filter(None, (about, section.heading or section.type, stuck_before(section.text, candidate.start)))
    checked = verdict(candidate.text, citation, section.text)
    return Sentence(candidate.text, (citation,), checked, about=", ".join(over))
