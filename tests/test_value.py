"""The scale of values: its layers lie apart and none lies between them."""

from gameplay import value as scale


def test_the_layers_of_the_scale() -> None:
    """From above: wins counted in 0 to 255 plies, wins not counted, from 0 to 255 plies away, guesses."""
    assert scale.WIN - scale.MAX_PLY == scale.SURE + 1
    assert scale.SURE - scale.MAX_PLY == scale.GUESS + 1
    assert scale.is_win(scale.GUESS + 1) and not scale.is_win(scale.GUESS)
    assert scale.is_win(-scale.GUESS - 1) and not scale.is_win(-scale.GUESS)
    assert scale.is_counted(scale.SURE + 1) and not scale.is_counted(scale.SURE)
    assert scale.plies(scale.WIN - 7) == scale.plies(7 - scale.WIN) == 7


def test_a_win_comes_later_and_a_guess_stays() -> None:
    assert scale.later(scale.WIN - 3, 2) == scale.WIN - 5
    assert scale.later(3 - scale.WIN, 2) == 5 - scale.WIN
    assert scale.later(scale.GUESS, 2) == scale.GUESS and scale.later(-scale.GUESS, 2) == -scale.GUESS
    assert scale.later(scale.GUESS + 1) == scale.GUESS
