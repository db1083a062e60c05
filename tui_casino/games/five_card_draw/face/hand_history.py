"""Hand histories: every hand of a log as readable text, with all known cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ....cards.card import BACK, Card, format_cards
from ....cards.poker import rank_hand
from ..brains.players import NAMES
from ..machine import state as m
from ..machine.betting import ANTE, LIMITS, pots_of
from .table_messages import ACTS, action_phrase

_END = "The end"
_WIDTH = max(map(len, NAMES))


def hand_histories(moments: Iterable[tuple[m.State, tuple[m.Event, ...]]]) -> Iterator[str]:
    """Yield the history of a session's hands, given each state with the events that led to it."""
    last, drawn_cards = "", list[Card]()
    for state, state_events in moments:
        for event in state_events:
            match event:
                case m.Discarded():
                    drawn_cards = []
                case m.CardDealt(_, card):
                    drawn_cards.append(card)
            for heading, line in _history_lines(state, event, drawn_cards):
                if heading != last:
                    if last == _END:
                        yield ""
                    yield heading
                    last = heading
                yield line


def _history_lines(
    state: m.State, event: m.Event, drawn_cards: Sequence[Card]
) -> Iterator[tuple[str, str]]:
    """Yield the lines that an event adds to the history, each with the heading it belongs under.

    ``drawn_cards`` are the cards dealt since the last discard.
    """
    drawing = any(count is not None for count in state.drawn)
    match event:
        case m.CardDealt(seat) if not state.waiting and drawing:
            discard_text = f"{_verb(seat, 'discards')} {format_cards(state.thrown[seat])}"
            draw_text = f"{_verb(seat, 'draws')} {format_cards(drawn_cards)}"
            yield "Draw", _line(seat, f"{discard_text}, {draw_text}: {_hand_text(state, seat)}")
        case m.CardDealt() if not state.waiting:
            for seat in state.dealt_in:
                yield _title(state), _line(seat, f"{_stack(state, seat)}{_hand_text(state, seat)}")
        case m.Discarded(seat, cards) if not cards:
            yield "Draw", _line(seat, f"{_verb(seat, 'stands pat')}: {_hand_text(state, seat)}")
        case m.Acted(seat, act, chips):
            when = "After the draw" if drawing else "Before the draw"
            if act == "raise" and state.betting is not None:
                chips = state.betting.bets[seat]
            verb = _verb(seat, ACTS[act])
            yield when, _line(seat, f"{verb} {chips}" if chips else verb)
        case m.HandShown(seat, hand, name):
            yield "Showdown", _line(seat, f"{format_cards(hand)}, {name}")
        case m.HandOver():
            for line in _result_lines(state, event):
                yield _END, line


def _verb(seat: int, verb: str) -> str:
    """Inflect a verb for the seat's name: you ``discard``, Ada ``discards``."""
    return action_phrase(seat, m.HUMAN, verb).removeprefix(NAMES[seat]).strip()


def _line(seat: int, text: str) -> str:
    return f"  {NAMES[seat]:<{_WIDTH}}  {text}"


def _hand_text(state: m.State, seat: int) -> str:
    hand = state.hands[seat]
    return format_cards(hand) if BACK in hand else f"{format_cards(hand)}, {rank_hand(hand).name}"


def _title(state: m.State) -> str:
    if state.options.stakes is m.Stakes.NOTHING:
        return f"Hand {state.played}"
    low, high = LIMITS
    limit = f", fixed limit {low} and {high}" * (state.options.stakes is m.Stakes.LIMIT)
    return (
        f"Hand {state.played}: ante {ANTE}{limit}; {action_phrase(state.dealer, m.HUMAN, 'deals')}"
    )


def _stack(state: m.State, seat: int) -> str:
    """Format the seat's credits before its ante."""
    if state.options.stakes is m.Stakes.NOTHING:
        return ""
    return f"{state.stacks[seat] + state.put_in[seat]:>5,}  "


def _result_lines(state: m.State, over: m.HandOver) -> Iterator[str]:
    if not any(over.won):
        yield f"  won by {' and '.join(NAMES[seat] for seat in over.winners)}"
        return
    for number, pot in enumerate(pots_of(over.put_in, state.alive)):
        name = "side pot" if number else "pot"
        yield f"  {name} {pot.credits:,}: {', '.join(NAMES[seat] for seat in pot.seats)}"
    for seat, won in enumerate(over.won):
        if won:
            yield _line(seat, f"won {won:,}, has {state.stacks[seat]:,}")
