"""The help of every command, the names that are understood, and suggestions for other words."""

from __future__ import annotations

import shlex
from argparse import ArgumentParser, Namespace
from typing import Any
from unittest.mock import patch

import pytest

from tests.cli.command_list import PATH, document
from tests.helpers.command_runner import output
from tests.share.manual import examples
from tests.share.tree import children, parsers, tree
from tui_casino import cli
from tui_casino.cli.commands import COMMANDS
from tui_casino.cli.help_texts import ALIASES, HELP, RELATED, help_of
from tui_casino.cli.parser import CommandParser
from tui_casino.gamekit.registry import GAMES

COMMAND_LINES = [*(game.slug for game in GAMES), *(command.name for command in COMMANDS)]
ROOT = tree()


def output_of(*arguments: str) -> str:
    """Run a command that must succeed, and return what it prints."""
    out, err = output(*arguments)
    assert not err
    return out


# ---- descriptions and examples -------------------------------------------------------------------


@pytest.mark.parametrize("parser", parsers(ROOT), ids=lambda parser: parser.prog)
def test_every_command_has_a_description_and_two_examples(parser: ArgumentParser) -> None:
    assert parser.description
    assert parser.description.endswith(".")
    assert len(set(examples(parser))) >= 2
    assert all(command.startswith("tui-casino") for command, _ in examples(parser))


@pytest.mark.parametrize(
    "command", [command for parser in parsers(ROOT) for command, _ in examples(parser)]
)
def test_every_example_command_in_the_help_is_accepted_by_its_parser(command: str) -> None:
    """The parser of its command accepts it; what the command then does is not part of this test."""

    class Parsed(Exception):
        pass

    parse = CommandParser.parse_args

    def stop(parser: CommandParser, *arguments: Any) -> Namespace:
        args: Namespace = parse(parser, *arguments)
        if parser.prog == "tui-casino odds" and "--help" not in words:
            return args  # the parser of the game comes next
        raise Parsed

    words = shlex.split(command)[1:]
    with (
        patch.object(CommandParser, "parse_args", stop),
        pytest.raises((Parsed, SystemExit)) as end,
    ):
        cli._dispatch(words, cli._process_values(None))
    assert (
        isinstance(end.value, Parsed) or getattr(end.value, "code", None) == 0
    )  # the help of another command is printed


def test_help_texts_exist_for_exactly_the_existing_commands() -> None:
    known = {parser.prog.removeprefix("tui-casino").strip() for parser in parsers(ROOT)}
    shown = {" ".join(cli.help_texts.shown_name(name).split()) for name in HELP}
    assert shown == known


def test_game_without_its_own_help_text_gets_a_description_and_two_examples(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    slug = GAMES[0].slug
    for name in (slug, f"odds {slug}"):
        monkeypatch.delitem(HELP, name)
        assert help_of(name).description.endswith(".")
        assert len(help_of(name).examples) == 2


def test_main_help_shows_command_groups_and_a_line_for_each_command() -> None:
    text = output_of("--help")
    for title in ("play:", "study:", "records:", "server:", "help:", "examples:"):
        assert f"\n{title}\n" in text
    for name in COMMAND_LINES:
        assert HELP[name].line in text
    assert "thirty-one" in text
    assert max(map(len, text.splitlines())) <= 80


def test_command_document_is_up_to_date() -> None:
    assert document() == PATH.read_text(encoding="utf-8"), "python -m tests.cli.command_list"


# ---- help ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "equivalent"),
    [
        (["help"], ["--help"]),
        (["help", "odds"], ["odds", "--help"]),
        (["help", "odds", "cribbage"], ["odds", "cribbage", "--help"]),
        (["help", "hit-me"], ["thirty-one", "--help"]),
        (["help", "odds", "hit-me"], ["odds", "thirty-one", "--help"]),
        (["help", "practice"], ["practise", "--help"]),
        (["help", "admin", "ban"], ["admin", "ban", "--help"]),
        (["help", "help"], ["help", "--help"]),
        (["--help", "odds", "cribbage"], ["odds", "cribbage", "--help"]),
    ],
    ids=" ".join,
)
def test_help_prints_the_help_of_a_command(arguments: list[str], equivalent: list[str]) -> None:
    assert output_of(*arguments) == output_of(*equivalent)


@pytest.mark.parametrize("words", [["whist"], ["odds", "whist"], ["--what"]], ids=" ".join)
def test_help_about_an_unknown_command_is_refused(words: list[str]) -> None:
    assert words[-1] in output("help", *words, code=2).err


# ---- other names ---------------------------------------------------------------------------------


def test_hit_me_is_accepted_as_game_name_by_odds_and_stats() -> None:
    printed = output_of("odds", "thirty-one")
    assert output_of("odds", "hit-me") == printed
    assert output_of("stats", "--game", "hit-me") == "no finished sessions at hit-me\n"


def test_every_command_alias_prints_the_help_of_its_command() -> None:
    for alias, name in ALIASES.items():
        assert output_of(alias, "--help") == output_of(name, "--help")


def test_verify_accepts_promises_as_an_alias_of_commitments() -> None:
    for option in ("--commitments", "--promises"):
        assert "can be used with one log" in output("verify", ".", option, "list", code=2).err


# ---- unknown words -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("practice-x", "practise"),
        ("practize", "practise"),
        ("video-pokr", "video-poker"),
        ("Video_Poker", "video-poker"),
        ("hit_me", "hit-me"),
        ("thirty-on", "hit-me"),
        ("verfy", "verify"),
        ("blackjack", "hit-me"),
        ("poker", "five-card-draw or video-poker"),
        ("history", "logs"),
        ("server", "serve"),
    ],
)
def test_error_for_an_unknown_command_suggests_a_similar_one(typed: str, meant: str) -> None:
    assert output(typed, code=2).err == (
        f"tui-casino: {typed}: no such command. Did you mean {meant}? "
        "All commands: tui-casino help\n"
    )


def test_error_for_a_word_unlike_any_command_suggests_only_the_help() -> None:
    assert output("xyzzy", code=2).err == (
        "tui-casino: xyzzy: no such command. All commands: tui-casino help\n"
    )


def test_each_related_word_is_not_a_command_and_points_to_an_existing_one() -> None:
    commands = set(dict(children(ROOT)))
    assert not set(RELATED) & (commands | set(ALIASES))
    assert {name for names in RELATED.values() for name in names} <= commands


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--gest"], "--gest: no such option; did you mean --guest? See tui-casino --help"),
        (["--bogus"], "--bogus: no such option; see tui-casino --help"),
        (["video-poker", "--consol"], "--consol: no such option; did you mean --console? See "),
        (["stats", "--sinse=2026-01-31"], "--sinse: no such option; did you mean --since? See "),
        (["admin", "--data", ".", "ban", "--reson", "x"], "--reson: no such option; did you mean "),
        (["admin", "--data", ".", "plyers"], "COMMAND: 'plyers' is not one of players, keys, "),
        (["replay", "a", "b"], "b: this argument is one too many; see tui-casino replay --help"),
        (["replay"], "FILE is missing: a log; see tui-casino replay --help"),
        (["admin", "players"], "--data is missing, DIR: the server's data folder; see "),
        (["odds", "cribage"], "GAME: 'cribage' is not one of video-poker, baccarat, "),
        (["stats", "--game", "hit-m"], "--game: 'hit-m' is not one of video-poker, "),
        (["--color=sometimes"], "--color: 'sometimes' is not one of never, auto or always; see "),
    ],
    ids=lambda case: " ".join(case) if isinstance(case, list) else "",
)
def test_error_for_bad_usage_is_one_line_that_names_what_is_accepted(
    arguments: list[str], said: str
) -> None:
    out, err = output(*arguments, code=2)
    assert not out
    assert err.startswith(f"tui-casino: {said}")
    assert err.count("\n") == 1


# ---- options before and after the command --------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ["--ascii", "odds", "baccarat"],
        ["odds", "--ascii", "baccarat"],
        ["odds", "baccarat", "--ascii"],
        ["--color", "never", "odds", "baccarat"],
        ["--color=always", "odds", "baccarat"],
        ["--color", "odds", "baccarat"],
        ["odds", "baccarat", "--color", "auto"],
        ["odds", "--color", "baccarat"],
        ["--ascii", "--color", "never", "odds", "baccarat"],
    ],
    ids=" ".join,
)
def test_ascii_and_color_options_are_accepted_before_and_after_a_command(
    arguments: list[str],
) -> None:
    expected = output_of("odds", "baccarat")
    assert output_of(*arguments) == expected


@pytest.mark.parametrize("option", [["--ascii"], ["--color", "never"]], ids=" ".join)
def test_ascii_and_color_options_are_accepted_at_any_place_of_a_subcommand(
    option: list[str],
) -> None:
    for arguments in (
        [*option, "ledger", "rebuild"],
        ["ledger", *option, "rebuild"],
        ["ledger", "rebuild", *option],
    ):
        assert "nothing to change" in output(*arguments).out


def test_ascii_option_prints_odds_with_ascii_characters_only() -> None:
    odds = ("odds", "five-card-draw")
    plain = output_of(*odds, "--ascii")
    assert plain.isascii()
    assert len(plain) >= len(output_of(*odds))


def test_word_after_color_that_is_not_a_colour_mode_is_read_as_seed_or_game() -> None:
    for arguments in (["cribbage", "--color", "55510"], ["--color", "cribbage", "55510"]):
        assert "the screen needs a terminal" in output(*arguments, code=2).err
