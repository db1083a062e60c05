"""A table on the screen: live, and recorded."""
