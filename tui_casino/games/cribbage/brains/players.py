"""Computer players: random as in the original, greedy, expert and master."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations

from ....cards.card import Card, Hand
from ....engine.game import ComputerPlayer, Seat
from ....engine.offers import Dice, Offer
from ..machine.moves import Action, Count, Discard, Go, Lay
from ..machine.rules import DISCARDS, KEPT, play_scores, points_of, show_scores
from ..machine.scoring import total_of, value_of
from ..machine.state import Phase, State
from .lazy import adviser, pegging

SAMPLES = 100
"""Deals that the expert samples for a card, in some milliseconds."""


class RandomPlayer:
    """Draws two discards from the shrinking hand, and one of the cards that may be laid.

    With Java's generator it plays as the original does. There, a choice puts the cards that could
    not be laid behind the others; but those count more, and stand behind in any ascending hand.
    """

    def choose(
        self, view: State, seat: Seat, offers: tuple[Offer[Action], ...], dice: Dice
    ) -> Action:
        """Discard, lay, or do the only thing there is to do."""
        match view.phase:
            case Phase.DISCARD:
                return self.discard(view, seat, dice)
            case Phase.PLAY if offers[0].kind is not Go:
                return self.play_card(view, seat, dice)
        return forced_action(view, offers)

    def discard(self, view: State, seat: Seat, dice: Dice) -> Action:
        """Draw one card, then another of those left."""
        places = list(range(1, len(view.hands[seat]) + 1))
        chosen_places = sorted(places.pop(dice.below(len(places))) for _ in range(DISCARDS))
        return Discard(tuple(chosen_places))

    def play_card(self, view: State, seat: Seat, dice: Dice) -> Action:
        """Draw one of the cards that may be laid."""
        playable = view.playable(seat)
        return Lay(view.hands[seat].index(playable[dice.below(len(playable))]) + 1)


class GreedyPlayer(RandomPlayer):
    """Takes the most points at once, and draws nothing.

    It keeps the four cards that are worth most without a starter; of equal ones those that count
    less. It lays the card that scores most; of equal ones the one that counts most.
    """

    def discard(self, view: State, seat: Seat, dice: Dice) -> Action:
        """Keep what is worth most by itself."""
        hand, rules = view.hands[seat], view.options.rule_set

        def value(kept_cards: Hand) -> tuple[int, int]:
            return points_of(show_scores(kept_cards, None, rules)), -total_of(kept_cards)

        best = max(combinations(hand, KEPT), key=value)
        return Discard(tuple(place for place, card in enumerate(hand, 1) if card not in best))

    def play_card(self, view: State, seat: Seat, dice: Dice) -> Action:
        """Lay what scores most."""
        rules = view.options.rule_set

        def gain(card: Card) -> tuple[int, int, Card]:
            scores = play_scores((*view.segment, card), rules)
            return points_of(scores), value_of(card), card

        return Lay(view.hands[seat].index(max(view.playable(seat), key=gain)) + 1)


class ExpertPlayer(RandomPlayer):
    """Plays as the advisers advise, from what it may know in a game even if all cards lie open.

    The opponent is taken to throw as good players do. Nothing is drawn from the table's dice: the
    samples come from the position, so that it plays the same position always alike.
    """

    def discard(self, view: State, seat: Seat, dice: Dice) -> Action:
        """Throw the pair that is expected to cost least."""
        best = adviser.weigh_discards(view, seat)[0]
        places = enumerate(view.hands[seat], 1)
        return Discard(tuple(place for place, card in places if card in best.discard))

    def play_card(self, view: State, seat: Seat, dice: Dice) -> Action:
        """Lay the card that is worth most over the rest of the play."""
        playable = view.playable(seat)
        if len({card.rank for card in playable}) > 1:
            position = pegging.PeggingPosition.from_view(view, seat)
            advice = pegging.weigh_cards(position, view.options.rule_set, samples=SAMPLES)
            playable = (advice[0].card,)
        return Lay(view.hands[seat].index(playable[0]) + 1)


class MasterPlayer(ExpertPlayer):
    """Plays as the expert does, but for the game: by the chance to win from the score.

    Of cards that win as often it lays the one that is worth most. Where no game to 121 is played
    it is the expert.
    """

    def discard(self, view: State, seat: Seat, dice: Dice) -> Action:
        """Throw the pair that wins most often."""
        chances = adviser.discard_win_chances(view, seat)
        if not chances:
            return super().discard(view, seat, dice)
        best = max(chances, key=chances.__getitem__)
        places = enumerate(view.hands[seat], 1)
        return Discard(tuple(place for place, card in places if card in best))

    def play_card(self, view: State, seat: Seat, dice: Dice) -> Action:
        """Lay the card that wins most often."""
        playable = view.playable(seat)
        if len({card.rank for card in playable}) > 1:
            advice = adviser.weigh_lays(view, seat, SAMPLES, to_win=True)
            playable = (max(advice, key=lambda one: (one.win or 0, one.ev)).card,)
        return Lay(view.hands[seat].index(playable[0]) + 1)


def forced_action(view: State, offers: tuple[Offer[Action], ...]) -> Action:
    """Do what needs no choice: count what is there, say go, be ready."""
    if offers[0].kind is not Count:
        return offers[0].kind()
    _, hand, crib = view.on_show
    return Count(points_of(show_scores(hand, view.starter, view.options.rule_set, crib)))


PLAYERS: Mapping[str, Callable[[], ComputerPlayer[State, Action]]] = {
    "random": RandomPlayer,
    "greedy": GreedyPlayer,
    "expert": ExpertPlayer,
    "master": MasterPlayer,
}
"""By name."""
