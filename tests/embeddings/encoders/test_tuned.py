"""The encoder with layers of its own for questions: passages stay as they are, and questions are encoded anew."""

from medgraph.embeddings.encoders import layers
from medgraph.embeddings.encoders.encoder import load_encoder
from medgraph.embeddings.encoders.model_files import read_weights
from medgraph.settings import DEFAULT_ENCODER


def write(folder, target, change):
    target.mkdir(exist_ok=True)
    base = read_weights(folder / "model.safetensors")
    mine = {name: change(value) for name, value in base.items() if name.startswith(layers.PREFIX)}
    layers.write(mine, folder / "model.safetensors", target, {})
    return target


def test_the_layers_that_are_shipped_bring_questions_nearer_to_what_answers_them(settings):
    tuned = load_encoder(settings)
    assert tuned.name == DEFAULT_ENCODER
    question = "will my kids get huntingtons from me"
    right, wrong = tuned.encode(
        [
            "Huntington disease. Is it inherited? It is inherited in an autosomal dominant pattern.",
            "Huntington disease. What are the treatments? Medicines lessen some symptoms.",
        ]
    )
    (plain,), (asked,) = tuned.encode([question]), tuned.encode_questions([question])
    assert asked @ right - asked @ wrong > plain @ right - plain @ wrong
