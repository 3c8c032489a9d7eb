"""Which seeds and points an ordinary run of the tests tries, and which only a thorough one."""

import pytest


def seeds(few, count):
    """Seeds for a parameter: a few in every run, all of `count` in a thorough one."""
    return [*range(few), *(pytest.param(seed, marks=pytest.mark.thorough) for seed in range(few, count))]


def few(rows, step):
    """Rows of a table that go through the same code: one of `step` in every run, all in a thorough one; none for 0."""
    rows = [row if isinstance(row, tuple) else (row,) for row in rows]
    left_out = [not step or place % step > 0 for place in range(len(rows))]
    return [pytest.param(*row, marks=[pytest.mark.thorough] * out) for row, out in zip(rows, left_out, strict=True)]


STEPS = [7, pytest.param(1, marks=pytest.mark.thorough)]
"""Distances between the points at which something is interrupted: a few in every run, all in a thorough one."""
