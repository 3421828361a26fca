"""Kernels that tests share."""

import pytest

from gameplay.kernel import compiled

plain = pytest.mark.skipif(compiled(), reason="compiled, slots are functions of C")
