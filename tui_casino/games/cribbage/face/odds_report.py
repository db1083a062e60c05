"""The odds of cribbage, chances to win, ranked discards and battles, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import TypeAlias

from ....cards.card import Hand, format_cards
from ....records.codec import ascii_json, encode
from ..brains.battle import CribbageBattle, PairedMean
from ..brains.discards import DiscardValue
from ..brains.odds import HANDS, ScoreDistribution, odds_of
from ..brains.show_points import PAR, PAR_CRIB, PAR_HAND, PLAYED, StarterPoints
from ..brains.win_chances import TARGET, WinChances, shipped_win_chances
from ..machine.rules import RuleSet

TEXT, NAMES = 72, 15
"""The width of a page of text in columns, and the width before the names of starters."""

# ---- odds --------------------------------------------------------------------------------------


def odds_as_json(rules: RuleSet) -> str:
    """Return one JSON object: the rules' name, and counts of hands and cribs by points."""
    odds = odds_of(rules)
    par = {"hand": PAR_HAND, "crib": PAR_CRIB, "dealer": PAR[True], "pone": PAR[False]}
    hands, cribs = _by_points(odds.hand), _by_points(odds.crib)
    return ascii_json(
        {"rules": rules.name, "hand": hands, "crib": cribs, "par": par, "played": PLAYED}
    )


def _by_points(distribution: ScoreDistribution) -> dict[str, int]:
    return {str(points): count for points, count in distribution.counts.items()}


def odds_as_text(rules: RuleSet) -> str:
    """Return a table of how many hands and cribs score each number of points, with the means."""
    odds = odds_of(rules)
    every = sorted({*odds.hand.counts, *odds.crib.counts})
    heading = f"{'Points':<10}{'hands':>12}{'chance':>12}{'cribs':>14}{'chance':>12}"
    lines = [
        f"Cribbage, {rules.name} rules: points of all hands and cribs with every starter",
        "",
        heading,
    ]
    for points in every:
        hands, cribs = odds.hand[points], odds.crib[points]
        lines.append(f"{points:<10}{_share(hands, 12)}{_share(cribs, 14)}")
    lines.append(f"{'total':<10}{HANDS:>12,}{'':>12}{HANDS:>14,}")
    means = float(odds.hand.mean), float(odds.crib.mean)
    lines.append(f"{'mean':<10}{means[0]:>12.6f}{'':>12}{means[1]:>14.6f}")
    return "\n".join([*lines, "", *par_lines()])


def par_lines() -> Iterator[str]:
    """Yield what good discards score on average, and what the trainer expects them to score."""
    yield "Average points with good discards (trainer's estimate):"
    yield f"  hand {PLAYED['hand']} ({PAR_HAND}), your own crib {PLAYED['crib']} ({PAR_CRIB})"
    yield f"  dealer, hand and crib {PLAYED['dealer']} ({PAR[True]})"
    yield f"  pone (non-dealer), hand minus crib {PLAYED['pone']} ({PAR[False]})"


def _share(count: int, width: int) -> str:
    return f"{count:>{width},}{count / HANDS:>12.6%}"


# ---- a hand by the starter ---------------------------------------------------------------------


def starters_as_json(hand: Hand, starters: StarterPoints) -> str:
    """Return one JSON object: the four cards, the mean, and the points by starter."""
    points = {str(card): points for card, points in starters.points.items()}
    mean = float(starters.mean)
    return ascii_json({"hand": [str(card) for card in hand], "mean": mean, "starters": points})


def starters_as_text(hand: Hand, starters: StarterPoints) -> str:
    """Return a page with the points of four cards by starter, most points first."""
    return "\n".join(
        [
            f"Points of {format_cards(hand)} with each starter",
            "",
            *starter_lines(starters, TEXT, letters=True),
        ]
    )


def starter_lines(starters: StarterPoints, width: int, *, letters: bool = False) -> Iterator[str]:
    """Yield the points of a hand by starter, most points first, and the average."""
    yield f"{'points':>6} {'cards':>6}  starters"
    for points, count, names in starters.by_points(letters=letters):
        first, *more_lines = wrap(" ".join(names), width - NAMES)
        yield f"{points:>6} {count:>6}  {first}"
        yield from (" " * NAMES + line for line in more_lines)
    yield f"average {float(starters.mean):.3f} points"


# ---- discards ----------------------------------------------------------------------------------


def discards_as_json(ranked: Sequence[DiscardValue]) -> str:
    """Return a JSON array, best first: cards, sums of hand and crib over all cases, and EV."""
    return ascii_json(
        [
            {
                "discard": [str(card) for card in one.discard],
                "hand": one.hand,
                "crib": one.crib,
                "ev": float(one.ev),
            }
            for one in ranked
        ]
    )


def discards_as_text(ranked: Sequence[DiscardValue]) -> str:
    """Return a table in points, best first: hand, crib, EV and cost of each discard."""
    lines = [f"{'discard':<10}{'hand':>8}{'crib':>9}{'EV, points':>11}{'cost':>8}"]
    best = ranked[0].ev
    for one in ranked:
        hand, crib = one.hand[0] / one.hand[1], one.crib[0] / one.crib[1]
        crib = crib if one.dealer else -crib
        cost = float(best - one.ev)
        lines.append(
            f"{format_cards(one.discard):<10}{hand:>8.3f}{crib:>+9.3f}{float(one.ev):>+11.3f}{cost:>8.3f}"
        )
    return "\n".join(lines)


# ---- battles -----------------------------------------------------------------------------------


def battle_as_json(battle: CribbageBattle) -> str:
    """Return one JSON object; a margin is half the width of the 95% interval."""
    report = {
        "rules": battle.rules,
        "seed": str(battle.seed),
        "pairs": len(battle.pairs),
        "games": len(battle.games),
        "deals": battle.deals,
        "players": [
            {
                "player": name,
                "wins": battle.wins(player),
                "skunks": battle.skunks(player, 2),
                "double_skunks": battle.skunks(player, 3),
                "points_a_deal": battle.points_a_deal(player),
            }
            for player, name in enumerate(battle.players)
        ],
        "share": _mean(battle.share),
        "lead": _mean(battle.lead),
    }
    return ascii_json(report)


def _mean(mean: PairedMean) -> dict[str, float]:
    return {"value": mean.value, "margin": mean.margin}


def battle_as_text(battle: CribbageBattle) -> str:
    """Return a page: games won, skunks, points per deal, and the 95% intervals."""
    return "\n".join(_battle_lines(battle))


def _battle_lines(battle: CribbageBattle) -> Iterator[str]:
    games, deals = len(battle.games), battle.deals
    yield f"{games:,} games with {battle.rules} rules, {deals:,} deals, seed {battle.seed}"
    yield "Both games of a pair use the same cards; the players swap seats between them."
    yield ""
    yield f"{'Player':<12}{'won':>8}{'skunks':>9}{'double skunks':>15}{'points per deal':>17}"
    for player, name in enumerate(battle.players):
        skunks = f"{battle.skunks(player, 2):>9,}{battle.skunks(player, 3):>15,}"
        points = f"{battle.points_a_deal(player):>17.3f}"
        yield f"{name:<12}{battle.wins(player):>8,}{skunks}{points}"
    yield ""
    first = battle.players[0]
    share, lead = battle.share, battle.lead
    yield f"{first} wins {share.value:.1%} ± {share.margin:.1%} of the games (95% interval)"
    yield f"{first} leads by {lead.value:+.3f} ± {lead.margin:.3f} points per deal"


Score: TypeAlias = tuple[int, int, bool]
"""Your points, your opponent's points, and whether you deal next."""

STEP = 10
"""The distance between listed scores: 0, 10, 20, and so on."""
_SCORES = range(0, TARGET, STEP)


def chances_as_json(score: Score | None = None) -> str:
    """Return the chances as one JSON object; ``dealer 10-0``: the dealer has 10, the pone 0."""
    every = (
        [score] if score else [(a, b, d) for d in (True, False) for a in _SCORES for b in _SCORES]
    )
    figures = shipped_win_chances()
    return encode({_name(*one): round(figures.chance(*one), 5) for one in every}).decode()


def _name(score: int, other: int, dealer: bool) -> str:
    return f"{'dealer' if dealer else 'pone'} {score}-{other}"


def one_chance_as_text(score: Score) -> str:
    """Return the chance to win at one score as a line of text."""
    figures = shipped_win_chances()
    return f"{_name(*score)}: {figures.chance(*score):.2%} ± {figures.error:.2%}"


def chances_as_text() -> str:
    """Return a table of the dealer's chances by both scores."""
    return "\n".join(_page(shipped_win_chances()))


def _page(figures: WinChances) -> Iterator[str]:
    yield "Cribbage, acc rules: the dealer's chance to win, in %"
    yield ""
    yield "Dealer has" + "".join(f"{score:>6}" for score in _SCORES) + "   pone (non-dealer) has"
    for dealer in _SCORES:
        shares = (figures.chance(dealer, pone, True) for pone in _SCORES)
        yield f"{dealer:>10}" + "".join(f"{100 * share:>6.1f}" for share in shares)
    yield ""
    yield f"From {figures.deals:,} deals, each with all forty starters. The standard errors are"
    yield f"at most {figures.error:.2%}."
