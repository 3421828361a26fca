"""The results of one student in the format of Gradescope's autograders: /autograder/results/results.json.

Source: gradescope-autograders.readthedocs.io, "Autograder specifications". The total is the sum of the tests'
scores; a test without marks (that the file is an engine) has a status alone.
"""

from typing import Any

from gameplay.suites.examination import Submission
from gameplay.suites.regress import MET


def document(submission: Submission, title: str = "") -> dict[str, Any]:
    """The content of results.json."""
    tests = []
    for number, (test, verdict) in enumerate(
        zip(submission.tests, submission.verdicts, strict=True), start=1
    ):
        passed = verdict.state == MET
        output = verdict.summary
        if "see" in verdict.facts:
            output += f"\n{verdict.facts['see']}"
        entry: dict[str, Any] = {
            "name": test.name,
            "number": str(number),
            "status": "passed" if passed else "failed",
            "output": output,
        }
        if test.marks:
            entry |= {"score": test.marks if passed else 0, "max_score": test.marks}
        tests.append(entry)
    seconds = round(sum(verdict.seconds for verdict in submission.verdicts))
    return {"score": submission.marks, "output": title, "execution_time": seconds, "tests": tests}
