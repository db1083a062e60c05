"""Computer players, advice, odds and simulation of video poker."""
