"""The programs `gameplay` (also `python -m gameplay`), `play` and `selfplay`.

The rest is imported inside, so that Ctrl-C during the imports ends the program without a traceback.
"""

import sys


def gameplay() -> None:
    """`gameplay`: dispatches to every command."""
    _start("gameplay")


def play() -> None:
    """`play`: the same as `gameplay play`."""
    _start("play")


def selfplay() -> None:
    """`selfplay`: the same as `gameplay selfplay`."""
    _start("selfplay")


def _start(program: str) -> None:
    try:
        from gameplay import cli

        cli.main(program)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    gameplay()
