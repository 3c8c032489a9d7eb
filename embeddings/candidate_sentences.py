"""Sentences of evidence that can be quoted, with the lists that they announce, what they rest on, and their vectors."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from ..text import ANNOUNCERS, is_word, run_together, sentences, without_bullet
from .referring import Referring

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

MAX_LIST: Final = 600  # characters of a list that is quoted, with what announces it, at most; set by hand
# How a sentence ends that announces a list.
_ANNOUNCES: Final = re.compile(r"(?::|\b(?:include|includes|including|following))\s*$")
# Where a list begins that was flattened into its sentence.
_FLAT: Final = re.compile(rf"(?::\s+|\b(?:{ANNOUNCERS})[ \t]+)[-*\u2022\u00b7]\s+(?=\S)")
_ITEM: Final = re.compile(r"\s+[-*\u2022\u00b7]\s")


def with_lists(text: str) -> Iterator[tuple[int, int, bool]]:
    """Find where the sentences of a text begin, behind a mark of a list, and end; and whether it is a list.

    A list and what announces it are one; one that is too long is cut between items.
    """
    spans, at = sentences(text), 0
    while at < len(spans):
        start, end = first = spans[at]
        at += 1
        flat = _FLAT.search(text, start, end)
        if flat and end - start > MAX_LIST:
            ends = [item.start() for item in _ITEM.finditer(text, flat.end(), end) if item.start() - start <= MAX_LIST]
            end = max(ends, default=end)
        elif flat or _ANNOUNCES.search(text, start, end):
            while at < len(spans) and _is_item(text, *spans[at]) and spans[at][1] - start <= MAX_LIST:
                end, at = spans[at][1], at + 1
        yield min(without_bullet(text, start), end), end, bool(flat) or end > first[1]


def _is_item(text: str, start: int, end: int) -> bool:
    return start < without_bullet(text, start) < end


_ENDS: Final = ".!;)\"'\u201d"  # how sentences and items end, what closes behind a stop last
# Words with which a sentence begins behind a heading that was stuck to it.
_OPENING: Final = frozenset(
    "A Although An And As At Because Before Both But By Children Doctors During Each For From How However If In It "
    "Many Men Most Once Other Others Patients People Researchers Scientists Several Since Some Sometimes Talk That The "
    "There These They This Those Though To Treatment Until Usually What When Whether While With Without Women You "
    "Your".split()
)
MIN_WORDS: Final = 4
MAX_CHARACTERS: Final = 600
MAX_SCANNED: Final = 100
_COLON: Final = re.compile(r"(?<!\d) :(?= )")
_TOKEN: Final = re.compile(r"[^\W_][^\s]*")
_POINTS: Final = re.compile(
    r"\bfollowing (?:list|table)\b|\b(?:(?:list|table|chart)|listed) below\b|\A\W*here (?:is|are)\b"
    r"|\b(?:are|include) the following\.\Z",
    re.IGNORECASE,
)
_REFERRAL: Final = re.compile(
    r"these resources|click (?:here|on)|\A\W*check out\b"
    r"|for more information|learn more|see also|genetic testing registry"
    r"|clinicaltrials\.gov|more information (?:about|on)|national library of medicine|orphanet|http|www\."
    r"| - patients may want to think about taking part in a clinical trial"
    r"|gene ?reviews|medscape|emedicine|in-depth review"
    r"|public health image library|(?:defined|described|listed|shown) above|__|\A\W*for more (?:about|on)\b"
    r"|(?:animation|chart|diagram|figure|illustration|image|photo|picture)s? (?:above|below)(?! \d)"
    r"|(?:above|below) (?:animation|chart|diagram|figure|illustration|image|photo|picture)|resources for finding"
    r"|ha(?:s|ve) an? (?:\w+ ){0,2}(?:page|article|fact sheet|brochure|pamphlet)\b"
    r"|register to view|registration is free|frequency of a sign or symptom is|sign or symptom may be rare or common"
    r"|(?:additional|detailed|further|specific) information (?:about|on|regarding|related to)"
    r"|is the primary \w+ organization for"
    r"|medical dictionary|(?:watch|enlarge|reduce) (?:the|this) video|may also be listed as a fraction"
    r"|number of the fraction is|frequency of \d+/\d+ means|no information on frequency is available"
    r"|\A\W*signs and symptoms approximate number of patients"
    r"|human phenotype ontology (?:\(hpo\) )?(?:provides|has collected)"
    r"|these frequencies are based on|check (?:out )?the following (?:resources|links|websites)"
    r"|(?:resources?|links?) (?:listed )?(?:below|above)|for information (?:about|on|regarding)\b|publication called"
    r"|this (?:article|fact sheet|section|booklet|page) (?:discusses|describes|explains|tells|gives|provides|is about)"
    r"|following (?:diseases|conditions) are related to"
    r"|\A[^.,;:]{0,80}\(\d{4}\)\W*\Z"  # the title of a publication
    r"|you can (?:also )?(?:read|find|view|access) (?:\w+ ){0,4}(?:information|articles?|about|resources)\b",
    re.IGNORECASE,
)

# What stands before a sentence without being of it; a heading that the sentence repeats, too.
_LEAD: Final = re.compile(
    r"(?:\[\d+\]\s*)+"  # what marks the source of the sentence before
    r"|Summary\s*:?\s+(?=[A-Z])"
    r"|When to (?:see (?:a|your) doctor|call (?:a|your) doctor|contact a medical professional|seek help)\s+(?=[A-Z])"
    r"|(?:[A-Z]{6,}\s+)(?=[A-Z])"
    r"|(?P<twice>[A-Z][^.:;]{3,60}?):?\s+(?=(?i:(?P=twice))\b)"
    r"|[`~|]\s+"
)
# Words that headings have in small letters.
_JOINING: Final = frozenset("a an and are as at be by for from in is of on or the to vs with your".split())
_VERBS: Final = frozenset(("are", "be", "is"))

# Words that stand with a capital in headings alone, and in no name.
_VERBS_OF_HEADINGS: Final = frozenset(
    "Affect Affects Always Are Be Become Becomes Can Cause Causes Controlled Depends Develop Develops Differ Do "
    "Does Found Get Happen Happens Has Have Help Helps Improve Include Includes Is Know Last Lead Leads Make Makes "
    "Manage May Might Much Must Need Needs Never Not Occur Occurs Often Prevented Should Sometimes Start Starts "
    "Treated Usually Vary Was Will".split()
)
# Words with which a sentence begins behind such a heading, whatever follows them.
_OPENING_NAMES: Final = frozenset("About Although Because If In The When While".split())
# Words that begin a sentence, and stand in capitals within headings and names, too (`Vitamin A is ...`).
_IN_NAMES: Final = frozenset("A An And As At Before But By During For From In That To Treatment With Without".split())
_BEHIND_ONE: Final = _OPENING - _IN_NAMES
_LEAST_HEADING: Final = 2
_LONGEST_HEADING: Final = 12
_LONGEST_REPEATED: Final = 8
_REPEATED_WITHIN: Final = 5
_LIMITS: Final = re.compile(
    r"(?:However|But|Nevertheless|Nonetheless|On the other hand|Even so|Still|Unfortunately)\b,?"
)

# What goes on without a verb, as items of lists do (`Searching for new ways.`, `Whether it came back.`).
_NO_VERB: Final = re.compile(
    r"Whether (?!.*\b(?:affects?|depends|determines?|known|matters?|uncertain|unclear)\b)[^,]*\Z"
    r"|(?=(?:\S+ ){0,5}\S+\Z)(?!During\b)[A-Z][a-z]+ing\b"
    r"(?!.*\b(?:is|are|was|were|be|been|can|could|may|might|will|would|should|must|has|have|had|do|does|"
    r"(?:help|make|keep|reduce|lower|prevent|cause|increase|mean|include|allow|let|give|take|relieve|raise|improve|"
    r"require|involve|depend|lead|result|work|seem|appear|put|provide|need|become|remain|affect|protect|play)s?)\b)"
)
# What only says what a name means (`Rheumatologists -- doctors who treat joints.`).
_NAMES: Final = re.compile(r"(?:[^\s,]+ ){1,4}-- (?!.* -- )")
# What a study is for, without what it found (`To analyze the outcome of ...`).
_AIM: Final = re.compile(
    r"The present (?:analysis|article|paper|report|review|study) "
    r"(?:aims|analy[sz]es|compares|describes|evaluates|examines|investigates|reports|reviews)\b"
    r"|(?=[^,:]+\Z)To [a-z]+ "
    r"(?!.* - |.*\b(?:is|are|was|were|can|could|may|might|will|would|should|must|has|have|had)\b)"
)
# How a sentence begins that says that there is something to say, or who would know, and not what.
_VAGUE: Final = re.compile(
    r"(?:There are (?:\w+ ){0,3}(?:types?|kinds?|forms?|ways|stages|treatments?|treatment options|tests|causes)\b"
    r"|(?:If \S[^,]{0,80}, )?(?:please )?(?:talk|speak|ask|see|call|contact|tell|check with|work with|visit)\b"
    r"(?: to| with)? your (?:doctor|health ?care|provider|pharmacist)"
    r"|(?:There are )?(?:\w+ ){1,2}types of (?:standard )?treatments? (?:is|are|for)\b"
    r"|Patients (?:can enter|may want to think about)\b.*\bclinical trials?"
    r"|The way (?:the )?[^,;:]{1,40} is given depends\b"
    r"|Treatment for [^,;:]{1,60} may cause side effects"
    r"|(?:The )?(?:signs|symptoms|treatments?|causes)\b(?:, if \w+,)?[^,;:]{0,60}"
    r"\b(?:var(?:y|ies)|differs?|depends? on)\b"
    r"|Here (?:is|are)\b|New types of treatments? (?:is|are) being (?:studied|tested)\b"
    r"|There (?:can|may|might|could) (?:also )?be (?:other )?(?:complications|side effects|problems)\b"
    r"|A treatment clinical trial is a research study\b)",
    re.IGNORECASE,
)
_LONGEST_VAGUE: Final = 160  # characters from which on such a sentence goes on to say it

# A list without marks that could not be told apart, and the sentence that was stuck to it.
_RUNS_ON: Final = re.compile(rf": [^.]*[a-z)] (?:{'|'.join(sorted(_OPENING - {'A', 'An'}))}) [a-z]+ ")
_SMALL: Final = re.compile(r"(?<![\w./@-])[a-z]{6,}(?![\w@]|\.\w)")
# Where an item of a list begins that lost its marks (`causes are Allergic reactions Eczema Dry skin`).
_UNMARKED: Final = re.compile(
    r"\b(?!(?:a|an|and|as|at|by|called|for|from|in|is|like|of|on|or|stage|than|the|to|type|with)\b)[a-z]{3,} "
    r"(?P<item>[A-Z][a-z]{2,})(?= )"
)
_FEWEST_UNMARKED: Final = 3

# What announces several things and has one, as the others are too long.
_ONE_OF_MANY: Final = re.compile(
    r"(?:(?!\s-\s).)*\b(?:two|three|four|five|six|seven|several|diseases|disorders|elements|methods|operations|"
    r"phases|procedures|steps|symptoms|tests|therapies|treatments|types|ways)\b(?:(?!\s-\s).)*\s-\s+(?!.*\s-\s)",
    re.IGNORECASE | re.DOTALL,
)
# What announces several things and has one, whatever announces them (`You can help by - Covering your mouth.`).
_ONE_ITEM: Final = re.compile(
    r"(?:(?! - ).)*\b(?:about|and|are|as|at|be|by|can|for|from|has|have|if|in|include|includes|including|may|of|or"
    r"|that|the|to|when|with|(?:if|when|that) you|your) - (?!\d|.* - )"
)
# How an item begins that is a sentence by itself.
_IS_SENTENCE: Final = re.compile(
    r"(?:\S+ ){1,8}(?:is|are|was|were|has|have|may|can|checks?|helps?|involves?|looks?|measures?|shows?|uses?)\b"
)
# A label before a sentence that stands without it (`Medical management - About half of people have ...`).
_LABELLED: Final = re.compile(
    r"[A-Z][^\s.:;-]+(?: (?!(?:are|can|if|is|may|you|include|includes|including|involves)\b)[^\s.:;-]+){0,4} - "
    r"(?=[A-Z](?!t\b|his\b|hese\b|hey\b|hat\b)(?:(?! - ).)*\Z)"
)


@dataclass(frozen=True, slots=True)
class CandidateSentence(Referring):
    """A sentence that could be part of an answer, by number of its section in the evidence, and in the section, from 0.

    Its text has single blanks for white space.
    """

    section: int
    order: int
    start: int
    end: int
    text: str

    @property
    def broken(self) -> bool:
        """Whether words of it run together, or items of a list that has no marks."""
        if any(run_together(word[0]) for word in _SMALL.finditer(self.text)):
            return True
        begun = [item["item"].lower() for item in _UNMARKED.finditer(self.text)]
        return " - " not in self.text and sum(map(is_word, begun)) >= _FEWEST_UNMARKED

    @property
    def limits(self) -> bool:
        """Whether it begins with a word that takes something back of what was said right before."""
        return bool(_LIMITS.match(self.text))

    @property
    def vague(self) -> bool:
        """Whether it only says that there is something to say, or who would know, and announces no list."""
        return len(self.text) <= _LONGEST_VAGUE and ":" not in self.text and bool(_VAGUE.match(self.text))


def candidates(number: int, text: str) -> list[CandidateSentence]:
    """Find the sentences of a section that can be quoted by themselves, without questions, referrals and fragments.

    A sentence that announces a list is quoted with the items that follow it, as far as they fit; one that only points
    at a list or table elsewhere is not.
    """
    found: list[CandidateSentence] = []
    for start, end, listed in itertools.islice(_spans(text), MAX_SCANNED):
        plain = plain_quote(text[start:end])
        if (
            len(plain) > MAX_CHARACTERS
            or plain.endswith(("?", ":"))
            or _REFERRAL.search(plain)
            or _ONE_ITEM.match(plain)
            or (not listed and (any(one.match(plain) for one in (_NO_VERB, _AIM, _NAMES)) or _RUNS_ON.search(plain)))
        ):
            continue
        if listed and plain[:1].islower():  # an item of another list
            continue
        if not listed and (plain[-1:] not in _ENDS or _POINTS.search(plain) or plain[:1].islower() or plain[:1] == "("):
            continue
        if len(plain.split()) >= MIN_WORDS:
            found.append(CandidateSentence(number, len(found), start, end, plain))
    return found


def plain_quote(quote: str) -> str:
    """Say what a quotation says, with single blanks, and none before a colon."""
    return _COLON.sub(":", " ".join(quote.split()))


def _spans(text: str) -> Iterator[tuple[int, int, bool]]:
    """Give the spans of sentences, and of lists with what announces them; and whether it is one of the latter."""
    for start, end, is_list in with_lists(text):
        first = _begins(text, start, end)
        alone = _ONE_OF_MANY.match(text, first, end) if is_list else None
        if alone is None:
            yield first, end, is_list
        elif _IS_SENTENCE.match(text, alone.end(), end):
            yield _begins(text, alone.end(), end), end, False


def _begins(text: str, start: int, end: int) -> int:
    """Find where a sentence begins behind a label or a heading that was stuck to it."""
    if lead := _LEAD.match(text, start, end) or _LABELLED.match(text, start, end):
        start = lead.end()
    words = list(itertools.islice(_TOKEN.finditer(text, start, end), _LONGEST_HEADING + 1))
    headed = False
    for place, (word, following) in enumerate(itertools.pairwise(words)):
        if word[0][0].islower() and word[0] not in _JOINING:
            break
        behind_one = word[0] in _BEHIND_ONE and ":" not in text[start : word.start()]
        least = 1 if behind_one else _LEAST_HEADING
        stands = place >= least and word[0][0].isupper() and "." not in word[0]
        if stands and word[0] in (_OPENING if following[0][0].islower() else _OPENING_NAMES if headed else ()):
            return word.start()
        goes_on = following[0][0].islower() and following[0] not in _JOINING - _VERBS
        if stands and headed and goes_on and word[0] not in _VERBS_OF_HEADINGS:
            return word.start()
        is_month = word[0] == "May" and following[0][0].isdigit()
        headed = headed or (place > 0 and word[0] in _VERBS_OF_HEADINGS and not is_month)
    told = [word[0] for word in words]
    places = range(_LEAST_HEADING, min(_LONGEST_REPEATED, len(words) - 2) + 1)
    return next((words[place].start() for place in places if _is_repeated(told, place)), start)


def _is_repeated(words: Sequence[str], first: int) -> bool:
    """Tell whether words are a heading that the sentence behind them repeats (`Dry Mouth Treating dry mouth helps`)."""
    heading, sentence = words[:first], words[first : first + _REPEATED_WITHIN]
    if any(word[-1] in ",;" for word in heading):
        return False
    if not all(word[0].isupper() or word in _JOINING for word in heading) or not sentence[0][0].isupper():
        return False
    if not sentence[1].islower():
        return False
    told = {word.lower() for word in heading if word not in _JOINING}
    again = {word for word in sentence[1:] if word in told} | ({sentence[0].lower()} & told)
    return len(again) >= _LEAST_HEADING and any(word.islower() for word in again)


# Raised when other sentences are found in a text, so that what was kept of it counts as stale.
VECTORS_VERSION: Final = 5
_LEVELS: Final = 127


def sentences_by(encoder: str) -> str:
    """Name what a section's vectors are made by, with the version of how sentences are found."""
    return f"{VECTORS_VERSION}:{encoder}"


def as_encoded(title: str, sentence: str) -> str:
    """Write a sentence as it is encoded."""
    return f"{title}: {sentence}"


def pack(spans: Sequence[tuple[int, int]], vectors: NDArray[np.float32]) -> bytes:
    """Write spans of n sentences and (n, dimension) vectors for a property: whole numbers with one scale each."""
    rows = np.zeros(len(spans), dtype=row_type(vectors.shape[1]))
    if len(spans):
        scales = np.maximum(np.abs(vectors).max(axis=1), np.finfo(np.float32).tiny) / _LEVELS
        rows["start"], rows["end"] = np.array(spans, dtype=np.int32).T
        rows["scale"], rows["levels"] = scales, np.rint(vectors / scales[:, None])
    return rows.tobytes()


def unpack(kept: bytes, dimension: int) -> tuple[list[tuple[int, int]], NDArray[np.float32]]:
    """Read spans and (n, dimension) float32, near to unit length, of a property that `pack` wrote.

    Raises:
        ValueError: It is not what `pack` wrote for this dimension.
    """
    rows = np.frombuffer(kept, dtype=row_type(dimension))
    return list(zip(rows["start"].tolist(), rows["end"].tolist(), strict=True)), rows["levels"] * rows["scale"][:, None]


def row_type(dimension: int) -> np.dtype[np.void]:
    """Give how a sentence of a property that `pack` writes is laid out."""
    return np.dtype([("start", "<i4"), ("end", "<i4"), ("scale", "<f4"), ("levels", "i1", (dimension,))])
