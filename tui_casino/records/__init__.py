"""What a sitting leaves behind: its log, the proof of it, and the ledger of the money."""
