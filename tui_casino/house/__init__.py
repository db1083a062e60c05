"""The program's services: settings, money, sessions, typed commands, and interrupted sessions."""
