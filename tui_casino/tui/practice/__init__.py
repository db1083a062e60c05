"""Practice on the screen: mistakes and drills, one position at a time, with verdicts."""
