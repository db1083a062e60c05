"""A session in screen-reader mode: greet the player, describe the table, say goodbye."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..engine.game import Seat, SittingOver, is_asked
from ..engine.money import dollars
from ..gamekit.definition import AnyDefinition
from ..gamekit.registry import DEFINITIONS, GameListing
from ..gamekit.table_catalog import AnyTableSetup
from ..gamekit.verdict import cost_text
from ..gamekit.words import AnswerQuestion, QuestionContext, Words, with_names
from ..house.lobby import AnySitting
from ..house.session_goal import SessionGoal
from ..house.sitting import SUMMARY_ROUNDS, SittingEnding
from ..house.table_commands import possible_words
from ..house.visit_state import VisitState
from ..inputs.errors import BadInput
from ..records.cache import Cache
from ..records.log_catalog import make_entry
from ..records.replay import describe_seed, replay_log
from ..records.session_log import read_log
from ..records.summaries import WrittenDecision, costliest, review_logs
from ..structs import replace
from ..teacher.session_report import own_rows, summary_rows
from .shared_table import AnySeat, SharedTableInput, people_help
from .spoken_tables import spoken_table
from .table import RECALLED_LINES, UNDO_HELP, Waits, converse, money_lines, play_at_table
from .trainer import HELP, TrainedInput
from .voice import Verbosity, Voice, VoicePlace

SHOWN_OF_HASH = 12
"""The number of hexadecimal digits of a hash that are said; the log contains all of them."""


def take_seat(
    voice: Voice,
    listing: GameListing,
    sitting: AnySitting,
    wait_notice: Waits,
    memory: VisitState,
    seating: AnyTableSetup | None = None,
    goal: SessionGoal | None = None,
    seat: AnySeat | None = None,
) -> None:
    """Play a session until the player leaves; ``seating`` describes how it was started.

    ``seat`` is that at a table with others.

    ``memory`` knows whether the trainer was on at the last table of this game. ``goal`` is the
    player's goal for this session, if there is one.
    """
    with sitting:
        prescribed = seating is not None and seating.dialogue is not None
        if not prescribed:
            sitting.definition = sitting.dialogue.definition = spoken_definition(sitting.definition)
        if seating is None and (seat is None or seat.is_continued):
            voice.say(f"You resume {_named(listing, sitting)}.")
            for line in _recalled_lines(sitting):
                voice.say(line)
        else:
            _greet(voice, listing, sitting)
        is_helped = sitting.definition.adviser.has_action_values and not sitting.definition.unaided
        trains = is_helped and memory.trains(listing.slug)
        if trains and not prescribed:
            voice.say("The trainer is on; t turns it off.")
        if goal is not None:
            voice.say(f"Your goal: {goal.goal.text}; goal says how far you are.")
        place = VoicePlace(
            lambda: _describe(listing, sitting),
            lambda: _actions(sitting),
            lambda: _question(sitting),
            lambda: help_rows(sitting, () if seat is None else people_help(seat)),
        )
        with voice.within(place):
            if seating is not None and seating.dialogue is not None:
                ending = converse(
                    sitting, seating.dialogue, voice, voice.say, voice.say, wait_notice
                )
            else:
                typed = TrainedInput(voice, sitting, place, goal, on=trains)
                with _others(voice, seat, typed, memory) as lines:
                    if question := _question(sitting):
                        typed.say(question)
                    ending = play_at_table(
                        sitting, lines, typed.say, voice.say, wait_notice=wait_notice, keep=True
                    )
                if is_helped:  # else the trainer is only off at this table
                    memory.trains_at(listing.slug, on=typed.on, used=typed.was_used)
        for line in _farewell(voice, listing, sitting, ending):
            voice.say(line)
        if goal is not None and ending is SittingEnding.CASHED_OUT:
            goal.announce(voice.say, over=True)


@contextmanager
def _others(
    voice: Voice, seat: AnySeat | None, typed: Iterator[str], memory: VisitState
) -> Iterator[Iterator[str]]:
    """Read the table with others, if there is one; the context is the player's lines."""
    if seat is None:
        yield typed
        return
    lines = SharedTableInput(voice, seat, typed, memory)
    lines.begin()
    try:
        yield lines
    finally:
        lines.close()


def spoken_definition(definition: AnyDefinition) -> AnyDefinition:
    """Return a game whose lines, prompts and answers are those of screen-reader mode."""
    words, spoken = definition.words, definition.words.spoken
    questions = {word: _in_sentences(answer) for word, answer in words.questions.items()}

    def lines(event: Any, seat: Seat | None) -> tuple[str, ...]:
        own = spoken.lines(event, seat)
        return words.lines(event, seat) if own is None else own

    return replace(
        definition, words=replace(words, lines=lines, prompt=spoken.question, questions=questions)
    )


def _in_sentences(answer: AnswerQuestion[Any, Any]) -> AnswerQuestion[Any, Any]:
    """Return a function that answers without tables."""

    def spoken(question: QuestionContext[Any, Any]) -> str | None:
        said = answer(question)
        return None if said is None else spoken_table(said)

    return spoken


def _question(sitting: AnySitting) -> str:
    """Return the question at the player's turn; "" if the table has to act first."""
    dialogue, game = sitting.dialogue, sitting.table.game
    if dialogue.shared or not is_asked(game.turn(sitting.table.state), dialogue.seat):
        return ""
    at = dialogue.situation()
    return dialogue.definition.words.prompt(at.view, at.seat)


def _recalled_lines(sitting: AnySitting) -> Iterator[str]:
    """Yield the last lines of a resumed session, in the words of this mode."""
    dialogue, words, game = sitting.dialogue, sitting.definition.words, sitting.definition.game
    told = dialogue.recall()[-RECALLED_LINES:]  # in the words of the console
    if dialogue.shared:
        yield from told
        return
    lines, seat = deque[str](maxlen=RECALLED_LINES), dialogue.seat
    for step in replay_log(game, read_log(sitting.log.path)):
        for event in step.events:
            lines.extend(words.lines(game.hear(step.state, event, seat), seat))
    yield from dialogue.named(lines)


def _named(listing: GameListing, sitting: AnySitting) -> str:
    players = read_log(sitting.log.path).header.players
    table = listing.tables().describe(sitting.table.options, players)
    return f"{listing.title}" + (f": {table}" if table else "")


def _stakes_text(sitting: AnySitting) -> str:
    """Return a note, after a comma, that no money is at stake; "" if money is."""
    if sitting.definition.points:
        return ", for points"
    return ", free play" if sitting.house.ledger is None else ""


def _greet(voice: Voice, listing: GameListing, sitting: AnySitting) -> None:
    brings = f", with {dollars(sitting.cents)}" if sitting.cents else ""
    if sitting.lent:
        voice.say(f"The house lends you {dollars(sitting.lent)}.")
    voice.say(f"You sit down at {_named(listing, sitting)}{brings}{_stakes_text(sitting)}.")
    origin = sitting.table.source.spec
    if origin.kind == "committed":
        full = voice.level is Verbosity.FULL
        # a voice reads digits that stand together as numbers
        spelled = f"begins with {' '.join(origin.value[:SHOWN_OF_HASH])}"
        commitment = f"is {origin.value}" if full else spelled
        own = "; your client seed is mixed in" * bool(origin.word)
        voice.say_detail(f"The commitment to the shuffle {commitment}{own}.")
    elif origin.kind == "numbered":
        voice.say_detail(f"The shuffle uses seed {origin.value}.")
    voice.say_detail("Type help for the commands, q to leave the table.")


def _describe(listing: GameListing, sitting: AnySitting) -> Iterator[str]:
    """Yield lines that describe the player's table and the current position."""
    dialogue = sitting.dialogue
    at, definition = dialogue.situation(), sitting.definition
    may_look = dialogue.viewer is not None and not dialogue.hidden
    yield f"You are at {_named(listing, sitting)}{_stakes_text(sitting)}."
    words = definition.words
    if not may_look:
        yield with_names(definition.hot_seat.moment(at.view), dialogue.names)
    else:
        yield from words.position(at.view, at.seat)
    if not definition.points:
        money = definition.game.money(at.view, at.seat)
        staked = (
            f", {dollars(definition.game.unit * money.staked)} at stake" if money.staked else ""
        )
        yield f"Your credit is {dollars(definition.game.unit * money.free)}{staked}."


def _actions(sitting: AnySitting) -> Iterator[str]:
    """Yield the commands that the player can use, each with its help text."""
    at = sitting.dialogue.situation()
    possible = possible_words(at)
    turn = sitting.table.game.turn(sitting.table.state)
    if isinstance(turn, SittingOver):
        yield f"The game is over: {turn.reason}; q leaves."
    elif possible:
        yield "You can:"
        yield from verb_help(sitting.definition.words, at.view, possible)


def summary_sentences(definition: AnyDefinition, log: Path, cache: Cache) -> Iterator[str]:
    """Yield the figures of a finished session and its costliest mistakes, as on the screen."""
    try:
        entry = make_entry(log, DEFINITIONS, {})
    except BadInput:  # the log cannot be read any more
        return
    for reviewed in review_logs([entry], DEFINITIONS, cache, choices=True):
        rows = [*summary_rows(definition, reviewed, weighed=True)]
        rows += own_rows(definition, reviewed, weighed=True)
        yield from (row.sentence for row in rows)
        if costly := costliest(reviewed.mistakes):
            yield "The costliest mistakes:"
        for mistake in costly:
            yield mistake_sentence(definition, mistake)


def mistake_sentence(definition: AnyDefinition, mistake: WrittenDecision) -> str:
    """Return the cost of a mistake, what the player did, and the best choice."""
    spoken = definition.words.spoken
    did, best = spoken.describe(mistake.action, past=True), spoken.describe(mistake.best)
    return f"Cost {cost_text(definition, mistake)}: you {did}; best: {best}."


_ENTRY = re.compile(r" {1,3}(\S+(?: \S+)*) {2,}(\S.*)")
"""A command with its arguments in the help of a game, and what it does."""
_TABULAR = re.compile(r"\S {2,}\S")
_DEEP = " " * 8
"""The indentation from which a line belongs to the row above it."""


def _commands_and_rules(
    words: Words[Any, Any, Any, Any], view: Any
) -> tuple[dict[str, str], list[str]]:
    """Return each command with what it does, and the other lines of a game's help."""
    commands, rules = dict[str, str](), list[str]()
    for entry in re.split(r"\n(?! {5})", words.help(view)):  # with their further lines
        found = _ENTRY.match(entry)
        verb = found[1].split()[0] if found is not None else ""
        if found is not None and (verb in words.verbs or verb in words.questions):
            if rules and rules[-1].endswith(":"):  # the heading of these commands
                del rules[-1]
            commands[verb] = f"{found[1]}: {' '.join(entry[found.start(2) :].split())}"
        else:
            rules += entry.split("\n")
    return commands, rules


def verb_help(words: Words[Any, Any, Any, Any], view: Any, verbs: Iterable[str]) -> Iterator[str]:
    """Yield the help text of each command, or the command itself if the help does not list it."""
    commands, _ = _commands_and_rules(words, view)
    yield from (commands.get(verb, verb) for verb in verbs)


def help_rows(sitting: AnySitting, more: Sequence[str] = ()) -> Iterator[str]:
    """Yield the help of a table: what can be typed now, other and ``more`` commands, the rules."""
    at = sitting.dialogue.situation()
    possible = possible_words(at)
    commands, rules = _commands_and_rules(sitting.definition.words, at.view)
    yield from (commands[verb] for verb in possible if verb in commands)
    yield from (text for verb, text in commands.items() if verb not in possible)
    if sitting.definition.adviser.has_action_values and not sitting.definition.unaided:
        yield from HELP
    if sitting.may_undo:
        yield from UNDO_HELP
    yield from more
    if not any(row.startswith("q:") for row in more):
        yield "q: leave the table and cash out"
    yield from _paragraphs(rules)


def _paragraphs(lines: Iterable[str]) -> Iterator[str]:
    """Join the lines of each paragraph, and those of each row of a table."""
    parts, is_table = list[str](), False
    for line in (*lines, ""):
        text = line.strip()
        is_row = _TABULAR.search(text) is not None
        ends = is_row or not text or (is_table and not line.startswith(_DEEP))
        if parts and ends:
            yield _row_text(parts[0], parts[1:]) if is_table else " ".join(parts)
            parts = []
        if text:
            is_table = is_row or (is_table and bool(parts))
            parts.append(text)


def _row_text(row: str, rest: Iterable[str]) -> str:
    """Return a row of a table: its name, a colon, and its columns."""
    name, *columns = re.split(r" {2,}", " ".join((row, *rest)))
    if ":" in name:
        return ", ".join((name, *columns))
    if all(word.replace(",", "").isdigit() for column in columns for word in column.split()):
        columns = [word for column in columns for word in column.split()]
    if name.isupper():
        name = re.sub(r"(?<=-)[a-z]\b", lambda letter: letter[0].upper(), name.capitalize())
    return f"{name}: {', '.join(columns)}"


def _farewell(
    voice: Voice, listing: GameListing, sitting: AnySitting, ending: SittingEnding | None
) -> Iterator[str]:
    yield f"You leave {listing.title}."
    for line in money_lines(sitting, ending):
        yield f"{line[:1].upper()}{line[1:]}."
    if sitting.house.ledger is None and ending is SittingEnding.CASHED_OUT and sitting.cents:
        yield f"You leave with {dollars(sitting.cents)}; this was free play."
    if (
        ending is SittingEnding.CASHED_OUT
        and sitting.dialogue.tally.rounds >= SUMMARY_ROUNDS
        and not sitting.dialogue.shared
    ):
        yield from summary_sentences(
            listing.definition(), sitting.log.path, Cache(sitting.house.cache)
        )
    full = voice.level is Verbosity.FULL
    if (
        full
        and ending is SittingEnding.CASHED_OUT
        and (proof := describe_seed(read_log(sitting.log.path)))
    ):
        yield proof
