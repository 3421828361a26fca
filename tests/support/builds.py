"""The compiled build and the one in plain Python, beside each other."""

import os
import subprocess
import sys

from tests.support.paths import ROOT


def output_of_both_builds(code: str) -> list[str]:
    """The output of this code in the compiled build, and in plain Python."""
    compiled = {key: value for key, value in os.environ.items() if key != "GAMEPLAY_PURE"}
    printed = []
    for environment in (compiled, compiled | {"GAMEPLAY_PURE": "1"}):
        command = [sys.executable, "-c", code]
        run = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True)
        printed.append(run.stdout)
    return printed
