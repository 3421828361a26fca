"""A trained network continued by one with more hidden units, or with a second hidden layer."""

from itertools import pairwise

from gameplay.networks.network import LAYERS, Network

# Five softsign units that together return their input: the bias of each, and its weight to the output. Least
# squares for inputs with a mean of 0 and a deviation of 4; for inputs from -5 to 5 the error is below 0.1.
SLOPE = 0.5  # of the input to each unit
STEPS = ((-3.0, 2.43), (-1.5, 1.83), (0.0, 1.82), (1.5, 1.83), (3.0, 2.43))


def widened(narrow: Network, sizes: tuple[int, ...], seed: int) -> Network:
    """A network of these sizes with the same outputs for all inputs as a narrower one.

    Each added unit has random weights from the layer before, but none to the layer after it. What it adds is
    learned from there. With one more hidden layer the outputs are nearly the same (`deepened`). Raises
    ValueError if the sizes differ in more than wider hidden layers and one more.
    """
    given = narrow.sizes
    if len(sizes) - 1 == len(given) == LAYERS + 1:
        narrow = deepened(narrow)
    old = narrow.sizes
    ends_equal = len(old) == len(sizes) and (old[0], old[-1]) == (sizes[0], sizes[-1])
    if not ends_equal or any(before > after for before, after in zip(old, sizes, strict=True)):
        raise ValueError(f"{'x'.join(map(str, given))} units cannot become {'x'.join(map(str, sizes))}")
    wide = Network(sizes, seed)
    source, target = narrow.weights_owner, wide.weights_owner
    source_start = target_start = 0
    for (old_rows, old_columns), (rows, columns) in zip(pairwise(old), pairwise(sizes), strict=True):
        for row in range(rows + 1):  # the last row: the biases
            old_row = old_rows if row == rows else row
            at = target_start + row * columns
            if row < old_rows or row == rows:
                begin = source_start + old_row * old_columns
                target[at : at + old_columns] = source[begin : begin + old_columns]
            else:
                for column in range(old_columns):
                    target[at + column] = 0.0
        source_start += (old_rows + 1) * old_columns
        target_start += (rows + 1) * columns
    return wide


def deepened(network: Network) -> Network:
    """A network with a second hidden layer, of five units for each output, and nearly the same outputs."""
    *before, outputs = network.sizes
    units = len(STEPS) * outputs
    deep = Network((*before, units, outputs), None)
    source, target = network.weights_owner, deep.weights_owner
    copied = len(source) - (before[-1] + 1) * outputs
    target[:copied] = source[:copied]
    last = copied + (before[-1] + 1) * units
    for output in range(outputs):
        for step, (bias, weight) in enumerate(STEPS):
            unit = len(STEPS) * output + step
            for row in range(before[-1] + 1):
                target[copied + row * units + unit] = SLOPE * source[copied + row * outputs + output]
            target[copied + before[-1] * units + unit] += bias
            target[last + unit * outputs + output] = weight
    return deep
