"""Computer players, advice, odds and simulation of cribbage."""
