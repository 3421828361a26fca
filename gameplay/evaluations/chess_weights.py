"""The weights of the chess evaluation: pairs for (middle game, ending), in hundredths of a pawn.

Chosen by hand.
"""

# fmt: off
WEIGHTS = {
    # A piece's worth: pawn, knight, bishop, rook, queen; the king has none.
    "material": [
        (85, 110), (330, 320), (340, 335), (460, 560), (960, 1000), (0, 0),
    ],
    # Where it stands: a table a kind, from the colour's first rank up, each rank from the edge to the middle.
    "square": [
        (0, 0), (0, 0), (0, 0), (0, 0),
        (-3, -5), (-3, -5), (0, -5), (-3, -5),
        (0, 0), (0, 0), (3, 0), (8, 0),
        (3, 5), (3, 5), (6, 5), (11, 5),
        (6, 10), (6, 10), (9, 10), (14, 10),
        (9, 15), (9, 15), (12, 15), (17, 15),
        (12, 20), (12, 20), (15, 20), (20, 20),
        (0, 0), (0, 0), (0, 0), (0, 0),
        (-33, -24), (-21, -16), (-9, -8), (3, 0),
        (-23, -16), (-11, -8), (1, 0), (13, 8),
        (-13, -8), (-1, 0), (11, 8), (23, 16),
        (-3, 0), (9, 8), (21, 16), (33, 24),
        (-3, 0), (9, 8), (21, 16), (33, 24),
        (-13, -8), (-1, 0), (11, 8), (23, 16),
        (-23, -16), (-11, -8), (1, 0), (13, 8),
        (-33, -24), (-21, -16), (-9, -8), (3, 0),
        (-15, -9), (-10, -6), (-5, -3), (0, 0),
        (-10, -6), (-5, -3), (0, 0), (5, 3),
        (-5, -3), (0, 0), (5, 3), (10, 6),
        (0, 0), (5, 3), (10, 6), (15, 9),
        (0, 0), (5, 3), (10, 6), (15, 9),
        (-5, -3), (0, 0), (5, 3), (10, 6),
        (-10, -6), (-5, -3), (0, 0), (5, 3),
        (-15, -9), (-10, -6), (-5, -3), (0, 0),
        (-4, 0), (-1, 0), (1, 0), (4, 0),
        (-4, 0), (-1, 0), (1, 0), (4, 0),
        (-4, 0), (-1, 0), (1, 0), (4, 0),
        (-4, 0), (-1, 0), (1, 0), (4, 0),
        (-4, 0), (-1, 0), (1, 0), (4, 0),
        (-4, 0), (-1, 0), (1, 0), (4, 0),
        (6, 8), (9, 8), (11, 8), (14, 8),
        (-4, 0), (-1, 0), (1, 0), (4, 0),
        (-3, -18), (-2, -12), (-1, -6), (0, 0),
        (-2, -12), (-1, -6), (0, 0), (1, 6),
        (-1, -6), (0, 0), (1, 6), (2, 12),
        (0, 0), (1, 6), (2, 12), (3, 18),
        (0, 0), (1, 6), (2, 12), (3, 18),
        (-1, -6), (0, 0), (1, 6), (2, 12),
        (-2, -12), (-1, -6), (0, 0), (1, 6),
        (-3, -18), (-2, -12), (-1, -6), (0, 0),
        (51, -36), (37, -24), (23, -12), (9, 0),
        (33, -24), (19, -12), (5, 0), (-9, 12),
        (15, -12), (1, 0), (-13, 12), (-27, 24),
        (-3, 0), (-17, 12), (-31, 24), (-45, 36),
        (-21, 0), (-35, 12), (-49, 24), (-63, 36),
        (-39, -12), (-53, 0), (-67, 12), (-81, 24),
        (-57, -24), (-71, -12), (-85, 0), (-99, 12),
        (-75, -36), (-89, -24), (-103, -12), (-117, 0),
    ],
    # Squares it can go to that no enemy pawn attacks: knight 0-8, bishop 0-13, rook 0-14, queen 0-27.
    "mobility": [
        (-20, -20), (-15, -15), (-10, -10), (-5, -5), (0, 0), (5, 5), (10, 10), (15, 15),
        (20, 20), (-30, -30), (-25, -25), (-20, -20), (-15, -15), (-10, -10), (-5, -5), (0, 0),
        (5, 5), (10, 10), (15, 15), (20, 20), (25, 25), (30, 30), (35, 35), (-18, -30),
        (-15, -25), (-12, -20), (-9, -15), (-6, -10), (-3, -5), (0, 0), (3, 5), (6, 10),
        (9, 15), (12, 20), (15, 25), (18, 30), (21, 35), (24, 40), (-24, -48), (-22, -44),
        (-20, -40), (-18, -36), (-16, -32), (-14, -28), (-12, -24), (-10, -20), (-8, -16), (-6, -12),
        (-4, -8), (-2, -4), (0, 0), (2, 4), (4, 8), (6, 12), (8, 16), (10, 20),
        (12, 24), (14, 28), (16, 32), (18, 36), (20, 40), (22, 44), (24, 48), (26, 52),
        (28, 56), (30, 60),
    ],
    # Bishops of both colours of squares.
    "bishop_pair": [
        (25, 45),
    ],
    # Own pawns on squares of a bishop's colour, each.
    "bishop_pawns": [
        (-2, -5),
    ],
    # A knight, a bishop guarded by a pawn on the fourth to sixth rank, where no enemy pawn can attack it.
    "outpost": [
        (25, 15), (18, 8),
    ],
    # A minor piece behind a pawn.
    "shielded": [
        (7, 3),
    ],
    # A step between a knight, a bishop and the own king.
    "king_far": [
        (-2, -2), (-1, -1),
    ],
    # A rook on a file with enemy pawns only, with none.
    "rook_file": [
        (14, 8), (32, 10),
    ],
    # A pawn without own pawns on the files beside; with none, with an enemy pawn in front.
    "isolated": [
        (-14, -16), (-7, -10),
    ],
    # A pawn behind an own one.
    "doubled": [
        (-8, -18),
    ],
    # A pawn that its neighbours have left behind and that cannot advance safely; with none, one in front.
    "backward": [
        (-14, -14), (-6, -8),
    ],
    # A pawn guarded by a pawn, by rank.
    "supported": [
        (0, 0), (0, 0), (10, 6), (8, 6), (12, 12), (25, 25), (60, 60), (0, 0),
    ],
    # A pawn beside a pawn, by rank.
    "phalanx": [
        (0, 0), (2, 0), (6, 3), (10, 8), (22, 18), (45, 40), (80, 80), (0, 0),
    ],
    # A passed pawn, by rank.
    "passed": [
        (0, 0), (0, 10), (0, 14), (2, 30), (18, 60), (45, 110), (90, 170), (0, 0),
    ],
    # A passed pawn, by rank: each step of its own king to the square in front of it.
    "passed_own_king": [
        (0, 0), (0, 0), (0, -2), (0, -5), (0, -8), (0, -12), (0, -12), (0, 0),
    ],
    # The same for the other king.
    "passed_their_king": [
        (0, 0), (0, 0), (0, 3), (0, 9), (0, 16), (0, 24), (0, 28), (0, 0),
    ],
    # A passed pawn, by rank, that can step ahead safely.
    "passed_step": [
        (0, 0), (0, 2), (0, 4), (2, 8), (6, 14), (12, 22), (15, 30), (0, 0),
    ],
    # A passed pawn, by rank, with a way to the last rank that is free and not attacked.
    "passed_path": [
        (0, 0), (0, 4), (0, 6), (4, 12), (8, 20), (14, 40), (20, 60), (0, 0),
    ],
    # A rook or queen behind a passed pawn: its own, the enemy's.
    "passed_rook": [
        (5, 12), (-5, -12),
    ],
    # A passed pawn that the enemy, without pieces, cannot catch.
    "runner": [
        (0, 250),
    ],
    # Attacks on pieces (pawn, knight, bishop, rook, queen, king) by a pawn, a minor piece, a rook, the king.
    "threat": [
        (0, 0), (55, 40), (55, 45), (75, 40), (75, 40), (0, 0),
        (3, 12), (20, 20), (25, 22), (45, 35), (45, 40), (0, 0),
        (2, 14), (18, 25), (18, 25), (0, 10), (40, 20), (0, 0),
        (5, 25), (15, 25), (15, 25), (15, 25), (0, 0), (0, 0),
    ],
    # An attacked piece that nothing defends, or that is attacked twice and badly defended.
    "hanging": [
        (28, 16),
    ],
    # A piece that a pawn threatens by its next step.
    "push_threat": [
        (17, 12),
    ],
    # A square that both sides attack and the enemy does not guard well.
    "restricted": [
        (3, 3),
    ],
    # A safe square in the middle of the own half, times the pieces.
    "space": [
        (1, 0),
    ],
    # The pawn nearest in front of the king, by rank (0: none): edge files, knights', bishops', middle files.
    "shelter": [
        (-25, 0), (25, 0), (18, 0), (3, 0), (-6, 0), (-8, 0), (-8, 0), (0, 0),
        (-20, 0), (25, 0), (18, 0), (3, 0), (-6, 0), (-8, 0), (-8, 0), (0, 0),
        (-25, 0), (25, 0), (18, 0), (3, 0), (-6, 0), (-8, 0), (-8, 0), (0, 0),
        (-25, 0), (25, 0), (18, 0), (3, 0), (-6, 0), (-8, 0), (-8, 0), (0, 0),
    ],
    # The enemy's pawn nearest in front of the king, by rank; the same behind an own pawn that stops it.
    "storm": [
        (0, 0), (-5, 0), (-40, 0), (-25, 0), (-8, 0), (0, 0), (3, 0), (0, 0),
        (0, 0), (0, 0), (-20, -5), (-6, -2), (0, 0), (0, 0), (0, 0), (0, 0),
    ],
    # To be on move.
    "tempo": [
        (18, 12),
    ],
    # Units of a king's danger (the first number counts): a piece that attacks near it, by kind.
    "danger_piece": [
        (0, 0), (75, 0), (55, 0), (60, 0), (80, 0), (0, 0),
    ],
    # A safe check, by kind.
    "danger_check": [
        (0, 0), (260, 0), (200, 0), (330, 0), (250, 0), (0, 0),
    ],
    # Always; a hunter; an attack on a square beside the king; a weak square; an unsafe check; no enemy queen.
    "danger": [
        (-120, 0), (35, 0), (30, 0), (60, 0), (40, 0), (-400, 0),
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
