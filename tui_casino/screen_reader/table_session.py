"""A session in screen-reader mode: greet the player, describe the table, say goodbye."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ..engine.game import SittingOver
from ..engine.money import dollars
from ..gamekit.registry import GameListing
from ..gamekit.table_setup import AnyTableSetup
from ..gamekit.words import QuestionContext
from ..house.command_reader import possible_words
from ..house.lobby import AnySitting
from ..house.sitting import SittingEnding
from ..records.session_log import read_log
from ..records.verification_text import describe_seed
from .table import RECALLED_LINES, Waits, converse, money_lines, play_at_table
from .trainer import TrainedInput
from .voice import Verbosity, Voice, VoicePlace

CREDIT = "$"
SHOWN_OF_HASH = 12
"""Hexadecimal digits of a hash that are said; the log contains all of them."""


def take_seat(
    voice: Voice,
    listing: GameListing,
    sitting: AnySitting,
    wait_notice: Waits,
    seating: AnyTableSetup | None = None,
) -> None:
    """Play at a table until the player leaves; ``seating`` describes how the session was begun."""
    with sitting:
        if seating is None:
            voice.say(f"You resume {_named(listing, sitting)}.")
            for line in sitting.dialogue.recall()[-RECALLED_LINES:]:
                voice.say(line)
        else:
            _greet(voice, listing, sitting)
        with voice.within(
            VoicePlace(lambda: _describe(listing, sitting), lambda: _actions(sitting))
        ):
            if seating is not None and seating.dialogue is not None:
                ending = converse(
                    sitting, seating.dialogue, voice, voice.say, voice.say, wait_notice
                )
            else:
                typed = TrainedInput(voice, sitting)
                ending = play_at_table(
                    sitting, typed, voice.say, voice.say, wait_notice=wait_notice, keep=True
                )
        for line in _farewell(voice, listing, sitting, ending):
            voice.say(line)


def _named(listing: GameListing, sitting: AnySitting) -> str:
    players = read_log(sitting.log.path).header.players
    table = listing.tables().describe(sitting.table.options, players)
    return f"{listing.title}" + (f": {table}" if table else "")


def _greet(voice: Voice, listing: GameListing, sitting: AnySitting) -> None:
    brings = f", with {dollars(sitting.cents)}" if sitting.cents else ""
    practice = "" if sitting.house.ledger is not None else ", free play"
    voice.say(f"You sit down at {_named(listing, sitting)}{brings}{practice}.")
    if sitting.lent:
        voice.say(f"The house lends you {dollars(sitting.lent)}.")
    origin = sitting.table.source.spec
    if origin.kind == "committed":
        full = voice.level is Verbosity.FULL
        commitment = origin.value if full else f"{origin.value[:SHOWN_OF_HASH]}..."
        voice.say_detail(
            f"The commitment to the shuffle is {commitment}"
            + ", with your client seed" * bool(origin.word)
        )
    elif origin.kind == "numbered":
        voice.say_detail(f"The shuffle uses seed {origin.value}.")
    voice.say_detail("Type ? for help, q to leave the table.")


def _describe(listing: GameListing, sitting: AnySitting) -> Iterator[str]:
    """Yield at which table the player sits, and the current position."""
    dialogue = sitting.dialogue
    at, definition = dialogue.situation(), sitting.definition
    practice = ", free play" if sitting.house.ledger is None else ""
    yield f"You are at {_named(listing, sitting)}{practice}."
    yield (
        definition.words.moment(at.view, at.seat)
        if dialogue.viewer is not None
        else definition.hot_seat.moment(at.view)
    )
    if dialogue.viewer is not None:
        yield definition.words.hand(at.view, at.seat)
    credit = definition.words.questions.get(CREDIT)
    if credit is not None and (text := credit(QuestionContext(at.view, at.seat, at.tally))):
        yield text


def _actions(sitting: AnySitting) -> Iterator[str]:
    """Yield what the player can do, each command with its help text."""
    at = sitting.dialogue.situation()
    possible = possible_words(at)
    turn = sitting.table.game.turn(sitting.table.state)
    if isinstance(turn, SittingOver):
        yield f"The game is over: {turn.reason}; q leaves."
    elif possible:
        yield "You can:"
        yield from verb_help(sitting.definition.words.help(at.view), possible)


def verb_help(help_text: str, verbs: Iterable[str]) -> Iterator[str]:
    """Yield the help text of each command, or the command itself if the help does not list it."""
    lines = help_text.split("\n")
    for verb in verbs:
        named = re.compile(rf" +{re.escape(verb)}( .*)?")
        yield next((line for line in lines if named.fullmatch(line)), verb)


def _farewell(
    voice: Voice, listing: GameListing, sitting: AnySitting, ending: SittingEnding | None
) -> Iterator[str]:
    yield f"You leave {listing.title}."
    for line in money_lines(sitting, ending):
        yield f"{line[:1].upper()}{line[1:]}."
    if sitting.house.ledger is None and ending is SittingEnding.CASHED_OUT and sitting.cents:
        yield f"You leave with {dollars(sitting.cents)}; this was free play."
    full = voice.level is Verbosity.FULL
    if (
        full
        and ending is SittingEnding.CASHED_OUT
        and (proof := describe_seed(read_log(sitting.log.path)))
    ):
        yield proof
