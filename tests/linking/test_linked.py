"""What of overlapping names is kept."""

from medgraph.linking.linked import AS_IT_STANDS, OTHERWISE, Linked, apart


def spans(*found):
    return [Linked(start, end, 1, 1, "", method, score) for start, end, method, score in found]


def kept(*found):
    return [(span.start, span.end) for span in apart(spans(*found))]


def test_the_longest_is_kept_and_then_the_surest():
    assert kept((0, 4, AS_IT_STANDS, 1.0), (0, 9, AS_IT_STANDS, 0.8), (12, 15, AS_IT_STANDS, 0.5)) == [(0, 9), (12, 15)]
    (best,) = apart(spans((0, 4, AS_IT_STANDS, 0.8), (0, 4, AS_IT_STANDS, 0.9)))
    assert best.score == 0.9


def test_a_name_in_another_order_takes_no_part_of_one_as_it_stands():
    for otherwise in OTHERWISE:
        assert kept((0, 14, AS_IT_STANDS, 1.0), (7, 24, otherwise, 0.9)) == [(0, 14)]
        assert kept((10, 24, AS_IT_STANDS, 1.0), (0, 16, otherwise, 0.9)) == [(10, 24)]
    # One that holds it, or only touches it, is another matter.
    assert kept((7, 14, AS_IT_STANDS, 1.0), (7, 24, OTHERWISE[0], 0.9)) == [(7, 24)]
    assert kept((7, 14, AS_IT_STANDS, 1.0), (0, 24, OTHERWISE[0], 0.9)) == [(0, 24)]
    assert kept((0, 7, AS_IT_STANDS, 1.0), (7, 24, OTHERWISE[0], 0.9)) == [(7, 24), (0, 7)]
    assert kept((0, 14, "spelling", 0.8), (7, 24, OTHERWISE[0], 0.9)) == [(7, 24)]


def test_nothing_is_chosen_from_nothing():
    assert apart([]) == []
