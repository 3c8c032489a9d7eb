"""Names of KGX's columns."""

from medgraph.schema.exchange import kgx as form
from medgraph.schema.exchange.flat import FORMS, columns
from medgraph.schema.records import RESERVED


def test_names_of_columns_cannot_be_mistaken_for_each_other():
    own = {column.name for kind in FORMS for column in columns(kind)}
    assert not own & form.DERIVED
    assert {form.KIND, form.TYPES, form.STATEMENTS} & {f"medgraph:{name}" for name in own} == set()
    outside = {f"medgraph:{name}" for name in own - form.NATURAL}
    assert not outside & {f"medgraph:{name}" for name in (form.NATURAL | form.DERIVED) - RESERVED}
