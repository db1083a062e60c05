"""Hands played out in bulk, compared with the computer players and the machine one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any, TypeAlias

import numpy as np
import pytest

from tests.build_data.five_card_draw.later_plan_builder import best_marks, build_plan
from tests.games.five_card_draw.mixed_table import mixed_positions
from tui_casino.cards.card import PACK, Card, Hand, parse_hand
from tui_casino.cards.poker import CARD_CODES, strength_of
from tui_casino.engine.chance import SeededSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import AskSeats, Deal, NeedCard, Seat, Shoe
from tui_casino.engine.table import Table
from tui_casino.games.five_card_draw import DEFINITION
from tui_casino.games.five_card_draw.brains.limit_adviser import basis_of, is_limit_decision
from tui_casino.games.five_card_draw.brains.players import (
    ALGORITHM,
    CAREFUL,
    CAREFUL_EXACT,
    LOOSE,
    TIGHT,
    bet_boldly,
    bet_carefully,
    decide,
    discard_exactly,
)
from tui_casino.games.five_card_draw.brains.playouts import acts
from tui_casino.games.five_card_draw.brains.playouts.advice import (
    advise_played_out,
    legal_choices,
)
from tui_casino.games.five_card_draw.brains.playouts.playout import Playout, later_plan, play_out
from tui_casino.games.five_card_draw.brains.playouts.range_dealer import (
    Deals,
    Hands,
    RangeDealer,
    read_hands,
)
from tui_casino.games.five_card_draw.brains.pot_odds import EvBasis
from tui_casino.games.five_card_draw.machine import game
from tui_casino.games.five_card_draw.machine.rules import every_discard, kept_cards
from tui_casino.games.five_card_draw.machine.state import (
    Action,
    Bet,
    Call,
    Check,
    Discard,
    Fold,
    Options,
    Phase,
    Play,
    Raise,
    Stakes,
    State,
)
from tui_casino.structs import replace

ME = Seat(0)
BETS = (Check(), Bet(), Fold(), Call(), Raise())


class Wild:
    """Makes any legal choice, and records where it had to bet or discard."""

    def __init__(self, number: int, positions: list[tuple[State, Seat]]) -> None:
        self.random, self.positions = Random(number), positions

    def choose(self, view: State, seat: Seat, offers: Any, dice: Any) -> Action:
        if is_limit_decision(view, seat):
            self.positions.append((view, seat))
        if view.phase is Phase.DRAW:
            return Discard(self.random.choice([*every_discard(view.hands[seat])]))
        kinds = [offer.kind for offer in offers if not offer.barred]
        weights = [0.3 if kind is Fold else 1 for kind in kinds]
        (kind,) = self.random.choices(kinds, weights)
        action: Action = kind()
        return action


def wild_positions(
    opponents: int, hands: int, credit: int = 400
) -> tuple[list[tuple[State, Seat]], list[State]]:
    """Return decisions of players who do anything legal, and the whole states at these moments."""
    positions: list[tuple[State, Seat]] = []
    states: list[State] = []
    for number in range(hands):
        seats = {Seat(seat): Wild(10 * number + seat, positions) for seat in range(opponents + 1)}
        options = Options(opponents, Stakes.LIMIT, credit)
        table: Table[Any, Any, Any, Any] = Table(
            DEFINITION.game, options, ShuffledShoe(), SeededSource(number), seats
        )
        while not (table.state.winners and table.state.phase is Phase.REST):
            before, known = table.state, len(positions)
            table.advance()
            states += [before] * (len(positions) - known)
    return positions, states


class Bluff:
    """Dice that decide only whether a player bluffs."""

    def __init__(self, numbers: Sequence[float]) -> None:
        self.numbers = iter(numbers)

    def below(self, sides: int) -> int:
        return 0 if next(self.numbers) < 1 / sides else 1


def hands_of(cards: Sequence[Hand]) -> Hands:
    indices = np.array([[card.index for card in hand] for hand in cards], np.uint8).T
    return read_hands(indices, np.zeros(len(cards), np.int64))


@pytest.mark.parametrize(("opponents", "credit"), [(1, 40), (2, 400), (3, 400), (3, 35)])
def test_acts_in_bulk_are_those_of_the_computer_players(opponents: int, credit: int) -> None:
    positions, states = wild_positions(opponents, 60, credit)
    done = set()
    for (view, seat), state in zip(positions, states, strict=True):
        if view.phase is Phase.DRAW:
            continue
        dealt, offers = hands_of([state.hands[seat]]), game.offers(view, seat)
        spot = acts.spot_of(view, seat)
        for bets, style in ((bet_carefully, TIGHT), (bet_boldly, LOOSE)):
            for bluffs in (False, True):
                act = bets(view, seat, offers, Bluff([0.0 if bluffs else 1.0]), style)
                bold = np.array([style is LOOSE])
                (found,) = acts.choose_acts(spot, dealt.strength, dealt.hope, bold, bluffs)
                assert BETS[found] == act
                done.add((view.phase, type(act), style is LOOSE, bluffs))
    assert len(done) > 30


def test_all_hands_are_read_as_the_algorithm_reads_them() -> None:
    cards = [tuple(Random(n).sample(PACK, 5)) for n in range(300)]
    hands = hands_of(cards)
    for row, hand in enumerate(cards):
        decision = decide(hand)
        kept = kept_cards(hand, decision.discards)
        assert hands.drawn[row] == len(decision.discards)
        assert hands.kept[row] == sum(CARD_CODES[card.index] for card in kept)
        assert hands.strength[row] == strength_of(hand)


# ---- the same cards and dice, in bulk and by the machine -----------------------------------------


class Dealt:
    """The cards and dice of one deal, for the machine and as a row of `Deals`."""

    def __init__(self, view: State, seat: Seat, number: int) -> None:
        random, seats = Random(number), len(view.stacks)
        known = (*view.hands[seat], *view.thrown[seat])
        pack = [card for card in PACK if card not in known]
        random.shuffle(pack)
        self.view, self.seat = view, seat
        self.hands: list[Hand] = [tuple(pack.pop() for _ in range(5)) for _ in range(seats)]
        self.hands[seat] = view.hands[seat]
        self.draws = [[pack.pop() for _ in range(4)] for _ in range(seats)]
        self.bold = [random.random() < 0.5 and place != seat for place in range(seats)]
        self.dice = [[[random.random() for _ in range(6)] for _ in range(2)] for _ in range(seats)]

    def final(self, place: int) -> tuple[Hand, int]:
        """Return the final hand of an opponent, and how many cards it draws."""
        hand, drew = self.hands[place], self.view.drawn[place]
        if drew is not None:
            return hand, drew  # it has drawn: these are its final cards
        gone = decide(hand).discards
        return (*kept_cards(hand, gone), *self.draws[place][: len(gone)]), len(gone)

    def play(self, choice: Action, plan: tuple[int, ...]) -> int:
        """Return the credits that the seat gains in the machine."""
        view, seat = self.view, self.seat
        state = replace(view, hands=tuple(self.hands))
        left = {place: iter(cards) for place, cards in enumerate(self.draws)}
        used: dict[tuple[int, Phase], int] = {}
        step = game.step(state, seat, choice)
        while (state := step.state).phase is not Phase.REST:
            asked = game.turn(state)
            if isinstance(asked, NeedCard):
                step = game.step(state, None, Deal(next(left[state.waiting[0]])))
                continue
            assert isinstance(asked, AskSeats)
            (actor,) = asked.seats
            bot = CAREFUL_EXACT if actor == seat else ALGORITHM if self.bold[actor] else CAREFUL
            count = used.get((actor, state.phase), 0)
            dice = Bluff(self.dice[actor][state.phase is Phase.CLOSING][count:])
            offers = game.offers(state, actor)
            action = bot.choose(game.view(state, actor), actor, offers, dice)
            if actor == seat and state.phase is Phase.DRAW:
                action = Discard(plan)
            used[actor, state.phase] = count + 1
            step = game.step(state, actor, action)
        return state.stacks[seat] - view.stacks[seat]


def deals_of(view: State, seat: Seat, dealt: Sequence[Dealt]) -> Deals:
    rows, seats = len(dealt), len(view.stacks)
    strength, final = np.zeros((2, rows, seats), np.uint16)
    hope, drawn = np.zeros((rows, seats), np.int8), np.zeros((rows, seats), np.int64)
    codes = np.zeros((rows, 5), np.int32)
    for row, deal in enumerate(dealt):
        hands = hands_of(deal.hands)
        strength[row], hope[row] = hands.strength, hands.hope
        for place in range(seats):
            cards, drawn[row, place] = deal.final(place)
            final[row, place] = strength_of(cards)
        own: list[Card] = deal.draws[seat]
        codes[row, 1:] = np.cumsum([CARD_CODES[card.index] for card in own])
        final[row, seat], drawn[row, seat] = strength_of(view.hands[seat]), view.drawn[seat] or 0
    bold = np.array([deal.bold for deal in dealt])
    dice = np.array([deal.dice for deal in dealt])
    return Deals(strength, hope, final, drawn, bold, dice, codes)


def plays_on(self: Playout, rows: Any, spot: Any, usual: Any) -> None:
    """Let the seat go on like a computer player, as the machine does here."""
    self.put(self.seat, rows, usual)


@pytest.mark.parametrize(("opponents", "credit"), [(1, 40), (2, 400), (3, 400), (3, 35)])
def test_gains_in_bulk_are_those_of_the_machine(
    opponents: int, credit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The machine does not divide single credits, so gains may differ by a part of one."""
    monkeypatch.setattr(Playout, "act", plays_on)
    positions, _ = wild_positions(opponents, 12, credit)
    phases = set()
    for number, (view, seat) in enumerate(positions):
        if basis_of(view) is not EvBasis.PLAYED_OUT:
            continue
        choices = legal_choices(view, seat)[:8]
        plan = discard_exactly(view.hands[seat]) if view.phase is Phase.OPENING else ()
        dealt = [Dealt(view, seat, 100 * number + deal) for deal in range(6)]
        gains, _ = play_out(view, seat, deals_of(view, seat, dealt), choices, plan)
        for choice, row in zip(choices, gains, strict=True):
            phases.add((view.phase, type(choice)))
            for deal, gain in zip(dealt, row, strict=True):
                assert abs(deal.play(choice, plan) - gain) < 1
    assert len(phases) >= 6


# ---- later choices -------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(20))
def test_marks_are_the_best_of_all(number: int) -> None:
    random = np.random.default_rng(number)
    strength = random.integers(1, 8, 30).astype(np.uint16)
    values = random.normal(0, 10, (3, 30))

    def total(stay: int, bet: int) -> float:
        acts = (strength >= stay).astype(int) + (strength >= bet)
        return float(values[acts, np.arange(30)].sum())

    stay, bet = best_marks(strength, values)
    best = max(total(low, high) for high in range(10) for low in range(high + 1))
    assert total(stay, bet) == pytest.approx(best)


def test_plan_hardly_ever_folds_a_full_house() -> None:
    plan = later_plan()
    known = plan[plan[:, 1] > 0].astype(int)
    assert len(known) > 1_000
    assert (known[:, 0] <= known[:, 1]).all(), "a hand that bets also stays in"
    assert (known[:, 0] <= strength_of(parse_hand("9H 9C 9D 5S 5C"))).mean() > 0.98


@pytest.mark.prove
def test_shipped_plan_is_the_computed_one() -> None:
    assert np.array_equal(build_plan(), later_plan())


def test_later_choices_cannot_lose_much_by_checking() -> None:
    """A check can be followed by a fold, so it loses nothing, whatever the opponents hold."""
    for hand in ("9H 7D 5C 4S 2D", "TH TC 9C 6S 5C", "AS KC TS 7S 4C"):
        advice = advise_played_out(closing(parse_hand(hand)), ME)
        check = next(one for one in advice.choices if one.action == Check())
        assert check.error is not None
        assert check.value >= -2 * check.error


def closing(cards: Hand, *, drawn: tuple[int, ...] = (3, 3, 3), bets: bool = False) -> State:
    """The first seat has to bet after a draw without bets, or to answer a bet of the last one."""
    state = game.start(Options(opponents=2, stakes=Stakes.LIMIT))
    view = replace(
        state,
        phase=Phase.CLOSING,
        dealt_in=(0, 1, 2),
        hands=(cards, (), ()),
        thrown=((), (), ()),
        drawn=drawn,
        put_in=(5, 5, 5),
        stacks=(395, 395, 395),
    )
    begun = game.begin_betting(view, Phase.CLOSING).state
    if not bets:
        return begun
    for seat, act in ((0, Check()), (1, Check()), (2, Bet())):
        begun = game.step(begun, Seat(seat), act).state
    return begun


# ---- what opponents hold -------------------------------------------------------------------------


def test_orders_of_acts_lead_to_the_position() -> None:
    """Every order in the first round, replayed, ends where the position is."""
    positions, _ = wild_positions(3, 40)
    several = 0
    for view, seat in positions:
        if view.phase is Phase.CLOSING and len(view.alive) == 2:
            continue
        for phase in {Phase.OPENING, view.phase} - {Phase.DRAW}:
            orders = acts.past_acts(view, phase)
            assert orders, (view, seat)
            several += len(orders) > 1
            assert len({tuple((act.seat, act.act) for act in order) for order in orders}) == len(
                orders
            )
    assert several > 5


Script: TypeAlias = tuple[tuple[int, Action | int], ...]
"""The acts of all seats in turn; draws are given by the number of cards."""
ONE_BETS: Script = ((1, Check()), (2, Bet()), (0, Call()), (1, Fold()), (2, 3))
ALL_CHECK: Script = (
    *((1, Check()), (2, Check()), (3, Check()), (0, Check())),
    *((1, 3), (2, 3), (3, 3)),
)
BETS_AFTER_DRAW: Script = (
    *((1, Check()), (2, Check()), (0, Check()), (1, 3), (2, 3), (0, 3)),
    *((1, Check()), (2, Bet())),
)


class Level:
    """A computer player of the mixed table, with dice of its own."""

    def __init__(self, random: Random) -> None:
        self.random, self.bot = random, ALGORITHM if random.random() < 1 / 3 else CAREFUL

    def below(self, sides: int) -> int:
        return self.random.randrange(sides)

    def act(self, state: State, seat: Seat) -> Action:
        return self.bot.choose(game.view(state, seat), seat, game.offers(state, seat), self)


def play_script(hand: Hand, script: Script, random: Random) -> tuple[State, list[Card], Any] | None:
    """Deal a hand to seat 0, and play; return ``None`` if a computer player acts differently."""
    opponents = max(seat for seat, _ in script)
    options = Options(opponents, Stakes.LIMIT)
    state = replace(game.start(options), dealer=0)
    pack = [card for card in PACK if card not in hand]
    random.shuffle(pack)
    own, players = list(hand), {Seat(one): Level(random) for one in range(1, opponents + 1)}
    state = game.step(state, ME, Play()).state
    state = game.step(state, None, Shoe(len(PACK))).state
    wanted_acts = iter(script)
    while True:
        asked = game.turn(state)
        if isinstance(asked, NeedCard):
            from_pack = state.waiting[0] != ME or state.phase is Phase.DRAW
            card = pack.pop() if from_pack else own.pop()
            state = game.step(state, None, Deal(card)).state
            continue
        assert isinstance(asked, AskSeats)
        (actor,) = asked.seats
        if (wanted := next(wanted_acts, None)) is None:
            return state, pack, players
        assert actor == wanted[0]
        if actor == ME:
            action = KEPT_PAIR if isinstance(wanted[1], int) else wanted[1]
        else:
            action = players[actor].act(state, actor)
            done = len(action.positions) if isinstance(action, Discard) else action
            if done != wanted[1]:
                return None
        state = game.step(state, actor, action).state


ENOUGH, MOST_DEALT = 3_000, 60_000
KEPT_PAIR = Discard((3, 4, 5))


def played_on(state: State, pack: list[Card], players: Any, choice: Action, dice: Random) -> int:
    """Return what seat 0 gains by a choice if it goes on like a computer player."""
    before, left = state.stacks[ME], [*pack]
    step = game.step(state, ME, choice)
    while (state := step.state).phase is not Phase.REST:
        asked = game.turn(state)
        if isinstance(asked, NeedCard):
            step = game.step(state, None, Deal(left.pop()))
            continue
        assert isinstance(asked, AskSeats)
        (actor,) = asked.seats
        if actor == ME:
            view, offers = game.view(state, ME), game.offers(state, ME)
            action = CAREFUL_EXACT.choose(view, ME, offers, Bluff([dice.random()] * 9))
        else:
            action = players[actor].act(state, actor)
        step = game.step(state, actor, action)
    return state.stacks[ME] - before


@pytest.mark.prove
@pytest.mark.parametrize(
    ("cards", "script", "choices"),
    [
        ("TC TS JS 4H 3H", ONE_BETS, (Discard((3, 4, 5)), Discard((4, 5)), Discard(()))),
        ("TC TS JS 4H 3H", ALL_CHECK, (Discard((3, 4, 5)), Discard((1, 2, 3)))),
        ("AC AS JS 4H 3H", BETS_AFTER_DRAW, (Call(), Raise(), Fold())),
        ("KC KS JS 4H 3H", ((1, Bet()),), (Call(), Raise())),
        ("KC KS JS 4H 3H", ((1, Check()), (2, Bet()), (3, Call())), (Call(), Raise())),
    ],
    ids=[
        "draw after a bet",
        "draw after checks",
        "bet after the draw",
        "a bet",
        "a bet and a call",
    ],
)
def test_gains_are_those_of_hands_dealt_one_by_one(
    cards: str, script: Script, choices: tuple[Action, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Deals in which the real computer players act differently are thrown away."""
    monkeypatch.setattr(Playout, "act", plays_on)
    true: list[list[int]] = [[] for _ in choices]
    views: Counter[State] = Counter()
    for number in range(MOST_DEALT):
        if (found := play_script(parse_hand(cards), script, Random(number))) is None:
            continue
        state, pack, players = found
        views[game.view(state, ME)] += 1
        for gains, choice in zip(true, choices, strict=True):
            gains.append(played_on(state, pack, players, choice, Random(-number - 1)))
        if len(true[0]) == ENOUGH:
            break
    assert len(true[0]) > 1_000
    bulk = np.concatenate(
        [sample_of(view, choices, count * max(4, 40 // count)) for view, count in views.items()],
        axis=1,
    )
    for real, gains in zip(np.array(true), bulk, strict=True):
        error = (real.var() / len(real) + gains.var() / len(gains)) ** 0.5
        assert abs(real.mean() - gains.mean()) <= 3 * error


def sample_of(view: State, choices: Sequence[Action], count: int) -> Any:
    plan = discard_exactly(view.hands[ME]) if view.phase is Phase.OPENING else ()
    return play_out(view, ME, RangeDealer(view, ME).deal(count), choices, plan)[0]


# ---- the errors of differences -------------------------------------------------------------------


@pytest.mark.prove
def test_differences_from_the_best_are_within_two_errors() -> None:
    """Each decision is dealt again, with other cards."""
    inside, near = [], []
    for view, seat in mixed_positions(40):
        advice = advise_played_out(view, seat)
        plan = discard_exactly(view.hands[seat]) if view.phase is Phase.OPENING else ()
        rivals = [one for one in advice.choices[1:6] if advice.best.value - one.value < 8]
        choices = [advice.best.action, *(one.action for one in rivals)]
        dealer = RangeDealer(view, seat, salt=1)
        batches = [play_out(view, seat, dealer.deal(2_000), choices, plan)[0] for _ in range(8)]
        gains = np.concatenate(batches, axis=1)
        for one, sampled in zip(rivals, gains[0] - gains[1:], strict=True):
            gap, error = advice.best.value - one.value, advice.gap_error_of(one)
            off = abs(float(sampled.mean()) - gap)
            inside.append(off <= 2 * (error**2 + sampled.var() / sampled.size) ** 0.5)
            if gap < 5:
                near.append(error)
    assert len(inside) > 100
    assert np.mean(inside) >= 0.93
    assert max(near) <= 1
