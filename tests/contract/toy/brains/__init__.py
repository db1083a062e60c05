"""Computer players, adviser and odds of the toy game."""
