"""Quizzes that tests share."""

import json

from gameplay.training import random_trees


def minimax(data):
    """The value of nested mappings, whatever is below looked at."""
    if not isinstance(data, dict):
        return data
    choose = max if "max" in data else min
    return choose(minimax(one) for one in random_trees.branches(data).values())


def describe_question(one):
    """All of a question but its tree, which its explanation shows."""
    what = f"{one.kind}, level {one.level}: {one.game or 'a drawn tree'} {' '.join(one.words)}".rstrip()
    rows = [what, f"    {one.text}", f"    {one.answer} of {', '.join(one.answer.names)}"]
    rows.append(f"    by {one.engine}, {one.depth} plies; {one.note}")
    if one.data is not None:
        rows.append(f"    {json.dumps(one.data)}")
    return "\n".join(rows)
