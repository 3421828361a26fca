"""`descend` is written twice, in Python and in C: both versions must be equal."""

from pathlib import Path

import gameplay

SEARCH = Path(gameplay.__file__).parent / "search"


def body(name: str) -> list[str]:
    """The statements of `descend`, from the first one on."""
    text = (SEARCH / name).read_text()
    return text[text.index("    mover = kernel.turn\n") :].splitlines()


def test_both_versions_of_descend_are_equal() -> None:
    assert len(body("descend.py")) > 15
    assert body("descend.py") == body("descend.pxd")
