"""Counts of faults by player, in words and as data."""

import pytest

from gameplay.runs.faults import FaultCount, fault_counts, format_fault_counts
from gameplay.runs.job import LOSSES

pytestmark = pytest.mark.once


def test_faults_are_counted_by_player_and_kind():
    counts = fault_counts(
        [("new", "crash"), ("", "void"), ("old", "time_forfeit"), ("new", "illegal_move"), ("new", "crash")]
    )
    assert counts == [
        FaultCount("new", "crash", 2),
        FaultCount("new", "illegal_move", 1),
        FaultCount("old", "time_forfeit", 1),
        FaultCount("", "void", 1),
    ]
    assert (
        format_fault_counts(counts)
        == "new: 2 crashes, 1 illegal move; old: 1 loss on time; this machine: 1 void game"
    )


def test_no_faults_give_empty_counts():
    assert fault_counts([]) == [] and format_fault_counts([]) == "none"


@pytest.mark.parametrize("kind", [*LOSSES, "void"])
def test_every_kind_of_fault_has_a_name(kind):
    (single,), (many,) = fault_counts([("x", kind)]), fault_counts([("x", kind)] * 1200)
    assert "_" not in f"{single}{many}" and str(single).startswith("1 ") and str(many).startswith("1,200 ")
    assert str(many)[6:] != str(single)[2:]
