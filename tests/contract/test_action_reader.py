"""One reader of lines: at every table of every game an action is read as it is written."""

from __future__ import annotations

from typing import Any

import pytest

from tests.helpers.parameter_ids import labelled
from tests.helpers.quick_cases import first_of
from tests.helpers.random_play import advance, fair_table, seed_of
from tui_casino.engine.chance import DiceStream
from tui_casino.engine.game import AskSeats
from tui_casino.gamekit.action_grammar import format_command
from tui_casino.gamekit.definition import AnyDefinition
from tui_casino.gamekit.registry import GAMES, GameListing
from tui_casino.house.seat_dialogue import Dialogue
from tui_casino.house.table_commands import (
    ActionCommand,
    CommandContext,
    HouseVerb,
    QuestionAnswer,
    RefusedCommand,
    read_command,
)

STEPS = 150
TABLES = [
    pytest.param(
        listing,
        name,
        id=f"{listing.slug}-{name}",
        marks=() if name == listing.tables().default else pytest.mark.prove,
    )
    for listing in GAMES
    for name, table in listing.tables().choices.items()
    if table.file_request is None
]
"""Every game's usual table is tried at every change, and its others as proof."""
AnySituation = CommandContext[Any, Any, Any, Any, Any]


def moments(definition: AnyDefinition, options: Any, number: int) -> list[AnySituation]:
    """Play at random, and give the moments at which a human was asked."""
    seats = range(definition.game.seats(options))
    table = fair_table(definition, seed_of(number), tuple(seats), options=options)
    dialogues = [Dialogue(table, definition, seat) for seat in table.players]
    found = []
    for _ in range(STEPS):
        turn = definition.game.turn(table.state)
        if isinstance(turn, AskSeats):
            found += [dialogues[seat].situation() for seat in turn.seats]
        if not advance(table, seed_of(number)):
            break
    return found


@pytest.mark.parametrize(("listing", "name"), TABLES)
def test_every_offered_action_written_as_a_command_is_read_back(
    listing: GameListing, name: str
) -> None:
    """``format_command`` is undone by the reader, for every action that may be done."""
    definition = listing.definition()
    asked = moments(definition, listing.tables().setup(name).options, 1)
    assert len(asked) > 5
    for n, at in enumerate(asked):
        dice = DiceStream(seed_of(n), "actions")
        for offer in at.offers:
            for _ in range(4 if offer.barred is None else 0):
                action = offer.sample(dice)
                line = format_command(action, definition.words.verbs)
                assert read_command(line, at) == ActionCommand(action), line
                assert read_command(f"  {line}  ", at) == ActionCommand(action), line


@pytest.mark.parametrize("most", first_of([6, 40]), ids=labelled("up to {} moments"))
@pytest.mark.parametrize(("listing", "name"), TABLES)
def test_every_refused_command_line_gets_a_specific_reason(
    listing: GameListing, name: str, most: int
) -> None:
    """Check the answer to every word of the game, and to an unknown word, at some moments."""
    definition = listing.definition()
    words = [*definition.words.verbs, *definition.words.questions]
    lines = [*words, *(f"{word} 99" for word in words), *(f"{word} x y" for word in words), "zz"]
    refused = 0
    for at in moments(definition, listing.tables().setup(name).options, 2)[:most]:
        for line in lines:
            match read_command(line, at):
                case RefusedCommand(word, why):
                    refused += 1
                    assert word in why, why
                    said = why.removeprefix(f"{word}: ")
                    assert said not in ("", "not now", "illegal command", "illegal amount"), why
                    assert "\n" not in why
                case QuestionAnswer(word, said_lines):
                    assert word == line
                    assert said_lines
                case ActionCommand(action):
                    assert type(action) in definition.game.actions
                case HouseVerb():
                    pytest.fail(f"{line} is a word of the game")
    assert refused


@pytest.mark.parametrize("listing", GAMES, ids=lambda listing: listing.slug)
def test_help_leave_and_undo_commands_are_read_in_every_game(listing: GameListing) -> None:
    at = moments(listing.definition(), listing.tables().setup().options, 3)[0]
    for line, verb in (("?", HouseVerb.HELP), ("help", HouseVerb.HELP), (" q ", HouseVerb.LEAVE)):
        assert read_command(line, at) is verb
    back = CommandContext(at.definition, at.view, at.seat, at.tally, may_undo=True)
    assert read_command("u", back) is HouseVerb.BACK
    assert read_command("U", back) is HouseVerb.COMPARE
    assert isinstance(read_command("u", at), RefusedCommand), (
        "nothing is taken back where money is at stake"
    )


@pytest.mark.parametrize("listing", GAMES, ids=lambda listing: listing.slug)
def test_prescribed_course_dialogue_refuses_help_leave_undo_and_numbers(
    listing: GameListing,
) -> None:
    at = moments(listing.definition(), listing.tables().setup().options, 4)[0]
    course = CommandContext(at.definition, at.view, at.seat, at.tally, prescribed=True)
    for line in ("?", "q", "u", "1"):
        assert isinstance(read_command(line, course), RefusedCommand)
