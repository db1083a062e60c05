"""Programs that compute the tables which ship with the package. The package never imports them.

Run each of them from the root of the checkout. The times are for one core.

- ``python -m tests.build_data.five_card_draw`` (``make equilibrium``) solves limit five-card draw
  and writes `equilibrium.zz`, `arrivals.zz` and `play_tables.npz`, in a quarter of an hour.
"""
