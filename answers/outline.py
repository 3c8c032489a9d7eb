"""An answer set out and written as text, for pages, command line and programs: part by part, and by document."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ..patterns import read_patterns
from ..queries.relation_sentences import listed
from ..queries.voices import FROM_TEXTS, MODEL, RelationSource
from ..text import lines_of
from .answer import ANSWERED, CONTRADICTED, NO_EVIDENCE, RELATED, SUPPORTED, FoundPage, FoundSection

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..queries.voices import PathVoice
    from .answer import Answer, Citation, CitedFact, Sentence

# What stands over what only comes close to one thing asked, beside what answers another.
CLOSEST_HEADING: Final = "Not answered exactly. Closest to it:"
_NOT_LOOKED_FOR: Final = "Not looked for, as too much is asked at once: {}"
_RULES: Final = read_patterns(Path(__file__).with_name("outline.tsv"))
MOST_UNANSWERED: Final = 7  # lines that say what is not answered, at most; set by hand
_MARKS: Final = {
    SUPPORTED: "\u2713",
    CONTRADICTED: "\u2260 contradicted by its source",
    NO_EVIDENCE: "? not in its source",
}


@dataclass(frozen=True, slots=True)
class OutlinedPart:
    """What is quoted for one thing asked, named where there are several; `beside` for related passages."""

    asked: str
    sentences: tuple[Sentence, ...]
    beside: bool = False


@dataclass(frozen=True, slots=True)
class CitedSection:
    """A section that is cited: its number from 1, its kind or question, and its first passage that is quoted."""

    number: int
    kind: str
    citation: Citation


@dataclass(frozen=True, slots=True)
class CitedRelations:
    """A source of relations that is cited, by its number from 1."""

    number: int
    source: RelationSource
    facts: tuple[CitedFact, ...]


def numbers_of(answer: Answer) -> dict[str, int]:
    """Number what an answer rests on, from 1, in the order in which it is read: sections, and sources of relations."""
    cited = dict.fromkeys(name for sentence in quoted_in(answer) for name in cited_by(sentence))
    return {name: number for number, name in enumerate(cited, 1)}


def cited_by(sentence: Sentence) -> tuple[str, ...]:
    """Give the ids of the sections that a sentence quotes or, where it rests on relations, of their sources."""
    return tuple(dict.fromkeys((*(c.section for c in sentence.citations), *relating(sentence))))


def relating(sentence: Sentence) -> tuple[str, ...]:
    """Give the ids of the sources of the relations that a sentence rests on."""
    return tuple(dict.fromkeys(s for fact in sentence.facts for voice in fact.said for s in voice.sources))


def relations_of(answer: Answer) -> tuple[CitedRelations, ...]:
    """List the sources of relations that an answer rests on, by number, each with what it says."""
    known = {one.source: one for one in answer.relation_sources}
    numbers = numbers_of(answer)
    found: dict[str, dict[CitedFact, None]] = {}
    for fact in (fact for sentence in quoted_in(answer) for fact in sentence.facts):
        for source in (source for voice in fact.said for source in voice.sources):
            found.setdefault(source, {})[fact] = None
    return tuple(
        CitedRelations(numbers[name], known.get(name) or RelationSource(name, name, "", ""), tuple(facts))
        for name, facts in sorted(found.items(), key=lambda item: numbers[item[0]])
    )


def named_in(answer: Answer) -> dict[str, Any]:
    """Say where to look for what an answer names, for the query `answer_facts`."""
    numbers = numbers_of(answer)
    cited = [c for sentence in answer.sentences for c in sentence.citations]
    return {
        "asked": [mention.entity for mention in answer.entities],
        "things": [fact.object for fact in facts_of(answer)],
        "passages": [
            {"number": numbers[c.section], "section": c.section, "start": c.start, "end": c.end} for c in cited
        ],
    }


def parts_of(answer: Answer) -> tuple[OutlinedPart, ...]:
    """Put the sentences of an answer together by what they answer, in the order in which that is asked."""
    if len(answer.parts) < 2:
        return (OutlinedPart("", answer.sentences),) if answer.sentences else ()
    return tuple(
        OutlinedPart(part.asked, tuple(answer.sentences[place] for place in part.sentences))
        if part.sentences
        else OutlinedPart(part.asked, tuple(answer.closest[place] for place in part.closest), beside=True)
        for part in answer.parts
        if part.sentences or part.closest
    )


def quoted_in(answer: Answer) -> tuple[Sentence, ...]:
    """Give all that an answer quotes as it is read, related passages included."""
    return tuple(sentence for part in parts_of(answer) for sentence in part.sentences)


def leads_of(sentences: Sequence[Sentence]) -> tuple[str, ...]:
    """Say before each sentence what it is about (`Gout:`), where readers would take it for something else."""
    before = ("", *(sentence.about for sentence in sentences))
    return tuple(
        f"{sentence.about}:" if sentence.about not in {"", known} else ""
        for sentence, known in zip(sentences, before, strict=False)
    )


def glosses_of(sentences: Sequence[Sentence]) -> tuple[str, ...]:
    """Say behind each sentence what its short forms stand for, unless one before says so: `(PKD: polycystic …)`."""
    said: list[str] = []
    glosses = []
    for sentence in sentences:
        new = [one for one in sentence.short_forms if not any(one.long.lower() in text for text in said)]
        glosses.append(f"({'; '.join(f'{one.short}: {one.long}' for one in new)})" if new else "")
        said += [sentence.text.lower(), *(one.long.lower() for one in new)]
    return tuple(glosses)


def sentence_lines(sentence: Sentence) -> list[str]:
    """Give what a sentence says, line by line where it quotes a list and does not say a table in other words."""
    quote = sentence.citations[-1].quote if sentence.citations else ""
    return lines_of(quote if " ".join(quote.split()) == sentence.text else sentence.text)


def mark_of(sentence: Sentence) -> str:
    """Say in a few characters what checking a sentence found, and how many sources say so where several do."""
    more = f" {sentence.sources} sources" if sentence.verdict == SUPPORTED and sentence.sources > 1 else ""
    return _MARKS[sentence.verdict] + more


def facts_of(answer: Answer) -> tuple[CitedFact, ...]:
    """List the relations that an answer rests on, each once, in the order of its sentences."""
    return tuple(dict.fromkeys(fact for sentence in answer.sentences for fact in sentence.facts))


def voice_of(voice: PathVoice) -> str:
    """Say who says a fact, and how that is known: `medquad (CC-BY-4.0), told, score 0.73: medquad:page#2`."""
    licences = ", ".join(filter(None, voice.licences))
    who = ", ".join(voice.sources) + (f" ({licences})" if licences else "")
    how = ("read by a model" if voice.method == MODEL else "told") if voice.method in FROM_TEXTS else voice.method
    score = "" if voice.score is None else f", score {voice.score:.2f}"
    evidence = ", ".join(voice.evidence)
    return f"{who}, {how}{score}" + (f": {evidence}" if evidence else "")


def unanswered_of(answer: Answer) -> tuple[str, ...]:
    """Say what nothing is quoted for, beside what something is, and what was asked too much; of many the first."""
    shown = {part.asked for part in answer.parts if part.closest}
    silent = dict.fromkeys(part.asked for part in answer.parts if answer.sentences and not part.sentences)
    left_out = [one for one in dict.fromkeys(answer.unanswered) if all(one != part.asked for part in answer.parts)]
    said = (*(open_in_words(one) for one in silent if one not in shown), *map(_NOT_LOOKED_FOR.format, left_out))
    if len(said) <= MOST_UNANSWERED:
        return said
    first = said[: MOST_UNANSWERED - 1]
    return (*first, f"{len(said) - len(first)} more questions are not answered; ask them separately.")


def open_in_words(asked: str) -> str:
    """Say that nothing answers a question: `Nothing loaded says how gout is treated.`."""
    plain = asked.strip(" ?.!")
    if found := _RULES["moved"].fullmatch(plain) or _RULES["whether"].fullmatch(plain):
        told = {"lead": "whether"} | found.groupdict()
        return f"Nothing loaded says {told['lead'].lower()} {told['subject']} {told['verb'].lower()}{told['end']}."
    if found := _RULES["as it is"].fullmatch(plain):
        return f"Nothing loaded says {plain[:1].lower()}{plain[1:]}."
    return f"Nothing loaded answers this: {asked}"


def nearest_of(answer: Answer) -> str:
    """Say what an answer that is only related has instead of an answer."""
    if not answer.apart:
        return "Nothing in the graph answers this exactly. Closest to it:"
    return f"Nothing found here speaks of {listed(answer.apart)} together. What comes closest, of each:"


def offering_of(answer: Answer) -> str:
    """Say what the questions that an answer offers are for."""
    return "Ask next" if answer.status == ANSWERED else "You could ask instead"


def understood_of(answer: Answer) -> tuple[str, ...]:
    """Say what a text was taken to ask, where it says more than that, and no part is named with its answer."""
    asked = tuple(part.asked for part in answer.parts)
    named = len(asked) > 1 and answer.sentences
    return () if named or asked == (" ".join(answer.question.split()),) else asked


def documents_of(answer: Answer) -> list[list[CitedSection]]:
    """List the sections that an answer cites, those of a document together, in the order of their first numbers."""
    kinds = {f.section: f.type or f.question for f in answer.evidence if isinstance(f, FoundSection)}
    numbers, found = numbers_of(answer), dict[str, dict[str, CitedSection]]()
    for citation in (c for sentence in quoted_in(answer) for c in sentence.citations):
        section = CitedSection(numbers[citation.section], kinds.get(citation.section, ""), citation)
        found.setdefault(citation.document, {}).setdefault(citation.section, section)
    return [[*sections.values()] for sections in found.values()]


def agreeing_of(answer: Answer) -> tuple[Citation, ...]:
    """List where other sources say the same as an answer's sentences, beyond what it cites itself, one a document."""
    cited = {citation.document for sentence in quoted_in(answer) for citation in sentence.citations}
    found: dict[str, Citation] = {}
    for other in (other for sentence in answer.sentences for other in sentence.agreeing):
        if other.document not in cited:
            found.setdefault(other.document, other)
    return tuple(found.values())


def pages_of(answer: Answer) -> tuple[FoundPage, ...]:
    """Give the pages that answer a question elsewhere, best first, each address once."""
    pages: dict[str, FoundPage] = {}
    for found in answer.evidence:
        if isinstance(found, FoundPage):
            pages.setdefault(found.answered_at, found)
    return tuple(pages.values())


def sections_of(answer: Answer) -> tuple[FoundSection, ...]:
    """Give the sections that were found, cited or not, best first."""
    return tuple(found for found in answer.evidence if isinstance(found, FoundSection))


_MODEL_STAGES: Final = {
    "messages": "What is asked was put plainly",
    "turns": "What was said was completed",
    "passages": "Whether passages answer was judged",
    "claims": "Sentences in words of their own were compared with their sources",
}


def nothing_of(answer: Answer) -> str:
    """Say why an answer has no sentence: nothing speaks of whom it is for, a model found none, or nothing suffices."""
    if answer.caution:
        return answer.caution
    within = f", within: {answer.within}" if answer.within else ""
    if answer.generation and answer.generation.silent:
        return f"{answer.generation.model} found no answer in the passages that it was given{within}."
    return f"Not enough evidence in the graph to answer this{within}."


def written_by(answer: Answer) -> str:
    """Say which model wrote an answer and how many of its sentences are left out, or why it is quoted instead."""
    told = answer.generation
    if told is None:
        return ""
    if told.fallback is not None:
        return f"Quoted, and not written by {told.model or 'a language model'}: {told.fallback}."
    if not answer.sentences:
        return ""
    left = f"; {len(told.dropped)} of its sentences left out, which the sources do not say" if told.dropped else ""
    if any(one.first for one in told.dropped):
        left += ", the first of them too, so that what was asked may be unanswered"
    return f"Written by {told.model}, each sentence checked against its source{left}."


def model_notes(answer: Answer) -> tuple[str, ...]:
    """Say what a language model read, a sentence each: by which model, or why by rules."""
    return tuple(
        f"{_MODEL_STAGES[one.stage]} by {one.model}."
        if one.fallback is None
        else f"{_MODEL_STAGES[one.stage]} by rules, and not by {one.model or 'a language model'}: {one.fallback}."
        for one in answer.readings
    )


@dataclass(frozen=True, slots=True)
class WrittenSentence:
    """A sentence of an answer, with what stands around it."""

    sentence: Sentence  # the sentence
    lead: str  # what it is about, where readers would take it for something else
    said: Sequence[str]  # what it says, line by line where it quotes a list
    numbers: tuple[int, ...]  # of what it rests on, each once
    gloss: str  # what its short forms stand for

    def lines(self, *, marked: bool = False) -> list[str]:
        """Write it; `marked` adds what checking it found."""
        *before, last = self.said
        mark = mark_of(self.sentence) if marked else ""
        last = " ".join(filter(None, (last, "".join(f"[{n}]" for n in self.numbers), mark, self.gloss)))
        first, *others = (*before, last)
        return [f"{self.lead} {first}".lstrip(), *others]


def written(sentences: Sequence[Sentence], numbers: Mapping[str, int]) -> list[WrittenSentence]:
    """Write sentences that are read together; `numbers` is of all that the answer rests on."""
    return [
        WrittenSentence(one, lead, sentence_lines(one), tuple(numbers[name] for name in cited_by(one)), gl)
        for one, lead, gl in zip(sentences, leads_of(sentences), glosses_of(sentences), strict=True)
    ]


def with_text(answer: Answer) -> Answer:
    """Add to an answer its text, what the numbers in that stand for, and what it was understood to ask, in words."""
    numbers = numbers_of(answer)
    parts = [nearest_of(answer)] if answer.sentences and answer.status == RELATED else []
    for part in parts_of(answer):
        heading = [f"{part.asked}:"] * bool(part.asked) + [CLOSEST_HEADING] * part.beside
        lines = (line for one in written(part.sentences, numbers) for line in one.lines())
        parts.append("\n".join([*heading, *lines]))
    names = ", ".join(f"{mention.name} ({mention.label})" for mention in answer.entities)
    within = f"within {answer.within}" if answer.within else ""
    understood = filter(None, (*understood_of(answer), names, ", ".join(answer.intents), within))
    return replace(answer, text="\n\n".join(parts), cited=tuple(numbers), understood_as="; ".join(understood))
