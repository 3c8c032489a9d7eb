"""What stands apart in a file is brought together on the disk."""

from hypothesis import given
from hypothesis import strategies as st

from medgraph.loaders.base import Reject, Remark
from medgraph.loaders.files.on_disk import Shelf, grouped

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


@given(st.lists(st.tuples(st.sampled_from("abc\0"), st.integers(1, 9), st.tuples(TEXTS, TEXTS)), max_size=20))
def test_parts_are_brought_together_in_order(parts):
    groups = {}
    for key, line, said in parts:
        groups.setdefault(key, []).append((line, said))
    assert list(grouped(parts)) == list(groups.items())


def test_rejects_and_remarks_pass_through():
    reject, remark = Reject("f", 1, "bad"), Remark("f", 2, "odd")
    items = [("a", 1, ("x",)), reject, ("b", 2, ("y",)), remark, ("a", 3, ("z",))]
    assert list(grouped(items)) == [reject, remark, ("a", [(1, ("x",)), (3, ("z",))]), ("b", [(2, ("y",))])]


def test_a_shelf_keeps_what_came_first():
    with Shelf() as shelf:
        assert shelf.add("a", "1")
        assert not shelf.add("a", "2")
        assert (shelf.get("a"), shelf.get("b")) == ("1", None)
