"""Engines with every option, each with a game that shows its effect."""

import tomllib

from tests.support.paths import TESTS

ITALIAN = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"
SEARCHES = tomllib.loads((TESTS / "examples" / "searches.toml").read_text())
TRACED: list[tuple[str, str, str, int]] = [tuple(row) for row in SEARCHES["traced"]]
