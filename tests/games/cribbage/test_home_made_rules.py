"""Rule sets with rules of their own: they are scored and played, and have no adviser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

import numpy as np
import pytest
from msgspec import Struct

from tests.helpers.command_runner import run
from tests.helpers.parameter_ids import value_id
from tui_casino.cards.card import PACK, Hand, Suit, parse_hand
from tui_casino.engine.chance import SeededSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import ComputerPlayer, Seat
from tui_casino.engine.offers import Dice, Offer
from tui_casino.engine.table import Table
from tui_casino.gamekit.adviser import ValuesScope
from tui_casino.games.cribbage import DEFINITION
from tui_casino.games.cribbage.brains.adviser import action_values, judge
from tui_casino.games.cribbage.brains.bulk_play import play_out
from tui_casino.games.cribbage.brains.bulk_points import (
    best_discards,
    points_of_hands,
    sum_one_hand,
)
from tui_casino.games.cribbage.brains.discards import EVERY_PAIR, weigh
from tui_casino.games.cribbage.brains.known_rules import unknown_rule
from tui_casino.games.cribbage.brains.mistake_kinds import spot
from tui_casino.games.cribbage.brains.odds import odds_of
from tui_casino.games.cribbage.brains.pegging import PeggingPosition, weigh_cards
from tui_casino.games.cribbage.brains.players import ExpertPlayer, GreedyPlayer, MasterPlayer
from tui_casino.games.cribbage.brains.show_points import starters_of
from tui_casino.games.cribbage.brains.win_chances import in_game_chance
from tui_casino.games.cribbage.face import command
from tui_casino.games.cribbage.face.advice import advice, in_a_line
from tui_casino.games.cribbage.face.choice_advice import advise_before_choice
from tui_casino.games.cribbage.face.odds_page import odds_page
from tui_casino.games.cribbage.machine import game, rules, state
from tui_casino.games.cribbage.machine.rules import (
    ACC,
    RULE_SETS,
    TRAINER,
    RuleSet,
    points_of,
    show_scores,
)
from tui_casino.games.cribbage.machine.scoring import (
    Flush,
    LastCard,
    NobsJack,
    PlayPair,
    Score,
    ShowHand,
)
from tui_casino.games.cribbage.machine.state import (
    Action,
    Discard,
    Event,
    GameForm,
    Lay,
    Options,
    Phase,
    State,
)
from tui_casino.structs import replace
from tui_casino.tui.table.snapshot import TableSnapshot

SENTENCE = "The trainer does not know the pub rules."


class RedPips(Struct, frozen=True):
    """A rule that needs all of a card: a point if the last of the hand is a red card up to six."""

    def scores(self, shown: ShowHand, /) -> Iterator[Score]:
        card = shown.hand[-1]
        if card.rank <= 6 and card.suit in (Suit.DIAMONDS, Suit.HEARTS):
            yield Score("red", 1 + shown.crib, (card,))


class SpadesAlone(Flush, frozen=True):
    """A flush that looks at more than its parent."""

    def scores(self, shown: ShowHand, /) -> Iterator[Score]:
        return (score for score in Flush.scores(self, shown) if score.cards[0].suit is Suit.SPADES)


class BlackPair(PlayPair, frozen=True):
    """A pair in the play that counts only if its last card is black."""

    def scores(self, segment: Hand, /) -> Iterator[Score]:
        black = segment[-1].suit in (Suit.CLUBS, Suit.SPADES)
        return (score for score in PlayPair.scores(self, segment) if black)


class LastAce(Struct, frozen=True):
    """A point for an ace that ends a segment."""

    def scores(self, segment: Hand, /) -> Iterator[Score]:
        if segment[-1].rank == 1:
            yield Score("ace", 1, segment[-1:])


HOME_MADE = {
    "another rule of the show": replace(ACC, name="pub", show=(*ACC.show, RedPips())),
    "a changed rule of the show": replace(TRAINER, name="pub", show=(SpadesAlone(), NobsJack())),
    "a changed rule of the play": replace(ACC, name="pub", play=(BlackPair(),)),
    "another rule for the last card": replace(ACC, name="pub", last=(LastCard(), LastAce())),
}


@pytest.fixture(params=HOME_MADE)
def pub(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> RuleSet:
    """Offer a rule set next to the shipped ones, as its author would."""
    own: RuleSet = HOME_MADE[request.param]
    for module in (rules, state, command, command):
        monkeypatch.setattr(module, "RULE_SETS", {**RULE_SETS, own.name: own})
    return own


class NotingPlayer(GreedyPlayer):
    """A greedy player who records what it saw and did."""

    def __init__(self) -> None:
        self.choices: list[tuple[State, Seat, Action]] = []

    def choose(
        self, view: State, seat: Seat, offers: tuple[Offer[Action], ...], dice: Dice
    ) -> Action:
        action = super().choose(view, seat, offers, dice)
        self.choices.append((view, seat, action))
        return action


def played(player: ComputerPlayer[State, Action]) -> State:
    """Play a game against a greedy player; return its last state."""
    options = Options(rules="pub", form=GameForm.GAME)
    players = {Seat(0): player, Seat(1): GreedyPlayer()}
    table: Table[Options, State, Action, Event] = Table(
        game, options, ShuffledShoe(), SeededSource(5), players
    )
    table.run()
    return table.state


def test_home_made_rules_are_played_and_scored_without_judging_choices(pub: RuleSet) -> None:
    player = NotingPlayer()
    assert max(played(player).points) >= pub.target
    choices = [one for one in player.choices if isinstance(one[2], Discard | Lay)]
    assert {view.phase for view, _, _ in choices} == {Phase.DISCARD, Phase.PLAY}
    for view, seat, action in choices:
        assert view.options.rule_set == pub
        assert not action_values(view, seat)
        assert judge(view, seat, action) is None
        assert not spot(view, seat)
        assert in_game_chance(view, seat) is None
        for values in ValuesScope:
            assert DEFINITION.decision(view, seat, action, values) is None
        assert in_a_line(view, seat) == SENTENCE
        assert advice(view, seat) == (SENTENCE,)
        assert advise_before_choice(view, seat).without == SENTENCE
        assert [*odds_page(TableSnapshot(view, seat, DEFINITION.tally(seat)))] == [SENTENCE]


@pytest.mark.parametrize("player", [ExpertPlayer(), MasterPlayer()], ids=["expert", "master"])
def test_players_that_need_the_adviser_refuse_home_made_rules(
    pub: RuleSet, player: ComputerPlayer[State, Action]
) -> None:
    with pytest.raises(ValueError, match=r"does not know .* a rule of the pub rules"):
        played(player)


REFUSING: dict[str, Callable[[RuleSet], object]] = {
    "a discard": lambda own: weigh(PACK[:6], True, own),
    "a discard from tables": lambda own: sum_one_hand(PACK[:6], own, EVERY_PAIR),
    "discards in bulk": lambda own: best_discards(np.array([[*range(6)]]), True, own, EVERY_PAIR),
    "a card of the play": lambda own: weigh_cards(
        PeggingPosition(PACK[:2], (), 4, PACK[:6]), own, samples=2
    ),
    "an endplay": lambda own: weigh_cards(PeggingPosition(PACK[:2], (), 1, PACK[:11]), own),
    "plays in bulk": lambda own: play_out(np.array([[0, 1, 2, 3]]), np.array([[4, 5, 6, 7]]), own),
    "points in bulk": lambda own: points_of_hands(np.array([[*range(5)]]).T, own),
    "points by starter": lambda own: starters_of(PACK[:4], (), own),
    "odds of the show": odds_of,
}


@pytest.mark.parametrize("own", HOME_MADE.values(), ids=HOME_MADE)
@pytest.mark.parametrize("figures", REFUSING.values(), ids=REFUSING)
def test_figures_refuse_home_made_rules_instead_of_ignoring_a_rule(
    own: RuleSet, figures: Callable[[RuleSet], object]
) -> None:
    with pytest.raises(ValueError, match=r"does not know .* a rule of the pub rules"):
        figures(own)


@pytest.mark.parametrize(
    "words",
    [
        ("odds", "cribbage", "--rules", "pub"),
        ("odds", "cribbage", "--rules", "pub", "--hand", "5C 5D 5H JS"),
        ("cribbage", "--rules", "pub", "--discard", "5C 5D 5H JS 2C 9H", "--pone"),
    ],
    ids=value_id,
)
def test_commands_refuse_figures_for_home_made_rules(pub: RuleSet, words: tuple[str, ...]) -> None:
    ran = run(words)
    assert ran.code == 2
    assert "--rules: the trainer does not know the pub rules" in ran.err


def test_other_points_for_the_known_rules_keep_the_adviser() -> None:
    rich = replace(ACC, name="rich", play=(PlayPair((3, 7, 20)),), last=(LastCard(2),))
    assert unknown_rule(rich) is None
    hand = tuple(Random("rich").sample(PACK, 6))
    assert weigh(hand, True, rich) == weigh(hand, True, ACC)  # the show is the same
    position = PeggingPosition(PACK[:2], (), 1, PACK[:11])
    assert weigh_cards(position, rich) != weigh_cards(position, ACC)


def test_home_made_rule_scores_in_the_show() -> None:
    own = HOME_MADE["another rule of the show"]
    for text, red in (("9C JC KC 3H", 1), ("9C JC KC 3S", 0), ("9C JC KC 7H", 0)):
        hand, starter = parse_hand(text), parse_hand("AS")[0]
        scores = show_scores(hand, starter, own)
        assert points_of(scores) - points_of(show_scores(hand, starter, ACC)) == red
        assert [score.kind for score in scores].count("red") == red
