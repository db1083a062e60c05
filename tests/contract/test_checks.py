"""The contract's checks pass a sound game and catch each fault planted in it."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import fields

from tests.contract.checks import CHECKS
from tests.contract.toy.face.tally import Tally
from tests.contract.toy.face.words import chips
from tests.contract.toy.machine import game as toy
from tests.helpers import faulty_toy
from tui_casino.cards.card import BACK, PACK
from tui_casino.engine.croupier import OutOfCards
from tui_casino.engine.game import AskSeats, IllegalAction, NeedCard, Seat, SittingOver, Step
from tui_casino.engine.money import Money
from tui_casino.engine.offers import IntRange, Offer, OneOf
from tui_casino.gamekit.definition import AnyDefinition
from tui_casino.structs import replace


@pytest.mark.parametrize("name", CHECKS)
def test_toy_game_without_faults_passes_every_contract_check(name: str) -> None:
    CHECKS[name](faulty_toy.toy(), 1)


class NotFrozen(Struct):
    chips: int = 50


def shows_all(state: toy.State, seat: Seat | None) -> toy.State:
    return state


def shows_thrown(state: toy.State, seat: Seat | None) -> toy.State:
    return replace(toy.view(state, seat), thrown=state.thrown)


def shows_who_wins(state: toy.State, seat: Seat | None) -> toy.State:
    """No card, but the other's card decides a number that the seat sees."""
    seen = toy.view(state, seat)
    return replace(seen, stock=max(card.rank for card in state.cards)) if state.cards else seen


def sorts_before_hiding(state: toy.State, seat: Seat | None) -> toy.State:
    """The place of a seat's own card reveals whether the hidden card is higher."""
    seen = toy.view(state, seat)
    if seat is None or not state.staked:
        return seen
    own = state.cards[seat : seat + 1]
    return replace(seen, cards=tuple(c if c in own else BACK for c in sorted(state.cards)))


def shows_a_watcher_all(state: toy.State, seat: Seat | None) -> toy.State:
    return state if seat is None else toy.view(state, seat)


def sits_a_watcher_down(state: toy.State, seat: Seat | None) -> toy.State:
    return toy.view(state, Seat(0) if seat is None else seat)


def shows_a_watcher_who_wins(state: toy.State, seat: Seat | None) -> toy.State:
    return shows_who_wins(state, seat) if seat is None else toy.view(state, seat)


def tells_a_watcher_all(state: toy.State, event: toy.Event, seat: Seat | None) -> toy.Event:
    return event if seat is None else toy.hear(state, event, seat)


def tells_a_watcher_as_a_seat(state: toy.State, event: toy.Event, seat: Seat | None) -> toy.Event:
    return toy.hear(state, event, Seat(0) if seat is None else seat)


def tells_all(state: toy.State, event: toy.Event, seat: Seat | None) -> toy.Event:
    return event


def tells_half(state: toy.State, event: toy.Event, seat: Seat | None) -> toy.Event:
    heard = toy.hear(state, event, seat)
    if seat is None:
        return heard
    if isinstance(heard, toy.Dealt) and isinstance(event, toy.Dealt) and event.card.rank > 7:
        return replace(heard, seat=seat)
    return heard


def offers_too_much(state: toy.State, seat: Seat) -> tuple[Offer[Any], ...]:
    return tuple(
        Offer(toy.Change, (OneOf(("one", 2)),)) if offer.kind is toy.Change else offer
        for offer in toy.offers(state, seat)
    )


def offers_by_hidden_card(state: toy.State, seat: Seat) -> tuple[Offer[Any], ...]:
    good = toy.offers(state, seat)
    other = state.cards[1 - seat] if state.staked and good else None
    return good[:1] if other and other.rank > 7 else good


def offers_without_slot(state: toy.State, seat: Seat) -> tuple[Offer[Any], ...]:
    return tuple(Offer(offer.kind) for offer in toy.offers(state, seat))


def offers_nothing(state: toy.State, seat: Seat) -> tuple[Offer[Any], ...]:
    return tuple(replace(offer, barred="never") for offer in toy.offers(state, seat))


def offers_always(state: toy.State, seat: Seat) -> tuple[Offer[Any], ...]:
    return (Offer(toy.Keep), Offer(toy.Change, (IntRange(1, 2),)))


def offers_to_who_has_answered(state: toy.State, seat: Seat) -> tuple[Offer[Any], ...]:
    return toy.offers(replace(state, asked=toy.SEATS) if state.asked else state, seat)


def takes_a_chip(state: toy.State, actor: Any, action: Any) -> Step[Any, Any]:
    done = toy.step(state, actor, action)
    a, b = done.state.chips
    return Step(replace(done.state, chips=(a + isinstance(action, toy.Change), b)), done.events)


def deals_from_the_sleeve(state: toy.State, actor: Any, action: Any) -> Step[Any, Any]:
    done = toy.step(state, actor, action)
    if isinstance(action, toy.Change):
        return Step(replace(done.state, thrown=(PACK[0],) * 2), done.events)
    return done


def loses_cards(state: toy.State, actor: Any, action: Any) -> Step[Any, Any]:
    done = toy.step(state, actor, action)
    if done.events and isinstance(done.events[0], toy.Dealt) and done.state.thrown:
        return Step(replace(done.state, cards=state.cards), done.events[1:])
    return done


def never_stops(state: toy.State) -> Any:
    if isinstance(toy.turn(state), SittingOver) and state.staked and not state.stock:
        return NeedCard()
    return toy.turn(state)


def always_asks(state: toy.State) -> Any:
    return AskSeats((Seat(0),)) if state.waits else toy.turn(state)


def asks_backwards(state: toy.State) -> Any:
    turn = toy.turn(state)
    return AskSeats(turn.seats[::-1]) if isinstance(turn, AskSeats) else turn


def asks_a_seat_too_many(state: toy.State) -> Any:
    turn = toy.turn(state)
    return AskSeats((*turn.seats, Seat(2))) if isinstance(turn, AskSeats) else turn


def asks_nobody(state: toy.State) -> Any:
    turn = toy.turn(state)
    return AskSeats(()) if isinstance(turn, AskSeats) else turn


def pays_from_nowhere(state: toy.State, seat: Seat) -> Money:
    return replace(toy.money(state, seat), staked=0)


class Seen(toy.State, frozen=True):
    """A view of a class of its own."""


def views_another_class(state: toy.State, seat: Seat) -> toy.State:
    seen = toy.view(state, seat)
    return Seen(**{each.name: getattr(seen, each.name) for each in fields(seen)})


def views_a_half(state: toy.State, seat: Seat) -> toy.State:
    return replace(toy.view(state, seat), stock=state.stock / 2)  # type: ignore[arg-type]


def helps_with_kc(view: toy.State) -> str:
    return "d\nk\nkc\n$\na\ns"


def helps_with_q(view: toy.State) -> str:
    return "d\nk\nq\n$\na\ns"


def helps_with_keep_only(view: toy.State) -> str:
    return "k  keep"


def ends_with_a_space(event: toy.Event, seat: Seat) -> tuple[str, ...]:
    return ("trailing ",)


def says_nothing(event: toy.Event, seat: Seat) -> tuple[str, ...]:
    return ()


class Cheat:
    def choose(self, view: Any, seat: Seat, offers: Any, dice: Any) -> Any:
        return toy.Change(3)


class Forgetful(Tally, frozen=True):
    pass

    def __add__(self, other: Any) -> Any:
        return self


VERBS = {"d": toy.Ante, "k": toy.Keep}
"""The verbs of the toy but for one."""
FAULTS: list[tuple[str, dict[str, Any]]] = [
    ("frozen values", {"Options": NotFrozen}),
    ("frozen values", {"actions": (toy.Keep, toy.Keep)}),
    ("frozen values", {"unit": 0}),
    ("hidden cards", {"view": shows_all}),
    ("hidden cards", {"view": shows_all, "hear": tells_all}),
    ("hidden cards", {"view": shows_thrown}),
    ("hidden cards", {"view": shows_who_wins}),
    ("hidden cards", {"view": sorts_before_hiding}),
    ("hidden cards", {"hear": tells_all}),
    ("hidden cards", {"hear": tells_half}),
    ("hidden cards", {"view": shows_a_watcher_all}),
    ("hidden cards", {"view": shows_a_watcher_who_wins}),
    ("hidden cards", {"hear": tells_a_watcher_all}),
    ("hidden cards", {"view": sits_a_watcher_down, "hear": tells_a_watcher_as_a_seat}),
    ("hidden cards", {"offers": offers_by_hidden_card}),
    ("offers", {"offers": offers_too_much}),
    ("offers", {"offers": offers_without_slot}),
    ("offers", {"offers": offers_nothing}),
    ("offers", {"offers": offers_always}),
    ("offers", {"offers": offers_to_who_has_answered}),
    ("offers", {"events": (toy.Dealt,)}),
    ("offers", {"turn": always_asks}),
    ("offers", {"turn": asks_backwards}),
    ("offers", {"turn": asks_a_seat_too_many}),
    ("offers", {"turn": asks_nobody}),
    ("money and cards", {"step": takes_a_chip}),
    ("money and cards", {"step": deals_from_the_sleeve}),
    ("money and cards", {"step": loses_cards}),
    ("money and cards", {"money": pays_from_nowhere}),
    ("short shoe", {"turn": never_stops}),
    ("states as JSON", {"view": views_another_class}),
    ("states as JSON", {"view": views_a_half}),
    ("typed words", {"verbs": VERBS}),
    ("typed words", {"verbs": VERBS | {"kc": toy.Change}, "help": helps_with_kc}),
    ("typed words", {"verbs": VERBS | {"q": toy.Change}, "help": helps_with_q}),
    ("typed words", {"help": helps_with_keep_only}),
    ("typed words", {"questions": {"k": chips}}),
    ("printed events", {"lines": ends_with_a_space}),
    ("printed events", {"lines": says_nothing}),
    ("tally sums", {"Tally": Forgetful}),
    ("computer players", {"players": {}}),
    ("computer players", {"players": {"cheat": Cheat}}),
]


def described(name: str, faults: dict[str, Any]) -> str:
    return "-".join([name, *(_fault_name(*fault) for fault in faults.items())])


def _fault_name(part: str, fault: Any) -> str:
    """Return the name of a function or class, or which part has a wrong value."""
    return str(getattr(fault, "__name__", f"wrong {part}"))


@pytest.mark.parametrize(("name", "faults"), FAULTS, ids=[described(*fault) for fault in FAULTS])
def test_contract_check_fails_for_a_toy_game_with_a_planted_fault(
    name: str, faults: dict[str, Any]
) -> None:
    definition: AnyDefinition = faulty_toy.toy(**faults)
    with pytest.raises((AssertionError, IllegalAction, OutOfCards, ValueError, TypeError)):
        CHECKS[name](definition, 1)
