"""The records of a session: its log, the verification of the log, and the ledger."""
