"""Add the third-party files of the web client to bills of materials.

python -m tests.release.sbom         update the checksums in the bill of these files
python -m tests.release.sbom BILL    add them to a bill of Python packages (CycloneDX)
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

from tests.release.packages import ROOT

VENDOR = ROOT / "tui_casino" / "host" / "web" / "page" / "vendor"
OURS = VENDOR / "vendor.cdx.json"


def main(bill: Path | None) -> None:
    """Update the checksums in the bill of the web client, or add it to another bill."""
    ours = _read(OURS)
    if bill is None:
        for file in (file for one in ours["components"] for file in one["components"]):
            content = hashlib.sha256((VENDOR / file["name"]).read_bytes()).hexdigest()
            file["hashes"] = [{"alg": "SHA-256", "content": content}]
        _write(OURS, ours)
    else:
        _write(bill, merged(_read(bill), ours))


def merged(bill: dict[str, Any], ours: dict[str, Any]) -> dict[str, Any]:
    """Return a bill with more components, on which its root depends."""
    root = bill["metadata"]["component"]["bom-ref"]
    more = [component["bom-ref"] for component in ours["components"]]
    dependencies = [
        {**one, "dependsOn": sorted([*one.get("dependsOn", ()), *more])}
        if one["ref"] == root
        else one
        for one in bill["dependencies"]
    ]
    dependencies += [{"ref": ref} for ref in more]
    components = [*bill["components"], *ours["components"]]
    return {
        **bill,
        "components": sorted(components, key=lambda one: str(one["bom-ref"])),
        "dependencies": sorted(dependencies, key=lambda one: str(one["ref"])),
    }


def _read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def _write(path: Path, bill: dict[str, Any]) -> None:
    path.write_text(json.dumps(bill, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
