"""Par: what good discards score on average."""

from __future__ import annotations

PAR = {True: 12.7, False: 3.4}
"""Points expected of hand and crib by the best discards, by whether one deals.

A mean of 50,000 deals against a good player, with a standard error of 0.012; the rules that ship
differ by 0.03.
"""
PAR_CRIB = 4.7
"""The points of your own crib: half of what :data:`PAR` gains by dealing."""
PAR_HAND = 8.1
"""The points of the hand alone, in as many deals of your own as of the opponent's."""

PLAYED = {"hand": 8.06, "crib": 4.78, "dealer": 12.77, "pone": 3.35}
"""What two such players really score, as :data:`PAR` and the others are defined.

Means of 300,000 deals with standard errors of 0.005 to 0.009. The adviser takes the opponent's
two cards to come from all unseen cards by habit alone; in play they come from a hand of six.
"""
