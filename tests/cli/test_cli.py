"""The program as a player meets it: commands, exit codes, streams, and no traceback ever."""

from __future__ import annotations

import json
import os
import platform
import sqlite3
import subprocess
import sys
from contextlib import closing
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.helpers.command_runner import Output, output, run
from tests.helpers.parameter_ids import value_id
from tui_casino import __version__, cli
from tui_casino.cli.help_texts import help_of, shown_name
from tui_casino.engine.game import Seat
from tui_casino.gamekit.registry import DEFINITIONS, GAMES, GameListing
from tui_casino.house.paths import ledger_file, settings_file, styles_folder
from tui_casino.records.log_catalog import list_logs
from tui_casino.records.sqlite_ledger import SqliteLedger

CASINO = f"{sys.executable} -m tui_casino"
Capture = pytest.CaptureFixture[str]


def console(*arguments: str, typed: str = "", code: int = 0) -> Output:
    return output("video-poker", "--console", *arguments, typed=typed, code=code)


def logs(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.jsonl"))


def test_help_lists_every_game_and_version_prints_the_version_number() -> None:
    overview = output("--help").out
    for game in GAMES:
        assert game.slug in overview
    assert output("--version").out == f"tui-casino {__version__}\n"
    assert output("-V").out == f"tui-casino {__version__}\n"
    assert "--verbose needs --version" in output("--verbose", code=2).err
    assert "CMD-FILE" in output("video-poker", "--help").out


def test_version_shows_what_a_bug_report_needs_and_no_secret(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("LC_ALL", "NO_COLOR", "STY", "TMUX", "TERM_PROGRAM"):
        monkeypatch.delenv(name, raising=False)
    for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", "/home/wilma")
    monkeypatch.setenv("SSH_CONNECTION", "192.0.2.7 4711 192.0.2.9 22")
    monkeypatch.setenv("TERM", "xterm-256color\x1b[2J")
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setattr("importlib.metadata.requires", lambda name: [
        "textual<9,>=8.2", "absent>=1", "asyncssh; extra == 'serve'", "away; extra == 'far'",
        "away; extra == 'web'", "pytest; extra == 'dev'", 'tui-casino[serve]; extra == "dev"',
    ])  # fmt: skip
    out = output("--version", "--verbose").out
    first, *rows = out.splitlines()
    assert first == f"tui-casino {__version__}"
    said = {row.split(maxsplit=1)[0]: row.split(maxsplit=1)[1] for row in rows}
    assert said["python"].startswith(platform.python_version())
    packages = f"textual {version('textual')}, absent missing, asyncssh {version('asyncssh')}"
    assert said["packages"] == f"{packages}, away none [far web]"
    assert "colours: truecolor" in said["terminal"]
    assert "SSH_CONNECTION is set" in said["variables"]
    assert "LANG=C.UTF-8" in said["variables"]
    assert said["logs"] == "~/.local/state/tui-casino/sessions"
    assert said["settings"] == "~/.config/tui-casino/settings.toml"
    assert "wilma" not in out
    assert "192.0.2" not in out
    assert "\x1b" not in out


@pytest.mark.parametrize("command", ["logs", "video-poker", "serve"])
def test_every_command_is_refused_on_windows_and_wsl_suggested(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.platform", "win32")
    assert output(command, code=2).err == (
        "tui-casino: this program needs a Unix system, such as Linux; on Windows, use WSL\n"
    )


@pytest.mark.parametrize(
    "arguments", [[], ["video-poker"], ["--ascii"]], ids=["no arguments", "a game", "--ascii"]
)
def test_screen_without_a_terminal_is_refused_and_screen_reader_mode_suggested(
    arguments: list[str],
) -> None:
    out, err = output(*arguments, typed="b\n", code=2)
    assert not out
    game = "video-poker " * ("video-poker" in arguments)
    assert err == (
        "tui-casino: the screen needs a terminal; "
        f"tui-casino {game}--screen-reader works without one\n"
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["odds"],
            "GAME is missing; give one of video-poker, baccarat, five-card-draw, hit-me or ",
        ),
        (["odds", "whist"], "GAME: 'whist' is not one of video-poker, baccarat, five-card-draw, "),
        (["video-poker", "--what"], "--what: no such option; see tui-casino video-poker --help"),
        (
            ["video-poker", "--player"],
            "--player needs a value, NAME: the player whose balance is used; ",
        ),
        (
            ["replay", "x", "--json", "--text"],
            "--text: cannot be combined with --json; see tui-casino ",
        ),
    ],
    ids=lambda case: " ".join(case) if isinstance(case, list) else "",
)
def test_missing_or_unknown_argument_exits_with_code_2_and_says_what_is_valid(
    arguments: list[str], said: str
) -> None:
    assert output(*arguments, code=2).err.startswith(f"tui-casino: {said}")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Ann\tBea", "no hidden characters; this one has U+0009 (a control character)"),
        ("Ann\u200bBea", "no hidden characters; this one has U+200B (zero width space)"),
        ("👩\u200d🚀", "no hidden characters; this one has U+200D (zero width joiner)"),
        (" ", "at least one character"),
        ("x" * 41, "up to 40 characters; this one has 41"),
    ],
)
def test_refusal_of_a_local_player_name_names_the_true_reason(name: str, reason: str) -> None:
    assert (
        f"a name has {reason}" in output("video-poker", "--console", "--player", name, code=2).err
    )


def test_help_of_odds_describes_each_game() -> None:
    said = output("odds", "--help").out
    for listing in GAMES:
        text = help_of(f"odds {listing.slug}")
        assert f"  {shown_name(listing.slug):<20}{text.line}\n" in said
        assert text.description in " ".join(output("odds", listing.slug, "--help").out.split())


def test_unknown_commands_and_options_are_refused() -> None:
    assert "whist: no such command" in output("whist", code=2).err
    for arguments in (["odds"], ["odds", "whist"], ["replay"], ["video-poker", "--what"]):
        out, err = output(*arguments, code=2)
        assert not out
        assert "Traceback" not in err
        assert err.startswith("tui-casino: ")
        assert err.endswith(" --help\n")
        assert err.count("\n") == 1


@pytest.mark.parametrize("listing", GAMES, ids=lambda listing: listing.slug)
def test_console_session_is_recorded_and_can_be_verified(
    listing: GameListing, tmp_path: Path
) -> None:
    played = {
        "video-poker": "b 5\nd\nh\n",
        "baccarat": "b 5 p\nd\n",
        "five-card-draw": "d\n" + "f\nk\nx\n" * 6,
        "thirty-one": "b 20\nn\ns\n",  # no insurance, if the dealer has an ace
        "cribbage": "x 1 2\n",
    }.get(listing.slug, "d\nk\n")  # the toy: with a bet at stake the session would stay open
    typed = f"?\n\nnonsense\n{played}q\n"
    folder = tmp_path / "kept"
    # else these have a dialogue of their own, and the trainer a shuffle that is not committed to
    table = {
        "baccarat": ["--bets"],
        "five-card-draw": ["--stakes", "limit"],
        "cribbage": ["--game"],
    }.get(listing.slug, [])
    place = ("--log-dir", str(folder))
    out, err = output(listing.slug, "--console", *table, *place, typed=typed)
    definition = listing.definition()
    assert definition.words.help(definition.game.start(definition.game.Options())) in out
    assert "nonsense" in out
    assert "commitment of the shuffle" in err
    (log,) = logs(folder)
    verdict = output("verify", str(log)).out
    kept = definition.game.money(definition.game.start(definition.game.Options()), Seat(0)).free > 0
    proof = "authentic: " if kept else "consistent: "  # for nothing no ledger is kept
    assert verdict.startswith(proof)
    assert output("replay", str(log)).out.splitlines()[-1] == "ended: left"
    assert output("replay", str(log), "--text").out.splitlines()[-1] == "ended: left"
    lines = [json.loads(line) for line in output("replay", str(log), "--json").out.splitlines()]
    assert lines[-1]["end"]["why"] == "left"
    assert [line["n"] for line in lines[:-1]] == list(range(1, len(lines)))
    states = [json.loads(line) for line in output("replay", str(log), "--states").out.splitlines()]
    assert len(states) == len(lines) - 1


def test_replay_with_text_option_prints_a_title_for_each_round(tmp_path: Path) -> None:
    at_table = ("--console", "--bets", "--seed", "4", "--log-dir", str(tmp_path))
    output("baccarat", *at_table, typed="b 10 p\nd\nd\nq\n")
    (log,) = logs(tmp_path)
    _, *lines, end = output("replay", str(log), "--text").out.splitlines()
    titles = [line for line in lines if not line.startswith("  ")]
    assert titles == ["Round 1", "Round 2"]
    assert lines.count("  Winner") == 2
    assert end == "ended: left"


def test_console_session_with_the_same_seed_prints_the_same_output(tmp_path: Path) -> None:
    place, typed = ("--log-dir", str(tmp_path)), "b 5\nd\na\nh 1 2\ns\n$\n"
    told = [console("--seed", "42", *place, typed=typed).out for _ in range(2)]
    assert told[0] == told[1]
    assert "player is betting 5" in told[0]
    assert not ledger_file().exists()  # a known shuffle is practice


def test_interrupted_console_session_resumes_with_its_hand_at_the_next_start(
    tmp_path: Path,
) -> None:
    out, err = console(typed="b 1\nd\nh\nb 5\nd\n")
    assert "your bet stays on the table" in err
    hand = out.splitlines()[-1]
    out, err = console(typed="h 1 2 3 4 5\ns\nq\n")
    assert "it continues now" in err
    assert hand in out.splitlines()[:-1]
    held = out.index("player's hand", out.index(hand) + 1)
    assert out[held:].startswith(hand)  # all five were held
    assert "Total                     2" in out  # the round before the break counts too
    output("verify", str(logs(tmp_path / "state/tui-casino/sessions")[0]))


@pytest.mark.parametrize(
    ("paytables", "notice"),
    [((), False), (("double-bonus-10-7",), False), (("double-bonus-9-6",), True)],
    ids=["no pay table", "the same pay table", "a different pay table"],
)
def test_resuming_with_a_different_pay_table_keeps_and_reports_the_old_options(
    paytables: tuple[str, ...], notice: bool
) -> None:
    console(typed="b 1\nd\n")
    err = console(*(f"--paytable={name}" for name in paytables), typed="h\nq\n").err
    assert ("this session has its old options" in err) is notice


def test_each_player_has_a_balance_and_a_guest_keeps_none() -> None:
    for arguments in (["--player", "ann"], ["--player", "bob"], ["--guest"]):
        played = console(*arguments, typed="b 5\nd\nh 1 2 3 4 5\nq\n")
        assert "player is betting 5" in played.out
    with closing(SqliteLedger(ledger_file())) as ledger:
        balances = {name: ledger.balance(name) for name in ("ann", "bob")}
    kept = list_logs(ledger_file().parent / "sessions", DEFINITIONS, {})
    assert [entry.owners for entry in kept] == [("bob",), ("ann",)]
    for entry in kept:
        assert entry.result is not None
        assert (entry.result + 500) % 500 == 0, "a bet of 500 cents, and what it paid"
        assert balances[entry.owners[0]] == 100_000 + entry.result


@pytest.mark.parametrize("game", ["video-poker", "thirty-one", "five-card-draw"])
def test_console_says_if_limits_cannot_be_read_and_asks_before_money_is_played(game: str) -> None:
    settings_file().parent.mkdir(parents=True, exist_ok=True)
    settings_file().write_text("theme = midnight\nloss_limit = 5\n")
    play = (game, "--console", *(["--stakes", "ante"] if game == "five-card-draw" else []))
    refused = output(*play, typed="b 5\nq\n", code=2)
    assert f"{settings_file()}:1:9: is not TOML" in refused.err
    assert refused.err.endswith("no round for money begins until your limits can be read\n")
    assert "is not TOML" in output(*play, typed="y\nq\n").err
    for option in (("--guest",), ("--seed", "1")):
        free = output(*play, *option, typed="q\n").err
        assert "is not TOML" in free
        assert "[y/N]" not in free


def test_log_folder_can_be_set_by_environment_variable_or_option(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TUI_CASINO_LOG_DIR", str(tmp_path / "env"))
    console(typed="b 5\nd\nh\nq\n")
    console("--log-dir", str(tmp_path / "option"), typed="b 5\nd\nh\nq\n")
    assert len(logs(tmp_path / "env")) == len(logs(tmp_path / "option")) == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--seed", "x"], "--seed: 'x' is not a whole number"),
        (["--seed", "9" * 30], "--seed: 9+ is out of range"),
        (["--buy-in", "0"], "--buy-in: 0 is out of range"),
        (["--paytable", "nine-six"], "not a pay table.*double-bonus-10-7"),
        (["--log-dir", "/dev/null/x"], "/dev/null is a file, not a folder; choose a folder with"),
        (["--log-dir", "/dev/null"], "in /dev/null: /dev/null is a file, not a folder; choose"),
        (["--json"], "--json can only be used with -s"),
    ],
    ids=value_id,
)
def test_invalid_play_option_is_named_in_a_one_line_error_with_code_2(
    arguments: list[str], said: str
) -> None:
    import re

    out, err = console(*arguments, code=2)
    assert not out
    assert re.search(said, err), err
    assert len(err.splitlines()) == 1


def test_damaged_ledger_ends_the_program_with_code_2_and_an_error() -> None:
    ledger_file().parent.mkdir(parents=True)
    ledger_file().write_text("no database at all, this is only a text\n" * 9)
    assert "ledger.db cannot be used" in console(typed="b\n", code=2).err


@pytest.mark.parametrize("target", ["/nowhere/state", "tui-casino"], ids=["dangling", "loop"])
def test_link_to_nothing_in_place_of_a_folder_is_named_in_the_error(target: str) -> None:
    state = ledger_file().parent
    for link in (state, state / "sessions"):
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(target.replace("tui-casino", link.name))
        err = console(code=2).err
        assert f"{link} is a link to {os.readlink(link)}, which does not exist or cannot" in err
        link.unlink()


def test_everything_works_in_folders_whose_names_are_not_utf_8(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their bytes are shown as a shell writes them, not as surrogates."""
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/x\xff\xfe"))
    shown = f"{tmp_path}/x\\xff\\xfe"
    for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(odd / name))
    odd.mkdir()
    assert "the log is " + shown in console(typed="b 5\nd\nh\nq\n").err
    assert "the log is " + shown in console("--log-dir", str(odd), typed="b 5\nd\nq\n").err
    assert "your session was interrupted with a bet at stake" in console(typed="h\nq\n").err
    (log,) = logs(odd / "XDG_STATE_HOME" / "tui-casino" / "sessions")
    assert "the ledger confirms" in output("verify", str(log)).out
    assert "nothing to change" in output("ledger", "rebuild", "--yes").out
    settings = odd / "XDG_CONFIG_HOME" / "tui-casino" / "settings.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text("[")
    commands = (
        *(["replay", str(log)], ["logs"], ["logs", "--json"], ["stats"], ["stats", "--json"]),
        *(["verify", str(odd / "none")], ["replay", str(odd / "none")], ["verify", str(odd)]),
        *(["--screen-reader"], ["leaks"], ["ledger", "settle"], ["--version", "--verbose"]),
        ["hit-me", "--console", "--deck", str(odd / "none")],
    )
    for command in commands:
        ran = run(command, "q\n")
        assert ran.code in (0, 2), ran
        assert "\\udc" not in ran.out + ran.err, command
        assert "internal error" not in ran.err, command


@pytest.mark.parametrize("place", ["home", "state"])
def test_file_in_place_of_the_state_folder_is_named_in_the_error(place: str) -> None:
    folder = ledger_file().parent
    wrong = folder if place == "home" else folder.parent
    wrong.parent.mkdir(parents=True, exist_ok=True)
    if wrong.exists():
        wrong.rmdir()
    wrong.write_text("")
    err = console(code=2).err
    assert f"{wrong} is a file, not a folder; --guest plays without it" in err
    assert "Errno" not in err
    console("--guest")


def test_error_about_a_damaged_ledger_names_the_rebuild_command() -> None:
    ledger_file().parent.mkdir(parents=True)
    ledger_file().write_text("no database at all, this is only a text\n" * 9)
    assert "tui-casino ledger rebuild restores it from the logs" in console(code=2).err
    output("ledger", "rebuild", "--yes")
    console()


def test_verify_detects_a_changed_log(tmp_path: Path) -> None:
    console("--log-dir", str(tmp_path), typed="b 5\nd\nh\nq\n")
    (log,) = logs(tmp_path)
    raw = log.read_bytes()
    log.write_bytes(raw.replace(b'"coins":5', b'"coins":1', 1))
    assert output("verify", str(log), code=1).out.startswith(f"differs: {log}:3: ")
    assert f"{log}:3: " in output("replay", str(log), code=1).err
    log.write_bytes(raw[:-20])
    told = output("verify", str(log), code=1).err  # the ledger knows that it went on
    assert "cut off after step" in told


def test_internal_error_is_written_to_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    def breaks(*given: object) -> int:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(GameListing, "command", breaks)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    assert cli.main(["video-poker", "--console"]) == 70
    out, err = capsys.readouterr()
    assert not out
    assert "Traceback" not in err
    assert "secret" not in err
    (report,) = tmp_path.glob("tui-casino-error-*.txt")
    assert str(report) in err
    written = report.read_text()
    assert "in breaks" in written
    assert written.endswith("ZeroDivisionError\n")
    assert "secret" not in written.replace('ZeroDivisionError("secret")', ""), "but for our code"


def python(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ
    )
    return done.stdout


def test_help_replay_and_logs_load_neither_textual_nor_rich_nor_numpy(tmp_path: Path) -> None:
    console("--log-dir", str(tmp_path), typed="b 5\nd\nh\nq\n")
    (log,) = logs(tmp_path)
    listing = ["logs", str(tmp_path)]
    for arguments in (["--help"], ["video-poker", "--help"], ["replay", str(log)], listing):
        code = f"""
import sys
from tui_casino.cli import main
try:
    main({arguments!r})
except SystemExit:
    pass
print("heavy:", [name for name in ("textual", "rich", "numpy") if name in sys.modules])
"""
        assert python(code).splitlines()[-1] == "heavy: []"


def test_program_writing_to_a_closed_pipe_ends_without_a_traceback(tmp_path: Path) -> None:
    done = subprocess.run(
        f"yes s | head -5000 | {CASINO} video-poker --console --guest | head -1",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ,
    )
    assert done.stdout.startswith("Hand")
    assert "Traceback" not in done.stderr
    assert "Broken" not in done.stderr


def test_ascii_only_output_shows_other_letters_as_escapes(tmp_path: Path) -> None:
    commands, cards = tmp_path / "c", tmp_path / "k"
    commands.write_text("é ♠", encoding="utf-8")
    cards.write_text("2H")
    done = subprocess.run(
        [sys.executable, "-m", "tui_casino", "video-poker", "-d", "5", str(commands), str(cards)],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "ascii:strict"},
    )
    assert done.returncode == 0
    assert rb"-cmd \xe9" in done.stdout


def test_styles_folder_contains_stylesheets() -> None:
    assert list(styles_folder().glob("*.tcss"))


def test_wait_for_a_locked_ledger_is_announced_before_the_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "waiting" not in console(typed="q\n").err
    monkeypatch.setattr("tui_casino.cli.house_setup.AFTER", 0.0)
    with closing(sqlite3.connect(ledger_file(), isolation_level=None)) as other:
        other.execute("begin immediate")
        err = output("video-poker", "--console", patience=0.5, typed="q\n", code=2).err
    assert f"another program is writing the ledger {ledger_file()}; waiting" in err
    assert err.index("up to 0.5 seconds for it") < err.index("database is locked")


def test_menu_shows_the_ledger_balance_after_leaving_a_free_play_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # it leaves a log of its own there
    said = output("cribbage", "55510", "--screen-reader", typed="q\nq\n").out
    assert "for points" in said
    assert "your balance is 1,000" in said.partition("You leave Cribbage.")[2]
