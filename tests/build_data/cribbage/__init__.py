"""The tables of cribbage: points at the show, discards, and chances to win."""
