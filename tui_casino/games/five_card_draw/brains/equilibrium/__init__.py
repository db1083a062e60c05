"""Limit five-card draw for two, solved: the model, the solver, its file, and what checks it.

The game is that of the limit table: an ante of 5 credits, bets of 10 before and 20 after the
draw, a bet and three raises a round. The first seat, left of the dealer, bets and draws first,
and the dealer sees how many it drew. Amounts are in small bets (sb) of 10 credits, and what a
best response wins is told in mb, thousandths of it.
"""
