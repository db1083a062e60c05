"""The gateway: the only process that the network reaches. It contains no games."""
