"""Composers have one interface, whatever they compose of."""

from medgraph.answers.composers import extractive, graph
from medgraph.answers.composers.composer import Material


def test_every_composer_takes_a_question_and_material_and_is_silent_without_any():
    for composer in (extractive, graph):
        assert composer.compose(None, Material(), 6) == ()
