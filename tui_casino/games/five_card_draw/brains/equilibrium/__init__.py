"""The solution of two-player limit five-card draw: its model, its files, and ranges against it.

The game is the one played at the limit table, with an ante of 5 credits, bets of 10 before and 20
after the draw, and one bet and three raises per round. The first seat, left of the dealer, bets and
draws first, and the dealer sees how many cards it drew. Amounts are in small bets (sb) of 10
credits. Exploitability is in mb, thousandths of a small bet. The shapes of arrays are given as
tuples, such as (buckets, finals).
"""
