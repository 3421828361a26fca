"""Changes the size of a trained network: more hidden units or layers with equal outputs, or fewer outputs."""

from itertools import pairwise

from gameplay.networks.network import LAYERS, Network

# Five softsign units whose weighted sum approximates the identity: the bias and the output weight of each.
# Least squares for inputs with mean 0 and standard deviation 4; from -5 to 5 the error is below 0.1.
SLOPE = 0.5  # of the input to each unit
STEPS = ((-3.0, 2.43), (-1.5, 1.83), (0.0, 1.82), (1.5, 1.83), (3.0, 2.43))


def widen(narrow: Network, sizes: tuple[int, ...], seed: int) -> Network:
    """A network of these sizes with the same outputs as a narrower one.

    An added unit has random input weights, and output weights of 0, from which training continues. With a
    second hidden layer the outputs are nearly the same (`deepen`). Raises ValueError for a narrower layer,
    or more than one additional layer.
    """
    original = narrow.sizes
    if len(sizes) - 1 == len(original) == LAYERS + 1:
        narrow = deepen(narrow)
    old = narrow.sizes
    ends_equal = len(old) == len(sizes) and (old[0], old[-1]) == (sizes[0], sizes[-1])
    if not ends_equal or any(before > after for before, after in zip(old, sizes, strict=True)):
        raise ValueError(f"{'x'.join(map(str, original))} units cannot become {'x'.join(map(str, sizes))}")
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


def deepen(network: Network) -> Network:
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


def keep_levels(network: Network, levels: int) -> Network:
    """A network with the outputs of the first `levels` of wins and losses, for a game of fewer points."""
    *before, outputs = network.sizes
    kept = Network((*before, 2 * levels), None)
    source, target = network.weights_owner, kept.weights_owner
    copied = len(source) - (before[-1] + 1) * outputs
    target[:copied] = source[:copied]
    for row in range(before[-1] + 1):
        for level in range(levels):
            target[copied + 2 * levels * row + level] = source[copied + outputs * row + level]
            target[copied + 2 * levels * row + levels + level] = source[
                copied + outputs * row + outputs // 2 + level
            ]
    return kept
