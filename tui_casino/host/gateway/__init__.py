"""The gateway: the only process that the network reaches. It knows no game and draws nothing."""
