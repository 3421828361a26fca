"""Networks that continue narrower ones."""

import pytest

from gameplay.networks.network import Network
from gameplay.networks.widening import widened

INPUTS = [[(0, 1.0), (3, 0.5)], [(2, 1.0)], [(1, 0.25), (2, 2.0), (4, 1.0)], []]


@pytest.mark.parametrize(
    ("old", "new"), [((5, 3, 4), (5, 7, 4)), ((5, 3, 2, 4), (5, 6, 2, 4)), ((5, 3, 2, 4), (5, 4, 5, 4))]
)
def test_widened_network_has_the_same_outputs(old, new):
    narrow = Network(old, seed=5)
    for inputs in INPUTS:  # biases are 0 at first
        narrow.descend(inputs, [1.0, -1.0, 0.5, 2.0], 0.1)
    wide = widened(narrow, new, seed=6)
    assert wide.sizes == new
    for inputs in INPUTS:
        assert wide.of(inputs) == pytest.approx(narrow.of(inputs), abs=1e-6)


def test_added_units_learn():
    wide = widened(Network((2, 1, 1), seed=1), (2, 3, 1), seed=2)
    before = wide.weights_owner.tolist()
    for _ in range(2):  # the first step changes the weights of the added units to the output only
        wide.descend([(0, 1.0), (1, 1.0)], [1.0], 0.5)
    changed = [old != new for old, new in zip(before, wide.weights_owner.tolist(), strict=True)]
    assert all(changed[:9]) and all(changed[9:])


@pytest.mark.parametrize("new", [(5, 2, 4), (6, 3, 4), (5, 3, 5), (5, 3, 3, 4)])
def test_other_changes_of_sizes_are_rejected(new):
    with pytest.raises(ValueError, match="5x3x4 units cannot become"):
        widened(Network((5, 3, 4)), new, seed=1)
