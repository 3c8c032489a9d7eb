"""Composers have one interface, whatever they compose of."""

import inspect

from medgraph.answers.composers import extractive, graph
from medgraph.answers.composers.composer import Compose, Material


def test_every_composer_takes_a_question_and_material_and_is_silent_without_any():
    wanted = list(inspect.signature(Compose.__call__).parameters)[1:]
    for composer in (extractive, graph):
        assert list(inspect.signature(composer.compose).parameters) == wanted
        assert composer.compose(None, Material(), 6) == ()
