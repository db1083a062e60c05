"""The command: properties, seeds, the log and its faults, who plays, what is played."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.command_runner import Output, output
from tests.helpers.parameter_ids import value_id
from tui_casino.engine.chance import CommittedSource, JavaRandomSource
from tui_casino.engine.event_bus import EventBus
from tui_casino.engine.game import Seat
from tui_casino.games.cribbage.face.original_trainer_files import Properties, read_properties
from tui_casino.games.cribbage.face.table_catalog import TABLES, CribbageSetup, seating_of
from tui_casino.games.cribbage.machine.state import (
    TRAINING,
    CountingMode,
    Discarded,
    GameForm,
    Options,
)
from tui_casino.inputs.errors import BadInput
from tui_casino.inputs.files import BadFile
from tui_casino.records.session_log import read_log
from tui_casino.structs import replace

DATA = Path(__file__).parents[2] / "data" / "cribbage"
TWO_COMPUTERS = "Player0=cribbage.RandomPlayer\nPlayer1=cribbage.RandomPlayer\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Use a temporary current folder, because the log is written into it."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str, typed: str | None = None, code: int = 0) -> Output:
    place = ("--log-dir", "sessions")
    return output("cribbage", "--console", *place, *arguments, typed=typed, code=code)


def properties(text: str) -> Path:
    path = Path("cribbage.properties")
    path.write_text(text)
    return path


# ---- the original's runs -----------------------------------------------------------------------


def test_original_properties_file_gives_the_original_trainer_log() -> None:
    out = run("--properties", str(DATA / "cribbage.properties")).out
    assert Path("cribbage.log").read_bytes() == (DATA / "seed-55510.log").read_bytes()
    assert out == (DATA / "seed-55510.log").read_text()


@pytest.mark.parametrize("seed", [["12345"], ["--seed", "12345"]], ids=" ".join)
def test_seed_argument_and_option_override_the_properties(seed: list[str]) -> None:
    run(*seed, "--properties", str(DATA / "cribbage.properties"))
    assert Path("cribbage.log").read_bytes() == (DATA / "seed-12345.log").read_bytes()


def test_properties_in_the_current_folder_are_read() -> None:
    properties(f"Seed=55510\n{TWO_COMPUTERS}")
    run()
    assert Path("cribbage.log").read_bytes() == (DATA / "seed-55510.log").read_bytes()


def test_log_option_chooses_the_trainer_log_file() -> None:
    properties(TWO_COMPUTERS)
    run("55510", "--log", "other.log")
    assert Path("other.log").read_bytes() == (DATA / "seed-55510.log").read_bytes()
    assert not Path("cribbage.log").exists()


def test_trainer_log_is_overwritten_at_each_run() -> None:
    properties(TWO_COMPUTERS)
    for seed in ("55510", "12345"):
        run(seed)
        assert Path("cribbage.log").read_bytes() == (DATA / f"seed-{seed}.log").read_bytes()


@pytest.mark.parametrize("typed", ["", "q\n", "?\nq\n", "x 1 2\nq\n"], ids=repr)
def test_deal_replaces_an_older_trainer_log_before_the_first_choice(typed: str) -> None:
    Path("cribbage.log").write_text("an older log\n")
    run("55510", typed=typed)
    sample = (DATA / "seed-55510.log").read_text().splitlines()
    assert Path("cribbage.log").read_text().splitlines()[3:5] == sample[3:5]


@pytest.mark.parametrize("arguments", [["--no-open"], ["--opponent", "human"], ["--game"]])
def test_older_log_is_emptied_but_hidden_cards_and_the_seed_are_not_written(
    arguments: list[str],
) -> None:
    Path("cribbage.log").write_text("an older log\n")
    run("55510", "--log", "cribbage.log", *arguments, typed="q\n")
    assert not Path("cribbage.log").read_text()


def test_negative_cribbage_seed_is_accepted() -> None:
    properties(TWO_COMPUTERS)
    assert run("-2147483648").out.startswith("seed,-2147483648\n")


def test_logged_random_seed_repeats_the_round_and_a_new_run_differs() -> None:
    properties(TWO_COMPUTERS)
    run()
    log = Path("cribbage.log").read_text()
    run(log.split("\n")[0].removeprefix("seed,"))
    assert Path("cribbage.log").read_text() == log
    run()
    assert Path("cribbage.log").read_text() != log


def test_session_log_is_also_written_and_verifies() -> None:
    properties(TWO_COMPUTERS)
    run("55510")
    (path,) = Path("sessions").glob("*.jsonl")
    assert read_log(path).header.source == JavaRandomSource(55510).spec
    assert "every card follows from a seed that was chosen" in output("verify", str(path)).out


def test_cribbage_command_seats_a_human_against_random_by_default() -> None:
    out = run("55510", typed="x 1 2\nq\n").out
    lines = Path("cribbage.log").read_text().splitlines()
    assert lines[1:3] == ["cribbage.RandomPlayer,P0", "cribbage.HumanPlayer,P1"]
    sample = (DATA / "seed-55510.log").read_text().splitlines()
    assert lines[3:6] == sample[3:6]
    assert lines[6] == "discard,P1,[AD,AH]"
    assert "You give AD AH to the crib" in out


def test_greedy_and_expert_players_draw_no_random_numbers() -> None:
    """So the random player's discards are those of the second and third draw after the deal."""
    for name in ("Greedy", "Expert"):
        properties(f"Player0=cribbage.RandomPlayer\nPlayer1=cribbage.{name}Player\n")
        run("55510")
        lines = Path("cribbage.log").read_text().splitlines()
        sample = (DATA / "seed-55510.log").read_text().splitlines()
        assert lines[3:6] == sample[3:6]
        assert lines[2] == f"cribbage.{name}Player,P1"


# ---- what goes wrong ---------------------------------------------------------------------------


@pytest.mark.parametrize("seed", ["x", "1.5", "2147483648", "-2147483649", "1_000", ""])
def test_seed_outside_the_range_of_java_is_refused(seed: str) -> None:
    err = run(seed, code=2).err
    assert err.startswith("tui-casino: SEED: ")
    assert "-2147483648 to 2147483647" in err
    assert not Path("cribbage.log").exists()


def test_seed_as_argument_and_as_option_together_are_refused() -> None:
    assert run("5", "--seed", "6", code=2).err == "tui-casino: give SEED or --seed, not both\n"


def test_seed_option_outside_the_range_of_java_is_refused() -> None:
    range_error = "2147483648 is out of range; the trainer accepts -2147483648 to 2147483647"
    assert range_error in run("--seed", "2147483648", code=2).err


@pytest.mark.parametrize(
    ("text", "place", "why"),
    [
        ("Seed=abc", "1:6", "Seed: 'abc' is not a seed"),
        ("Seed=", "1:6", "Seed: '' is not a seed"),
        ("# one\n\nSeed = 2147483648", "3:8", "give a whole number from -2147483648 to 2147483647"),
        ("Animate=yes", "1:9", "Animate: 'yes' is not known; give one of true or false"),
        (
            "Player0=Bot",
            "1:9",
            "'Bot' is not known; give one of cribbage.HumanPlayer, cribbage.Ran",
        ),
        ("Rules=pub", "1:7", "Rules: 'pub' is not known; give one of trainer or acc"),
        (
            "  seed=5",
            "1:3",
            "unknown key 'seed'; known keys: Seed, Animate, Player0, Player1, Rules",
        ),
        ("  Seed", "1:3", "'Seed' is not key=value"),
        ("=5", "1:1", "'=5' is not key=value"),
    ],
)
def test_invalid_cribbage_properties_file_is_refused(text: str, place: str, why: str) -> None:
    properties(text)
    err = run(code=2).err
    assert err.startswith(f"tui-casino: cribbage.properties:{place}: ")
    assert why in err


def test_missing_cribbage_properties_file_is_refused() -> None:
    err = run("--properties", "nowhere.properties", code=2).err
    assert "nowhere.properties: cannot be read: No such file" in err


def test_properties_that_are_not_utf_8_are_refused() -> None:
    Path("cribbage.properties").write_bytes(b"Seed=5\nRules=\xff\n")
    with pytest.raises(BadFile, match="2:7: byte 0xff is not UTF-8"):
        read_properties(Path("cribbage.properties"))


@pytest.mark.parametrize("players", [TWO_COMPUTERS, ""], ids=["two computers", "a human"])
def test_unwritable_log_is_reported_before_play(players: str) -> None:
    properties(players)
    out, err = run("55510", "--log", "missing/cribbage.log", code=2)
    assert not out
    assert "missing/cribbage.log: the log cannot be written: No such file or directory" in err
    assert not Path("sessions").exists()


def test_log_that_becomes_unwritable_is_reported_at_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def typed() -> Iterator[str]:
        Path("logs").rename("moved")
        yield "x 1 2\n"

    Path("logs").mkdir()
    monkeypatch.setattr("tui_casino.cli.console.typed_lines", lambda _: typed())
    monkeypatch.setattr(EventBus, "on_fault", lambda bus, fault: bus.faults.append(fault))
    err = run("55510", "--log", "logs/cribbage.log", code=2).err
    assert "logs/cribbage.log: the log cannot be written: No such file or directory" in err
    assert "something went wrong" not in err


# ---- properties --------------------------------------------------------------------------------


def test_properties_file_is_parsed_like_in_java() -> None:
    path = properties("\n# a comment\n! another\nSeed : -7\n Animate=false \nSeed=8\nRules=acc\n")
    assert read_properties(path) == Properties(8, False, (None, None), "acc")


def test_original_cribbage_properties_are_parsed() -> None:
    assert read_properties(DATA / "cribbage.properties") == Properties(
        55510, None, ("random", "random"), None
    )


# ---- how one sits down -------------------------------------------------------------------------


def seats(*arguments: str) -> tuple[Options, dict[Seat, str | None]]:
    from argparse import ArgumentParser, Namespace

    from tui_casino.games.cribbage.face import command

    parser = ArgumentParser()
    command.add_arguments(parser)
    parser.add_argument("--seed")
    parser.add_argument("--console", action="store_true")
    seating = command.seating(parser.parse_args(arguments, Namespace(cwd=Path())))
    assert seating.practice
    return seating.options, dict(seating.players)


def test_default_table_is_one_open_round_with_trainer_rules() -> None:
    assert seats() == (TRAINING, {Seat(0): "random", Seat(1): None})


def test_game_hides_the_cards_and_has_tournament_rules() -> None:
    options, players = seats("--game")
    assert options == Options("acc", GameForm.GAME, games=1, open=False)
    assert players == {Seat(0): "greedy", Seat(1): None}


def test_rules_count_series_and_open_can_be_chosen() -> None:
    options, _ = seats("--game", "3", "--rules", "trainer", "--count", "muggins", "--open")
    assert (options.games, options.rules, options.counting.value) == (3, "trainer", "muggins")
    assert options.open
    assert not seats("--no-open")[0].open


def test_rules_option_overrides_the_rules_of_the_properties_file() -> None:
    properties("Rules=acc\n")
    assert seats()[0].rules == "acc"
    assert seats("--rules", "trainer")[0].rules == "trainer"


def test_opponent_option_sets_the_computer_seat() -> None:
    assert seats("--opponent", "greedy")[1] == {Seat(0): "greedy", Seat(1): None}
    properties("Player0=cribbage.HumanPlayer\nPlayer1=cribbage.RandomPlayer\n")
    assert seats("--opponent", "greedy")[1] == {Seat(0): None, Seat(1): "greedy"}
    properties(TWO_COMPUTERS)
    with pytest.raises(BadInput, match="names two computer players"):
        seats("--opponent", "greedy")


def test_two_humans_see_only_their_own_cards_by_default() -> None:
    both = {Seat(0): None, Seat(1): None}
    assert seats("--opponent", "human") == (replace(TRAINING, open=False), both)
    assert seats("--game", "--opponent", "human") == (Options(), both)
    properties("Player0=cribbage.HumanPlayer\n")
    assert seats() == (replace(TRAINING, open=False), both)
    assert seats("--open") == (TRAINING, both)
    assert seats("--opponent", "greedy")[1] == {Seat(0): "greedy", Seat(1): None}


def test_duplicate_play_gives_both_sides_the_same_deals() -> None:
    dealt = []
    for side in ([], ["--swap"]):
        properties("Player0=cribbage.GreedyPlayer\nPlayer1=cribbage.RandomPlayer\n")
        run("--game", "--seed", "5", "--log", "game.log", *side)
        lines = Path("game.log").read_text().splitlines()
        dealt.append([line for line in lines if line.startswith(("deal", "starter"))])
        assert f"cribbage.{'Random' if side else 'Greedy'}Player,P0" in lines
    rounds = min(map(len, dealt))
    assert rounds >= 12
    assert dealt[0][:rounds] == dealt[1][:rounds]


def test_swap_option_seats_the_human_first() -> None:
    assert seats("--swap")[1] == {Seat(0): None, Seat(1): "random"}


@pytest.mark.parametrize("games", ["0", "100", "x"])
def test_number_of_games_out_of_range_is_refused(games: str) -> None:
    with pytest.raises(BadInput, match="from 1 to 99"):
        seats("--game", games)


def test_game_uses_the_committed_shuffle_and_no_trainer_log_by_default() -> None:
    seating = seating_of(CribbageSetup(Options()))
    assert seating.source is None
    assert seating.croupier.kind.name == "shuffled"


def test_secret_seed_is_not_written_to_the_trainer_log() -> None:
    seating = seating_of(CribbageSetup(Options(), log=Path("game.log")))
    assert seating.listener is not None
    hear = seating.listener(CommittedSource())
    assert not Path("game.log").read_text()
    hear(Discarded(1, (), ()))
    assert "discard,P1,[]" in Path("game.log").read_text()
    assert "seed" not in Path("game.log").read_text()


@pytest.mark.parametrize(
    ("name", "options", "opponent"),
    [
        ("trainer", TRAINING, "random"),
        ("trainer-expert", TRAINING, "expert"),
        ("trainer-count", replace(TRAINING, counting=CountingMode.SELF), "random"),
        ("trainer-acc", replace(TRAINING, rules="acc"), "expert"),
        ("series", Options(games=5), "expert"),
        ("greedy", Options(), "greedy"),
        ("expert", Options(), "expert"),
        ("muggins", Options(counting=CountingMode.MUGGINS), "expert"),
    ],
    ids=value_id,
)
def test_named_cribbage_table_has_its_options_and_opponent(
    name: str, options: Options, opponent: str
) -> None:
    seating = TABLES.setup(name)
    assert seating.options == options
    assert seating.players == {Seat(0): opponent, Seat(1): None}
    assert (seating.source is None) == (options.form is GameForm.GAME)


def test_default_table_of_the_menu_is_the_trainer() -> None:
    seating = TABLES.setup()
    assert seating.options == TRAINING
    assert seating.source is not None
    assert seating.source(None).spec != seating.source(None).spec
