"""The web client: the same sessions as over SSH, in a browser.

It runs in the gateway's process, because it shares the gateway's visits and admission control. A
separate process would have to ask for both over a connection, and would not be any safer.
"""
