"""The section type that a question asks for: symptoms, treatment, causes and so on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

_PATTERNS: Final[tuple[tuple[str, str], ...]] = (
    ("side effects", r"side effects?|adverse (?:effects?|reactions?)"),
    (
        "complications",
        r"complications?|lead to|harms?\b|(?:damage|hurt|affect|bad for|effects? on) (?:my|your|the|his|her)\b|"
        r"long[- ]term effects?|what (?:can|could|may) (?:happen|go wrong)",
    ),
    (
        "prevention",
        r"prevent\w*|avoid(?:ing)? (?:getting|catching)|protect (?:myself|yourself|against)|lower (?:my|the) risk",
    ),
    (
        "exams and tests",
        r"diagnos(?:is|es|e|ing|tics?)\b|"
        r"(?<!was )(?<!been )(?<!got )(?<!just )(?<!newly )(?<!recently )diagnosed\b(?! with)|"
        r"(?-i:dx)\b|tests?\b(?! positive)|tested|(?:be|get) checked\b|detect\w*|screen(?:ing|ed)?|"
        r"how (?:is|are|was) (?:\S+ ){1,5}?found\b|(?:picked up|found) (?:by|on|with|in) |"
        r"how (?:do|can) (?:i|you) (?:know|tell)",
    ),
    (
        "treatment",
        r"(?-i:tx|rx)\b|treat\w*|cures?|cured|curable|therap\w+|remed(?:y|ies)|manag(?:e|ed|ing|ement)|get rid of|"
        r"relie(?:f|ve)|what (?:can|should|do|to) (?:i |we |you )?(?:do|take) (?:for|about|against)|"
        r"medic(?:ine|ation)s? (?:is |are )?(?:better |best )?for|"
        r"(?:medicine|medication|drug|exercise|stretche?|cream|vitamin)s? "
        r"(?:(?:will|can|could|would|might|may|that) )?helps?\b|"
        r"(?:any|some)thing (?:that |which )?(?:can be done|(?:can |could |might )?helps?)\b",
    ),
    (
        "inheritance",
        r"inherit\w*|hereditary(?! (?!and\b|or\b|in\b)\w)|runs? in (?:the |my )?famil\w+|"
        r"pass(?:ed)? (?:it |this )?(?:on|down)\b|(?:will|can|could|might) (?:my|our|her|his) "
        r"(?:child|children|kids?|sons?|daughters?|bab(?:y|ies)) (?:also )?(?:get|have)\b",
    ),
    (
        "genetic changes",
        r"genetic changes|genes? (?:(?:is|are|gets?|that is|that are) )?"
        r"(?:changed|altered|mutated|affected|defective|faulty|involved|responsible)\b|genes?\b(?! therap)|mutations?|"
        r"genetics?\b(?! (?:test|cause))",
    ),
    (
        "susceptibility",
        r"risk factors?|at (?:higher |increased )?risk|who (?:gets|is (?:most |more )?likely|can get|is affected)|"
        r"more (?:likely|prone) to",
    ),
    (
        "symptoms",
        r"symptoms?|signs?\b|s/s\b|(?-i:sx)\b|(?:feel|look|sound)s? like|warning sign|how would (?:i|you|we) know\b|"
        r"(?:look|watch) out for\b",
    ),
    (
        "causes",
        r"caus(?:e|es|ed|ing)\b(?! by (?!what))|caused by\W*$|why (?:do|does|did|am|is|are)|reasons? for|"
        r"due to\W*$|comes? from|how (?:do|does|can|did) (?:\w+ ){1,4}(?:get|catch)\b|"
        r"contagious|infectious\b(?! disease)|spread|transmi\w+|catch(?:ing)?\b(?! up)|"
        r"sets? off\b|what makes\b|trigger(?:s|ed)?\b",
    ),
    (
        "outlook",
        r"outlook|prognosis|life ?(?:expect\w+|span)|surviv\w+|how long (?:will|do|does|can)|fatal|die from|deadly|"
        r"go(?:es)? away\b|com(?:e|es|ing) back\b|recur\w*|relaps\w+|disappear\w*",
    ),
    (
        "frequency",
        r"how (?:common|many (?:people|children|adults|women|men|bab(?:y|ies)|newborns|kids|americans)|often does)|"
        r"prevalence|incidence|"
        r"rare\b(?! (?:disease|condition|disorder|syndrome|genetic|form|type|kind|cancer))",
    ),
    ("stages", r"(?:what|which) stage\b|(?<!early )(?<!late )(?<!later )(?<!last )stages\b|staging"),
    ("research", r"clinical trials?|(?:any|join an?) trials?|research"),
    ("usage", r"how (?:should|do) i (?:take|use)|how should (?:\S+ ){1,4}be (?:taken|used)"),
    ("dose", r"dos(?:e|es|age)"),
    (
        "information",
        r"^\W*what(?:'?s| is| are)\b|\bdefin\w+|tell (?:me|us) (?:\w+ )?about|explain|meaning of|never heard of|"
        r"(?:info(?:rmation)?(?: and \w+)?|details|facts|literature|materials?|pamphlets?) "
        r"(?:on|about|regarding|concerning)\b|"
        r"(?:know|learn|read|hear|find out|understand) (?:(?:more|all|anything|everything) )?about\b|"
        r"(?:want|like|trying) to understand\b",
    ),
)
_COMPILED: Final = {name: re.compile(rf"(?<!\w)(?:{pattern})", re.IGNORECASE) for name, pattern in _PATTERNS}


_TELLING: Final[dict[str, str]] = {
    "information": r"is an?\b|are\b|is the\b|refers to|means\b|called\b",
    "symptoms": r"symptom\w*|signs?\b|include|may (?:have|feel|notice)|experience|feel\w*|characteri[sz]ed",
    "treatment": r"treat\w*|therap\w+|medic(?:ine|ation)s?|surger\w+|surgical|drugs?\b|manag\w+|reliev\w+|relief|"
    r"cure[ds]?\b|help\w*|prescri\w+|antibiotics?|transplant\w*",
    "causes": r"(?<!with no known )(?<!without known )caus\w+|due to|results? (?:from|in|of)|stems? from|brought on|"
    r"because|leads? to|spread\w*|contagi\w+|trigger\w*|infect\w+|transmi\w+|passed|inherited|genetic|"
    r"mutations?",
    "exams and tests": r"diagnos\w+|test\w*|exam\w*|scan\w*|screen\w*|biops\w+|x-rays?|measur\w+|imaging",
    "inheritance": r"inherit\w*|autosomal|recessive|dominant|x-linked|parents?\b|famil\w+|hereditary|sporadic",
    "genetic changes": r"genes?\b|mutations?|chromosom\w+|genetic\w*|delet\w+",
    "outlook": r"outlook|prognos\w+|surviv\w+|recover\w*|life expectancy|(?:most|many) people|years?\b|cure[ds]?\b|"
    r"fatal\w*|death|improve\w*|long[- ]term",
    "prevention": r"prevent\w*|avoid\w*|reduc\w+|lower\w*|vaccin\w+|protect\w*|keep\b",
    "complications": r"complicat\w+|leads? to|caus\w+|risk\w*|damage\w*|problems?\b|result in",
    "susceptibility": r"risk\w*|likely|more common|affects? (?!many parts|the \w+\b|your)|older|children|men\b|"
    r"women\b",
    "side effects": r"side effects?|adverse|reactions?\b|caus\w+",
    "frequency": r"percent|%|in [\d,]+|rare\b|common\w*|people|cases?\b|prevalen\w+|inciden\w+",
    "research": r"research\w*|trials?\b|stud(?:y|ies|ied)|scientists?|investigat\w+",
    "stages": r"stages?\b|grades?\b|staging|phases?\b|advanced",
    "dose": r"dos\w+|mg\b|daily|times? a day",
    "usage": r"take\w*|use[ds]?\b|using|appl(?:y|ied)|daily",
}
"""Section type → words with which a sentence tells what it asks for; set by hand."""

_TELLS: Final = {name: re.compile(rf"(?<!\w)(?:{pattern})", re.IGNORECASE) for name, pattern in _TELLING.items()}

_TELLING_MORE: Final = re.compile(r"contagious|spread|transmi", re.IGNORECASE)
_HANDED_ON: Final = re.compile(r"\btransmi(?:t|ss)|\bpass(?:ed)? on\b", re.IGNORECASE)

_TELLING_NOTHING: Final = re.compile(
    r"\b(?:i\w?clud\w{1,3}|options?|especially|particularly|specifically|acute|chronic|sudden|severe|mild|serious|someone|"
    r"constant|persistent|extreme)\b",
    re.IGNORECASE,
)
"""Words that a section which answers need not have: what goes before a kind, and how bad something is."""

_BESIDES: Final = re.compile(
    r"\binfo\w*\b(?:(?: (?:on|about|regarding))? and\b|.*?\b(?:i\w?clud\w{1,3}|such as|especially|particularly)\b)",
    re.IGNORECASE,
)

_CAUSING: Final = re.compile(
    r"\b(?:caus(?:es?|ed|ing)\b(?! by)|leads? to|leading to|results? in|resulting in|be (?:the|a) causes? of)\b",
    re.IGNORECASE,
)
_CAUSED: Final = re.compile(
    r"\b(?:caused by|(?<!be the )(?<!be a )causes? of|cause is|due to|because|results? from|inherited|genetic|"
    r"mutations?|infections? with)\b",
    re.IGNORECASE,
)

_HELPERS: Final = (
    r"(?:physicians?|doctors?|dentists?|specialists?|surgeons?|hospitals?|clinics?|centers?|experts?|\w+ologists?|"
    r"support groups?|counsel(?:l?ors?|l?ing)|organi[sz]ations?)(?:\(s\))?"
)
_WHOM: Final = re.compile(
    rf"\b(?:find|locate|recommend|suggest|look(?:ing)? for|know of|names? of|list of|including|on)\s[^.?!]{{0,40}}?"
    rf"\b{_HELPERS}(?!\w)(?![^.?!]*\b(?:say|think|believe)\b)|\bwho specialize|\bspecializ(?:es|ing) in\b",
    re.IGNORECASE,
)
_TELLS_WHOM: Final = re.compile(
    rf"\b(?:find|finding|locat\w+|list of|directory|referr?al|contact|call)\b[^.]{{0,60}}\b{_HELPERS}(?!\w)"
    r"|\b(?:foundation|association|society|support groups?|organi[sz]ations?)\b",
    re.IGNORECASE,
)

_KEYWORDS: Final = (
    "symptoms treatment treatments diagnosed diagnosis causes complications prevention prevented prevent prognosis "
    "inherited hereditary genetic surgery medicine effects research stages dosage"
).split()
MIN_KEYWORD: Final = 82.0
_SPELT_SO: Final = frozenset(
    "affects defects event generic medicinal present presented search stage stakes states".split()
)
"""Words that are no key words misspelt, however near they are to one."""

GENERAL: Final = "information"
"""The type that counts only where nothing else is asked."""


def find_intents(question: str) -> tuple[str, ...]:
    """Find the section types that a question asks for, its key words misspelt or not.

    Args:
        question: What a user typed.

    Returns:
        Section types, the plainest first; none when the question does not say. What something is counts only where
        nothing else is asked.
    """
    return _matched(question) or _matched(_corrected(question))


def tells(sentence: str, intents: Iterable[str]) -> bool:
    """Tell whether a sentence has words with which one says what a question asks for.

    Args:
        sentence: The sentence.
        intents: The section types asked for.

    Returns:
        Whether it has, for any of them.
    """
    return any(name in _TELLS and _TELLS[name].search(sentence) for name in intents)


def effect_at(sentence: str) -> int:
    """Find where a sentence begins to tell what something does, rather than what it comes from.

    Args:
        sentence: The sentence.

    Returns:
        Where its word for causing stands; -1 where it has none, or tells of what comes from something else too.
    """
    found = _CAUSING.search(sentence)
    return found.start() if found and not _CAUSED.search(sentence) else -1


def without_kind(question: str, intents: Iterable[str]) -> str:
    """Leave out the words by which a question asks for section types.

    Args:
        question: What a user typed.
        intents: The types.

    Returns:
        The rest of it, misspelt key words gone too, and words that tell nothing; a word that tells more than a kind
        (`contagious`) stays.
    """
    question = question if _matched(question) else _corrected(question)
    for name in intents:
        question = _COMPILED[name].sub(lambda found: found[0] if _TELLING_MORE.match(found[0]) else " ", question)
    return _TELLING_NOTHING.sub(" ", question)


def asks_besides(question: str) -> bool:
    """Tell whether a question asks about something as a whole, and for kinds of section besides.

    Args:
        question: What a user typed.

    Returns:
        Whether it does (`information on gout, including treatment`), and not only for these.
    """
    found = _BESIDES.search(question)
    return bool(found and _matched(question[found.end() :]) and set(_matched(found[0])) <= {GENERAL})


def handed_on(question: str) -> bool:
    """Tell whether a question asks how something gets from one to another, be it caught or inherited.

    Args:
        question: What a user typed.

    Returns:
        Whether it does.
    """
    return bool(_HANDED_ON.search(question))


def in_order(question: str, intents: Iterable[str]) -> dict[str, int]:
    """Put section types in the order in which a question asks for them.

    Args:
        question: What a user typed.
        intents: The types.

    Returns:
        Each type with where its key word stands; those whose key words are misspelt come last, with the text's end.
    """
    ends = len(question)
    places = {name: found.start() if (found := _COMPILED[name].search(question)) else ends for name in intents}
    return dict(sorted(places.items(), key=lambda item: item[1]))


def asks_whom(question: str) -> bool:
    """Tell whether a question asks where to turn: for a doctor, a hospital, a group, rather than for what is known.

    Args:
        question: What a user typed.

    Returns:
        Whether it does.
    """
    return bool(_WHOM.search(question))


def tells_whom(sentence: str) -> bool:
    """Tell whether a sentence says where to turn.

    Args:
        sentence: The sentence.

    Returns:
        Whether it does.
    """
    return bool(_TELLS_WHOM.search(sentence))


def _matched(question: str) -> tuple[str, ...]:
    found = [name for name, pattern in _COMPILED.items() if pattern.search(question)]
    return tuple(name for name in found if name != GENERAL or len(found) == 1)


def _corrected(question: str) -> str:
    """Replace words by key words that they all but are."""
    from rapidfuzz import fuzz, process

    words = []
    for word in question.lower().split():
        near = None
        if len(word) > 4 and word.strip("?.,!") not in _SPELT_SO:
            near = process.extractOne(word, _KEYWORDS, scorer=fuzz.ratio, score_cutoff=MIN_KEYWORD)
        words.append(near[0] if near else word)
    return " ".join(words)
