"""A position to choose in, without advice, and the verdict on the choice."""
