"""A player's next practice task: a mistake, a drill, or a position with typed cards.

The console and the screen use the same scheduler. Its methods may take a long time, so a screen
calls them on another thread, one at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import Struct

from ..engine.chance import CommittedSource
from ..engine.offers import Dice
from ..gamekit.adviser import Decision, MistakeKind
from ..gamekit.definition import AnyDefinition, Games
from ..gamekit.verdict import cost_text, earlier_sentence
from ..inputs.errors import BadInput
from ..inputs.files import BadFile
from ..inputs.sanitize import plain
from ..records.cache import Cache
from ..records.playback import Playback
from ..records.replay import log_options
from ..records.summaries import WrittenDecision
from .drills import (
    DrillScore,
    DrillTarget,
    deal_position,
    draw_target,
    position_with_cards,
    score_answers,
    weigh_targets,
)
from .leaks import find_leaks
from .mistake_queue import (
    DAY_MILLISECONDS,
    DAYS_TO_LEARN,
    DailyFive,
    MistakeKey,
    MistakeQueue,
    PracticeAnswer,
    QueuedMistake,
    correct_on,
    count_correct_days,
    daily_five,
    key_of,
)
from .positions import AnyPracticePosition, position_before_mistake


class MistakeRequest(Struct, frozen=True):
    """A request for the player's mistakes, costliest first.

    It is limited to a game, a kind, and the file name of a session's log, if these are given.
    """

    game: str | None = None
    kind: MistakeKind | None = None
    words: str = ""
    """Limits the request to kinds whose names contain these words."""
    log: str = ""

    def admits(self, mistake: WrittenDecision) -> bool:
        """Return whether a mistake is requested."""
        return (
            self.game in (None, mistake.game)
            and self.kind in (None, mistake.kind)
            and self.words.casefold() in str(mistake.kind).casefold()
            and self.log in ("", mistake.log.name)
        )


class DailyRequest(Struct, frozen=True):
    """A request for today's five mistakes, as long as some of them have not been answered."""


class DrillRequest(Struct, frozen=True):
    """A request for new positions: of one spot, of one game, or where mistakes cost the most.

    ``words`` is a part of the spot's name. The first spot that contains them is used; the spots of
    the player's own mistakes come first.
    """

    game: str | None = None
    spot: str | None = None
    words: str = ""


class CardsRequest(Struct, frozen=True):
    """A request for a position with typed cards."""

    game: str
    text: str


TaskRequest: TypeAlias = MistakeRequest | DailyRequest | DrillRequest | CardsRequest


class PracticeTask(Struct, frozen=True):
    """A position for the player, with the mistake that it repeats, if any."""

    position: AnyPracticePosition
    spot: str
    mistake: WrittenDecision | None = None


def earlier_action(task: PracticeTask, decision: Decision[Any, Any]) -> Any:
    """Return the action that the repeated mistake was, or ``None`` for a new position."""
    at, mistake = task.position, task.mistake
    if mistake is None:
        return None
    actions = (one.action for one in decision.values)
    return next(
        (
            one
            for one in actions
            if at.definition.format_action(at.view, at.seat, one) == mistake.action
        ),
        None,
    )


def practice_reasons(task: PracticeTask, decision: Decision[Any, Any]) -> Iterator[str]:
    """Yield the earlier choice if a mistake is repeated, then the reasons for the verdict.

    The reasons compare a mistake with the best choice, and a right choice with the earlier one.
    """
    definition, mistake = task.position.definition, task.mistake
    if mistake is not None:
        did = definition.words.spoken.describe(mistake.action, past=True)
        yield earlier_sentence("Last time", did, cost_text(definition, mistake))
    yield from definition.reasons(decision, earlier_action(task, decision))


class TaskScheduler:
    """Chooses the next position, and stores the answers.

    ``clock`` returns milliseconds since 1970; ``dice`` are used to draw the kinds of drills. During
    a visit, a mistake is only repeated after all other pending mistakes have been shown.
    """

    def __init__(
        self,
        games: Games,
        queue: MistakeQueue,
        cache: Cache,
        clock: Callable[[], int],
        dice: Dice | None = None,
    ) -> None:
        self.games, self.queue, self._cache, self._clock = games, queue, cache, clock
        self._dice = dice or CommittedSource().dice("drills")
        self._presented: set[MistakeKey] = set()
        self._options: dict[Path, Any] = {}
        self.answers: list[PracticeAnswer] = []

    # ---- tasks ----------------------------------------------------------------------------

    def next(self, request: TaskRequest) -> PracticeTask | None:
        """Return the next task; ``None`` if no mistake is left or no position was found.

        Raises :class:`BadInput` for cards that fit no position and for words that no kind contains,
        and :class:`~..inputs.files.BadFile` for a log that was deleted.
        """
        match request:
            case MistakeRequest():
                return self._next_of([one.mistake for one in self.pending(request)])
            case DailyRequest():
                rest = self.daily().rest
                new = [one for one in rest if key_of(one) not in self._presented]
                return self._next_of(new or rest)
            case DrillRequest(game, _, words) if words:
                named = self._named(game, words)
                return self._drill(named.game, named.spot)
            case DrillRequest(game, spot):
                return self._drill(game, spot)
            case CardsRequest(game, text):
                definition = self.games[game]
                position = position_with_cards(definition, self._options_of(definition), text)
                if position is None:
                    raise BadInput(
                        f"these cards cannot be dealt here; {typed_cards_help(definition)}"
                    )
                return self._task(definition, position)

    def pending(self, request: MistakeRequest) -> list[QueuedMistake]:
        """Return the pending mistakes that were not shown in this visit, or else all of them."""
        matches = [one for one in self.queue.pending() if request.admits(one.mistake)]
        return [one for one in matches if key_of(one.mistake) not in self._presented] or matches

    def daily(self) -> DailyFive:
        """Return the five mistakes to practise today."""
        return daily_five(self.queue, self._clock())

    def _next_of(self, mistakes: Sequence[WrittenDecision]) -> PracticeTask | None:
        """Return a task for the first of these mistakes.

        If this mistake has been shown in this visit, all of them have.
        """
        if not mistakes:
            return None
        mistake = mistakes[0]
        if key_of(mistake) in self._presented:
            self._presented -= {*map(key_of, mistakes)}  # start again
        self._presented.add(key_of(mistake))
        definition = self.games[mistake.game]
        try:
            position = position_before_mistake(definition, mistake, self._cache)
        except IndexError:
            raise BadFile(mistake.log, "the log has become shorter") from None
        return PracticeTask(position, mistake.kind.spot, mistake)

    def targets(self, game: str | None = None) -> tuple[DrillTarget, ...]:
        """Return drill targets weighted by the player's mistakes.

        If there are no mistakes, each target is a game, and any of its choices is accepted.
        """
        own = tuple(
            aim
            for aim in weigh_targets(find_leaks(self.queue.admitted))
            if game in (None, aim.game) and self.games[aim.game].positions is not None
        )
        if own or game is not None:
            return own or (DrillTarget(game or "", None),)
        return tuple(
            DrillTarget(one, None) for one in self.games if self.games[one].positions is not None
        )

    def _named(self, game: str | None, words: str) -> DrillTarget:
        text = words.casefold()
        every = (
            DrillTarget(slug, spot)
            for slug in (self.games if game is None else (game,))
            for spot in spots_by_name(self.games, slug)
        )
        for aim in (*self.targets(game), *every):
            if aim.spot is not None and text in aim.spot.casefold():
                return aim
        raise BadInput(f"no kind of position has {plain(words)!r} in its name")

    def _drill(self, game: str | None, spot: str | None) -> PracticeTask | None:
        target = (
            DrillTarget(game, spot)
            if game and spot
            else draw_target(self.targets(game), self._dice)
        )
        definition = self.games[target.game]
        options = self._options_of(definition, target.spot)
        position = None
        if (shoe := self._shoe_of(definition, target.spot)) is not None:
            position = deal_position(definition, options, target.spot, shoe=shoe)
        if position is None:  # no such shoe, or its cards do not make this spot
            position = deal_position(definition, options, target.spot)
        if position is None and not spot:  # the spot is too rare: accept any choice
            position = deal_position(definition, options, None)
        return None if position is None else self._task(definition, position)

    def _shoe_of(self, definition: AnyDefinition, spot: str | None) -> Any:
        """Return what the player saw at a random mistake of this spot, if the game has a shoe.

        The drill is then dealt from the cards that were left there.
        """
        if definition.positions is None or definition.positions.with_shoe_of is None:
            return None
        slug = definition.game.slug
        sittings = [each for each in self.queue.admitted if each.entry.game == slug]
        mistakes = [one for each in sittings for one in each.mistakes if one.kind.spot == spot]
        if not mistakes:
            return None
        mistake = mistakes[self._dice.below(len(mistakes))]
        try:
            return position_before_mistake(definition, mistake, self._cache).view
        except (BadFile, IndexError):
            return None  # the log was deleted

    def _task(self, definition: AnyDefinition, position: AnyPracticePosition) -> PracticeTask:
        spot = (
            definition.positions.situation(position.view, position.seat)
            if definition.positions
            else ""
        )
        return PracticeTask(position, spot)

    def _options_of(self, definition: AnyDefinition, spot: str | None = None) -> Any:
        """Return the options of the table where the last mistake of this spot was made.

        Under other rules the mistake might be impossible. Without such a mistake, return the
        options of the table where the game was last played.
        """
        slug = definition.game.slug
        sittings = self.queue.admitted or self.queue.sittings
        own = [each for each in sittings if each.entry.game == slug]
        erred = [each for each in own if any(one.kind.spot == spot for one in each.mistakes)]
        last = max((each.entry for each in erred or own), key=lambda e: e.started, default=None)
        if last is None:
            return definition.game.Options()
        if last.path not in self._options:
            self._options[last.path] = definition.game.Options()
            try:
                with Playback(definition, last.path, self._cache) as recording:
                    self._options[last.path] = log_options(definition.game, recording.log)
            except BadFile:
                pass  # use the default options
        return self._options[last.path]

    # ---- answers --------------------------------------------------------------------------

    def answer(self, task: PracticeTask, decision: Decision[Any, Any], seconds: float) -> str:
        """Store an answer; return "", or the reason why it cannot be saved."""
        mistake = task.mistake
        answer = PracticeAnswer(
            self.queue.answers.player,
            self._clock(),
            task.position.definition.game.slug,
            task.spot,
            mistake.log.name if mistake else "",
            mistake.step if mistake else 0,
            decision.mistake is None,
            float(decision.cost),
            round(seconds, 1),
        )
        self.answers.append(answer)
        return self.queue.answers.add(answer)

    @property
    def score(self) -> DrillScore:
        """The score of this visit."""
        return score_answers(self.answers)

    def next_review(self, mistake: WrittenDecision) -> str:
        """Return a text that says when a mistake will be shown again."""
        answers, key = self.queue.answers.all(), key_of(mistake)
        days = count_correct_days(answers).get(key, 0)
        if days >= DAYS_TO_LEARN:
            return "learned: it leaves the queue"
        if days:
            return "right once: it comes back another day"
        rests = key in correct_on(answers, self._clock() // DAY_MILLISECONDS)
        return "it comes back another day" if rests else "it comes back"


def typed_cards_help(definition: AnyDefinition) -> str:
    """Return a text that says which cards can be typed for a game."""
    return (
        f"type {definition.positions.cards_help}"
        if definition.positions
        else "this game has no trainer"
    )


def spots_by_name(games: Games, game: str) -> Mapping[str, str]:
    """Return the spots of a game as a dictionary that maps each name to itself."""
    positions = games[game].positions
    return {spot: spot for spot in positions.situations()} if positions else {}
