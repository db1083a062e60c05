"""The service unit, the container image and the settings file fit the program."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
from configparser import ConfigParser
from pathlib import Path

import pytest

from tests.helpers.external_programs import program_path
from tests.helpers.pty_terminal import ROOT
from tui_casino.cli import main
from tui_casino.host.config import FILE_KEYS, Config, read_config
from tui_casino.host.supervisor import DRAIN, START
from tui_casino.structs import replace

PACKAGING = ROOT / "packaging"
PAGE = (ROOT / "docs" / "server" / "reference.md").read_text()


def test_packaged_server_settings_list_all_settings_and_change_only_two() -> None:
    settings = read_config(PACKAGING / "serve.toml")
    assert settings == replace(Config(), grace=30, metrics="127.0.0.1:9125")
    text = (PACKAGING / "serve.toml").read_text()
    assert set(tomllib.loads(text)) == {*FILE_KEYS} - {"database", "web", "web_url"}, (
        "one host has files"
    )
    assert all(f"\n# {key} = " in text for key in ("database", "web", "web_url"))


def test_server_settings_page_lists_every_setting_with_its_packaged_value(tmp_path: Path) -> None:
    match = re.search(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert match
    assert set(tomllib.loads(match[1])) == set(FILE_KEYS)
    (tmp_path / "serve.toml").write_text(match[1])
    assert read_config(tmp_path / "serve.toml") == replace(
        read_config(PACKAGING / "serve.toml"),
        database="postgresql://casino@db.example/casino",
        web="127.0.0.1:8080",
        web_url="https://casino.example",
    )


def unit() -> dict[str, str]:
    parser = ConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(PACKAGING / "tui-casino.service")
    return dict(parser["Service"])


def test_systemd_unit_starts_serve_and_waits_for_its_shutdown() -> None:
    service = unit()
    program, command, *options = shlex.split(service["ExecStart"])
    assert program.endswith("/bin/tui-casino")
    assert (command, options[::2]) == ("serve", ["--data", "--config"])
    assert options[1] == f"/var/lib/{service['StateDirectory']}"
    assert service["KillMode"] == "mixed", "the supervisor tells its own processes"
    assert service["OOMPolicy"] == "continue", "a session that is killed ends no other"
    grace = read_config(PACKAGING / "serve.toml").grace
    assert int(service["TimeoutStopSec"]) > grace + DRAIN


def test_systemd_restarts_a_server_whose_gateway_is_stuck() -> None:
    service = unit()
    assert (service["Type"], service["NotifyAccess"]) == ("notify", "all"), "the gateway beats"
    assert int(service["WatchdogSec"]) > START, "the gateway may have to be started again"
    assert int(service["TimeoutStartSec"]) > 3 * START, "three processes start one after another"
    assert service["Restart"] == "on-failure"


def test_settings_with_a_password_are_installed_for_the_server_only() -> None:
    install = "install -D -m 0640 -g tui-casino packaging/serve.toml /etc/tui-casino/serve.toml"
    page = (ROOT / "docs" / "server" / "operators.md").read_text()
    for text in (page, (PACKAGING / "tui-casino.service").read_text()):
        assert install in text
        assert text.index("useradd") < text.index(install), "the group exists by then"
    assert unit()["Group"] == "tui-casino"


def test_systemd_unit_has_the_hardening_options() -> None:
    service = unit()
    for name in (
        "NoNewPrivileges",
        "ProtectHome",
        "PrivateTmp",
        "PrivateDevices",
        "RestrictSUIDSGID",
    ):
        assert service[name] == "yes"
    assert service["ProtectSystem"] == "strict"
    assert service["CapabilityBoundingSet"] == service["AmbientCapabilities"] == ""
    assert service["User"] not in ("", "root")
    assert service["UMask"] == "0077"
    allowed = set(service["SystemCallFilter"].split())
    assert allowed > {"@system-service"}, "sessions fence themselves in by calls beyond it"
    assert {
        f"landlock_{name}" for name in ("create_ruleset", "add_rule", "restrict_self")
    } < allowed


@pytest.mark.prove
def test_systemd_analyze_accepts_the_unit(tmp_path: Path) -> None:
    text = (PACKAGING / "tui-casino.service").read_text()
    program = shlex.split(unit()["ExecStart"])[0]
    checked = tmp_path / "tui-casino.service"
    checked.write_text(text.replace(program, sys.executable))
    result = subprocess.run(
        [program_path("systemd-analyze"), "verify", checked],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_container_image_copies_existing_files_and_does_not_run_as_root() -> None:
    lines = (PACKAGING / "Containerfile").read_text().splitlines()
    ignored = (ROOT / ".containerignore").read_text().splitlines()
    for line in lines:
        if line.startswith("COPY ") and "--from" not in line:
            for source in line.split()[1:-1]:
                assert (ROOT / source).exists(), source
                assert f"!{source}" in ignored
    last = {line.split()[0]: line for line in lines if line and not line.startswith(("#", " "))}
    assert last["USER"] == "USER casino"
    assert last["STOPSIGNAL"] == "STOPSIGNAL SIGTERM"
    assert '"serve", "--data", "/data"' in last["CMD"]
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert ".[serve,web,database]" in "".join(lines)
    assert {"serve", "web", "database"} <= {*extras["optional-dependencies"]}


def test_server_page_lists_every_admin_command(capsys: object) -> None:
    import io
    from contextlib import redirect_stdout, suppress

    help_text = io.StringIO()
    with redirect_stdout(help_text), suppress(SystemExit):
        main(["admin", "--help"])
    commands = re.findall(r"^    (\w+) ", help_text.getvalue(), re.MULTILINE)
    assert len(commands) == 14
    for command in commands:
        assert f"`{command}" in PAGE, command
