"""Which seeds and points an ordinary run of the tests tries, and which only a thorough one."""

import pytest


def seeds(few, count):
    """Seeds for a parameter: a few in every run, all of `count` in a thorough one."""
    return [*range(few), *(pytest.param(seed, marks=pytest.mark.thorough) for seed in range(few, count))]


STEPS = [7, pytest.param(1, marks=pytest.mark.thorough)]
"""Distances between the points at which something is interrupted: a few in every run, all in a thorough one."""
