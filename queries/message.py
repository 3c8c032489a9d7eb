"""A message, taken apart: its heading, what it asks, of which section types, and what it tells."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ..schema.vocabulary import GENERAL, patterns
from . import lucene

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LONGEST_PREVIOUS: Final = 1000  # characters of an earlier question of a dialogue, at most
_LONGEST_HEADING: Final = 9  # words of a first sentence that may be the message's heading, at most
_MASK: Final = re.compile(
    r"\[[A-Z][A-Z _]*\]|\*?\bNAME\b\*?"  # what stands in for a name that was taken out
    r"|\b[\w.+-]+@[\w-]+\.[\w.]+|https?://\S+|\bwww\.\S+|\+?\d[\d() -]{7,}\d"
    r"|\A\W*(?i:(?:subject\s*:\s*)?clinicaltrials\.gov\b[^.\n]*?(?=\.\s|\n|\bmessage\s*:|\Z))"
)
_HEADED: Final = re.compile(r"\A\s*(?:subject\s*:(?P<heading>.*?))?\bmessage\s*:", re.IGNORECASE | re.DOTALL)
_END: Final = re.compile(
    r"[?!]+[)\"']*|(?<![.\d])\.(?=\s|\Z)|(?<=\d{4})\.(?=\s+[A-Z])|\.{2,}|(?<=[a-z]{3})\.(?=[A-Z])|\n\s*\n|(?<=\s)\(?\d[.)](?=\s)"
)
_ABBREVIATION: Final = re.compile(
    r"(?:\b(?:dr|mr|mrs|ms|st|vs|no|approx|yrs?|e\.g|i\.e|etc|p\.?t|u\.s)|\b[a-z])\.\Z", re.IGNORECASE
)
_SENTENCE: Final = re.compile(r"\b(?:i|my|am|have|has|is|are|was|hi|hello|dear)\b|\?", re.IGNORECASE)
_OPENING: Final = re.compile(
    r"\A\W*(?:(?:and|but|so|now|then|also|well|anyway|since then)\b,?\s+)+(?=\w)", re.IGNORECASE
)
_COURTESY: Final = re.compile(
    r"^\W*(?:hi|hello|hey|dear|good (?:day|morning|evening|afternoon)|respected|greetings|sir|madam|thank\w*|"
    r"many thanks|best|kind|warm|regards|sincerely|yours|god bless|cheers|my name|i am writing|i'm writing|"
    r"hope (?:to|you)|waiting for|look(?:ing)? forward|i (?:am|will be) (?:very )?(?:grateful|thankful)|"
    r"contact me|call me|please (?:reply|respond|answer|contact|call|email|e-mail|write|help))\b",
    re.IGNORECASE,
)
_ASKS: Final = re.compile(
    r"\?|^\W*(?:(?:and|so|also|but|or|now|then|please|pls|plz|kindly|if so|my question is)\W+)*"
    r"(?:what|which|who|whom|whose|when|where|why|how|is|are|am|was|were|do|does|did|can|could|will|would|should|shall|"
    r"may|might|any)\b"
    r"|\b(?:want|need|like|love|wish|try(?:ing)?|curious|interested|hoping) (?:to )?"
    r"(?:know|learn|find|understand|ask|see if|get|hear|have (?:some |more )?info\w*)"
    r"|\b(?:wonder(?:ing|ed)?|question is|questions? (?:about|on|regarding|is|are)|tell me|let (?:me|us) know|"
    r"advi[sc]e|suggest|guide|recommend|(?:some|more|any|need|want|send(?: me)?|get|for|further) "
    r"(?:info|information|details|literature|help|advice|suggestions)|look(?:ing)? for|search(?:ing)? for|"
    r"help (?:me|us|him|her|with)|explain|inform me|give me|send me|provide|"
    r"(?:what|how) (?:to|should|can|could|do|does|long|much|many|often)|whether|"
    r"if (?:there|it|this|that|i|you|we|he|she|they) (?:is|are|can|could|should|would|have|know)|"
    r"is (?:there|it|this|that)|are there|can (?:i|you|we|it|he|she|this|they)|could (?:i|you|we|it|this)|"
    r"should (?:i|we|he|she)|do (?:you|i|we)|does (?:it|this|he|she)|please|pls|plz|kindly)\b",
    re.IGNORECASE,
)
# What asks something of what was told before it, and names nothing itself.
_POINTS: Final = re.compile(
    r"\W*(?:(?:and|but|so|then) )?(?:why(?: is (?:that|this|it))?|how come|what helps"
    r"|what (?:can|could|might|may) (?:it|this|that) be"
    r"|what(?:'s| is) (?:the (?:reason|cause)|causing (?:it|this|that)|it|this|that)"
    r"|what (?:can|should|do|could) i do(?: (?:about|for|against) (?:it|this|that))?"
    r"|(?:is|are|was|can|could) (?:it|this|that|these) (?:be )?"
    r"(?:true|right|normal|ok(?:ay)?|bad|dangerous|serious|possible|(?:the|my|from|because of|due to) [\w ]{2,30}))\W*",
    re.IGNORECASE,
)
# Words with which a sentence says nothing about what is asked.
_EMPTY: Final = frozenset(
    """
    please pls plz help kindly advise advice suggest suggestion suggestions guide information info more know
    want wish reply answer question questions ask asking doctor doctors dr sir madam tell let thank thanks hello
    hi dear regards email contact send call soon asap give provide look looking find anything something someone
    anyone any one much very really am not now im i'm can't don't get got go going back good best way here who
    yes no see feel think thing things said told need needed could would time day days week weeks month months
    year years old
    """.split()
)
_TELLING_MORE: Final = re.compile(r"contagious|spread|transmi", re.IGNORECASE)

# Words that a section which answers need not have: what goes before a kind, and how bad something is.
_TELLING_NOTHING: Final = re.compile(
    r"\b(?:i\w?clud\w{1,3}|options?|especially|particularly|specifically|acute|chronic|sudden|severe|mild|serious|someone|"
    r"constant|persistent|extreme)\b",
    re.IGNORECASE,
)
_KEYWORDS: Final = (
    "symptoms treatment treatments diagnosed diagnosis causes complications prevention prevented prevent prognosis "
    "inherited hereditary genetic surgery medicine effects research stages dosage"
).split()
MIN_KEYWORD: Final = 82.0
# Words that are no key words misspelt, however near they are to one.
_SPELT_SO: Final = frozenset(
    "affects defects event generic medicinal present presented search stage stakes states".split()
)


@dataclass(frozen=True, slots=True)
class MessagePart:
    """A sentence of a message: its kind is `heading`, `asks`, `tells` or `courtesy`."""

    text: str
    kind: str


def without_masks(text: str) -> str:
    """Blank out addresses, numbers to call, names that were taken out, and what a form put before the message.

    Everything else stands where it stood.
    """
    return _MASK.sub(lambda found: " " * len(found[0]), text)


def parts_of(text: str) -> list[MessagePart]:
    """Take a message apart: its sentences in order, the heading first.

    Example:
        >>> [part.kind for part in parts_of("Gout. I am 60. My toe hurts. What can I eat? Thanks")]
        ['heading', 'tells', 'asks', 'courtesy']
    """
    text = without_masks(text)
    headed = _HEADED.match(text)
    heading = _one_line(headed["heading"] or "") if headed else ""
    sentences = _sentences(text[headed.end() :] if headed else text)
    if not heading and len(sentences) > 1 and _is_heading(sentences[0]):
        heading, sentences = sentences[0], sentences[1:]
    found = [MessagePart(heading, "heading")] if has_content(heading) else []
    return found + [MessagePart(sentence, _kind(sentence)) for sentence in sentences]


def asking_first(text: str) -> str:
    """Put what a message asks first, then its heading, and what it tells; the text itself where it says nothing."""
    parts = parts_of(text)
    said = [part.text for kind in ("asks", "heading", "tells") for part in parts if part.kind == kind]
    return " ".join(said) if said else " ".join(text.split())


def is_message(parts: Sequence[MessagePart]) -> bool:
    """Tell a message, of more than one sentence, from a question."""
    return len(parts) > 1


def frame_of(text: str) -> str:
    """Give the last sentence of a text that asks."""
    parts = parts_of(text)
    asking = [part for part in parts if part.kind == "asks"] or parts
    return asking[-1].text if is_message(parts) else " ".join(text.split())


def brief(text: str) -> str:
    """Give a question on one line as it may be sent along with the next one; of one that is too long what asks."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_PREVIOUS else frame_of(text)[:LONGEST_PREVIOUS]


def has_content(sentence: str) -> bool:
    """Tell whether a sentence has a word about what is asked, and is no greeting, thanks or bare plea."""
    return any(word not in _EMPTY for word in lucene.content_words(lucene.all_words(sentence)))


def points_back(sentence: str) -> bool:
    """Tell whether a sentence asks something of what was told before it: `What could it be?`."""
    return bool(_POINTS.fullmatch(sentence))


def plainly(sentence: str) -> str:
    """Leave out how a sentence goes on from the one before it: `So why are my joints stiff?`."""
    begun = _OPENING.sub("", sentence)
    return f"{begun[:1].upper()}{begun[1:]}" if begun != sentence else sentence


def _kind(sentence: str) -> str:
    if points_back(sentence):
        return "asks"
    if not has_content(sentence):
        return "courtesy"
    if _ASKS.search(sentence):
        return "asks"
    return "courtesy" if _COURTESY.search(sentence) else "tells"


def _is_heading(sentence: str) -> bool:
    return len(sentence.split()) <= _LONGEST_HEADING and not _SENTENCE.search(sentence)


def _sentences(text: str) -> list[str]:
    found, start = [], 0
    for end in _END.finditer(text):
        if end[0] == "." and _ABBREVIATION.search(text[start : end.end()]):
            continue
        found.append(text[start : end.end()])
        start = end.end()
    sentences = [part for sentence in [*found, text[start:]] for part in _with_question(sentence)]
    return [_one_line(sentence) for sentence in sentences if any(c.isalpha() for c in sentence)]


def _with_question(sentence: str) -> list[str]:
    """Cut off what asks something of the rest of a sentence: `My feet burn, what helps?`."""
    told, _, asked = sentence.rpartition(",")
    return [f"{told},", asked] if told and points_back(asked) else [sentence]


def _one_line(text: str) -> str:
    return " ".join(text.split())


def find_intents(question: str) -> tuple[str, ...]:
    """Find the section types that a question asks for, its key words misspelt or not, the plainest first.

    What something is counts only where nothing else is asked.
    """
    return _matched(question) or _matched(_corrected(question))


def has_answer_words(sentence: str, intents: Iterable[str]) -> bool:
    """Tell whether a sentence has words with which one says what a question asks for."""
    telling = patterns("tells")
    return any(name in telling and telling[name].search(sentence) for name in intents)


def without_kind(question: str, intents: Iterable[str]) -> str:
    """Leave out the words by which a question asks for section types, and words that tell nothing.

    A word that tells more than a kind (`contagious`) stays.
    """
    question = question if _matched(question) else _corrected(question)
    for name in intents:
        question = patterns("asks")[name].sub(
            lambda found: found[0] if _TELLING_MORE.match(found[0]) else " ", question
        )
    return _TELLING_NOTHING.sub(" ", question)


def in_order(question: str, intents: Iterable[str]) -> dict[str, int]:
    """Put section types in the order in which a question asks for them, each with where its key word stands."""
    ends = len(question)
    places = {name: found.start() if (found := patterns("asks")[name].search(question)) else ends for name in intents}
    return dict(sorted(places.items(), key=lambda item: item[1]))


def _matched(question: str) -> tuple[str, ...]:
    found = [name for name, pattern in patterns("asks").items() if pattern.search(question)]
    return tuple(name for name in found if name != GENERAL or len(found) == 1)


def _corrected(question: str) -> str:
    from rapidfuzz import fuzz, process

    words = []
    for word in question.lower().split():
        near = None
        if len(word) > 4 and word.strip("?.,!") not in _SPELT_SO:
            near = process.extractOne(word, _KEYWORDS, scorer=fuzz.ratio, score_cutoff=MIN_KEYWORD)
        words.append(near[0] if near else word)
    return " ".join(words)
