"""How a claim's words spread over the sentences of a section."""

from medgraph.answers.verify.rules import compare
from medgraph.answers.verify.together import SIGNS, gathered, likely, model, read_section, signs_of
from medgraph.embeddings.candidate_sentences import candidates

TEXT = "Antacids neutralize acid in the stomach. Surgery may be needed in severe cases. It can cause bleeding."


def signs(claim, *chosen):
    sentences = candidates(0, TEXT)
    text = " ".join(sentences[place].text for place in chosen)
    told = read_section(sentences, "Heartburn. How is it treated?")
    return dict(zip(SIGNS, signs_of(claim, told, chosen, compare(claim, text)), strict=True))


def test_the_sentence_that_has_most_comes_first_and_what_adds_nothing_does_not_come():
    texts = [one.text for one in candidates(0, TEXT)]
    assert list(gathered("Antacids neutralize stomach acid.", texts)) == [[0]]
    assert list(gathered("Antacids neutralize acid and surgery is needed.", texts)) == [[0], [0, 1]]
    assert list(gathered("Nothing", [])) == []


def test_a_sentence_has_the_words_of_the_one_that_it_leans_on():
    assert signs("Surgery can cause bleeding.", 1, 2)["subject"] == 1.0
    assert signs("Antacids can cause bleeding.", 0, 2)["subject"] < 1.0


def test_what_is_mixed_up_is_less_likely_than_what_is_said():
    said, mixed = signs("Surgery can cause bleeding.", 1, 2), signs("Antacids can cause bleeding.", 0, 2)
    assert likely(list(said.values())) > likely(list(mixed.values()))
    assert set(model().weights) == {*SIGNS, "intercept"}
