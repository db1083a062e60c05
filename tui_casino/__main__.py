"""``python -m tui_casino``."""

import sys

from .cli import entry

sys.exit(entry())
