"""What good discards bring on average: the par that a hand is held against."""

from __future__ import annotations

PAR = {True: 12.7, False: 3.4}
"""Points expected of hand and crib by the best discards, by whether one deals.

A mean of 50,000 deals against a good player, with a standard error of 0.012; the rules that ship
differ by 0.03.
"""
PAR_CRIB = 4.7
"""The points of a crib of one's own: half of what :data:`PAR` gains by dealing."""
PAR_HAND = 8.1
"""The points of the hand alone, in as many deals of one's own as of the other's."""
