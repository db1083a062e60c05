"""The wheel and the source package have the same bytes each time, also if built from each other."""

from __future__ import annotations

import os
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.helpers.external_programs import program_path
from tests.release.packages import ROOT, build
from tests.release.sbom import OURS, VENDOR
from tests.share.write import FOLDER
from tui_casino import __version__

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group("packages")]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("sdist", ROOT, tmp_path_factory.mktemp("source"))


@pytest.fixture(scope="module")
def unpacked(source: Path) -> Path:
    with tarfile.open(source) as package:
        package.extractall(source.parent, filter="data")
    folder = source.parent / f"tui_casino-{__version__}"
    for number, file in enumerate(sorted(folder.rglob("*"))):
        os.utime(file, (number, number))  # a clone does not keep times
    return folder


def test_source_package_has_all_files_of_a_checkout(unpacked: Path) -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("this is no checkout")
    listed = subprocess.run(
        [program_path("git"), "ls-files", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    kept = {name for name in listed.stdout.split("\0") if name and (ROOT / name).exists()}
    found = {str(file.relative_to(unpacked)) for file in unpacked.rglob("*") if file.is_file()}
    assert not kept - found
    assert "PKG-INFO" in found


def test_source_package_builds_the_same_wheel_byte_for_byte(
    source: Path, unpacked: Path, tmp_path: Path
) -> None:
    ours = build("wheel", ROOT, tmp_path / "ours")
    theirs = build("wheel", unpacked, tmp_path / "theirs")
    assert ours.read_bytes() == theirs.read_bytes()
    assert build("sdist", unpacked, tmp_path / "again").read_bytes() == source.read_bytes()
    with zipfile.ZipFile(ours) as wheel:
        names = set(wheel.namelist())
        assert {info.date_time[0] for info in wheel.infolist()} == {2027}, "the given time"
        info = f"tui_casino-{__version__}.dist-info"
        assert wheel.read(f"{info}/sboms/{OURS.name}") == OURS.read_bytes()
    vendor = VENDOR.relative_to(ROOT)
    licences = {"LICENSE", *(f"{vendor}/{path.name}" for path in VENDOR.glob("*.LICENSE.txt"))}
    assert licences == {
        name.removeprefix(f"{info}/licenses/") for name in names if "/licenses/" in name
    }
    shared = f"tui_casino-{__version__}.data/data/share"
    assert {name.removeprefix(f"{shared}/") for name in names if name.startswith(shared)} == {
        str(file.relative_to(FOLDER)) for file in FOLDER.rglob("*") if file.is_file()
    }
