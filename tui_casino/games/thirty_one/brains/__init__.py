"""The computer player, the odds, the simulation and the adviser of Hit Me."""
