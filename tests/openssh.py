"""OpenSSH's programs, which some tests need: without them they fail, and say what is missing.

They are not Python's to install: Debian and its kin have openssh-client and openssh-server.
"""

from __future__ import annotations

import os
import shutil

_PACKAGES = {"sshd": "openssh-server"}


def openssh(name: str) -> str:
    """Give the path of a program of OpenSSH's."""
    found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
    package = _PACKAGES.get(name, "openssh-client")
    assert found, f"this test needs OpenSSH's {name}; apt-get install {package}"
    return found
