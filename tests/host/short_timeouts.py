"""A ``tui-casino`` whose server closes stuck connections after one second, and logins after two.

python -m tests.host.short_timeouts serve ...
"""

from __future__ import annotations

import sys
from pathlib import Path

from tui_casino.host import config
from tui_casino.structs import replace

PROGRAM = (sys.executable, "-m", "tests.host.short_timeouts")
_read = config.read_config


def _shortened(path: Path) -> config.Config:
    return replace(_read(path), stalled=1, login=2)


if __name__ == "__main__":
    from tui_casino.cli import main

    config.read_config = _shortened
    sys.exit(main(sys.argv[1:]))
