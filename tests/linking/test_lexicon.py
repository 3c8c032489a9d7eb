"""Names, looked up by their words: whole, and in every run of the words of a text."""

from hypothesis import example, given
from hypothesis import strategies as st

from medgraph.linking.lexicon import ANY_ORDER, LOOSE, MAX_WORDS, NAME, ORDERED, Lexicon, Named
from medgraph.linking.words import LITTLE, loose, words

WORDS = [
    "cancer",
    "tumors",
    "of",
    "the",
    "breast",
    "mammary",
    "disease",
    "type",
    "2",
    "II",
    "gout",
    "renal",
    "kidney's",
]
NAMES = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join), max_size=8)
ODD = st.text(st.one_of(st.characters(), st.sampled_from(" -'\u200b\u0301\ud800")), max_size=30)


class Plain:
    """What a lexicon does, with dictionaries of words."""

    def __init__(self, names):
        self.kept = [name for name in names if words(name)]

    def whole(self, found, how):
        key = self.key(found, how)
        return [n for n, name in enumerate(self.kept) if key is not None and self.key(words(name), how) == key]

    def runs(self, found):
        for first in range(len(found)):
            for last in range(first + 1, min(first + MAX_WORDS, len(found)) + 1):
                run = found[first:last]
                for how in (ORDERED, ANY_ORDER, LOOSE):
                    whole = how == ORDERED or not {run[0].normal, run[-1].normal} & LITTLE
                    if whole and (names := self.whole(run, how)):
                        yield first, last, how, tuple(names)

    @staticmethod
    def key(found, how):
        normals = [word.normal for word in found]
        if how == ORDERED:
            return tuple(normals) or None
        if how == ANY_ORDER:
            told = sorted(word for word in normals if word not in LITTLE)
            return told if len(told) > 1 else None
        return sorted(filter(None, map(loose, normals))) or None


def built(*names):
    return Lexicon.build(Named(number, name, NAME) for number, name in enumerate(names))


def runs(lexicon, text):
    return sorted((m.first, m.last, m.how, m.names) for m in lexicon.runs(words(text)))


@given(NAMES, st.lists(st.sampled_from(WORDS), max_size=20).map(" ".join))
@example(["gout"], "gout gout the gout of")
@example(["breast of cancer", "cancer of the breast"], "the breast cancer of the breast")
def test_a_lexicon_does_what_dictionaries_do(names, text):
    lexicon, plain = built(*names), Plain(names)
    assert len(lexicon) == len(plain.kept)
    assert runs(lexicon, text) == sorted(plain.runs(words(text)))
    for name in [*names, text]:
        for how in (ORDERED, ANY_ORDER, LOOSE):
            assert list(lexicon.whole(words(name), how)) == plain.whole(words(name), how)


@given(st.lists(ODD, max_size=6), ODD)
def test_any_name_is_found_whole_and_in_a_text(names, text):
    lexicon = built(*names)
    for number, name in enumerate(Plain(names).kept):
        assert number in lexicon.whole(words(name), ORDERED)
        assert lexicon.text(number) == name.encode("utf-8", "replace").decode()
        inside = f"{text} zzz {name} zzz"
        found = [m for m in lexicon.runs(words(inside)) if number in m.names and m.how == ORDERED]
        assert found or len(words(name)) > MAX_WORDS or "zzz" in name
