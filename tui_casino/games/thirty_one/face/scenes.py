"""The parts of a table as shown: hands with titles, the bets to choose from, and the rules."""

from __future__ import annotations

from collections.abc import Sequence

from ....engine.money import dollars
from ....tui.draw.canvas import TableRow, TableRows, TonedLine
from ....tui.draw.card_art import CardState as Art
from ....tui.draw.plots import sparkline
from ....tui.draw.text import signed_money, with_sign
from ..machine.moves import RoundOver, Settled
from ..machine.rules import Rules, total_of
from ..machine.state import PlayerHand, State
from .summary import say_total
from .table_catalog import changed_rules
from .table_messages import short_reason
from .tally import Tally
from .widgets.table_top import HandScene

CHIPS = (20, 50, 100, 150, 200)
"""The bets that a digit or a click chooses, in dollars."""


# ---- hands -----------------------------------------------------------------------------------


def dealer_scene(view: State) -> HandScene:
    """Return the dealer's hand as shown."""
    total = total_of(view.dealer)
    line: list[tuple[str, str]] = []
    if view.dealer:
        said = say_total(total)
        line.append((said.partition(", two")[0] if view.insurance else said, "strong"))
    if view.insurance:
        line.append((f"  insured {dollars(view.insurance)}", "muted"))
    art = Art.DIMMED if total.bust else Art.NORMAL
    return HandScene(view.dealer, art, (("DEALER", "gold"),), tuple(line))


def hand_scenes(
    view: State, result: RoundOver | None, star: str, *, marks_14: bool = True
) -> tuple[HandScene, ...]:
    """Return the player's hands as they are shown; after a round, include their results."""
    if not view.hands:
        return (HandScene((), Art.NORMAL, (("YOU", "gold"),), ()),)
    count = len(view.hands)
    if result is not None:
        return tuple(
            _settled_hand(place, hand, count, star) for place, hand in enumerate(result.hands)
        )
    marked = view.active if view.offers_14 and marks_14 else None
    return tuple(
        _hand_in_play(place, hand, view, marked=place == marked)
        for place, hand in enumerate(view.hands)
    )


def _name(place: int, count: int) -> str:
    return "YOU" if count == 1 else f"HAND {place + 1}"


def _hand_in_play(place: int, hand: PlayerHand, view: State, *, marked: bool) -> HandScene:
    count = len(view.hands)
    active = view.active == place
    resting = view.active is not None and not active
    bet = dollars(hand.bet)
    total = say_total(hand.total) if hand.cards else ""
    name = _name(place, count)
    state = "  stands" if hand.stood else ""
    tone = "block" if marked else "strong"
    total_text = f" {total} " if tone == "block" else total
    total_line: TonedLine = ((total_text, tone), (state, "muted"), (f"   bet {bet}", "muted"))
    art = Art.DIMMED if hand.total.bust or resting else Art.NORMAL
    return HandScene(
        hand.cards,
        art,
        ((name, "muted" if resting else "gold"),),
        total_line,
        short_text=((f"{hand.total.points}{state[1:]}", ""), (f" {bet}", "muted")),
    )


def _settled_hand(place: int, hand: Settled, count: int, star: str) -> HandScene:
    net = hand.back - hand.bet
    total = total_of(hand.cards)
    art = Art.DIMMED if total.bust else Art.WINNING if net > 0 else Art.NORMAL
    score = say_total(total) if count == 1 else _score_text(hand)
    tone = "good" if net > 0 else "bad" if net < 0 else "muted"
    words = f"wins {dollars(net)}" if net > 0 else f"loses {dollars(-net)}" if net else "push"
    result_text = f"{star} {words}" if net > 0 else words
    return HandScene(
        hand.cards,
        art,
        ((_name(place, count), "gold"),),
        ((score, "strong"), (f"  {result_text}", tone)),
        short_text=((f"{score} ", ""), (signed_money(net), tone)),
    )


def _score_text(hand: Settled) -> str:
    """Return a hand's total, and the dealer's total that it was compared with.

    The total is not computed from the dealer's cards, because the dealer may have drawn more since.
    """
    total = total_of(hand.cards)
    if total.bust:
        return say_total(total)
    return "on 14" if hand.on_14 else f"{total.points} to {hand.against}"


# ---- rows next to the hands ------------------------------------------------------------------


def chip_rows(bet: int, limit: int) -> TableRows:
    """Return the bets to choose from; ``limit`` is the highest possible bet in dollars."""
    rows = [TableRow((("BET", "gold"),))]
    for number, chip in enumerate(CHIPS, 1):
        tone = "block" if chip == bet else "" if chip <= limit else "faint"
        rows.append(TableRow(((f"{number}", "gold"), (f"{chip:>5} ", tone)), key=str(number)))
    if bet not in CHIPS:
        rows.append(TableRow(((" ", ""), (f"{bet:>5} ", "block"))))
    return tuple(rows)


def offer_rows() -> TableRows:
    """Return the highlighted rows that offer to stand on 14."""
    return TableRow(((" STAND ON 14 ", "block"),), key="s"), TableRow((("only a 31 beats it", ""),))


def rule_rows(rules: Rules, *, hints: bool = True) -> TableRows:
    """Return rows with a short version of the house rules, with or without advice for a 14."""
    soft = " and soft 27" if rules.dealer_hits_soft else ""
    lines = [
        "closer to 31 wins; over 31 loses",
        "ace 11 or 1; face cards 10",
        f"your 14 loses only to 31{': stand' if hints else ''}",
        f"dealer draws to 27{soft},",
        "but stops on 14; the dealer's 14",
        "beats all hands except a 14",
        f"insurance against 31 pays {rules.insurance}",
    ]
    in_text = ("dealer_hits_soft", "insurance")
    lines += [words.lower() for rule, words in changed_rules(rules).items() if rule not in in_text]
    return (TableRow((("THE RULES", "gold"),)), *(TableRow(((line, "muted"),)) for line in lines))


def round_rows(rounds: Sequence[RoundOver], star: str) -> TableRows:
    """Return rows with the last rounds, latest first, and their reasons and results."""
    rows = [TableRow((("LAST ROUNDS", "gold"),))]
    for over in reversed(rounds):
        net = over.won - over.wagered
        tone = "good" if net > 0 else "bad" if net < 0 else "muted"
        rows.append(TableRow(((_result_text(over), ""),), ((signed_money(net), tone),)))
    return tuple(rows)


def _result_text(over: RoundOver) -> str:
    if len(over.hands) > 1:
        return f"{len(over.hands)} hands"
    return short_reason(over.hands[0])


def sitting_rows(tally: Tally, bankroll: Sequence[int], width: int, plain: bool) -> TableRows:
    """Return rows with the results of the session, and a plot of the credit after each round."""
    net = tally.won - tally.wagered
    tone = "good" if net > 0 else "bad" if net < 0 else "muted"
    parts = [f"rounds {tally.rounds:,}", f"hands won {tally.wins:,} of {tally.hands:,}"]
    if tally.player_14:
        parts.append(f"on 14 {tally.player_14_won:,} of {tally.player_14:,}")
    figures = TableRow((("   ".join(parts), ""),), ((signed_money(net), tone),))
    while figures.width > width and len(parts) > 1:
        parts.pop()
        figures = figures._replace(line=(("   ".join(parts), ""),))
    return (
        TableRow((("THIS SESSION", "gold"),)),
        figures,
        TableRow(((sparkline(bankroll, width, plain), "good"),)),
    )


def shoe_rows(remaining: Sequence[int], count: float) -> TableRows:
    """Return rows with the cards left in the shoe, the tens left, and the high-low count.

    ``remaining`` counts the cards by value, aces first.
    """
    figures = (("cards left", f"{sum(remaining)}"), ("tens left", f"{remaining[-1]}"))
    rows = [*figures, ("count", with_sign(round(10 * count), f"{abs(count):.1f}"))]
    return (
        TableRow((("this shoe", "muted"),)),
        *(TableRow(((name, ""),), ((f"{figure:>4}", "strong"),)) for name, figure in rows),
    )
