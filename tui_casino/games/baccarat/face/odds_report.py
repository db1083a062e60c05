"""The exact odds of baccarat as text and as JSON, with the results of a simulation."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from typing import Any

from msgspec import Struct

from ....inputs.numbers import count_noun
from ....records.codec import ascii_json
from ....structs import replace
from ..brains.odds import Odds, odds_of, rank_counts
from ..brains.simulation import Simulation
from ..machine.rules import BetSpot, Options

OUTCOMES = (BetSpot.BANKER, BetSpot.PLAYER, BetSpot.TIE)
SPOTS = (*OUTCOMES, BetSpot.PLAYER_PAIR, BetSpot.BANKER_PAIR)


class SimulatedShare(Struct, frozen=True):
    """The share of simulated coups that a spot wins, compared with the exact chance.

    ``error`` is the standard error of the share, computed from the exact chance. ``errors_off`` is
    the difference between share and exact chance, in standard errors.
    """

    spot: BetSpot
    count: int
    share: float
    exact: float
    error: float
    errors_off: float


def simulated_shares(odds: Odds, simulation: Simulation) -> Iterator[SimulatedShare]:
    """Compare a simulation with the exact odds for each spot."""
    for spot in SPOTS:
        exact = float(odds.chance(spot))
        share = simulation.counts[spot] / simulation.coups
        error = sqrt(exact * (1 - exact) / simulation.coups)
        yield SimulatedShare(
            spot, simulation.counts[spot], share, exact, error, (share - exact) / error
        )


def as_json(options: Options, simulation: Simulation | None = None) -> str:
    """Return a JSON object: counts of all ordered draws of six cards, and edges per unit bet.

    A simulation of the same shoe is added as ``simulation``: coups, the seed as text, counts, and
    for each spot its share, the share's standard error, and the difference in standard errors.
    """
    odds = odds_of(rank_counts(options.pack))
    report: dict[str, Any] = {"decks": options.decks}
    report |= {_key(spot): odds.draws(spot) for spot in OUTCOMES}
    report["total"] = odds.total
    report["edges"] = {_key(spot): float(odds.edge(spot, options)) for spot in SPOTS}
    if simulation:
        shares = list(simulated_shares(odds, simulation))
        report["simulation"] = {
            "coups": simulation.coups,
            "seed": str(simulation.seed),
            "counts": {_key(share.spot): share.count for share in shares},
            "banker_six": simulation.banker_six,
            "shares": {
                _key(share.spot): {
                    "share": share.share,
                    "standard_error": share.error,
                    "off": share.errors_off,
                }
                for share in shares
            },
        }
    return ascii_json(report)


def as_text(options: Options, simulation: Simulation | None = None) -> str:
    """Return the report as text: chances, house edges, and the results of a simulation."""
    odds = odds_of(rank_counts(options.pack))
    shoe = count_noun(options.decks, "deck")
    lines = [f"Baccarat, {shoe}: the first coup of a shoe, over all ordered draws of six cards", ""]
    lines += [f"{'Outcome':<24}{'draws of six cards':>25}{'chance':>14}"]
    for spot in OUTCOMES:
        lines.append(f"{spot.label:<24}{odds.draws(spot):>25,}{float(odds.chance(spot)):>14.6%}")
    lines += [f"{'total':<24}{odds.total:>25,}", ""]
    lines += [f"{'Bet':<24}{'pays':>25}{'house edge':>14}"]
    for spot in SPOTS:
        lines.append(_bet(spot.label, spot.pays(options), float(odds.edge(spot, options))))
        if spot is BetSpot.BANKER:
            free = replace(options, commission=False)
            edge = float(odds.edge(spot, free))
            lines.append(_bet("Banker, no commission", spot.pays(free), edge))
    if simulation:
        lines += ["", *_simulation_lines(odds, simulation)]
    return "\n".join(lines)


def _bet(name: str, pays: str, edge: float) -> str:
    return f"{name:<24}{pays:>25}{edge:>14.4%}"


def _simulation_lines(odds: Odds, simulation: Simulation) -> Iterator[str]:
    yield f"Simulated coups from full shoes: {simulation.coups:,}, seed {simulation.seed}"
    yield ""
    yield f"{'Won':<13}{'coups':>18}{'share':>12}{'exact':>12}{'std. error':>12}{'errors off':>12}"
    for share in simulated_shares(odds, simulation):
        yield (
            f"{share.spot.label:<13}{share.count:>18,}{share.share:>12.6%}"
            f"{share.exact:>12.6%}{share.error:>12.6%}{share.errors_off:>+12.2f}"
        )


def _key(spot: BetSpot) -> str:
    return spot.name.lower()
