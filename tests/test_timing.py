"""How long steps took."""

import time

from medgraph.timing import Clock


def test_what_is_done_twice_adds_up():
    clock = Clock()
    for _ in range(2):
        with clock.step("sleep"):
            time.sleep(0.01)
    with clock.step("nothing"):
        pass
    spent = clock.ended()
    assert list(spent) == ["sleep", "nothing", "total"]
    assert spent["total"] >= spent["sleep"] >= 20
    assert spent["nothing"] < spent["sleep"]
    assert clock.spent.keys() == {"sleep", "nothing"}
