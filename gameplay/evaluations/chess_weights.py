"""The weights of the chess evaluation: pairs for (middle game, ending), in hundredths of a pawn.

Fitted by `python -m benchmarks.tune_chess` to 131,000 quiet positions, which `benchmarks.label_chess` made by
games with many random moves and had Stockfish 15.1 value at 2,500 nodes each. The fit began from numbers
chosen by hand, and brought the error, as a difference in the chances to win, on games that it had not met
from 0.092 to 0.083, most of which is what a look at the board without a search cannot know.
"""

# fmt: off
WEIGHTS = {
    # A piece's worth: pawn, knight, bishop, rook, queen; the king has none.
    "material": [
        (93, 117), (439, 355), (432, 433), (517, 685), (1110, 1263), (0, 0),
    ],
    # Where it stands: a table a kind, from the colour's first rank up, each rank from the edge to the middle.
    "square": [
        (0, 0), (0, 0), (0, 0), (0, 0),
        (-14, -9), (16, -9), (-7, 7), (-2, -5),
        (-6, -21), (14, -4), (2, -8), (-5, -2),
        (-13, -10), (2, 20), (15, -4), (15, -1),
        (12, 14), (15, 10), (16, 18), (28, 1),
        (8, 13), (17, 27), (22, 40), (-2, 29),
        (23, 17), (7, 34), (43, -5), (3, 2),
        (0, 0), (0, 0), (0, 0), (0, 0),
        (-47, -3), (-26, -21), (-35, 10), (-20, 23),
        (-24, -17), (-25, 22), (-1, -5), (-1, -2),
        (-9, 2), (5, 4), (10, 17), (24, 14),
        (30, 15), (24, 12), (39, 41), (30, 36),
        (56, -18), (33, 26), (36, 21), (54, 65),
        (-10, -10), (45, 16), (62, -22), (56, 20),
        (11, -42), (-27, -6), (37, -28), (9, 14),
        (-98, -70), (-70, -80), (-69, -41), (-25, -13),
        (-13, -14), (-21, -12), (-27, 11), (-17, -3),
        (2, -25), (13, -15), (1, -1), (-12, 14),
        (-5, -13), (15, 13), (7, 21), (6, 21),
        (15, -18), (19, 16), (15, 0), (35, 16),
        (20, -35), (26, 25), (20, 4), (31, 3),
        (-25, 31), (24, 0), (7, 46), (35, -1),
        (-31, 24), (-7, 34), (24, -7), (-3, -5),
        (-2, -16), (-54, -32), (-26, -12), (-15, -24),
        (1, -38), (-5, -5), (6, -34), (32, -44),
        (-28, -2), (9, 5), (-29, -2), (4, -25),
        (0, 0), (-2, 4), (-4, 20), (19, -19),
        (-8, -4), (36, -6), (9, 13), (-8, -13),
        (-17, 21), (11, 16), (-45, 0), (-4, 4),
        (-33, 34), (-19, 24), (-4, -12), (42, 0),
        (13, 7), (-7, 48), (38, -8), (41, 8),
        (2, 24), (-24, 29), (15, 23), (15, 42),
        (-7, -5), (-12, -24), (-25, -37), (-1, -44),
        (-9, -14), (22, -34), (19, -3), (8, -12),
        (2, 1), (-6, 30), (-3, 7), (-1, 43),
        (-2, 20), (3, 55), (-4, 27), (-7, 48),
        (11, 4), (-17, 30), (12, 31), (18, 54),
        (-13, -29), (-1, -9), (1, 6), (4, 55),
        (11, -14), (12, -4), (35, 28), (43, 38),
        (-21, -39), (-5, -63), (-6, 5), (-17, 5),
        (43, -52), (53, -44), (21, -30), (36, -44),
        (52, -39), (-8, -5), (-26, 13), (-13, -4),
        (-19, -27), (-21, -20), (-31, 17), (-46, 5),
        (-18, -11), (-11, -12), (-43, 19), (-67, 6),
        (-23, 16), (-39, 17), (-91, 28), (-76, 50),
        (-38, -32), (-56, 24), (-85, 40), (-103, 39),
        (-61, -19), (-54, 15), (-89, 36), (-110, 78),
        (-54, -43), (-23, 38), (-71, -16), (-105, 46),
    ],
    # Squares it can go to that no enemy pawn attacks: knight 0-8, bishop 0-13, rook 0-14, queen 0-27.
    "mobility": [
        (-39, -45), (-9, -49), (2, -17), (8, 10), (18, 6), (20, 16), (22, 34), (31, 18),
        (24, 5), (-43, -78), (-30, -53), (-14, -30), (-3, -19), (6, 5), (7, 34), (13, 28),
        (19, 39), (5, 32), (13, 31), (10, 45), (39, 30), (43, -11), (33, 31), (-74, -48),
        (-18, -75), (-4, -30), (0, -37), (3, -2), (11, 2), (14, 6), (8, 26), (19, 21),
        (7, 34), (14, 42), (13, 42), (-13, 60), (55, 51), (27, 59), (-27, -54), (-36, -65),
        (-30, -59), (-28, -39), (-21, -51), (-16, -44), (-12, -26), (-9, -40), (-7, -25), (-6, 46),
        (-7, 9), (-2, 45), (1, 10), (1, 53), (12, 44), (19, 59), (12, 67), (9, 42),
        (21, 53), (31, 13), (23, 33), (61, 27), (34, 20), (21, 32), (18, 35), (9, 40),
        (25, 50), (40, 68),
    ],
    # Bishops of both colours of squares.
    "bishop_pair": [
        (72, 18),
    ],
    # Own pawns on squares of a bishop's colour, each.
    "bishop_pawns": [
        (1, -10),
    ],
    # A knight, a bishop guarded by a pawn on the fourth to sixth rank, where no enemy pawn can attack it.
    "outpost": [
        (32, -10), (32, 7),
    ],
    # A minor piece behind a pawn.
    "shielded": [
        (6, 15),
    ],
    # A step between a knight, a bishop and the own king.
    "king_far": [
        (-7, 1), (-4, 0),
    ],
    # A rook on a file with enemy pawns only, with none.
    "rook_file": [
        (30, 3), (57, 7),
    ],
    # A pawn without own pawns on the files beside; with none, with an enemy pawn in front.
    "isolated": [
        (-12, -1), (3, -14),
    ],
    # A pawn behind an own one.
    "doubled": [
        (-14, -35),
    ],
    # A pawn that its neighbours have left behind and that cannot advance safely; with none, one in front.
    "backward": [
        (-10, -20), (-1, -3),
    ],
    # A pawn guarded by a pawn, by rank.
    "supported": [
        (0, 0), (0, 0), (18, 21), (10, -7), (26, 9), (65, 55), (73, 92), (0, 0),
    ],
    # A pawn beside a pawn, by rank.
    "phalanx": [
        (0, 0), (9, 2), (6, 1), (7, 1), (31, 20), (99, 90), (86, 94), (0, 0),
    ],
    # A passed pawn, by rank.
    "passed": [
        (0, 0), (-13, 59), (-13, 65), (26, 59), (30, 76), (93, 81), (111, 150), (0, 0),
    ],
    # A passed pawn, by rank: each step of its own king to the square in front of it.
    "passed_own_king": [
        (0, 0), (-3, -1), (-7, -11), (-20, -11), (6, -23), (-5, -23), (-5, -24), (0, 0),
    ],
    # The same for the other king.
    "passed_their_king": [
        (0, 0), (2, -7), (-7, -3), (6, 3), (-17, 22), (-16, 46), (1, 42), (0, 0),
    ],
    # A passed pawn, by rank, that can step ahead safely.
    "passed_step": [
        (0, 0), (-3, -6), (17, -5), (34, -5), (16, 1), (23, 18), (-10, 131), (0, 0),
    ],
    # A passed pawn, by rank, with a way to the last rank that is free and not attacked.
    "passed_path": [
        (0, 0), (17, 39), (-8, 26), (-32, 40), (-40, 68), (-43, 115), (-4, 164), (0, 0),
    ],
    # A rook or queen behind a passed pawn: its own, the enemy's.
    "passed_rook": [
        (17, 18), (46, -90),
    ],
    # A passed pawn that the enemy, without pieces, cannot catch.
    "runner": [
        (1, 144),
    ],
    # Attacks on pieces (pawn, knight, bishop, rook, queen, king) by a pawn, a minor piece, a rook, the king.
    "threat": [
        (0, 0), (87, 59), (90, 52), (116, 60), (67, 58), (0, 0),
        (6, -4), (21, 60), (45, 12), (81, 54), (69, 31), (0, 0),
        (-5, 17), (37, 17), (55, 42), (-4, 7), (86, 41), (0, 0),
        (34, 14), (21, 54), (88, 45), (40, 32), (0, 0), (0, 0),
    ],
    # An attacked piece that nothing defends, or that is attacked twice and badly defended.
    "hanging": [
        (25, 43),
    ],
    # A piece that a pawn threatens by its next step.
    "push_threat": [
        (22, 20),
    ],
    # A square that both sides attack and the enemy does not guard well.
    "restricted": [
        (5, -4),
    ],
    # A safe square in the middle of the own half, times the pieces.
    "space": [
        (0, 0),
    ],
    # The pawn nearest in front of the king, by rank (0: none): edge files, knights', bishops', middle files.
    "shelter": [
        (-10, 7), (39, -14), (14, 9), (21, 5), (22, -25), (-21, -4), (-4, 19), (0, 0),
        (-10, 15), (31, -2), (26, -24), (-11, -5), (-14, 38), (5, -3), (-18, -3), (0, 0),
        (-14, 3), (36, 3), (10, 1), (5, 23), (-3, 8), (-17, -12), (-17, -23), (0, 0),
        (-23, 9), (7, 19), (10, 8), (2, 5), (-5, -10), (-20, 11), (-30, 18), (0, 0),
    ],
    # The enemy's pawn nearest in front of the king, by rank; the same behind an own pawn that stops it.
    "storm": [
        (-18, 10), (5, 20), (-40, 2), (-17, -5), (-11, 15), (-1, -8), (-4, 7), (0, 0),
        (0, 0), (0, 0), (-30, 14), (5, -6), (-23, 12), (16, -34), (21, -44), (0, 0),
    ],
    # To be on move.
    "tempo": [
        (25, 20),
    ],
    # Units of a king's danger (the first number counts): a piece that attacks near it, by kind.
    "danger_piece": [
        (0, 0), (87, 0), (52, 0), (58, 0), (102, 0), (0, 0),
    ],
    # A safe check, by kind.
    "danger_check": [
        (0, 0), (304, 0), (173, 0), (355, 0), (270, 0), (0, 0),
    ],
    # Always; a hunter; an attack on a square beside the king; a weak square; an unsafe check; no enemy queen.
    "danger": [
        (-71, 0), (48, 0), (57, 0), (80, 0), (39, 0), (-412, 0),
    ],
}
# fmt: on


def places() -> dict[str, int]:
    """Where each group begins when all weights stand in one row."""
    found, at = {}, 0
    for name, pairs in WEIGHTS.items():
        found[name] = at
        at += len(pairs)
    return found
