"""Double-dummy solving by DDS through endplay on one thread, run by the Python of the peers.

`peer_bridge.py < DEALS` prints for each deal `N:...` a line with the CPU seconds and the 20 results, a
hexadecimal digit each.
"""

import sys
import time

from endplay.dds import calc_dd_table
from endplay.types import Deal, Denom, Player

STRAINS = (Denom.nt, Denom.spades, Denom.hearts, Denom.diamonds, Denom.clubs)
SEATS = (Player.north, Player.east, Player.south, Player.west)


def main() -> None:
    """Solve the deals of standard input in their order."""
    for line in sys.stdin:
        deal = Deal(line.strip())
        start = time.process_time()
        table = calc_dd_table(deal)
        seconds = time.process_time() - start
        digits = "".join(f"{table[strain, seat]:x}" for strain in STRAINS for seat in SEATS)
        print(f"{seconds:.6f} {digits}", flush=True)


if __name__ == "__main__":
    main()
