"""Relations in words: a sentence for each type, from the table `relation_sentences.tsv`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..errors import InputError, NotInGraphError
from ..files import table_lines
from ..patterns import read_patterns
from ..schema.vocabulary import RELATION_TYPES, SECTION_TYPES, section_type

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

TABLE: Final = Path(__file__).with_name("relation_sentences.tsv")
ABOVE: Final = "above"  # the line of what things are kinds of
ANY: Final = "*"
_DIRECTIONS: Final = ("out", "in")
_LISTS: Final = ("@singular", "@countable", "@consonant", "@eponym")
_RULES: Final = read_patterns(Path(__file__).with_name("relation_names.tsv"))
# Labels of what is called by common nouns, which have no capital within a sentence.
_SMALL: Final = ("Disease", "Symptom", "Phenotype", "SideEffect", "Treatment", "Test", "Anatomy", "DrugClass", "Topic")
_BRACKETED: Final = ("Test", "Treatment")  # labels of what tables name twice: `CAT scan of head (head ct)`


@dataclass(frozen=True, slots=True)
class SentencePatterns:
    """What the table says."""

    # relation, direction and label of the other end, with the kind of section and the sentence
    sentences: dict[tuple[str, str, str], tuple[str, str]] = field(default_factory=dict)
    words: dict[str, frozenset[str]] = field(default_factory=dict)


def load_patterns(path: Path = TABLE) -> SentencePatterns:
    """Read a table of sentences; InputError where a line cannot be used, or stands twice."""
    said = SentencePatterns()
    for number, line in table_lines(path):
        cells = line.split("\t")
        if cells[0] in _LISTS and len(cells) == 2:
            said.words[cells[0]] = frozenset(cells[1].split())
            continue
        problem = _problem(cells)
        if not problem and tuple(cells[:3]) in said.sentences:
            problem = "it stands twice"
        if problem:
            raise InputError(f"{path}:{number}: {problem}; write relation, direction, label, kind of section, sentence")
        relation, direction, label, kind, sentence = cells
        said.sentences[relation, direction, label] = (kind, sentence)
    return said


def _problem(cells: Sequence[str]) -> str:
    """Tell what is wrong with a line, if anything is."""
    if len(cells) != 5:
        return f"there are {len(cells)} columns"
    relation, direction, _, kind, sentence = cells
    if relation not in RELATION_TYPES and relation not in {ABOVE, "ABOUT_CONCEPT"}:
        return f"there is no relation {relation!r}"
    if direction not in _DIRECTIONS:
        return f"the direction {direction!r} is neither out nor in"
    if kind not in SECTION_TYPES and relation != ABOVE:
        return f"there is no section type {kind!r}"
    if left := re.search(r"[{}<>|\[\]]", _RULES["slot"].sub("", sentence)):
        return f"the sentence has {left[0]!r} where no slot is"
    return "" if "y}" in sentence and sentence.endswith(".") else "the sentence has no {y}, or does not end"


@cache
def sayings() -> SentencePatterns:
    """Give what medgraph's own table says."""
    return load_patterns()


def saying(relation: str, direction: str, label: str) -> tuple[str, str]:
    """Find how a relation is said, `out` or `in`, of a category: the kind of section that tells it, and a sentence."""
    known = sayings().sentences
    keys = ((relation, direction, label), (relation, direction, ANY), ("RELATED_TO", direction, ANY))
    return next(known[key] for key in keys if key in known)


def wordings(relation: str) -> list[str]:
    """Give the sentences that say a relation, without what they name."""
    return [
        _RULES["slot"].sub(" ", sentence)
        for (name, *_), (_, sentence) in sayings().sentences.items()
        if name == relation
    ]


def kinds() -> dict[str, frozenset[str]]:
    """Tell which relations tell what: kinds of sections, in the order in which a text tells them, with relations."""
    told: dict[str, set[str]] = {}
    for (relation, _, _), (kind, _) in sayings().sentences.items():
        told.setdefault(kind, set()).add(relation)
    return {kind: frozenset(told[kind]) for kind in SECTION_TYPES if kind in told}


def kind_named(word: str) -> str:
    """Find a kind of section that relations tell, by any word for it; NotInGraphError where none tells such a thing."""
    kind = section_type(word)
    if kind not in kinds():
        raise NotInGraphError(f"no relation tells {word!r}; there are: {', '.join(kinds())}")
    return kind


def write_sentence(
    sentence: str,
    name: str | Sequence[str],
    others: Sequence[str],
    *,
    also: bool = False,
    lead: str = "",
    marks: Sequence[str] = (),
) -> str:
    """Write a sentence.

    Args:
        name: What the text is about, as it is written within a sentence; or several such things.
        others: What that is related to, as it is written within a sentence.
        also: Whether a sentence of the same kind stands before.
        lead: What stands before it, such as who alone says so.
        marks: What stands in brackets behind each of the others; none for nothing.

    Example:
        >>> write_sentence("{x} <is|are> {also}a kind of {y}.", "kidney stones", ["urinary stone"])
        'Kidney stones are a kind of urinary stone.'
    """
    subject = [name] if isinstance(name, str) else name
    many = len(subject) > 1 or len(others) > 1
    are = len(subject) > 1 or is_plural(subject[0])
    values = {"x": listed(subject), "also": "also " if also else ""}

    def filled(match: re.Match[str]) -> str:
        slot, one, more, single, plural = match.groups()
        if one:
            return more if are else one
        if single:
            return plural if many else single
        return values[slot] if slot in values else listed([_with_article(other, slot) for other in others], marks)

    form = f"{sentence[:1].lower()}{sentence[1:]}" if lead else sentence
    text = f"{lead}{_RULES['slot'].sub(filled, form)}"
    return f"{text[:1].upper()}{text[1:]}"


def tabled(kind: str, name: str, others: Sequence[str]) -> str:
    """Write what an uncurated table alone lists: that it does, and not that it is so.

    Example:
        >>> tabled("treatment", "gout", ["zinc", "iron"])
        'One uncurated table lists zinc and iron under treatment for gout.'
    """
    return f"One uncurated table lists {listed(others)} under {kind} for {name}."


def unnamed(who: str, kind: str, name: str, count: int) -> str:
    """Write that an uncurated table alone lists something, and how much, but not what.

    Example:
        >>> unnamed("Clinic list", "treatment", "gout", 2)
        'Under treatment for gout, one uncurated table (Clinic list) lists 2 entries that no other source gives.'
    """
    entries = "1 entry" if count == 1 else f"{count:,} entries"
    return f"Under {kind} for {name}, one uncurated table ({who}) lists {entries} that no other source gives."


def unjoined(told: str) -> str:
    """Write a source's definition without marks that join words, and symptoms as one list.

    Example:
        >>> unjoined("The infection has_symptom fever, and has_symptom cough.")
        'The infection has the symptoms fever, and cough.'
    """
    return _RULES["symptoms"].sub(_symptoms, _RULES["joined"].sub(" ", told))


def _symptoms(found: re.Match[str]) -> str:
    first, *more = found["first"].split("has symptom ")
    if any(map(_RULES["relation"].search, (first, *more))):
        return found[0]
    return f"has the symptom{'s' if more else ''} {first}{''.join(more)}"


def definition(name: str, told: str) -> str:
    """Write what something is, in a source's words; a definition that is no sentence is made one."""
    text = unjoined(told.strip())
    begins = _RULES["article"].match(text)
    if begins and not _RULES["whole"].match(text):
        are = "are" if is_plural(name) else "is"
        text = f"{name[:1].upper()}{name[1:]} {are} {begins[0].lower()}{text[begins.end() :]}"
    return text if text.endswith((".", "!", "?")) else f"{text}."


def listed(items: Sequence[str], marks: Sequence[str] = (), joint: str = "and") -> str:
    """Write things in a row, with marks in brackets, and semicolons where one has a comma or the `joint` itself."""
    shown = [f"{item} ({mark})" for item, mark in zip(items, marks, strict=True)] if marks else items
    if len(items) < 2:
        return "".join(shown)
    apart = "; " if any("," in item or f" {joint} " in item for item in items) else ", "
    return f"{apart.join(shown[:-1])}{';' if apart == '; ' else ''} {joint} {shown[-1]}"


def is_plural(name: str) -> bool:
    """Tell whether a name is the name of several: kidney stones, and not diabetes."""
    words = _RULES["tail"].sub("", name).split()
    last = words[-1].lower() if words else ""
    return last.endswith("s") and not last.endswith(("ss", "us", "is", "'s")) and last not in _words("@singular")


def with_article(name: str) -> str:
    """Put `a` or `an` before what is counted, such as a test."""
    return _with_article(name, "a y")


def in_sentence(name: str, names: Iterable[str], label: str) -> str:
    """Write a name as it stands within a sentence: with the fewest capitals, but for names of people."""
    name = _RULES["known as"].sub("", name) or name
    if label in _BRACKETED:
        name, names = _RULES["bracket"].sub("", name), [_RULES["bracket"].sub("", one) for one in names]
    plain = min([name, *names], key=lambda text: sum(c.isupper() for c in text))
    if label not in _SMALL:
        return plain
    kept = _words("@eponym")
    return _RULES["titled"].sub(lambda word: word[0] if word[0].lower() in kept else word[0].lower(), plain)


def _with_article(name: str, slot: str) -> str:
    if slot == "the y":
        return name if name.startswith("the ") else f"the {name}"
    last = name.rsplit(maxsplit=1)[-1].lower() if name.split() else ""
    if slot == "y" or last not in _words("@countable"):
        return name
    return f"{'an' if _begins_with_vowel(name) else 'a'} {name}"


def _begins_with_vowel(name: str) -> bool:
    if _RULES["letters as vowels"].match(name):
        return True
    first = re.split(r"\W", name.lower(), maxsplit=1)[0]
    return first[:1] in set("aeiou") and first not in _words("@consonant")


def _words(kind: str) -> frozenset[str]:
    return sayings().words.get(kind, frozenset())
