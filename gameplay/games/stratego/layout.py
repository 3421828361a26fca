"""The pieces and the board of Stratego, as numbers. Cells: a1 = 0, j1 = 9, j10 = 99."""

LETTERS = "FBYSMTLPJCGX"  # flag, bomb, spy, scout, miner, sergeant, lieutenant, captain, major, ... by rank
NAMES = (
    *("flag", "bomb", "spy", "scout", "miner", "sergeant"),
    *("lieutenant", "captain", "major", "colonel", "general", "marshal"),
)
FLAG, BOMB, SPY, SCOUT, MINER, MARSHAL = 0, 1, 2, 3, 4, 11
ARMIES = {"full": (1, 6, 1, 8, 5, 4, 4, 4, 3, 2, 1, 1), "barrage": (1, 1, 1, 2, 1, 0, 0, 0, 0, 0, 1, 1)}
LAKES = frozenset(10 * row + column for row in (4, 5) for column in (2, 3, 6, 7))
HOME = 40  # cells of each side
# In hundredths of a scout.
PIECE_VALUES = (0, 150, 250, 100, 250, 150, 200, 300, 400, 600, 900, 1200)
