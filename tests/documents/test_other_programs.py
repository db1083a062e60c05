"""Commands of other programs in the documents: what they name exists, or a test runs them."""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Callable, Iterator, Mapping
from importlib.util import find_spec

import pytest

from tests.documents.test_casino_commands import PAGES, ROOT, joined
from tests.documents.test_shell_blocks import commands
from tui_casino.host.gateway.ssh_commands import COMMANDS

MAKEFILE = (ROOT / "Makefile").read_text()
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
TOY = "tests/contract/test_sixth_game.py"
INSTALLS = "tests/release/test_installs.py"


def make_target_exists(words: list[str]) -> bool:
    [target] = [word for word in words if "=" not in word]
    return f"\n{target}:" in MAKEFILE


def python(words: list[str]) -> bool:
    """Accept a module or a file of the project, or an option of Python itself."""
    match words:
        case ["-m", "venv", folder]:
            return bool(folder)
        case ["-m", module, *_]:
            return find_spec(module) is not None
        case ["-c" | "-X", *_]:
            return True
        case ["check.py", "LOG"]:
            return (
                "check.{language}" in (ROOT / "tests" / "documents" / "test_pages.py").read_text()
            )
        case [file, *_]:
            return (ROOT / file).exists()
    return False


def gathered(words: list[str]) -> bool:
    return all((ROOT / word).exists() for word in words if "/" in word or word == "tests")


def installed(words: list[str]) -> bool:
    """Accept this checkout or the name of the project, with extras that exist."""
    match words:
        case ["install", what]:
            found = re.fullmatch(r"(?:\.|tui-casino|\*\.whl)(?:\[([a-z,]+)\])?", what)
            return found is not None and {*(found[1] or "serve").split(",")} <= {*EXTRAS}
        case ["--from", "WHEEL", "tui-casino"] | ["tui-casino"] | ["uninstall", "tui-casino"]:
            return True
        case ["ensurepath"]:
            return True
        case ["tool", *rest]:
            return installed(rest)
    return False


def is_server_command(words: list[str]) -> bool:
    """Accept a command of the server, or a port."""
    match words:
        case ["HOST", verb, *_] | ["-t", "HOST", verb, *_]:
            return verb in (
                *(command.split()[0] for command in COMMANDS),
                "promises",
            )  # old name of commitments
    return words[0] == "-p"


def brought(words: list[str]) -> bool:
    """Accept files of the checkout that exist, and at least one of them."""
    ours = [word for word in words if word.partition("/")[0] in ("packaging", "tests")]
    return bool(ours) and all((ROOT / word).exists() for word in ours)


def sourced(words: list[str]) -> bool:
    """Accept the activation of an environment, or a file of the checkout."""
    return words == [".venv/bin/activate"] or brought(words)


PROGRAMS: Mapping[str, Callable[[list[str]], bool] | str] = {
    "make": make_target_exists,
    "python": python,
    "python3": python,
    ".venv/bin/python": python,
    "pytest": gathered,
    "ssh": is_server_command,
    "pip": installed,
    "pipx": installed,
    "uv": installed,
    "uvx": installed,
    "/opt/tui-casino/bin/pip": installed,
    "casino/bin/pip": installed,
    "cp": brought,
    "install": brought,
    "casino/bin/tui-casino": f"{INSTALLS} runs the whole line",
    ".": sourced,
    "ruff": f"{TOY} runs it on the toy, make lint on all",
    "mypy": f"{TOY} runs it on the toy, make lint on all",
    "lint-imports": f"{TOY} runs it",
    "dask": "tests/helpers/dask_cluster.py begins scheduler and workers",
    "perl": "tests/documents/test_pages.py runs it",
    "apt": "Debian's, for its superuser",
    "useradd": "for the superuser of a machine that is kept",
    "groupadd": "for the superuser of a machine that is kept",
    "chmod": "for the superuser of a machine that is kept",
    "systemctl": "for the superuser of a machine that is kept",
    "journalctl": "for the superuser of a machine that is kept",
    "sshd": "for the superuser; tests/tui/test_guests_over_ssh.py has sshd read the recipe",
    "ssh-keygen": "tests/host makes keys so",
    "sha256sum": "the list of sums of a release is its own",
    "asciinema": "tests/documents/test_recordings.py reads the recordings as its format says",
    "git": "the address is the reader's; the gate runs the rest of the line",
    "mv": "the next key of a server; tests/host changes keys so",
    "sudo": "for the superuser of a machine that is kept",
    "man": "tests/share/test_share.py shows the page",
    "set": "in a file of tmux; tests/tui/test_multiplexers.py plays in it",
    "kill": "named, not told: tests kill by a signal",
}
"""How the words of a program are checked, or what runs it, or why nothing does."""


def commands_of_other_programs() -> Iterator[tuple[str, str]]:
    """Yield the page and the command for each command of another program, also in sentences."""
    for page in PAGES:
        text = joined(page.read_text(encoding="utf-8"))
        yield from ((page.name, command.text) for command in commands(page.name, text))
        for line in re.findall(r"^\$ (.*)$", text, re.M):
            for part in line.partition("  #")[0].split(" && "):
                yield page.name, part.strip()
        for language, block in re.findall(r"^```(\w*)\n(.*?)^```", text, re.M | re.S):
            for line in block.splitlines() if language in ("", "text") else ():
                if line.partition(" ")[0] in PROGRAMS:
                    yield page.name, line.partition("  #")[0].strip()
        sentences = re.sub(r"^ *```.*?^ *```$", "", text, flags=re.M | re.S)
        for found in re.findall(r"`([^`]+)`", sentences):
            if found.split()[0] in PROGRAMS and " " in found.strip():
                yield page.name, " ".join(found.split())


TOLD = sorted({one for one in commands_of_other_programs() if not one[1].startswith("tui-casino")})


@pytest.mark.parametrize(("page", "command"), TOLD)
def test_documented_commands_of_other_programs_pass_their_check(page: str, command: str) -> None:
    program, *words = shlex.split(re.sub(r" \[[^\]']*\]", "", command))
    assert program in PROGRAMS, "say there how it is checked, or why not"
    check = PROGRAMS[program]
    if not isinstance(check, str):
        assert check(words), command


def test_every_program_in_the_list_of_checks_is_named_in_the_documents() -> None:
    assert {*PROGRAMS} == {command.split()[0] for _, command in TOLD}
    reasons = " ".join(check for check in PROGRAMS.values() if isinstance(check, str))
    assert all((ROOT / path).exists() for path in re.findall(r"tests/[\w/.]*\w", reasons))
