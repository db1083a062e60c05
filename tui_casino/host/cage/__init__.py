"""The cage: the process that holds a server's money and open seeds, without any SSH code."""
