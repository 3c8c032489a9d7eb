"""What tests of the doctor know of the encoder, and how they read its findings."""

from medgraph.doctor import machine
from tests.support.schemas import ENCODER

KNOWN = machine.KnownEncoder(*ENCODER, 256)


def only(findings, level=None):
    (finding,) = [f for f in findings if level is None or f.level == level]
    return finding
