"""Programs that compute the tables which ship with the package. The package never imports them.

Run each of them from the root of the checkout. The times are for one core.

- ``python -m tests.build_data.five_card_draw`` (``make equilibrium``) solves limit five-card draw
  and writes `equilibrium.zz`, `arrivals.zz`, `play_tables.npz` and `later_plan.zz`, in several
  minutes.
- ``python -m tests.build_data.cribbage.show_points`` prints `show-points.json`, in a second.
- ``python -m tests.build_data.cribbage.discard_frequencies`` prints `discards.json`, in about
  five minutes.
- ``python -m tests.build_data.cribbage.win_chances`` prints `winning.json`, in a minute or two;
  ``python -m tests.build_data.cribbage.game_simulation`` checks it with games that are played out.
- ``python -m tests.build_data.thirty_one.two_deck_edges`` prints `two-decks.json`, in a quarter of
  an hour.
"""
