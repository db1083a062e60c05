"""The cage: where a host's money and its open seeds are. It draws nothing and speaks no SSH."""
