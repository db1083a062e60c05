"""The computer players, the odds, the solvers and the adviser of five-card draw."""
