"""OpenSSH's clients report refused requests for anything but a game."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.helpers.external_programs import program_path
from tests.helpers.pty_terminal import PATIENCE
from tests.host.loopback_server import Host, new_key


@pytest.fixture
def key(tmp_path: Path) -> Path:
    path = tmp_path / "id"
    new_key().write_private_key(path)
    path.chmod(0o600)
    return path


def run_client(
    house: Host, key: Path, program: str, *arguments: str, port: str = "-p", stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run an OpenSSH program against the server, and return how it ended."""
    options = {"StrictHostKeyChecking": "no", "UserKnownHostsFile": "/dev/null"}
    options |= {"IdentitiesOnly": "yes", "BatchMode": "yes", "ExitOnForwardFailure": "yes"}
    return subprocess.run(
        [
            *(program_path(program), "-F", "none", "-i", str(key), port, str(house.port)),
            *(f"-o{name}={value}" for name, value in options.items()),
            *arguments,
        ],
        input=stdin,
        env={"PATH": os.environ["PATH"], "HOME": str(key.parent), "DISPLAY": ":7"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


def test_openssh_sftp_and_scp_are_refused(house: Host, key: Path) -> None:
    gift, received = key.parent / "gift", key.parent / "received"
    gift.write_text("for you")
    assert run_client(house, key, "ssh", "x@127.0.0.1", "version").returncode == 0, (
        "the login works"
    )
    copied = str(gift), f"x@127.0.0.1:{received}"
    for program, *arguments in (("sftp", copied[1]), ("scp", *copied), ("scp", "-O", *copied)):
        ended = run_client(house, key, program, *arguments, port="-P", stdin="ls\n")
        assert ended.returncode != 0
    assert not received.exists()


def test_user_name_that_is_not_utf_8_is_refused_with_a_hint(house: Host, key: Path) -> None:
    name = os.fsdecode(b"\xff\xfe")
    ended = run_client(house, key, "ssh", "-l", name, "127.0.0.1", "version")
    assert ended.returncode != 0
    assert "the user name is not UTF-8; try ssh me@HOST" in ended.stderr


def test_openssh_client_that_requests_another_program_is_refused(house: Host, key: Path) -> None:
    for arguments in (["x@127.0.0.1", "id"], ["-s", "x@127.0.0.1", "sftp"], ["x@127.0.0.1"]):
        assert run_client(house, key, "ssh", *arguments).returncode != 0


def test_openssh_port_forwarding_is_refused(house: Host, key: Path) -> None:
    for arguments, error in (
        (["-N", "-R", "0:127.0.0.1:9"], "remote port forwarding failed"),
        (["-W", f"127.0.0.1:{house.port}"], "open failed"),
    ):
        ended = run_client(house, key, "ssh", *arguments, "x@127.0.0.1")
        assert ended.returncode != 0
        assert error in ended.stderr
        assert "SSH-2.0" not in ended.stdout


def test_agent_and_x11_forwarding_are_ignored(house: Host, key: Path) -> None:
    """The client asks; the command is answered all the same, and neither is there."""
    for option in ("-A", "-X", "-Y"):
        ended = run_client(house, key, "ssh", option, "x@127.0.0.1", "version")
        assert (ended.returncode, ended.stdout[:10]) == (0, "tui-casino")
