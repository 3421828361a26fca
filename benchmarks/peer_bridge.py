"""Runs in the peers' environment: DDS through endplay on deals, one thread.

peer_bridge.py < DEALS      for each line `N:...` a line: CPU seconds, and the tricks as a row of digits
"""

import sys
import time

from endplay.dds import calc_dd_table
from endplay.types import Deal, Denom, Player

STRAINS = (Denom.nt, Denom.spades, Denom.hearts, Denom.diamonds, Denom.clubs)
SEATS = (Player.north, Player.east, Player.south, Player.west)


def main() -> None:
    """Every deal of standard input, in its order."""
    for line in sys.stdin:
        deal = Deal(line.strip())
        began = time.process_time()
        table = calc_dd_table(deal)
        spent = time.process_time() - began
        digits = "".join(f"{table[strain, seat]:x}" for strain in STRAINS for seat in SEATS)
        print(f"{spent:.6f} {digits}", flush=True)


if __name__ == "__main__":
    main()
