"""What describes a mention: words with names masked, list heads, and the subject."""

from medgraph.linking.role_features import MARKS, NOTHING, SUBJECT, Name, described, features, head_of, words_of

TEXT = "Gout may be treated with colchicine, but never with aspirin."
NAMES = [Name(0, 4, SUBJECT), Name(25, 35, MARKS["Drug"]), Name(52, 59, MARKS["Drug"])]


def test_names_are_masked_and_their_tokens_known():
    words = words_of(TEXT, (0, len(TEXT)), NAMES)
    assert words.tokens == ["@s", "may", "be", "treated", "with", "@d", ",", "but", "never", "with", "@d", "."]
    assert words.at == {0: 0, 25: 5, 52: 10}


def test_features_tell_what_stands_around_but_not_the_name():
    words = words_of(TEXT, (0, len(TEXT)), NAMES)
    first, second = (set(features(words, place, "treatment", "Drug", NOTHING, NOTHING)) for place in (5, 10))
    assert {"<< treated with", "kind treatment", "subject before", "cue 0 first treat"} <= first
    assert {"<< never with", "cue 0 first not"} <= second
    assert not any("colchicine" in one or "aspirin" in one for one in first | second)


def test_mentions_of_a_section_are_described_with_the_head_of_their_list():
    text = "You should avoid:\n\n- coffee\n\nMore text."
    found = described(text, "treatment", [(0, 17), (19, 27), (29, 39)], [Name(21, 27, "@d")], {21: "Drug"})
    assert head_of(text, 21) == "You should avoid"
    assert "head is avoid" in found[21][1]


def test_what_runs_beyond_its_sentence_is_left_out():
    assert described(TEXT, "treatment", [(0, 30), (31, 60)], NAMES, {25: "Drug"}) == {}
