"""Windows that show and change the settings and the keys."""
