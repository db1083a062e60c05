"""``python -m tui_casino``, and the installed command."""

from __future__ import annotations

import os
import signal
import sys


def run() -> int:
    """Load the program and run it; whoever interrupts it meanwhile sees no traceback."""
    # matrices are small here: more threads would wait for each other, and round otherwise
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    interrupted = signal.getsignal(signal.SIGINT)
    if interrupted is signal.default_int_handler:  # else it is ignored, as in the background
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # there is nothing to tidy up yet
    from .cli import entry  # late: Ctrl+C is quiet from the first import on

    code = entry(lambda: signal.signal(signal.SIGINT, interrupted))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is done, and this is what came of it
    return code


if __name__ == "__main__":
    sys.exit(run())
