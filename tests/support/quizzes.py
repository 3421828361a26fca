"""Quizzes that tests share."""

import json

from gameplay.training import random_trees


def minimax(data):
    """The value of nested mappings, by visiting all of them."""
    if not isinstance(data, dict):
        return data
    choose = max if "max" in data else min
    return choose(minimax(branch) for branch in random_trees.branches(data).values())


def describe_question(question):
    """A question without its tree, which its explanation shows."""
    subject = f"{question.game or 'a drawn tree'} {' '.join(question.words)}"
    heading = f"{question.kind}, level {question.level}: {subject}".rstrip()
    rows = [heading, f"    {question.text}", f"    {question.answer} of {', '.join(question.answer.names)}"]
    rows.append(f"    by {question.engine}, {question.depth} plies; {question.note}")
    if question.data is not None:
        rows.append(f"    {json.dumps(question.data)}")
    return "\n".join(rows)
