"""What judges claims is fitted to sentences with and without faults."""

from medgraph.answers.verify.rules import compare
from medgraph.evaluation.faults import Quoted
from medgraph.training.verifier import fit, material

SENTENCES = [
    Quoted(f"s{number}", text.format(part))
    for number, (text, part) in enumerate(
        (text, part)
        for part in ("heart", "liver", "skin", "brain", "stomach", "spleen")
        for text in (
            "This disease is known to affect the {} of most adults.",
            "It can damage the {} within 3 weeks in 10 percent of people.",
            "Higher doses have been given to people whose {} was weak.",
            "The {} does not hurt before the disease has been treated.",
        )
    )
]


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
