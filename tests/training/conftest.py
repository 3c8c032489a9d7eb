"""What tests of training share: a small graph in MedQuAD's form."""

from tests.support.medquad import medquad_graph

__all__ = ["medquad_graph"]
