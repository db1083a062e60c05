"""Computer players, advice, odds and simulation for video poker."""
