"""
Build the site of the documentation, as `make docs` does.

The pages are those of `docs`, with the changes and how to contribute; the reference of
Python comes from docstrings. A link that leads nowhere is an error, and so is anything
that a page would load from elsewhere.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import yaml

from docs_site.links import faults
from docs_site.sources import ROOT, SourceError, lay_out

BUILD: Final = ROOT / "build" / "docs"
SITE: Final = BUILD / "site"
PACKAGE: Final = BUILD / "package"

_CONFIGURATION: Final[dict[str, Any]] = {
    "site_name": "branchwise",
    "site_description": "Finds the best contingent plan when every step may fail",
    "docs_dir": "source",
    "site_dir": "site",
    "use_directory_urls": False,  # so that it can be read from a folder, too
    "extra": {"generator": False},
    "extra_css": ["site.css"],
    "theme": {
        "variant": "modern",
        "font": False,  # what the system has: nothing is asked of the network
        "features": [
            "content.code.copy",
            "navigation.footer",
            "navigation.sections",
            "navigation.top",
            "search.highlight",
            "toc.follow",
        ],
        "palette": [
            {
                "media": "(prefers-color-scheme: light)",
                "scheme": "default",
                "toggle": {"icon": "lucide/moon", "name": "Dark"},
            },
            {
                "media": "(prefers-color-scheme: dark)",
                "scheme": "slate",
                "toggle": {"icon": "lucide/sun", "name": "Light"},
            },
        ],
    },
    "markdown_extensions": [
        "attr_list",
        "md_in_html",
        "tables",
        {"toc": {"permalink": True}},
        {"pymdownx.highlight": {"pygments_lang_class": True}},
        "pymdownx.inlinehilite",
        "pymdownx.superfences",
    ],
    "plugins": [
        "search",
        {
            "mkdocstrings": {
                "handlers": {
                    "python": {
                        "paths": [str(PACKAGE)],
                        "options": {
                            "docstring_style": "numpy",
                            # Named tuples are no functions, whatever it takes them for.
                            "docstring_options": {
                                "warn_missing_types": False,
                                "warn_unknown_params": False,
                            },
                            "heading_level": 2,
                            "show_root_heading": True,
                            "show_source": False,
                            "show_bases": False,
                            "members_order": "source",
                            "separate_signature": True,
                            "show_signature_annotations": True,
                            "signature_crossrefs": True,
                            "merge_init_into_class": True,
                            "show_symbol_type_heading": True,
                            "show_symbol_type_toc": True,
                        },
                    }
                }
            }
        },
    ],
}


def main() -> int:
    """Build the site; return how many things are wrong with it."""
    shutil.rmtree(BUILD, ignore_errors=True)
    BUILD.mkdir(parents=True)
    try:
        contents = lay_out(BUILD / "source", PACKAGE)
    except SourceError as error:
        print(error, file=sys.stderr)
        return 1
    configuration = BUILD / "mkdocs.yml"
    configuration.write_text(
        yaml.safe_dump({**_CONFIGURATION, "nav": contents}, sort_keys=False),
        encoding="utf-8",
    )
    program = Path(sys.executable).parent / "zensical"
    command = [program, "build", "--strict", "--config-file", configuration]
    if code := subprocess.run(command, check=False).returncode:
        return code
    wrong = list(faults(SITE))
    print("\n".join(wrong), file=sys.stderr)
    if not wrong:
        print(f"The site is in {SITE.relative_to(ROOT)}: open index.html there")
    return len(wrong)


if __name__ == "__main__":
    sys.exit(min(main(), 1))
