"""Paths lead from the folder of the player who gives them, wherever the process is.

What is typed is read there as well: from the stream that the door hands in.
"""

from __future__ import annotations

import json
import re
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import ExitStack
from io import StringIO
from pathlib import Path

import pytest

from tests.helpers.parameter_ids import value_id
from tui_casino.cards.card import PACK, Card
from tui_casino.cli import stats
from tui_casino.cli.console import open_cast
from tui_casino.cli.house_setup import open_house
from tui_casino.engine.croupier import FixedShoe
from tui_casino.gamekit.definition import GameCommand
from tui_casino.gamekit.registry import listing_of
from tui_casino.gamekit.table_catalog import AnyTableSetup
from tui_casino.games.cribbage.face.original_trainer_files import LOG_NAME, PROPERTIES_NAME
from tui_casino.house.lobby import new_source, sit_down
from tui_casino.house.paths import PLAYER, visit_state_file
from tui_casino.house.sitting import House
from tui_casino.inputs.errors import BadInput
from tui_casino.inputs.files import BadFile, UserPath, read_text
from tui_casino.screen_reader import table as console

SAME = "player.txt"
"""The names of all files that a player gives."""
TWO_COMPUTERS = "Seed=55510\nPlayer0=cribbage.RandomPlayer\nPlayer1=cribbage.RandomPlayer\n"
ANN, BOB = "ann", "bob"
TABLE = 'title = "{}"\n[pays]\nFLUSH = 7\n'


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Be in a folder that nobody gave: what is read there misleads, and nothing is left there."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    names = {SAME, "more.txt", PROPERTIES_NAME}
    for name in names:
        (folder / name).write_text("this file is not the player's\n")
    monkeypatch.chdir(folder)
    yield
    assert {path.name for path in folder.iterdir()} == names


@pytest.fixture
def players_folder(tmp_path: Path) -> Path:
    return folder_of(tmp_path, ANN)


def folder_of(folder: Path, name: str) -> Path:
    (folder / name).mkdir()
    return folder / name


def parsed(command: GameCommand, players_folder: Path, *words: str, typed: str = "") -> Namespace:
    """Read words of the command line, with what the door hands in."""
    parser = ArgumentParser()
    command.add_arguments(parser)
    parser.add_argument("--console", action="store_true")
    parser.add_argument("--seed")
    streams = {"stdin": StringIO(typed), "stdout": StringIO(), "stderr": StringIO()}
    return parser.parse_args(words, Namespace(cwd=players_folder, **streams))


def ran(slug: str, players_folder: Path, *words: str) -> str:
    """Run a mode of a game, and give what it printed."""
    command = listing_of(slug).command()
    args = parsed(command, players_folder, *words)
    assert command.run(args) == 0
    printed: str = args.stdout.getvalue()
    return printed


def seated(slug: str, players_folder: Path, *words: str) -> AnyTableSetup:
    command = listing_of(slug).command()
    return command.setup(parsed(command, players_folder, *words))


def cards_of(seating: AnyTableSetup) -> tuple[Card, ...]:
    assert isinstance(seating.croupier, FixedShoe)
    return seating.croupier.kind.cards


# ---- the path itself ---------------------------------------------------------------------------


def test_typed_path_starts_at_the_players_folder_and_is_shown_as_typed(
    players_folder: Path,
) -> None:
    (players_folder / SAME).write_text("mine")
    assert read_text(UserPath(SAME, players_folder)) == "mine"
    assert read_text(UserPath(f"../{players_folder.name}/{SAME}", players_folder)) == "mine"
    assert read_text(UserPath(players_folder / SAME, Path("/nowhere"))) == "mine"
    assert str(UserPath(f"./{SAME}", players_folder)) == f"./{SAME}"
    with pytest.raises(BadFile, match=r"^more\.txt: cannot be read: No such file or directory$"):
        read_text(UserPath("more.txt", players_folder))


def test_tilde_in_a_typed_path_is_not_expanded(players_folder: Path) -> None:
    (players_folder / "~").write_text("a file of this name")
    assert read_text(UserPath("~", players_folder)) == "a file of this name"


# ---- cribbage ------------------------------------------------------------------------------------


def played_by_computers(players_folder: Path, *words: str) -> list[str]:
    definition, said = listing_of("cribbage").definition(), list[str]()
    seating = seated("cribbage", players_folder, "--console", *words)
    assert seating.dialogue is not None
    house, source = House(players_folder / "logs", None, "player"), new_source(None, seating.source)
    with sit_down(house, definition, seating, source) as sitting:
        console.converse(sitting, seating.dialogue, [], said.append, said.append)
    return said


def test_default_properties_and_log_of_cribbage_are_in_the_player_s_folder(
    players_folder: Path,
) -> None:
    (players_folder / PROPERTIES_NAME).write_text(TWO_COMPUTERS)
    said = played_by_computers(players_folder)
    assert said[0] == "seed,55510"
    assert (players_folder / LOG_NAME).read_text().splitlines() == said


def test_named_properties_and_log_start_at_the_player_s_folder(players_folder: Path) -> None:
    (players_folder / SAME).write_text(TWO_COMPUTERS.replace("55510", "12345"))
    said = played_by_computers(players_folder, "--properties", SAME, "--log", "my.log")
    assert said[0] == "seed,12345"
    assert (players_folder / "my.log").read_text().splitlines() == said
    assert not (players_folder / LOG_NAME).exists()


def test_errors_about_cribbage_files_show_the_path_as_typed(players_folder: Path) -> None:
    (players_folder / SAME).write_text("Seed=x\n")
    with pytest.raises(BadFile, match=rf"^{SAME}:1:6: Seed: 'x' is not a seed"):
        seated("cribbage", players_folder, "--properties", SAME)
    (players_folder / SAME).write_text(TWO_COMPUTERS)
    with pytest.raises(BadFile, match=r"^no/my\.log: the log cannot be written: No such file"):
        played_by_computers(players_folder, "--properties", SAME, "--log", "no/my.log")


# ---- cards and pay tables ------------------------------------------------------------------------


def test_two_players_in_one_process_read_their_own_decks(tmp_path: Path) -> None:
    ann, bob = folder_of(tmp_path, ANN), folder_of(tmp_path, BOB)
    (ann / SAME).write_text("1 2 3")
    (bob / SAME).write_text("4 5")
    ranks = [
        [int(card.rank) for card in cards_of(seated("thirty-one", here, "--deck", SAME))]
        for here in (ann, bob)
    ]
    assert ranks == [[1, 2, 3], [4, 5]]
    for here, deck in ((ann, PACK), (bob, PACK[::-1])):
        (here / SAME).write_text(" ".join(map(str, deck)))
        assert cards_of(seated("five-card-draw", here, "--deck", SAME)) == deck


@pytest.mark.parametrize("slug", ["thirty-one", "five-card-draw"])
def test_error_about_a_bad_deck_shows_the_path_as_typed(players_folder: Path, slug: str) -> None:
    (players_folder / SAME).write_text("\n  x")
    with pytest.raises(BadFile, match=rf"^{SAME}:2:3: 'x' "):
        seated(slug, players_folder, "--deck", SAME)


def test_debug_mode_reads_files_from_the_player_s_folder(players_folder: Path) -> None:
    (players_folder / SAME).write_text("b 5 d h 1 2 3 4 5")
    (players_folder / "more.txt").write_text("AS KS QS JS TS 2C 2D 2H 2S 3C")
    said = ran("video-poker", players_folder, "-d", "1000", SAME, "more.txt")
    assert said.startswith("-cmd b 5\n")
    assert "ROYAL FLUSH" in said
    (players_folder / "more.txt").write_text("AS 1X")
    with pytest.raises(BadFile, match=r"^more\.txt:1:4: "):
        ran("video-poker", players_folder, "-d", "1000", SAME, "more.txt")


def test_pay_table_is_read_from_the_player_s_folder(tmp_path: Path) -> None:
    for name in (ANN, BOB):
        here = folder_of(tmp_path, name)
        (here / SAME).write_text(TABLE.format(name))
        assert seated("video-poker", here, "--paytable", SAME).options.paytable.title == name
    (here / SAME).write_text("title = 7\n")
    with pytest.raises(BadFile, match=rf"^{SAME}:1: title is 7"):
        seated("video-poker", here, "--paytable", SAME)
    with pytest.raises(BadInput, match=r"'more\.txt' is not a pay table"):  # that is elsewhere
        seated("video-poker", here, "--paytable", "more.txt")


def test_odds_use_a_pay_table_from_the_player_s_folder(players_folder: Path) -> None:
    (players_folder / SAME).write_text(TABLE.format("Flushes alone"))
    command, parser = listing_of("video-poker").command(), ArgumentParser()
    command.add_odds_arguments(parser)
    door = Namespace(cwd=players_folder, stdout=StringIO())
    assert command.odds(parser.parse_args(["--paytable", SAME, "--json"], door)) == 0
    assert json.loads(door.stdout.getvalue())["paytable"] == Path(SAME).stem


# ---- what is written -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("slug", "mode"),
    [("video-poker", ("-s", "100", "5", "10")), ("thirty-one", ("--battle", "10"))],
    ids=value_id,
)
def test_exports_are_written_into_the_player_s_folder(
    players_folder: Path, slug: str, mode: tuple[str, ...]
) -> None:
    printed = ran(slug, players_folder, *mode, "--seed", "1", "--json", "--export", "out.json")
    assert json.loads((players_folder / "out.json").read_text()) == json.loads(printed)
    with pytest.raises(BadFile, match=r"^no/out\.csv: cannot be written: No such file"):
        ran(slug, players_folder, *mode, "--seed", "1", "--export", "no/out.csv")


def test_statistics_are_exported_into_the_player_s_folder(players_folder: Path) -> None:
    chosen = dict.fromkeys(("since", "log_dir", "game", "player", "patience", "json"))
    args = Namespace(export="out.json", cwd=players_folder, environ={}, **chosen)
    assert stats.run(args) == 0
    assert (
        json.loads((players_folder / "out.json").read_text())["money"]["overall"]["sittings"] == 0
    )


def test_a_recording_is_written_into_the_player_s_folder(players_folder: Path) -> None:
    args = Namespace(record="my.cast", cwd=players_folder, environ={"TERM": "xterm"})
    with ExitStack() as closing:
        assert open_cast(args, closing) is not None
    assert (
        json.loads((players_folder / "my.cast").read_text().splitlines()[0])["term"]["type"]
        == "xterm"
    )
    with ExitStack() as closing, pytest.raises(BadFile, match=r"^my\.cast: already exists"):
        open_cast(args, closing)


@pytest.mark.parametrize(
    ("chosen", "environ"),
    [("logs", {}), (None, {"TUI_CASINO_LOG_DIR": "logs"})],
    ids=value_id,
)
def test_logs_are_kept_from_the_player_s_folder(
    players_folder: Path, chosen: str | None, environ: dict[str, str]
) -> None:
    options = {"buy_in": None, "player": None, "guest": False, "patience": None}
    args = Namespace(log_dir=chosen, environ=environ, cwd=players_folder, **options)
    definition, seating = (
        listing_of("thirty-one").definition(),
        listing_of("thirty-one").tables().setup(),
    )
    with ExitStack() as closing:
        house = open_house(args, closing, practice=True)
        assert house.folder == players_folder
        closing.enter_context(sit_down(house, definition, seating, new_source(1)))
    assert len([*(players_folder / "logs").glob("*.jsonl")]) == 1


# ---- what is typed -------------------------------------------------------------------------------


def test_number_of_opponents_is_read_from_the_given_stream(players_folder: Path) -> None:
    command = listing_of("five-card-draw").command()
    args = parsed(command, players_folder, "--console", typed="9\n2\nnot read\n")
    assert command.setup(args).options.opponents == 2
    assert args.stdin.read() == "not read\n"
    assert args.stdout.getvalue().count("How many computer opponents?") == 2
    with pytest.raises(BadInput, match="there was no answer"):
        command.setup(parsed(command, players_folder, "--console"))


def test_each_player_has_a_separate_visit_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "/state")
    own, ada, other = (visit_state_file(name).name for name in (PLAYER, "Ada", "../\udc80"))
    assert own == "visits.json"
    assert re.fullmatch(r"visits-[0-9a-f]{12}\.json", ada)
    assert len({own, ada, other}) == 3
