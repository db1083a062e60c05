"""Run the tests that failed in the last run of pytest once more, alone and in one process.

The argument is the exit code of that run. A test that passes now is printed as ``UNSTEADY``. The
exit code is 0 if all of them pass. It is 1 if a test fails again, if more than five failed, or if
the run ended in any other way than with failed tests.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

MOST = 5
"""The most failures that get a second try."""
TESTS_FAILED = 1
"""The exit code of pytest if all tests ran and some failed."""
FAILED = Path(".pytest_cache", "v", "cache", "lastfailed")
"""Where pytest records the names of the tests that failed."""


def failed_tests() -> list[str]:
    """Return the names of the tests that failed when pytest ran last."""
    return [*json.loads(FAILED.read_text(encoding="utf-8"))] if FAILED.exists() else []


def second_try(code: int) -> str:
    """Run the failed tests again and print the unsteady ones; return why the gate must fail."""
    names = failed_tests()
    if code != TESTS_FAILED or not names:
        return f"pytest ended with exit code {code}; only failed tests get a second try"
    if modules := [name for name in names if "::" not in name]:
        return f"cannot be imported: {', '.join(modules)}"
    if len(names) > MOST:
        return f"{len(names)} tests failed; at most {MOST} get a second try"
    again = subprocess.run([sys.executable, "-m", "pytest", "-n", "0", *names], check=False)
    still = failed_tests()
    for name in names:
        if name not in still:
            print("UNSTEADY", name)
    return f"{len(still)} failed again" if still or again.returncode else ""


if __name__ == "__main__":
    sys.exit(second_try(int(sys.argv[1])) or 0)
