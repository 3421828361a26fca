"""Networks that continue narrower ones."""

import pytest

from gameplay.networks.network import Network
from gameplay.networks.widening import widen

INPUTS = [[(0, 1.0), (3, 0.5)], [(2, 1.0)], [(1, 0.25), (2, 2.0), (4, 1.0)], []]


@pytest.mark.parametrize(
    ("old", "new"), [((5, 3, 4), (5, 7, 4)), ((5, 3, 2, 4), (5, 6, 2, 4)), ((5, 3, 2, 4), (5, 4, 5, 4))]
)
def test_widened_network_has_the_same_outputs(old, new):
    narrow = Network(old, seed=5)
    for inputs in INPUTS:  # biases are 0 at first
        narrow.descend(inputs, [1.0, -1.0, 0.5, 2.0], 0.1)
    wide = widen(narrow, new, seed=6)
    assert wide.sizes == new
    for inputs in INPUTS:
        assert wide.of(inputs) == pytest.approx(narrow.of(inputs), abs=1e-6)


def test_added_units_learn():
    wide = widen(Network((2, 1, 1), seed=1), (2, 3, 1), seed=2)
    before = wide.weights_owner.tolist()
    for _ in range(2):  # the first step changes the weights of the added units to the output only
        wide.descend([(0, 1.0), (1, 1.0)], [1.0], 0.5)
    changed = [old != new for old, new in zip(before, wide.weights_owner.tolist(), strict=True)]
    assert all(changed[:9]) and all(changed[9:])


def test_a_second_layer_changes_outputs_within_5_by_less_than_a_tenth():
    """It has 5 units for each output, and random ones whose output weights are 0."""
    narrow = Network((1, 1, 2))
    for place, weight in enumerate((1.0, 0.0, 5.0, -3.0, 0.0, 1.0)):
        narrow.weights_owner[place] = weight
    deep = widen(narrow, (1, 3, 12, 2), seed=6)
    for amount in (-1000.0, -3.0, -1.0, -0.5, 0.0, 0.25, 0.5, 1.0, 2.0, 9.0, 1000.0):  # outputs from -5 to 5
        assert deep.of([(0, amount)]) == pytest.approx(narrow.of([(0, amount)]), abs=0.1)
    before = deep.weights_owner.tolist()
    deep.descend([(0, 1.0)], [1.0, -1.0], 0.1)
    assert deep.weights_owner.tolist()[6:42] != before[6:42], "the second layer learns"


@pytest.mark.parametrize("new", [(5, 2, 4), (6, 3, 4), (5, 3, 5), (5, 3, 3, 4), (5, 3, 20, 20, 4)])
def test_other_changes_of_sizes_are_rejected(new):
    with pytest.raises(ValueError, match="5x3x4 units cannot become"):
        widen(Network((5, 3, 4)), new, seed=1)
