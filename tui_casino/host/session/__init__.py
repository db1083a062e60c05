"""A session: one process a visitor, in which the arcade runs. Forked, confined, and let go."""
