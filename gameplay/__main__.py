"""`python -m gameplay`."""

from gameplay.cli import main

main()
