"""Entry point of ``python -m tui_casino`` and of the installed command."""

from __future__ import annotations

import os
import signal
import sys


def run() -> int:
    """Import the program and run it; Ctrl+C during the import prints no traceback."""
    # the matrices are small: more threads would only wait, and would round differently
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    interrupted = signal.getsignal(signal.SIGINT)
    if interrupted is signal.default_int_handler:  # a background job ignores SIGINT
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # there is nothing to clean up yet
    from .cli import entry  # late: after the signal handler is set

    code = entry(lambda: signal.signal(signal.SIGINT, interrupted))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the command is over: keep its exit code
    return code


if __name__ == "__main__":
    sys.exit(run())
