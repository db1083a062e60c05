"""Computer players, odds and simulation for baccarat."""
