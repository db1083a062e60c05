"""The records of sessions: logs, their verification, statistics, and the ledger."""
