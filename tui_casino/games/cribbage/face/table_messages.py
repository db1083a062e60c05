"""Sentences for the message line: cards played, points scored, and how a round ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct

from ....cards.card import BACK, card_symbols
from ....engine.game import Seat
from ....gamekit.words import SEAT_NAMES
from ....tui.draw.text import capitalize
from ..machine import state as m
from .counting import CountPage, count_aloud, score_name

SHORT = 3
"""The number of letters to which a name before a row of holes is shortened."""


class SeatNames(Struct, frozen=True):
    """The names of both seats for the player in seat ``me``, or for a watcher (``None``)."""

    me: Seat | None
    names: tuple[str, str]

    @classmethod
    def of_players(
        cls,
        players: Mapping[Seat, str | None],
        me: Seat | None,
        humans: Sequence[str] = SEAT_NAMES,
        others: Mapping[Seat, str] = MappingProxyType({}),
    ) -> SeatNames:
        """Return the names of a table's players; two equal names become North and South.

        ``humans`` are the names of the human players by seat, and ``others`` those of people who
        play elsewhere.
        """
        named = {**{seat: who and who.capitalize() for seat, who in players.items()}, **others}
        first, second = (named[Seat(seat)] or humans[seat] for seat in m.SEATS)
        if first == second:
            first, second = (SEAT_NAMES[seat] for seat in m.SEATS)
        names = (first, second)
        return cls(me, names if me is None else _with_you(names, me))

    def __getitem__(self, seat: int) -> str:
        """Return the name of a seat: ``You``, ``Greedy``."""
        return self.names[seat]

    def with_verb(self, seat: int, you_form: str, name_form: str) -> str:
        return f"{self[seat]} {you_form if seat == self.me else name_form}"

    def possessive(self, seat: int) -> str:
        """Return the possessive: ``your``, ``Greedy's``."""
        return "your" if seat == self.me else f"{self[seat]}'s"

    def recipient(self, seat: int) -> str:
        """Return the name of a seat that receives points: ``you``, ``Greedy``."""
        return "you" if seat == self.me else self[seat]

    def score_label(self, seat: int) -> str:
        """Return the name shown before points; a name that ends in a digit gets a colon."""
        name = self[seat]
        return f"{name}:" if name[-1].isdigit() else name

    def lane_label(self, seat: int) -> str:
        """Return the short name before a row of holes, such as ``YOU`` or ``GRE``."""
        return self[seat][:SHORT].upper()


def _with_you(names: tuple[str, str], me: int) -> tuple[str, str]:
    return ("You", names[1]) if me == 0 else (names[0], "You")


def event_sentences(events: Sequence[m.Event], names: SeatNames) -> list[str]:
    """Return a sentence for each event; the sentence about a card includes what it scores."""
    sentences: list[str] = []
    for place, event in enumerate(events):
        match event:
            case m.RoundBegun(dealer):
                sentences.append(f"{names.with_verb(dealer, 'deal', 'deals')}.")
            case m.Laid(seat, count, card):
                scored = _scored_by(events[place + 1 :], seat)
                action = f"{names.with_verb(seat, 'play', 'plays')} {card.symbol}"
                sentences.append(
                    f"{action}, {count}: {scored}." if scored else f"{action}: {count}."
                )
            case m.GoSaid(seat):
                sentences.append(f"{names.with_verb(seat, 'say', 'says')} go.")
            case m.Scored(seat, _, points, kind, _, part):
                alone = part is m.RoundPart.STARTER or (part is m.RoundPart.PLAY and kind == "go")
                if alone:
                    scores = names.with_verb(seat, "score", "scores")
                    sentences.append(f"{scores} {points} for {_score_reason(kind)}.")
            case m.RoundOver(points):
                sentences.append(_round_over_sentence(points, names))
            case m.GameOver(winner, (first, second), worth):
                margin = ("", " by a skunk", " by a double skunk")[worth - 1]
                wins = names.with_verb(winner, "win", "wins")
                sentences[-1:] = [f"{wins} {max(first, second)} to {min(first, second)}{margin}."]
    return sentences


def log_sentences(event: m.Event, names: SeatNames) -> tuple[str, ...]:
    """Return short lines about an event for the log on the screen, without hidden cards."""
    match event:
        case m.HandDealt(seat, hand) if BACK not in hand:
            return (f"{names.with_verb(seat, 'get', 'gets')} {card_symbols(hand)}",)
        case m.Discarded(seat, cards, _) if BACK not in cards:
            return (f"{names.with_verb(seat, 'discard', 'discards')} {card_symbols(cards)}",)
        case m.StarterTurned(card):
            return (f"The starter is {card.symbol}",)
        case m.Laid(seat, count, card):
            return (f"{names.with_verb(seat, 'play', 'plays')} {card.symbol}: {count}",)
        case m.HandShown(seat, _, hand, crib):
            shown = "crib" if crib else "hand"
            return (f"{capitalize(names.possessive(seat))} {shown}: {card_symbols(hand)}",)
        case m.Scored(seat, _, points, kind, _, _):
            scores = names.with_verb(seat, "score", "scores")
            return (f"{scores} {points} for {_score_reason(kind)}",)
    return ()


def _scored_by(later_events: Sequence[m.Event], seat: int) -> str:
    """Describe what a card scored, given the events that followed it."""
    scores = []
    for event in later_events:
        if not isinstance(event, m.Scored) or event.seat != seat or event.kind == "go":
            break
        scores.append(f"{_score_reason(event.kind)} for {event.points}")
    return " and ".join(scores)


def _score_reason(kind: str) -> str:
    return "a jack turned up" if kind == "starter" else score_name(kind)


def _round_over_sentence(points: Sequence[int], names: SeatNames) -> str:
    first, second = (
        f"{names.with_verb(seat, 'have', 'has')} {points[seat]}" for seat in _me_first(names)
    )
    return f"{first}, {second}."


def _me_first(names: SeatNames) -> tuple[int, int]:
    return (1, 0) if names.me == 1 else (0, 1)


def hand_worth_text(page: CountPage, names: SeatNames) -> str:
    """Return a sentence on the points of a hand and the points that the owner missed."""
    spoken = count_aloud(page.scores)
    if page.claimed_points is None:
        return f"{capitalize(names.possessive(page.seat))} {page.hand_kind}: {spoken}."
    claim = f"{names.with_verb(page.seat, 'counted', 'counted')} {page.claimed_points}"
    if page.claimed_points == page.total_points:
        return f"{claim}, which is right."
    if page.claimed_points > page.total_points:
        excess = page.claimed_points - page.total_points
        return f"{claim}, but it is {page.total_points}. {excess} too many."
    missed = f"{claim}, but it is {page.total_points}. {page.missed} missed"
    if not page.muggins:
        return f"{missed}: {_names_of_missed(page)}."
    other = 1 - page.seat
    caller = "you call" if other == names.me else f"{names[other]} calls"
    return f"{missed}, and {caller} muggins: {page.muggins} to {names.recipient(1 - page.seat)}."


def short_worth_text(page: CountPage, names: SeatNames) -> str:
    """Return a shorter sentence on the count of a hand, for a narrow window."""
    if page.claimed_points is None or not page.missed:
        return f"{capitalize(names.possessive(page.seat))} {page.hand_kind}: {page.total_points}."
    muggins_text = (
        f": {page.muggins} to {names.recipient(1 - page.seat)} by muggins" if page.muggins else ""
    )
    return f"{page.claimed_points} of {page.total_points} counted{muggins_text}."


def _names_of_missed(page: CountPage) -> str:
    """Return the names of the kinds that were missed, each once."""
    return ", ".join(
        dict.fromkeys(score_name(row.score.kind) for row in page.rows if not row.claimed)
    )
