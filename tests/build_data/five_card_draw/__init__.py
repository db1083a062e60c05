"""The solver of two-player limit five-card draw, and what measures its solution.

Amounts, units and axes are those of `tui_casino.games.five_card_draw.brains.equilibrium`.
"""
