"""What is known of an entity that may be joined, and what its names have in common with others."""

from itertools import combinations, pairwise

from medgraph.linking.member import Member, as_one_word, bare_name, key_of, name_words, two_names


def test_words_that_tell_a_name_from_others():
    assert name_words("Cancers of the Breast") == {"cancer", "breast"}
    assert name_words("of the") == frozenset()
    assert all(one != other for one, other in combinations(map(name_words, ("a b", "b c", "c")), 2))
    assert all(one == other for one, other in pairwise(map(name_words, ("gout", "Gouts", "the gout"))))


def test_names_that_differ_in_order_and_little_words_have_one_key():
    assert key_of("Cancer of the breast") == key_of("breast cancers") != key_of("breast")
    assert (key_of("of the"), key_of("-")) == ("of the", "")
    assert key_of("hepatitis A") != key_of("hepatitis")


def test_what_stands_in_brackets():
    page = Member("pages:1", "Disease", "Shingles (herpes zoster)")
    assert two_names(page) == ("Shingles", "herpes zoster")
    assert two_names(Member("DOID:1", "Disease", page.name)) == ()
    assert two_names(Member("pages:2", "Disease", "Gouty arthritis (GA)")) == ()
    assert bare_name(Member("pages:2", "Disease", "Gouty arthritis (GA)")) == "Gouty arthritis"
    assert bare_name(page) == page.name
    assert two_names(Member("pages:4", "Disease", "Acne or pimples")) == ("Acne", "pimples")
    assert two_names(Member("pages:5", "Disease", "Celiac disease - sprue")) == ("Celiac disease", "sprue")
    assert bare_name(Member("pages:3", "Drug", "Vaccine (Brand)")) == "Vaccine"


def test_pages_for_adults_are_on_what_they_name():
    named = {
        title: bare_name(Member("pages:1", "Disease", title)) for title in ("Gout in Adults", "Gout (GA) - adults")
    }
    assert named == {"Gout in Adults": "Gout", "Gout (GA) - adults": "Gout"}
    for title in ("Diabetes in Children", "Depression - older adults", "Gout in Adults - discharge"):
        assert bare_name(Member("pages:1", "Disease", title)) == title
    assert bare_name(Member("DOID:1", "Disease", "gout in adults")) == "gout in adults"


def test_what_may_mean_the_same():
    groups = {label: Member("x:1", label, "x").group for label in ("Disease", "Symptom", "Drug", "Chemical", "Topic")}
    assert groups["Disease"] == groups["Symptom"] != groups["Drug"] == groups["Chemical"]
    assert groups["Topic"] == "Topic"


def test_two_words_as_one():
    assert as_one_word("Pink eye") == as_one_word("pink-eye") == "pinkeye"
    assert {as_one_word(name) for name in ("hepatitis E", "pink", "a pink eye", "", "type 22")} == {""}
