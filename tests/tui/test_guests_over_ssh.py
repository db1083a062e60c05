"""The house over SSH: the recipe for guests is what sshd takes; a line may be cut in mid-hand."""

from __future__ import annotations

import getpass
import grp
import os
import re
import shlex
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.helpers.external_programs import program_path
from tests.helpers.pty_terminal import CASINO, PATIENCE, ROOT, Terminal, environment
from tests.tui.ledger_audit import bet_lost_or_won, books, deal, goes_on_with, open_table, shows

PROGRAM = "/opt/tui-casino/bin/tui-casino"
PRIVATE = Path("/run/sshd")  # where sshd of the superuser shuts itself in; made by its service


def recipe() -> str:
    """Give the lines of sshd_config that the documents advise."""
    text = (ROOT / "docs/server/operators.md").read_text()
    match = re.search(r"```sshd_config\n(.*?)```", text, re.DOTALL)
    assert match, "docs/server/operators.md has no recipe"
    return match[1]


def test_documented_sshd_settings_allow_only_the_game() -> None:
    lines = [line.split(None, 1) for line in recipe().splitlines() if line.strip()]
    first, *rest = [(line[0].lower(), line[1]) for line in lines if not line[0].startswith("#")]
    assert first == ("match", "Group casino")
    allowed = dict(rest)
    assert len(allowed) == len(rest), "said twice; sshd takes the first"
    *limits, program = allowed["forcecommand"].split("; ")
    assert program == f"exec {PROGRAM}"
    assert {limit.split()[1] for limit in limits} == {"-v", "-t", "-f", "-c"}
    assert all(limit.startswith("ulimit -") for limit in limits)
    assert allowed["permittty"] == "yes"
    no = (
        *("allowtcpforwarding", "allowstreamlocalforwarding", "allowagentforwarding"),
        *("x11forwarding", "permittunnel", "gatewayports", "permituserrc"),
        *("passwordauthentication", "kbdinteractiveauthentication", "permitemptypasswords"),
    )
    assert {name: allowed[name] for name in no} == dict.fromkeys(no, "no")
    assert allowed["disableforwarding"] == "yes"
    assert allowed["authenticationmethods"] == "publickey"
    assert allowed["permitopen"] == allowed["permitlisten"] == "none"
    for limit in ("maxsessions", "maxauthtries", "clientaliveinterval", "clientalivecountmax"):
        assert 0 < int(allowed[limit]) < 1_000


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def make_private() -> None:
    if os.geteuid() == 0:  # nobody else's sshd wants it
        PRIVATE.mkdir(mode=0o755, exist_ok=True)


class Server:
    """An sshd of our own on a loopback port, for the user who runs the tests."""

    def __init__(self, folder: Path, command: str) -> None:
        folder.mkdir(mode=0o700)
        self.folder, self.user = folder, getpass.getuser()
        for name in ("host", "player"):
            keygen = [
                program_path("ssh-keygen"),
                "-q",
                "-t",
                "ed25519",
                "-N",
                "",
                "-f",
                str(folder / name),
            ]
            subprocess.run(keygen, check=True)
        (folder / "known").write_text((folder / "player.pub").read_text())
        self.port = free_port()
        own = recipe().replace("Match Group casino", f"Match User {self.user}")
        assert own.count(f"exec {PROGRAM}\n") == 1
        own = own.replace(f"exec {PROGRAM}\n", f"{command}\n")
        self.config = folder / "sshd_config"
        self.config.write_text(
            f"ListenAddress 127.0.0.1\nPort {self.port}\nHostKey {folder / 'host'}\n"
            f"AuthorizedKeysFile {folder / 'known'}\nStrictModes no\nPidFile none\nUsePAM no\n"
            f"PrintMotd no\nPrintLastLog no\nSubsystem sftp internal-sftp\n{own}"
        )

    def client(self, *more: str) -> list[str]:
        settings = {
            "IdentityFile": self.folder / "player",
            "IdentitiesOnly": "yes",
            "UserKnownHostsFile": self.folder / "hosts",
            "StrictHostKeyChecking": "no",
            "LogLevel": "ERROR",
            "BatchMode": "yes",
        }
        options = [f"-o{name}={value}" for name, value in settings.items()]
        return [program_path("ssh"), "-F", "none", "-p", str(self.port), *options, *more]

    @property
    def player(self) -> list[str]:
        return [*self.client("-tt"), f"{self.user}@127.0.0.1"]


@contextmanager
def server(home: Path) -> Iterator[Server]:
    """Run the server, with the program as its only command."""
    own = environment(home)
    names = ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "TMPDIR", "PYTHONPATH")
    variables = [f"{name}={own[name]}" for name in names]
    command = shlex.join(["cd", str(home)]) + " && exec " + shlex.join(["env", *variables, *CASINO])
    make_private()
    match = Server(home / "ssh", command)
    with (match.folder / "said").open("wb") as said:
        running = subprocess.Popen(
            [program_path("sshd"), "-D", "-e", "-f", str(match.config)], stderr=said
        )
    try:
        until = time.monotonic() + PATIENCE
        while b"listening" not in (match.folder / "said").read_bytes().lower():
            assert running.poll() is None, (match.folder / "said").read_text()
            assert time.monotonic() < until
            time.sleep(0.02)
        yield match
    finally:
        running.terminate()
        running.wait()


def test_sshd_accepts_the_documented_settings(tmp_path: Path) -> None:
    """As it stands in the documents, but for a group that is there."""
    subprocess.run(
        [program_path("ssh-keygen"), "-q", "-t", "ed25519", "-N", "", "-f", str(tmp_path / "host")],
        check=True,
    )
    config = tmp_path / "sshd_config"
    group = grp.getgrgid(os.getgid()).gr_name
    own = recipe().replace("Match Group casino", f"Match Group {group}")
    config.write_text(f"HostKey {tmp_path / 'host'}\n{own}")
    make_private()
    checked = subprocess.run(
        [
            program_path("sshd"),
            "-T",
            "-C",
            f"user={getpass.getuser()},host=h,addr=10.0.0.9",
            "-f",
            str(config),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stderr
    assert not checked.stderr
    holds = checked.stdout.lower()
    for line in ("disableforwarding yes", "permittunnel no", "x11forwarding no", "permittty yes"):
        assert line in holds
    assert f"exec {PROGRAM}" in holds


def check_limits(home: Path) -> None:
    """See that the program that plays in a folder may not eat the machine."""
    playing = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if (process / "cwd").readlink() == home and b"tui_casino" in (
                process / "cmdline"
            ).read_bytes():
                playing.append((process / "limits").read_text())
    (limits,) = playing
    for name, most in (("address space", 3 << 30), ("cpu time", 3600), ("file size", 1 << 30)):
        (line,) = (line for line in limits.splitlines() if line.lower().startswith(f"max {name}"))
        assert int(line.split()[3]) <= most


def test_sshd_guest_resumes_the_hand_after_a_lost_connection(tmp_path: Path) -> None:
    """Play over SSH, lose the connection, come again, and play on with the same hand."""
    with server(tmp_path) as host:
        with Terminal(host.player, environment(tmp_path)) as terminal:
            open_table(terminal)
            deal(terminal, tmp_path)
            bet_lost_or_won(terminal)
            deal(terminal, tmp_path)
            check_limits(tmp_path)
            terminal.process.kill()  # the client: the line is cut
            terminal.process.wait()
        _, (broken,) = books(tmp_path)
        assert broken.waits
        with Terminal(host.player, environment(tmp_path)) as terminal:
            terminal.wait_for(lambda text: "balance" in text and "waiting:" in text)
            terminal.type_until("1", lambda text: shows(text, goes_on_with(broken)))
            bet_lost_or_won(terminal)
            terminal.type_until("q\r", "You cash out")
            terminal.rest(0.3)
            terminal.type("q")
            assert terminal.ended() == 0
            assert terminal.spoilt() == []
        assert books(tmp_path)[1] == []


def run_command(*command: str) -> tuple[int, str, str]:
    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def test_sshd_guests_can_start_only_the_game(tmp_path: Path) -> None:
    """No command of their own, no shell, no forwarded port, no files."""
    with server(tmp_path) as host:
        where = f"{host.user}@127.0.0.1"
        code, out, err = run_command(*host.client(), where, "id")
        assert code == 2
        assert "uid=" not in out
        assert "needs a terminal" in err
        listen = f"{free_port()}:127.0.0.1:{host.port}"
        forward = ("-N", "-oExitOnForwardFailure=yes", "-R", listen)
        assert run_command(*host.client(*forward), where)[0] != 0
        assert run_command(*host.client("-W", f"127.0.0.1:{host.port}"), where)[0] != 0
        assert run_command(*host.client("-s"), where, "sftp")[0] == 2  # the game's own code
