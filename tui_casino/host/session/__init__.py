"""A session: one sandboxed process per visitor, in which the arcade runs."""
