"""The page: the same sessions as over SSH, in a browser. It is part of the gateway's process.

What makes one visit an identity, and what bounds visitors, is the gateway's floor and entry, in its
memory: a process of its own would have to ask for both over a line, and would guard nothing more.
"""
