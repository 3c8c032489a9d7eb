"""The ranking loss, by itself and in pieces: gradients are those of the whole batch. It needs the extra `train`."""

import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("_torch")

TEXTS = [
    f"{word} {'of the toe ' * (place % 4)}" for place, word in enumerate(("gout", "fever", "cough", "ache", "rash"))
]


@pytest.fixture
def model(_torch):
    import torch
    from transformers import BertConfig, BertModel

    torch.manual_seed(1)
    sizes = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
    return BertModel(BertConfig(vocab_size=99, **sizes), add_pooling_layer=False).train()


def encoder(model, seen):
    """Gives an encoder of characters, which writes down what it is given."""
    import torch

    def encode(texts):
        seen.append(list(texts))
        width = max(map(len, texts))
        ids = torch.tensor([[ord(letter) % 99 for letter in text.ljust(width)] for text in texts])
        mask = torch.tensor([[place < len(text) for place in range(width)] for text in texts])
        hidden = model(input_ids=ids, attention_mask=mask.long()).last_hidden_state
        return torch.nn.functional.normalize((hidden * mask[..., None]).sum(1), dim=1)

    return encode


def gradients(model, encode):
    """Gives loss and gradients, by name, of a batch in which the last passage answers the first question, too."""
    import torch

    from medgraph.training.ranking import loss

    torch.manual_seed(3)
    model.zero_grad()
    asked, told = encode(TEXTS[:2]), encode(TEXTS)
    right = torch.tensor([[False] * 4 + [True], [False] * 5])
    value = loss(asked, told, right, (32, 8), 0.05)
    value.backward()
    return value.item(), {name: one.grad.clone() for name, one in model.named_parameters() if one.grad is not None}


@pytest.mark.parametrize("dropout", [0.0, 0.3])
def test_pieces_give_the_gradients_of_the_whole_batch(model, dropout):
    import torch

    from medgraph.training.ranking import in_pieces

    for module in model.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = dropout
    seen = []
    encode = encoder(model, seen)

    def kept(texts):
        """Encodes the same pieces, so that chance leaves out the same numbers, but keeps all of them."""
        return torch.cat([encode(texts[start : start + 2]) for start in range(0, len(texts), 2)])

    whole = gradients(model, kept if dropout else encode)
    seen.clear()
    pieces = gradients(model, lambda texts: in_pieces(encode, texts, 2))
    assert pieces[0] == pytest.approx(whole[0], rel=1e-6)
    assert pieces[1].keys() == whole[1].keys()
    assert max(float((pieces[1][name] - whole[1][name]).abs().max()) for name in whole[1]) < 1e-5
    assert max(float(value.abs().max()) for value in whole[1].values()) > 1e-2
    forward = [TEXTS[:2], TEXTS[:2], TEXTS[2:4], TEXTS[4:]]
    assert seen == [*forward, *reversed(forward)], "each piece is encoded once more when its gradients are due"


def test_without_pieces_nothing_is_encoded_twice(model):
    from medgraph.training.ranking import in_pieces

    seen = []
    gradients(model, lambda texts: in_pieces(encoder(model, seen), texts, 0))
    assert seen == [TEXTS[:2], TEXTS]


def test_each_dimension_ranks_by_itself_and_what_also_answers_counts_for_nothing():
    import torch

    from medgraph.training.ranking import loss

    drawn = np.random.default_rng(5)
    asked, told = drawn.normal(size=(2, 6)), drawn.normal(size=(4, 6))
    right = np.array([[False, True, False, False], [False, False, False, True]])
    wanted = 0.0
    for dimension in (6, 2):
        one, other = (
            part[:, :dimension] / np.linalg.norm(part[:, :dimension], axis=1)[:, None] for part in (asked, told)
        )
        scores = np.exp(one @ other.T / 0.1) * ~right
        wanted -= np.log(scores[[0, 1], [0, 1]] / scores.sum(axis=1)).mean()
    given = loss(torch.tensor(asked), torch.tensor(told), torch.tensor(right), (6, 2), 0.1)
    assert float(given) == pytest.approx(wanted)
