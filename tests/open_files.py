"""Count the open files of this process, if the system reports them."""

from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest

FOLDER = Path("/proc/self/fd")
can_count_files = pytest.mark.skipif(not FOLDER.exists(), reason="files cannot be counted here")


def open_files() -> int:
    """Count them, but none that nobody has any more, as other tests leave some; 0 if unknown.

    What is in memory then is never looked at again: to go through all of it takes half a second.
    """
    gc.collect()
    gc.freeze()
    return len(os.listdir(FOLDER)) if FOLDER.exists() else 0
