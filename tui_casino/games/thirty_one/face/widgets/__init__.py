"""The parts of the 31 table on the screen."""
