"""What only the cribbage screen has: the pegging board."""
