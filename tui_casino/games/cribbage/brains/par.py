"""Par: the average score of good discards."""

from __future__ import annotations

PAR = {True: 12.7, False: 3.4}
"""The EV of hand and crib with the best discards, in points; the key is true for the dealer.

These are means over 50,000 deals against a good player, with a standard error of 0.012. The means
for the two shipped rule sets differ by 0.03.
"""
PAR_CRIB = 4.7
"""The EV of your own crib: half the difference between dealer and pone in :data:`PAR`."""
PAR_HAND = 8.1
"""The EV of a hand without the crib, if you and the opponent deal equally often."""

PLAYED = {"hand": 8.06, "crib": 4.78, "dealer": 12.77, "pone": 3.35}
"""The average points that two such players really score, defined like the figures above.

These are means over 300,000 deals, with standard errors of 0.005 to 0.009. They differ from the
adviser's figures because the adviser assumes that the opponent's two cards come from all unseen
cards, while in play they come from a hand of six.
"""
