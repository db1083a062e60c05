"""The web client: the same sessions as over SSH, in a browser.

It is part of the gateway's process, because it shares the gateway's visits and admission control. A
process of its own would have to ask for both over a connection, without being any safer.
"""
