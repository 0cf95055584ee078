"""The build backend: scikit-build-core, and Node from PyPI where there is none here."""

from __future__ import annotations

import sys
from pathlib import Path

from scikit_build_core import build as _build
from scikit_build_core.build import *

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from build_page import required


def get_requires_for_build_wheel(
    config_settings: dict[str, str | list[str]] | None = None,
) -> list[str]:
    """Return what building a wheel takes."""
    return [*_build.get_requires_for_build_wheel(config_settings), *required()]


def get_requires_for_build_editable(
    config_settings: dict[str, str | list[str]] | None = None,
) -> list[str]:
    """Return what an editable install takes."""
    return [*_build.get_requires_for_build_editable(config_settings), *required()]
