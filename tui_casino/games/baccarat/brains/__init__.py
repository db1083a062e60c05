"""Computer players, odds and simulation of baccarat."""
