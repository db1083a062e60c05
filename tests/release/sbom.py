"""What the page brings of others, in bills of materials.

python -m tests.release.sbom         writes the sums of its files anew
python -m tests.release.sbom BILL    adds it to a bill of what Python brings, in CycloneDX's form
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
    """Write the one or the other."""
    ours = _read(OURS)
    if bill is None:
        for file in (file for one in ours["components"] for file in one["components"]):
            content = hashlib.sha256((VENDOR / file["name"]).read_bytes()).hexdigest()
            file["hashes"] = [{"alg": "SHA-256", "content": content}]
        _write(OURS, ours)
    else:
        _write(bill, merged(_read(bill), ours))


def merged(bill: dict[str, Any], ours: dict[str, Any]) -> dict[str, Any]:
    """Give a bill with these components besides, as what its root depends on."""
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
