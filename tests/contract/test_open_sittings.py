"""An open sitting keeps its secrets, whatever tells of it: every command, every game.

A round is played to its middle, for money and for practice. A card is hidden if it stands in the
log and its player was not told it; none may be in what is printed, in any form, and no seed.
"""

from __future__ import annotations

import ast
import re
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from tests.helpers.command_runner import Typed
from tests.helpers.ledger_sessions import ME, chained, house_in, lines_of, play_on, sit, step, write
from tests.helpers.random_play import cards_in, seed_of
from tui_casino import cli
from tui_casino.cards.card import PACK, Card
from tui_casino.engine.chance import CommittedSource
from tui_casino.gamekit.registry import DEFINITIONS, GAMES, GameListing, listing_of
from tui_casino.games.cribbage.face.table_catalog import CribbageSetup, seating_of
from tui_casino.games.cribbage.machine.state import Options
from tui_casino.house.lobby import sit_down
from tui_casino.house.sitting import House, branch_sitting
from tui_casino.inputs.errors import BadInput
from tui_casino.inputs.files import UserPath
from tui_casino.records.cache import Cache
from tui_casino.records.log_catalog import make_entry
from tui_casino.records.playback import Playback
from tui_casino.records.replay import describe_seed, replay_from, replay_log, rerun_log
from tui_casino.records.seat_steps import replay_redacted, reviewed_seat
from tui_casino.records.session_log import read_log
from tui_casino.structs import replace
from tui_casino.tui.replay.seat_view import SeatView
from tui_casino.tui.table.face import face_of

Capture = pytest.CaptureFixture[str]
by_game = pytest.mark.parametrize("listing", GAMES, ids=lambda listing: listing.slug)
for_what = pytest.mark.parametrize("practice", [False, True], ids=["money", "free play"])

HIDING = ("baccarat", "cribbage", "five-card-draw")
"""The games in whose rounds something is hidden from the player, or burnt."""
FORMS: tuple[tuple[str, ...], ...] = (
    ("replay",),
    ("replay", "--text"),
    ("replay", "--json"),
    ("replay", "--states"),
    ("replay", "--advice"),
    ("replay", "--advice", "--json"),
    ("verify",),
)
IN_FOLDER = (
    ("logs",),
    ("logs", "--json"),
    ("stats", "--log-dir"),
    ("stats", "--json", "--log-dir"),
)


def left_open(
    listing: GameListing, folder: Path, practice: bool, number: int = 1
) -> tuple[Path, set[Card]]:
    """Leave a round in the middle; return its log and the cards that the player knows."""
    house = house_in(folder)
    house = replace(house, ledger=None) if practice else house
    with sit(listing, house, number) as sitting:
        table, known = sitting.table, set[Card]()
        table.bus.subscribe(sitting.dialogue.seat, lambda heard: known.update(cards_in(heard)))
        told_by: list[set[Card]] = []  # an entry a step
        while len(told_by) < 60 and not sitting.dialogue.tally.rounds and step(sitting):
            told_by.append(set(known))
        path = sitting.log.path
    lines = path.read_bytes().splitlines(keepends=True)
    places = range(len(told_by) - 1, 0, -1)  # the last step ends the round
    hiding = (n for n in places if cards_in_steps(lines[1 : n + 1]) - told_by[n - 1])
    at = next(hiding, len(told_by) - 1)
    path.write_bytes(b"".join(lines[: at + 1]))
    return path, told_by[at - 1]


def cards_in_steps(lines: list[bytes]) -> set[Card]:
    return {
        card
        for card in PACK
        if any(re.search(rb"\b%s\b" % str(card).encode(), line) for line in lines)
    }


def cards_of(path: Path) -> set[Card]:
    """All cards in the steps of a log."""
    return cards_in_steps(path.read_bytes().splitlines()[1:])


def printed(card: Card) -> re.Pattern[str]:
    forms = "|".join((str(card), card.symbol, card.name))
    return re.compile(rf"(?<!\w)(?:{forms})(?!\w)")


def run(capsys: Capture, *arguments: str) -> str:
    with suppress(SystemExit):
        cli.main(list(arguments))
    return "".join(capsys.readouterr())


@by_game
@for_what
def test_commands_on_an_open_session_print_no_seed_and_no_hidden_card(
    listing: GameListing, practice: bool, tmp_path: Path, capsys: Capture
) -> None:
    path, known = left_open(listing, tmp_path, practice)
    hidden = cards_of(path) - known
    texts = [run(capsys, *form, str(path)) for form in FORMS]
    texts += [run(capsys, *form, str(path.parent)) for form in IN_FOLDER]
    assert all(texts)
    assert hidden or listing.slug not in HIDING
    for text in texts:
        assert seed_of(1).hex() not in text
        for card in hidden:
            assert not printed(card).search(text), f"{card} in {text}"


@by_game
def test_output_and_recording_of_play_hide_unknown_cards(
    listing: GameListing, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The console and its recording; in a game where all lies open there is nothing to hide."""
    cast, definition = tmp_path / "play.cast", listing.definition()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", Typed("2\n" + "d\nb 20\nb 5\nd\nc\nx 1 2\n" * 3))
    printed_then = run(
        capsys, listing.slug, "--console", "--record", str(cast), "--log-dir", str(tmp_path)
    )
    (path,) = tmp_path.glob("*.jsonl")
    log = read_log(path)
    seat, known = reviewed_seat(log.header), set[Card]()
    for played in replay_log(definition.game, log):
        heard = [definition.game.hear(played.state, event, seat) for event in played.events]
        known.update(cards_in((definition.game.view(played.state, seat), heard)))
    for text in (printed_then, cast.read_text()):
        assert text
        assert not any(printed(card).search(text) for card in cards_of(path) - known)


@by_game
def test_replay_of_an_open_session_hides_cards_that_its_player_has_not_seen(
    listing: GameListing, tmp_path: Path
) -> None:
    path, known = left_open(listing, tmp_path, practice=True)
    hidden, definition = cards_of(path) - known, listing.definition()
    with Playback(definition, path, Cache(None)) as recording:
        reading, face, begin = SeatView(recording), face_of(listing), recording.moment_at(0)
        view = face.view(reading.table_info(face), reading.visible_state(begin), begin.tally)
        for number in range(recording.steps + 1):
            moment = recording.moment_at(number)
            seen, deed = reading.visible_state(moment), reading.describe_step(view, moment)
            assert hidden.isdisjoint(cards_in((seen, *reading.visible_events(moment))))
            assert not any(printed(card).search(deed) for card in hidden), deed
    assert make_entry(path, DEFINITIONS, {}).seed is None, "in the list it is sealed"


@by_game
def test_error_about_a_forged_log_names_no_undealt_card(
    listing: GameListing, tmp_path: Path, capsys: Capture
) -> None:
    """Whoever knows the form writes another card behind the last step, to be told the right one."""
    path, _ = left_open(listing, tmp_path, practice=True)
    lines = lines_of(path)
    last = max(n for n, line in enumerate(lines) if line.get("do", {}).get("is") == "Deal")
    here = lines[last]["do"]["card"]
    other = next(card for card in map(str, PACK) if card not in map(str, cards_of(path)))
    text = path.read_text().split("\n")
    text[last] = text[last].replace(f'"{here}"', f'"{other}"')
    path.write_text("\n".join(text[: last + 1]) + "\n")
    write(path, chained(lines_of(path)))
    out = run(capsys, "verify", str(path))
    assert "differs" in out
    assert not re.search(r"\b[A2-9TJQK][CDHS]\b", out), out


def test_cards_and_seed_of_an_undone_log_stay_hidden_until_the_session_ends(
    tmp_path: Path, capsys: Capture
) -> None:
    """Of a choice that was taken back no more is told than its player knew: its cards go on."""
    listing = listing_of("cribbage")
    house = replace(house_in(tmp_path), ledger=None)
    with sit(listing, house) as sitting:
        play_on(sitting, 40)
        first = sitting.log.path
        assert sitting.step_back()
        sitting.leave()
        game = sitting.definition.game
        for path, whole in ((first, False), (sitting.log.path, True)):
            log = read_log(path)
            assert log.over is whole
            assert ([*replay_redacted(game, log)] == [*replay_log(game, log)]) is whole
            assert (seed_of(1).hex() in run(capsys, "replay", "--json", str(path))) is whole
            assert (describe_seed(log) is not None) is whole
    assert make_entry(first, DEFINITIONS, {}).seed is None
    assert make_entry(sitting.log.path, DEFINITIONS, {}).seed == seed_of(1).hex()


def test_branching_from_an_open_session_is_allowed_only_where_undo_is(tmp_path: Path) -> None:
    for listing in GAMES:
        house = replace(house_in(tmp_path), ledger=None)
        with sit(listing, house) as sitting:
            play_on(sitting, 12)
            path, steps, back = sitting.log.path, sitting.log.steps, sitting.may_undo
        elsewhere = House(tmp_path / "logs", None, ME)
        if back:
            branch_sitting(elsewhere, listing.definition(), path, steps - 1).close()
        else:
            with pytest.raises(BadInput, match="still secret"):
                branch_sitting(elsewhere, listing.definition(), path, steps - 1)


def test_cribbage_export_contains_a_hand_only_once_it_is_shown(tmp_path: Path) -> None:
    """Cribbage's trainer lies open; at its other tables a round is told once it has been shown."""
    listing = listing_of("cribbage")
    export = tmp_path / "cribbage.log"
    seating = seating_of(CribbageSetup(Options(), log=UserPath(export, tmp_path)))
    house = replace(house_in(tmp_path), ledger=None)
    with sit_down(house, listing.definition(), seating, CommittedSource(seed_of(1))) as sitting:
        game, seen = sitting.definition.game, 0
        while not sitting.dialogue.tally.rounds:
            if game.view(sitting.table.state, sitting.dialogue.seat) != sitting.table.state:
                assert "deal" not in (export.read_text() if export.exists() else "")
                seen += 1
            assert step(sitting)
        assert seen
        play_on(sitting, 20)
        assert export.read_text().count("deal,P") >= 2, "then it is told whole"
        assert "?" not in export.read_text()


def test_only_live_tables_import_replay_with_open_cards() -> None:
    """Code that shows logs uses ``records.seat_steps.replay_redacted``, or a playback's views.

    Only a live table, drawn or spoken, replays its own log: it repeats what its seat saw before.
    """
    whole = {function.__name__ for function in (replay_log, replay_from, rerun_log)}
    package = Path(cli.__file__).parents[1]
    live = {package / "tui/table/live.py", package / "screen_reader/table_session.py"}
    replaying = set[Path]()
    for folder in ("cli", "games", "host", "screen_reader", "teacher", "tui"):
        for file in (package / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ImportFrom):
                    module, names = node.module or "", {one.name for one in node.names}
                    if module.endswith("records.replay") and not names.isdisjoint(whole):
                        replaying.add(file)
                    if module.endswith("records") and "replay" in names:
                        replaying.add(file)
    assert replaying == live
