"""What judges claims is fitted to sentences with and without faults."""

from medgraph.answers.verify.rules import compare
from medgraph.training.verifier import fit, material
from tests.support.verifiers import SENTENCES


def test_the_model_learns_what_supports_and_what_contradicts():
    examples = material(SENTENCES, 24)
    assert {one.right for one in examples} == {True, False}
    assert material(SENTENCES, 24) == examples
    model = fit(examples)
    same = compare(SENTENCES[0].text, SENTENCES[0].text)
    opposite = compare(SENTENCES[0].text.replace("is known", "is not known"), SENTENCES[0].text)
    another = compare(SENTENCES[0].text, "Vitamins are found in many kinds of fruit and vegetables.")
    assert model.likely("supports", same) > 0.5 > max(model.likely("supports", one) for one in (opposite, another))
    assert model.likely("contradicts", opposite) > 0.5 > model.likely("contradicts", same)
