"""Computer players: random as in the original, greedy, expert and master."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations

from ....cards.card import Card, Hand
from ....engine.game import ComputerPlayer, Seat
from ....engine.offers import Dice, Offer
from ....engine.seating import NOBODY, OFFER_SECONDS, TableChoice
from ..machine.rules import DISCARDS, KEPT, play_scores, points_of, show_scores
from ..machine.scoring import total_of, value_of
from ..machine.state import COMPUTERS, Action, Count, Discard, Go, Lay, Phase, State
from .known_rules import check_known
from .lazy import adviser, pegging

SAMPLES = 100
"""The number of deals that the expert samples per card; this takes a few milliseconds."""


class RandomPlayer:
    """Choose two discards, and then one of the playable cards, at random.

    With Java's generator it plays like the original. In the original, each choice moves the
    unplayable cards behind the others. That makes no difference here: those cards are worth more,
    so they are already last in an ascending hand.
    """

    def choose(
        self, view: State, seat: Seat, offers: tuple[Offer[Action], ...], dice: Dice
    ) -> Action:
        """Discard, play a card, or do the only possible action."""
        match view.phase:
            case Phase.DISCARD:
                return self.discard(view, seat, dice)
            case Phase.PLAY if offers[0].kind is not Go:
                return self.play_card(view, seat, dice)
        return forced_action(view, offers)

    def discard(self, view: State, seat: Seat, dice: Dice) -> Action:
        """Choose one card at random, then one of the remaining cards."""
        places = list(range(1, len(view.hands[seat]) + 1))
        chosen_places = sorted(places.pop(dice.below(len(places))) for _ in range(DISCARDS))
        return Discard(tuple(chosen_places))

    def play_card(self, view: State, seat: Seat, dice: Dice) -> Action:
        """Choose one of the playable cards at random."""
        playable = view.playable(seat)
        return Lay(view.hands[seat].index(playable[dice.below(len(playable))]) + 1)


class GreedyPlayer(RandomPlayer):
    """Make the choice that scores the most points immediately; the dice are not used.

    It keeps the four cards that score most without a starter or, if several sets score equally,
    those with the lowest total. It plays the card that scores most or, if several score equally,
    the highest.
    """

    def discard(self, view: State, seat: Seat, dice: Dice) -> Action:
        """Keep the four cards that score most without a starter."""
        hand, rules = view.hands[seat], view.options.rule_set

        def value(kept_cards: Hand) -> tuple[int, int]:
            return points_of(show_scores(kept_cards, None, rules)), -total_of(kept_cards)

        best = max(combinations(hand, KEPT), key=value)
        return Discard(tuple(place for place, card in enumerate(hand, 1) if card not in best))

    def play_card(self, view: State, seat: Seat, dice: Dice) -> Action:
        """Play the card that scores most."""
        rules = view.options.rule_set

        def gain(card: Card) -> tuple[int, int, Card]:
            scores = play_scores((*view.segment, card), rules)
            return points_of(scores), value_of(card), card

        return Lay(view.hands[seat].index(max(view.playable(seat), key=gain)) + 1)


class ExpertPlayer(RandomPlayer):
    """Play the adviser's best choice; ignore the opponent's cards even if all cards are open.

    The opponent is assumed to discard as good players do. The table's dice are not used: the
    samples come from the position, so the player always plays the same position the same way.
    Choices raise ``ValueError`` under rules that the adviser does not know.
    """

    def choose(
        self, view: State, seat: Seat, offers: tuple[Offer[Action], ...], dice: Dice
    ) -> Action:
        """Choose as described above."""
        check_known(view.options.rule_set)
        return super().choose(view, seat, offers, dice)

    def discard(self, view: State, seat: Seat, dice: Dice) -> Action:
        """Discard the pair with the best EV."""
        best = adviser.weigh_discards(view, seat)[0]
        places = enumerate(view.hands[seat], 1)
        return Discard(tuple(place for place, card in places if card in best.discard))

    def play_card(self, view: State, seat: Seat, dice: Dice) -> Action:
        """Play the card with the best EV over the rest of the play."""
        playable = view.playable(seat)
        if len({card.rank for card in playable}) > 1:
            position = pegging.PeggingPosition.from_view(view, seat)
            advice = pegging.weigh_cards(position, view.options.rule_set, samples=SAMPLES)
            playable = (advice[0].card,)
        return Lay(view.hands[seat].index(playable[0]) + 1)


class MasterPlayer(ExpertPlayer):
    """Play for the chance to win from the score; outside games to 121, play like the expert.

    If several cards have the same chance to win, it plays the one with the best EV.
    """

    def discard(self, view: State, seat: Seat, dice: Dice) -> Action:
        """Discard the pair that wins most often."""
        chances = adviser.discard_win_chances(view, seat)
        if not chances:
            return super().discard(view, seat, dice)
        best = max(chances, key=chances.__getitem__)
        places = enumerate(view.hands[seat], 1)
        return Discard(tuple(place for place, card in places if card in best))

    def play_card(self, view: State, seat: Seat, dice: Dice) -> Action:
        """Play the card that wins most often."""
        playable = view.playable(seat)
        if len({card.rank for card in playable}) > 1:
            advice = adviser.weigh_lays(view, seat, SAMPLES, to_win=True)
            playable = (max(advice, key=lambda one: (one.win or 0, one.ev)).card,)
        return Lay(view.hands[seat].index(playable[0]) + 1)


def forced_action(view: State, offers: tuple[Offer[Action], ...]) -> Action:
    """Return the action that needs no choice: the correct count, go, or next."""
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
"""The computer players; the keys are their names."""
SHARED_TABLE_CHOICES = (
    TableChoice(
        "computer",
        f"Who plays if nobody comes in {OFFER_SECONDS} seconds?",
        {NOBODY: "nobody", **{level: f"a computer, {level}" for level in COMPUTERS}},
        NOBODY,
    ),
)
"""The choices of a player who makes a table with others."""
