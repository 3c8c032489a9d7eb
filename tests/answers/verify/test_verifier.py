"""Sentences of answers are checked claim by claim, by rules and by what reads evidence and claims together."""

import json
from dataclasses import replace

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from medgraph.answers.answer import Sentence
from medgraph.answers.citing import citation_of
from medgraph.answers.scoring import ScoredSection, ScoredSentence
from medgraph.answers.verify.claims import Chances
from medgraph.answers.verify.reader import load_reader
from medgraph.answers.verify.verifier import FLAG, judge, verified
from medgraph.embeddings.candidate_sentences import candidates
from medgraph.embeddings.encoders.bert import PairEncoder
from medgraph.errors import EncoderError
from medgraph.queries.retriever import SectionText
from tests.support.verifiers import WIDTH, Always, write_inferring

CAUSE = "Gout is caused by crystals of uric acid in the joints."


def evidence_of(number, text, *, title="Gout", collection="", concepts=("C0018099",), near=1.0):
    """Make a section whose sentences are all as near to those of the first one."""
    section = SectionText(
        f"s{number}", f"d{number}", title, [], "", "own", collection, "CC0", "", "", "", text, [], list(concepts)
    )
    vector = np.array([near, (1 - near**2) ** 0.5], dtype=np.float32)
    said = [
        ScoredSentence(one, 0.9, told=False, named=1.0, worded=1.0, vector=vector) for one in candidates(number, text)
    ]
    return ScoredSection(section, {}, 0.9, 0.9, said)


def sentence_of(item, verdict="supported"):
    candidate = item.sentences[0].candidate
    return Sentence(candidate.text, (citation_of(item.section, candidate),), verdict)


def test_a_quotation_is_supported_claim_by_claim_by_the_span_that_it_cites():
    first = evidence_of(0, "Gout is caused by crystals; it often hurts the big toe.")
    (sentence,) = verified([sentence_of(first)], [first])
    assert [claim.text for claim in sentence.claims] == ["Gout is caused by crystals", "it often hurts the big toe."]
    assert {claim.verdict for claim in sentence.claims} == {"supported"} == {sentence.verdict}
    assert all(claim.span.quote == sentence.citations[0].quote for claim in sentence.claims)
    assert sentence.probability > 0.9
    assert (sentence.sources, sentence.agreeing, sentence.contradicting) == (1, (), ())


@pytest.mark.parametrize(
    "text",
    [
        "The parents of a person with the condition each carry one copy of the mutated gene, but they typically do not "
        "show signs and symptoms of the condition.",
        "Individuals who have 27 to 35 repeats in the gene do not develop the disease, but they are at risk of having "
        "children who will develop the disorder.",
        "Growths are usually triggered by injury, but they may also occur in the absence of known triggers.",
        "A virus cannot cause diabetes on its own, but people are sometimes diagnosed with diabetes after a viral one.",
    ],
)
def test_what_one_clause_denies_is_not_denied_in_another(text):
    first = evidence_of(0, text)
    (sentence,) = verified([sentence_of(first)], [first])
    assert sentence.text == text
    assert len(sentence.claims) == 2


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ("Gout is not caused by crystals of uric acid in the joints.", "contradicted"),
        ("Gout is caused by crystals of uric acid in the kidneys.", "no_evidence"),
        ("Asthma often begins with a cough at night.", "no_evidence"),
        ("", "no_evidence"),
    ],
)
def test_what_is_not_said_there_is_left_out_or_flagged(said, verdict):
    first = evidence_of(0, CAUSE)
    sentence = replace(sentence_of(first), text=said)
    assert verified([sentence], [first]) == ()
    (flagged,) = verified([sentence], [first], FLAG)
    assert flagged.verdict == verdict


def test_a_citation_that_does_not_hold_supports_nothing():
    first = evidence_of(0, CAUSE)
    (flagged,) = verified([sentence_of(first, "no_evidence")], [first], FLAG)
    assert flagged.verdict == "no_evidence"
    assert [claim.span for claim in flagged.claims] == [None]


def test_other_sources_that_say_the_same_are_counted_each_once():
    first = evidence_of(0, CAUSE, collection="A")
    others = [
        evidence_of(1, "In fact gout is caused by uric acid crystals in joints of the body.", collection="B", near=0.9),
        evidence_of(2, CAUSE, collection="B"),
        evidence_of(3, CAUSE, collection="C"),
        evidence_of(4, CAUSE, collection="A"),
        evidence_of(5, CAUSE, collection="D", title="Pseudogout", concepts=("C0033802",)),
        evidence_of(6, "Gout is caused by crystals of uric acid in the kidneys.", collection="E"),
        evidence_of(7, "Gout is a disease that crystals cause.", collection="F", near=0.5),
        evidence_of(8, CAUSE, collection="G", concepts=("C9999999",)),
    ]
    (sentence,) = verified([sentence_of(first)], [first, *others])
    assert sentence.sources == 3
    assert sorted(one.document for one in sentence.agreeing) == ["d2", "d3"]
    assert all(one.quote == CAUSE for one in sentence.agreeing)


def test_who_says_the_opposite_is_cited_and_nothing_else():
    first = evidence_of(0, CAUSE)
    others = [
        evidence_of(1, "Gout is not caused by crystals of uric acid in the joints."),
        evidence_of(2, "Gout may not be caused by crystals of uric acid in the joints."),
        evidence_of(3, "Gout is not caused by cold water."),
        evidence_of(4, "Gout is caused by crystals of uric acid in the kidneys."),
        evidence_of(5, "Gout is not caused by crystals of uric acid in the joints.", title="Asthma"),
    ]
    (sentence,) = verified([sentence_of(first)], [first, *others])
    assert [one.document for one in sentence.contradicting] == ["d1"]
    assert (sentence.verdict, sentence.sources) == ("supported", 1)


def test_the_net_holds_however_sure_the_model_is():
    long = "Gout is a kind of arthritis in which crystals of uric acid form in joints, as in the big toe, of 10 adults."
    assert judge(long, long)[0] == "supported"
    for change in (("10", "12"), ("toe", "finger"), (" is ", " is not "), ("adults", "children"), ("uric", "lactic")):
        verdict, sure = judge(long.replace(*change), long)
        assert verdict != "supported"
        assert 0 <= sure <= 1


@pytest.mark.parametrize(
    "said", [("10", "12"), ("toe", "finger"), (" is ", " is not "), ("adults", "children"), ("uric", "lactic")]
)
def test_the_net_holds_however_sure_what_reads_is(said):
    long = "Gout is a kind of arthritis in which crystals of uric acid form in joints, as in the big toe, of 10 adults."
    assert judge(long.replace("of 10", "of the 10"), long, Chances(Always(supports=1.0))) == ("supported", 1.0)
    assert judge(long.replace(*said), long, Chances(Always(supports=1.0)))[0] == "no_evidence"
    # What is said of others contradicts nothing.
    verdict = "no_evidence" if said[1] == "children" else "contradicted"
    assert judge(long.replace(*said), long, Chances(Always(contradicts=1.0))) == (verdict, 1.0)


@pytest.mark.parametrize(
    ("text", "sure", "told"),
    [
        ("Cold water on the feet is the only cause of gout.", 0.95, ["d1"]),
        ("Cold water on the feet is the only cause of gout.", 0.8, []),
        ("Cold water on the feet may be the only cause of gout.", 0.95, []),
    ],
)
def test_what_reads_finds_the_opposite_in_other_words_where_both_are_as_certain(text, sure, told):
    first = evidence_of(0, CAUSE)
    (sentence,) = verified([sentence_of(first)], [first, evidence_of(1, text)], FLAG, Always(contradicts=sure))
    assert [one.document for one in sentence.contradicting] == told


PAIRS = [
    ("Gout is caused by crystals.", "Crystals cause gout."),
    ("Gout is caused by crystals of uric acid in the joints; it hurts.", "Gout is not caused by crystals."),
    ("", "x"),
    ("\ud800 Süßes 甘い", "y"),
]


@pytest.fixture(scope="module")
def inferring(tmp_path_factory):
    return write_inferring(tmp_path_factory.mktemp("inferring"))


@pytest.fixture
def loaded(settings):
    return lambda folder: load_reader(replace(settings, verifier=str(folder)))


def test_without_the_setting_nothing_is_loaded(settings):
    assert load_reader(settings) is None


def test_pairs_are_judged_alike_alone_and_together_and_none_is_no_mistake(inferring, loaded):
    reader = loaded(inferring)
    together = reader.chances(PAIRS * 30)
    assert together[:4] == pytest.approx(together[-4:], abs=0.02)
    alone = np.concatenate([reader.chances([pair]) for pair in PAIRS])
    assert together[:4] == pytest.approx(alone, abs=0.02)
    assert reader.chances([]).shape == (0, 3)
    assert reader.chances([("a " * 500, "b " * 500)]).shape == (1, 3)


@pytest.mark.extra
def test_it_judges_as_torch_does(inferring):
    import torch
    from transformers import AutoModelForSequenceClassification

    theirs = AutoModelForSequenceClassification.from_pretrained(inferring).eval()
    encoder = PairEncoder(inferring)
    weights = load_file(inferring / "model.safetensors")
    for places, states, _ in encoder.states(PAIRS):
        ours = np.tanh(states[:, 0] @ weights["bert.pooler.dense.weight"].T + weights["bert.pooler.dense.bias"])
        ours = ours @ weights["classifier.weight"].T + weights["classifier.bias"]
        for row, place in enumerate(places):
            one = encoder._cutting.encode(PAIRS[place][0].replace("\ud800", "\ufffd"), PAIRS[place][1])
            with torch.no_grad():
                logits = theirs(torch.tensor([one.ids]), token_type_ids=torch.tensor([one.type_ids])).logits
            assert ours[row] == pytest.approx(logits[0].numpy(), abs=1e-4)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        (
            {"labels": {"0": "LABEL_0", "1": "LABEL_1"}},
            r"the labels are LABEL_0, LABEL_1; .* correct MEDGRAPH_VERIFIER",
        ),
        ({"labels": {}}, "the labels are none"),
        ({"id2label": None, "labels": {"0": "neutral"}}, "the labels are none"),
        ({"model_type": "roberta"}, "model type 'roberta': only BERT models"),
        ({"hidden_act": "relu"}, "activation 'relu': only BERT models"),
        ({"architectures": ["BertModel"]}, r"architecture \['BertModel'\]: only BERT models"),
        ({"num_hidden_layers": 3}, "the weights do not fit config.json"),
    ],
)
def test_a_model_that_cannot_be_used_is_told_of(changes, told, loaded, tmp_path):
    labels = changes.get("labels")
    folder = write_inferring(tmp_path, labels or None)
    config = json.loads((folder / "config.json").read_text())
    config |= {"id2label": labels} if labels is not None else {}
    config |= {name: value for name, value in changes.items() if name != "labels"}
    (folder / "config.json").write_text(json.dumps(config))
    with pytest.raises(EncoderError, match=told):
        loaded(folder)


def test_damaged_weights_are_told_of(inferring, loaded, tmp_path):
    folder = write_inferring(tmp_path / "damaged")
    path, whole = folder / "model.safetensors", (inferring / "model.safetensors").read_bytes()
    for data, told in ((whole[:-100], "the weights"), (whole[:100], "cut off"), (b"", "cannot be read")):
        path.write_bytes(data)
        with pytest.raises(EncoderError, match=rf"{told}.*MEDGRAPH_VERIFIER"):
            loaded(folder)
    weights = load_file(inferring / "model.safetensors")
    weights["classifier.weight"] = weights["classifier.weight"][:, : WIDTH // 2].copy()
    save_file(weights, path)
    with pytest.raises(EncoderError, match=r"the layer 'classifier' is \(3, 16\) and not \(3, 32\)"):
        loaded(folder)
    del weights["classifier.bias"]
    save_file(weights, path)
    with pytest.raises(EncoderError, match="has no layer 'classifier', so that it is no verifier"):
        loaded(folder)
