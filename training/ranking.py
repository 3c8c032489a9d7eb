"""The loss that ranks a question's own passage before all others of its batch, and batches larger than memory.

Multiple-negatives ranking (Henderson et al., "Efficient Natural Language Response Suggestion for Smart Reply", 2017):
every other passage of the batch is wrong for a question, but for those that are known to answer it as well. With
several dimensions, each beginning of the vectors has to rank by itself (Kusupati et al., "Matryoshka Representation
Learning", NeurIPS 2022).

A large batch is encoded in pieces (GradCache; Gao et al., "Scaling Deep Contrastive Learning Batch Size under Memory
Limited Setup", RepL4NLP 2021): first without what gradients need, then the loss gives a gradient to each vector, and
each piece is encoded once more, with the same numbers left out by chance, to take it back to the weights. torch's
checkpoints do that, with a whole piece as what is computed again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def in_pieces(encode: Callable[[Sequence[str]], Any], texts: Sequence[str], piece: int) -> Any:
    """Encode texts, keeping what gradients need of one piece at a time.

    Args:
        encode: Gives a tensor with a row a text; the same for the same texts and state of what is drawn by chance.
        texts: The texts, one at least.
        piece: How many at once; 0 for all, which computes nothing twice.

    Returns:
        A tensor with a row a text.
    """
    import torch
    from torch.utils.checkpoint import checkpoint

    if not piece:
        return encode(texts)
    parts = (texts[start : start + piece] for start in range(0, len(texts), piece))
    return torch.cat([checkpoint(encode, part, use_reentrant=False) for part in parts])


def loss(asked: Any, told: Any, also_right: Any, dimensions: Sequence[int], temperature: float) -> Any:
    """Say how badly passages are ranked.

    Args:
        asked: A tensor (questions, dimension).
        told: A tensor (passages, dimension), the first rows of which are those that answer, in the questions' order.
        also_right: A tensor (questions, passages), true for others that answer, or may; they count for nothing.
        dimensions: How much of the vectors, from their beginning, has to rank by itself.
        temperature: What cosines are divided by.

    Returns:
        A tensor with one number: the sum over the dimensions.
    """
    import torch

    own = torch.arange(len(asked), device=asked.device)
    losses = []
    for dimension in dimensions:
        one, other = (torch.nn.functional.normalize(vectors[:, :dimension], dim=1) for vectors in (asked, told))
        scores = (one @ other.T / temperature).masked_fill(also_right, -torch.inf)
        losses.append(torch.nn.functional.cross_entropy(scores, own))
    return torch.stack(losses).sum()
