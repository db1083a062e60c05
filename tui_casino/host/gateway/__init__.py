"""The gateway: the only process that can be reached from the network. It contains no games."""
