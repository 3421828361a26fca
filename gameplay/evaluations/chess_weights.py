"""The weights of the chess evaluation: pairs for (middle game, ending), in hundredths of a pawn.

Fitted by `python -m benchmarks.tune_chess` to 131,000 quiet positions, which `benchmarks.label_chess` made by
games with many random moves and had Stockfish 15.1 value at 2,500 nodes each. The fit began from numbers
chosen by hand and brought the error, as a difference in the chances to win, on games that it had not met
from 0.092 to 0.083, most of which is what a look at the board without a search cannot know. In 120 games at
5,000 nodes a move they scored 59 % against those first numbers, give or take 4.
"""

# fmt: off
WEIGHTS = {
    # A piece's worth: pawn, knight, bishop, rook, queen; the king has none.
    "material": [
        (81, 98), (402, 326), (396, 401), (461, 625), (981, 1158), (0, 0),
    ],
    # Where it stands: a table a kind, from the colour's first rank up, each rank from the edge to the middle.
    "square": [
        (-3, -6), (3, -4), (-1, -2), (-1, -4),
        (-9, -9), (13, -7), (-5, 1), (-2, -8),
        (-4, -18), (11, -5), (1, -9), (-5, -7),
        (-9, -9), (1, 15), (13, -4), (12, -1),
        (12, 10), (12, 8), (14, 14), (21, 6),
        (9, 9), (11, 19), (16, 27), (5, 21),
        (12, 13), (10, 22), (16, 11), (6, 7),
        (8, 10), (8, 12), (9, 9), (6, 7),
        (-32, 0), (-26, -8), (-24, 6), (-17, 16),
        (-22, 1), (-15, 8), (-8, 2), (-6, 1),
        (-10, 7), (0, 8), (4, 13), (13, 12),
        (24, 13), (20, 14), (29, 27), (22, 30),
        (36, 0), (24, 16), (29, 17), (39, 40),
        (16, -10), (27, 2), (32, -6), (33, 11),
        (-5, -31), (-4, -21), (11, -19), (11, -2),
        (-54, -55), (-36, -49), (-25, -34), (-11, -16),
        (-11, -13), (-11, -9), (-24, 8), (-19, 2),
        (-1, -17), (10, -11), (-2, 2), (-10, 8),
        (-6, -12), (10, 2), (7, 11), (5, 14),
        (10, -9), (15, 5), (12, 4), (25, 10),
        (10, -9), (20, 10), (15, 6), (22, 3),
        (-10, 16), (10, 12), (13, 19), (18, 4),
        (-12, 16), (-4, 15), (6, 3), (4, -5),
        (-9, -2), (-18, -8), (-10, -8), (-7, -15),
        (2, -32), (-2, -9), (8, -29), (29, -39),
        (-20, -6), (1, 0), (-8, -12), (9, -24),
        (-1, 1), (0, 4), (1, 5), (10, -11),
        (-8, 1), (5, 5), (1, 6), (-2, -8),
        (-12, 16), (-3, 14), (-11, 1), (0, 1),
        (-15, 24), (-7, 19), (1, 2), (17, 6),
        (-3, 19), (1, 30), (13, 11), (21, 13),
        (-3, 26), (-2, 27), (10, 24), (18, 30),
        (-4, -7), (-6, -15), (-14, -23), (1, -27),
        (0, -4), (13, -7), (18, -4), (10, -6),
        (2, 9), (0, 15), (-1, 13), (1, 22),
        (0, 16), (-2, 25), (-7, 25), (-9, 32),
        (3, 9), (-8, 17), (-3, 25), (5, 37),
        (-7, -8), (-4, 2), (0, 15), (10, 33),
        (1, -13), (5, -6), (16, 13), (18, 25),
        (-9, -27), (-3, -25), (3, -1), (3, 9),
        (19, -36), (29, -30), (18, -28), (29, -39),
        (12, -24), (-12, -7), (-20, 3), (-12, -9),
        (-22, -20), (-30, -14), (-32, 5), (-36, -3),
        (-32, -7), (-35, -5), (-45, 7), (-54, -1),
        (-37, 10), (-43, 13), (-58, 16), (-63, 28),
        (-41, -7), (-48, 18), (-61, 26), (-69, 29),
        (-42, -4), (-45, 17), (-59, 28), (-67, 48),
        (-41, -10), (-36, 23), (-53, 16), (-65, 37),
    ],
    # Squares it can go to that no enemy pawn attacks: knight 0-8, bishop 0-13, rook 0-14, queen 0-27.
    "mobility": [
        (-34, -48), (-10, -46), (1, -22), (8, 4), (16, 9), (18, 19), (20, 36), (29, 25),
        (31, 12), (-35, -70), (-24, -51), (-11, -29), (-2, -16), (6, 5), (6, 30), (11, 28),
        (16, 36), (4, 32), (10, 33), (16, 39), (31, 28), (34, 8), (35, 15), (-50, -61),
        (-15, -61), (-2, -31), (1, -30), (4, -3), (11, 3), (13, 9), (8, 24), (16, 23),
        (9, 32), (11, 41), (9, 41), (1, 49), (24, 54), (13, 58), (-29, -55), (-31, -57),
        (-24, -55), (-22, -48), (-17, -46), (-12, -39), (-9, -29), (-7, -23), (-6, -4), (-5, 30),
        (-8, 30), (-2, 43), (-3, 38), (-1, 55), (7, 58), (12, 66), (9, 63), (6, 49),
        (17, 42), (22, 21), (31, 20), (40, 17), (33, 14), (26, 18), (20, 22), (18, 28),
        (22, 36), (26, 44),
    ],
    # Bishops of both colours of squares.
    "bishop_pair": [
        (61, 9),
    ],
    # Own pawns on squares of a bishop's colour, each.
    "bishop_pawns": [
        (-1, -7),
    ],
    # A knight, a bishop guarded by a pawn on the fourth to sixth rank, where no enemy pawn can attack it.
    "outpost": [
        (28, -12), (29, 5),
    ],
    # A minor piece behind a pawn.
    "shielded": [
        (6, 11),
    ],
    # A step between a knight, a bishop and the own king.
    "king_far": [
        (-7, 2), (-3, -2),
    ],
    # A rook on a file with enemy pawns only, with none.
    "rook_file": [
        (28, 2), (51, 5),
    ],
    # A pawn without own pawns on the files beside; with none, with an enemy pawn in front.
    "isolated": [
        (-12, 0), (2, -14),
    ],
    # A pawn behind an own one.
    "doubled": [
        (-12, -25),
    ],
    # A pawn that its neighbours have left behind and that cannot advance safely; with none, one in front.
    "backward": [
        (-9, -12), (0, -5),
    ],
    # A pawn guarded by a pawn, by rank.
    "supported": [
        (0, 0), (0, 0), (17, 18), (10, -6), (25, 5), (62, 52), (70, 98), (0, 0),
    ],
    # A pawn beside a pawn, by rank.
    "phalanx": [
        (0, 0), (8, 2), (5, 0), (6, 1), (27, 12), (117, 82), (75, 88), (0, 0),
    ],
    # A pawn that can become passed: as many friends beside or behind as enemies beside in front; by rank.
    "candidate": [
        (0, 0), (3, -3), (3, 11), (2, 18), (4, 41), (18, 60), (0, 0), (0, 0),
    ],
    # A passed pawn, by rank.
    "passed": [
        (0, 0), (-22, 75), (-30, 79), (18, 73), (23, 86), (115, 76), (109, 122), (0, 0),
    ],
    # A passed pawn, by rank: each step of its own king to the square in front of it.
    "passed_own_king": [
        (0, 0), (-3, -1), (-4, -12), (-16, -13), (7, -22), (-6, -22), (-4, -22), (0, 0),
    ],
    # The same for the other king.
    "passed_their_king": [
        (0, 0), (4, -9), (-4, -5), (6, 1), (-16, 19), (-20, 45), (4, 39), (0, 0),
    ],
    # A passed pawn, by rank, that can step ahead safely.
    "passed_step": [
        (0, 0), (4, -9), (15, -4), (34, -7), (20, 0), (33, 10), (-30, 134), (0, 0),
    ],
    # A passed pawn, by rank, with a way to the last rank that is free and not attacked.
    "passed_path": [
        (0, 0), (26, 40), (-14, 27), (-55, 47), (-68, 70), (-78, 122), (-25, 163), (0, 0),
    ],
    # A rook or queen behind a passed pawn: its own, the enemy's.
    "passed_rook": [
        (16, 22), (69, -96),
    ],
    # A passed pawn that the enemy, without pieces, cannot catch.
    "runner": [
        (3, 113),
    ],
    # Attacks on pieces (pawn, knight, bishop, rook, queen, king) by a pawn, a minor piece, a rook, the king.
    "threat": [
        (0, 0), (80, 58), (83, 44), (115, 59), (56, 63), (0, 0),
        (5, -4), (19, 59), (42, 13), (74, 50), (64, 21), (0, 0),
        (-3, 13), (37, 10), (54, 37), (-4, 6), (95, 47), (0, 0),
        (43, 10), (7, 59), (108, 41), (45, 30), (0, 0), (0, 0),
    ],
    # An attacked piece that nothing defends, or that is attacked twice and badly defended.
    "hanging": [
        (22, 38),
    ],
    # A piece that a pawn threatens by its next step.
    "push_threat": [
        (20, 18),
    ],
    # A square that both sides attack and the enemy does not guard well.
    "restricted": [
        (6, -5),
    ],
    # A safe square in the middle of the own half, times the pieces.
    "space": [
        (0, -2),
    ],
    # The pawn nearest in front of the king, by rank (0: none): edge files, knights', bishops', middle files.
    "shelter": [
        (5, -3), (48, -23), (26, -2), (33, -5), (34, -39), (-28, -8), (-2, 26), (0, 0),
        (-12, 17), (26, -1), (19, -19), (-17, 2), (-23, 39), (11, -2), (-24, 4), (0, 0),
        (-11, 3), (32, 4), (9, -1), (5, 21), (-2, 11), (-20, -5), (-13, -32), (0, 0),
        (-21, 11), (6, 18), (6, 9), (0, 8), (-4, -12), (-32, 20), (-41, 24), (0, 0),
    ],
    # The enemy's pawn nearest in front of the king, by rank; the same behind an own pawn that stops it.
    "storm": [
        (-20, 10), (10, 8), (-22, -6), (-19, 1), (-14, 17), (-6, -4), (-8, 9), (0, 0),
        (0, 0), (0, 0), (-26, 14), (4, -8), (-26, 14), (12, -25), (24, -44), (0, 0),
    ],
    # To be on move.
    "tempo": [
        (25, 20),
    ],
    # Units of a king's danger (the first number counts): a piece that attacks near it, by kind.
    "danger_piece": [
        (0, 0), (86, 0), (60, 0), (43, 0), (65, 0), (0, 0),
    ],
    # A safe check, by kind.
    "danger_check": [
        (0, 0), (304, 0), (147, 0), (342, 0), (243, 0), (0, 0),
    ],
    # Always; a hunter; an attack on a square beside the king; a weak square; an unsafe check; no enemy queen;
    # then squares on his side that the enemy attacks, attacks twice, and that his own side attacks.
    "danger": [
        (-68, 0), (17, 0), (40, 0), (77, 0), (28, 0), (-343, 0), (16, 0), (11, 0), (-4, 0),
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
