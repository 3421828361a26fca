"""The descent is written twice, for people and for the compiler: both must say the same."""

from pathlib import Path

import gameplay

SEARCH = Path(gameplay.__file__).parent / "search"


def body(name: str) -> list[str]:
    """The statements of `descend`, from the first one on."""
    text = (SEARCH / name).read_text()
    return text[text.index("    mover = kernel.turn\n") :].splitlines()


def test_both_descents_are_the_same_to_the_letter() -> None:
    assert len(body("descend.py")) > 15
    assert body("descend.py") == body("descend.pxd")
