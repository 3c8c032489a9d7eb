"""Which encoder the settings name."""

from medgraph.embeddings.encoders.encoder import model_of
from medgraph.schema.migrate import Model
from medgraph.settings import DEFAULT_ENCODER


def test_what_is_known_of_the_default_encoder_is_so(encoder, settings):
    assert model_of(settings) == Model(encoder.name, encoder.dimension) == Model(DEFAULT_ENCODER, 384)
