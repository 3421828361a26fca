"""Variants of draughts with flying kings that share one board.

Draw rules. FMJD, Annex 1, Official rules of international draughts, article 6; FMJD-64, rules of draughts-64
(Russian and Brazilian), article 7.2. Moves are counted for each side, here in plies.
"""

from gameplay.errors import BadInput, unknown_name
from gameplay.games.shared.draughts.variant import Variant

_NUMBERS, _LETTERS = "W:W31,K28:B12,K3", "W:Wc3,Kd4:Bf6,Kh8"  # FENs of both kinds of names

VARIANTS = {
    variant.name: variant
    for variant in (
        Variant("international", 10, 20, True, False, False, 50, "20,W,10,10,N2,0", _NUMBERS),
        Variant("russian", 8, 12, False, True, True, 30, "25,W,8,8,A0,0", _LETTERS),
        Variant("brazilian", 8, 12, True, False, True, 30, "26,W,8,8,A0,0", _LETTERS),
    )
}


def variant_named(name: str) -> Variant:
    """The variant of that name. Raises BadInput."""
    if name not in VARIANTS:
        raise BadInput(unknown_name("variant", name, VARIANTS))
    return VARIANTS[name]
