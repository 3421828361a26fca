"""A trained network continued by one with more hidden units."""

from itertools import pairwise

from gameplay.networks.network import Network


def widened(narrow: Network, sizes: tuple[int, ...], seed: int) -> Network:
    """A network of these sizes with the same outputs for all inputs as a narrower one.

    Each added unit has random weights from the layer before, but none to the layer after it. What it adds is
    learned from there. Raises ValueError if the sizes differ in more than wider hidden layers.
    """
    old = narrow.sizes
    ends_equal = len(old) == len(sizes) and (old[0], old[-1]) == (sizes[0], sizes[-1])
    if not ends_equal or any(before > after for before, after in zip(old, sizes, strict=True)):
        raise ValueError(f"{'x'.join(map(str, old))} units cannot become {'x'.join(map(str, sizes))}")
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
