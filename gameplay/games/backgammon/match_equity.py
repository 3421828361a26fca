"""Match equities of backgammon: winning probabilities by what the players need, in percent.

M. Higgins, "Match equity table with MWC" (Computational Backgammon, 15 March 2012): equal players, 27.6 % of
games end as gammons. The values differ by at most 0.7 from the default table of gnubg-nn.
"""

# The leader needs 1, 2, ... points; the trailer as many (50.0), one more, ... up to 12. A leader who needs 1
# plays the Crawford game.
LEADER = (
    (50.0, 68.1, 75.5, 81.7, 84.5, 89.0, 91.0, 93.5, 94.6, 96.1, 96.8, 97.7),
    (50.0, 59.5, 66.1, 73.6, 79.2, 83.4, 86.7, 89.4, 91.7, 93.4, 94.8),
    (50.0, 57.0, 64.5, 70.8, 75.6, 79.8, 83.3, 86.4, 88.9, 90.9),
    (50.0, 57.4, 63.9, 69.2, 73.7, 77.9, 81.5, 84.5, 87.0),
    (50.0, 56.6, 62.2, 67.2, 71.8, 75.9, 79.4, 82.5),
    (50.0, 55.9, 61.1, 66.0, 70.4, 74.4, 77.8),
    (50.0, 55.2, 60.4, 65.0, 69.2, 73.0),
    (50.0, 55.2, 59.9, 64.3, 68.3),
    (50.0, 54.8, 59.4, 63.6),
    (50.0, 54.6, 58.9),
    (50.0, 54.3),
    (50.0,),
)

# After the Crawford game: the trailer, who needs 1, 2, ... points.
POST_CRAWFORD = (50.0, 48.6, 31.9, 30.6, 18.7, 17.7, 11.3, 10.6, 6.7, 6.3, 4.0, 3.7)
