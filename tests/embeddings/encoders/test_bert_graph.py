"""Which models can be built here."""

import pytest

from medgraph.embeddings.encoders.bert import BertEncoder
from medgraph.errors import EncoderError
from tests.support.models import edit


@pytest.mark.parametrize(
    ("file", "changes", "reason"),
    [
        ("config.json", {"model_type": "mpnet"}, "mpnet"),
        ("config.json", {"hidden_act": "relu"}, "relu"),
        ("config.json", {"position_embedding_type": "relative_key"}, "relative positions"),
        ("1_Pooling/config.json", {"pooling_mode_max_tokens": True}, "pooling"),
        ("config_sentence_transformers.json", {"default_prompt_name": "query"}, "prompt"),
    ],
)
def test_another_architecture_needs_the_extra(copy, file, changes, reason):
    edit(copy / file, **changes)
    with pytest.raises(EncoderError, match=rf"{reason}.*medgraph\[sentence-transformers\]"):
        BertEncoder(copy, "other")
