"""The network: outputs and gradients by independent methods, training, identical bits in both builds."""

import hashlib
import math
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from gameplay.native.packing import pack, scale_of, unpack
from gameplay.networks.network import Network

SIZES = [(7, 5, 3), (6, 4, 5, 2), (3, 1, 1), (4, 5, 37, 2)]  # the second layer also in blocks of units


def layers_of(network):
    """The weights of each layer as lists of rows, the biases last."""
    weights, layers, at = list(network.weights_owner), [], 0
    for before, units in zip(network.sizes, network.sizes[1:], strict=False):
        rows = [weights[at + i * units : at + (i + 1) * units] for i in range(before + 1)]
        layers.append(rows)
        at += (before + 1) * units
    assert at == network.total
    return layers


def plain(layers, inputs):
    """The outputs in double precision, by the definition, for dense inputs."""
    values = inputs
    for number, rows in enumerate(layers):
        columns = zip(*rows, strict=True)
        values = [sum(a * w for a, w in zip([*values, 1.0], column, strict=True)) for column in columns]
        if number < len(layers) - 1:
            values = [value / (1 + abs(value)) for value in values]
    return values


def sample_of(sizes, rng):
    """Sparse inputs, the same as a dense list, and gradients of a loss."""
    dense = [rng.choice([0.0, 1.0, 0.5, -1.25]) for _ in range(sizes[0])]
    sparse = [(index, amount) for index, amount in enumerate(dense) if amount]
    return sparse, dense, [rng.uniform(-1, 1) for _ in range(sizes[-1])]


@pytest.mark.parametrize("sizes", SIZES)
def test_outputs_are_those_of_the_definition(sizes):
    network, rng = Network(sizes, seed=3), random.Random(1)
    for sparse, dense, _ in [sample_of(sizes, rng) for _ in range(20)]:
        assert network.of(sparse) == pytest.approx(plain(layers_of(network), dense), abs=1e-6)


@pytest.mark.parametrize("sizes", SIZES)
def test_gradients_agree_with_finite_differences(sizes):
    rng = random.Random(2)
    network = Network(sizes, seed=5)
    for _ in range(5):
        sparse, dense, slopes = sample_of(sizes, rng)
        network.gradient_owner.cast("B")[:] = bytes(4 * network.total)
        network.accumulate(sparse, slopes)
        layers = layers_of(network)

        def loss(layers, dense=dense, slopes=slopes):
            return sum(s * o for s, o in zip(slopes, plain(layers, dense), strict=True))

        at, step = 0, 1e-5
        for rows in layers:
            for row in rows:
                for column, weight in enumerate(row):
                    row[column] = weight + step
                    higher = loss(layers)
                    row[column] = weight - step
                    lower = loss(layers)
                    row[column] = weight
                    assert network.gradient_owner[at] == pytest.approx(
                        (higher - lower) / (2 * step), abs=2e-6
                    )
                    at += 1


def test_a_step_of_descent_is_the_gradient_times_the_rate():
    rng = random.Random(3)
    first, second = Network((7, 5, 4, 3), seed=1), Network((7, 5, 4, 3), seed=1)
    sparse, _, slopes = sample_of((7, 3), rng)
    first.accumulate(sparse, slopes, 2.0)
    before = list(first.weights_owner)
    second.descend(sparse, slopes, 0.25)
    expected = [weight - 0.125 * slope for weight, slope in zip(before, first.gradient_owner, strict=True)]
    assert list(second.weights_owner) == pytest.approx(expected, abs=1e-6)
    assert list(second.weights_owner) != before


def test_adam_learns_exclusive_or():
    network = Network((2, 6, 1), seed=2)
    table = [((), 0), (((0, 1.0),), 1), (((1, 1.0),), 1), (((0, 1.0), (1, 1.0)), 0)]
    for _ in range(300):
        for inputs, target in table:
            (output,) = network.of(inputs)
            network.accumulate(inputs, [output - target], 0.25)
        network.adam(0.03)
    assert [round(network.of(inputs)[0], 1) for inputs, _ in table] == [0, 1, 1, 0]
    assert not any(network.gradient_owner)


def test_a_first_step_of_adam_is_the_rate_in_size():
    network = Network((4, 3, 2), seed=1)
    before = list(network.weights_owner)
    network.accumulate([(1, 1.0)], [0.3, -0.2])
    moved = [bool(slope) for slope in network.gradient_owner]
    network.adam(0.01)
    for old, new, changed in zip(before, network.weights_owner, moved, strict=True):
        assert abs(new - old) == pytest.approx(0.01 if changed else 0, rel=1e-3)


def digest_of_training():
    """A digest of the weights after some steps of both kinds."""
    rng = random.Random(4)
    network = Network((9, 6, 21, 3), seed=8)
    for number in range(40):
        sparse, _, slopes = sample_of((9, 3), rng)
        network.descend(
            sparse, [slope - out for slope, out in zip(slopes, network.of(sparse), strict=True)], 0.1
        )
        network.accumulate(sparse, slopes, 0.5)
        if number % 8 == 7:
            network.adam(0.01)
    held = [network.weights_owner, network.means_owner, network.squares_owner]
    return hashlib.sha256(b"".join(map(bytes, held))).hexdigest()


def test_both_builds_learn_the_same_bits():
    code = "from tests.networks.test_network import digest_of_training; print(digest_of_training())"
    pure = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"GAMEPLAY_PURE": "1"},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
    )
    assert pure.stdout.strip() == digest_of_training(), pure.stderr


def test_weights_are_packed_to_the_nearest_number():
    network, other = Network((5, 4, 2), seed=1), Network((5, 4, 2), seed=2)
    scale = scale_of(network.weights_owner)
    assert scale == 32767 / max(map(abs, network.weights_owner))
    packed = pack(network.weights_owner, scale)
    assert len(packed) == 2 * network.total == 2 * (6 * 4 + 5 * 2)
    unpack(packed, scale, other.weights_owner)
    for first, second in zip(network.weights_owner, other.weights_owner, strict=True):
        assert math.isclose(first, second, abs_tol=0.51 / scale)
    assert pack(other.weights_owner, scale) == packed
    with pytest.raises(ValueError, match="expected 34 weights, found 33"):
        unpack(packed[2:], scale, other.weights_owner)


@pytest.mark.parametrize("sizes", [(3, 2), (3, 0, 1), (0, 2, 1), (3, 2, 2, 2, 1), (3, 513, 1)])
def test_sizes_out_of_range_are_refused(sizes):
    with pytest.raises(ValueError, match="sizes out of range"):
        Network(sizes)


def test_wrong_inputs_and_slopes_are_refused():
    network = Network((3, 2, 1))
    for inputs in ([(3, 1.0)], [(-1, 1.0)]):
        with pytest.raises(ValueError, match="expected 0 to 2"):
            network.of(inputs)
    with pytest.raises(ValueError, match="at most 3"):
        network.of([(0, 1.0)] * 4)
    with pytest.raises(ValueError, match="expected one of each of 1 outputs"):
        network.descend([(0, 1.0)], [0.1, 0.2], 0.1)
