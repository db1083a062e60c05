"""Tries a part of the tests with the lowest versions that pyproject.toml allows, and the newest.

By each Python that is claimed and can be had here; then with the newest Textual of all, even a
pre-release, which may fail. Environments are made in .compat by uv. ``make compat``
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / ".compat"
UV = Path(sys.executable).with_name("uv")
PART = (
    *("tests/test_cli.py", "tests/test_toml.py", "tests/test_blocks.py", "tests/test_postgres.py"),
    *("tests/contract/test_screens.py", "tests/contract/test_golden.py", "tests/share"),
    *("tests/host/test_refusals.py", "tests/tui/test_driver.py", "tests/tui/test_bytes.py"),
    "tests/fuzz/test_logs.py",
)
"""Something of what each dependency does for us."""
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def claimed() -> list[str]:
    """Give the Pythons of the classifiers, the oldest first."""
    found = (re.fullmatch(r".* :: (3\.\d+)", line) for line in PROJECT["classifiers"])
    return [match[1] for match in found if match]


def interpreter(version: str) -> str | None:
    """Find a Python, or have uv bring it."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    for path in sorted(pyenv.glob(f"versions/{version}.*/bin/python")):
        return str(path)
    for command in (("find", version), ("install", version), ("find", version)):
        done = subprocess.run([UV, "python", *command], capture_output=True, text=True, check=False)
        if not done.returncode and command[0] == "find":
            return done.stdout.strip()
    return None


def resolved(name: str, version: str, *options: str) -> Path:
    """Choose versions of all that is needed, the developers' tools too; give the file of them."""
    file = FOLDER / f"{name}.txt"
    quiet = ("--quiet", "--upgrade", "--no-header", "--no-annotate")
    asked = ("--all-extras", "--python-version", version, *options, "pyproject.toml")
    subprocess.run(
        [str(UV), "pip", "compile", *quiet, *asked, "--output-file", str(file)],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    return file


def passes(name: str, python: str, file: Path) -> bool:
    """Install these versions, and run the part of the tests."""
    folder = FOLDER / name
    own = folder / "bin" / "python"
    subprocess.run([UV, "venv", "--quiet", "--clear", "--python", python, folder], check=True)
    subprocess.run([UV, "pip", "install", "--quiet", "--python", own, "-r", file], check=True)
    print(f"\n{name}: {', '.join(file.read_text().split())}", flush=True)
    test = ("-m", "pytest", "-n", "2", "-p", "no:cacheprovider", *PART)
    return not subprocess.run([own, *test], cwd=ROOT, check=False).returncode


def newest_textual(version: str, tried: Path) -> Path:
    """Choose what was tried, but any Textual: above the bound, and pre-releases."""
    [pin] = (line for line in PROJECT["dependencies"] if line.startswith("textual>="))
    any_, others = FOLDER / "any-textual.txt", FOLDER / "others.txt"
    any_.write_text(pin.partition(",")[0])
    rest = (line for line in tried.read_text().split() if not line.startswith("textual=="))
    others.write_text("\n".join(rest))
    options = ("--prerelease", "allow", "--override", str(any_), "--constraints", str(others))
    return resolved("textual", version, *options)


def main() -> int:
    """Try all; give the exit code."""
    FOLDER.mkdir(exist_ok=True)
    said, good = [], True
    newest: tuple[str, str, Path] | None = None
    for version in claimed():
        python = interpreter(version)
        if python is None:
            said.append(f"Python {version}: NOT RUN, it is not to be had here")
            continue
        tries = [("newest", resolved(f"newest-{version}", version))]
        if newest is None:
            lowest = resolved("lowest", version, "--resolution", "lowest-direct")
            tries.insert(0, ("lowest", lowest))
        for name, file in tries:
            passed = passes(file.stem, python, file)
            good &= passed
            said.append(f"Python {version}, {name} versions: {'passed' if passed else 'FAILED'}")
        newest = version, python, tries[-1][1]
    if newest is None:
        said.append("NOTHING RUN")
        good = False
    else:
        said.append(_textual(*newest))
    print("\n" + "\n".join(said))
    return 0 if good else 1


def _textual(version: str, python: str, tried: Path) -> str:
    try:
        file = newest_textual(version, tried)
    except subprocess.CalledProcessError:
        return "the newest Textual: NOT RUN, it wants other versions than the newest of the rest"
    if file.read_text() == tried.read_text():
        return "Textual: no other version, and no pre-release, is newer than what was run"
    [name] = (line for line in file.read_text().split() if line.startswith("textual=="))
    outcome = "passed" if passes("textual", python, file) else "failed, as a newer Textual may"
    return f"{name}, Python {version}: {outcome}"


if __name__ == "__main__":
    sys.exit(main())
