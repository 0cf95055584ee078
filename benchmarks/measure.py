"""
Measure the engines, all with one command, and write the page about it.

`python benchmarks/measure.py` measures everything and takes more than an hour, most of
it Storm's; `--quick` takes minutes, `--full` hours. `--only tables,large` measures some
parts and keeps what is known of the others. Each part leaves its figures in `results/`;
the page docs/explanation/engines-measured.md and its pictures are written from those,
those of the score program and of the analysis beside it. `generation` compares with an
earlier commit, which it takes from git; without that the exit code is 2.
"""

import argparse
import sys

from builds import engine_build
from page import results_page
from parts import (
    analysis,
    cluster,
    defenses,
    exact,
    generation,
    individuals,
    large,
    peers,
    profile,
    program,
    robust,
    scaling,
    sets,
    spaces,
    spill,
    storm,
    tables,
)

PARTS = {
    "tables": tables,
    "scaling": scaling,
    "large": large,
    "spill": spill,
    "sets": sets,
    "robust": robust,
    "exact": exact,
    "spaces": spaces,
    "profile": profile,
    "storm": storm,
    "peers": peers,
    "defenses": defenses,
    "program": program,
    "individuals": individuals,
    "analysis": analysis,
    "generation": generation,
    "cluster": cluster,
}


def main(arguments=None):
    """Measure what is chosen, and give the exit code: 2 where a part could not be."""
    chosen = _parser().parse_args(arguments)
    effort = "quick" if chosen.quick else "full" if chosen.full else "usual"
    exit_code = 0
    for name in chosen.only:
        print(f"{name}:", flush=True)
        try:
            found = PARTS[name].measure(effort)
        except engine_build.NoHistoryError as error:
            print(f"{name}: {error}", file=sys.stderr)
            exit_code = 2
            continue
        if found is not None:
            results_page.write_results(name, {"effort": effort, **found})
    write_page()
    return exit_code


def _parser():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    efforts = parser.add_mutually_exclusive_group()
    efforts.add_argument("--quick", action="store_true", help="minutes only")
    efforts.add_argument(
        "--full", action="store_true", help="the slow engine on the largest graphs too"
    )
    parser.add_argument(
        "--only",
        metavar="PARTS",
        type=_parts,
        default=list(PARTS),
        help=f"some of {','.join(PARTS)}, or none to write the page again",
    )
    return parser


def _parts(text):
    names = [] if text == "none" else text.split(",")
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        known = ", ".join(PARTS)
        raise argparse.ArgumentTypeError(f"no part `{unknown[0]}`; there are {known}")
    return [name for name in PARTS if name in names]


def write_page():
    """Write what is known into the pages, and their pictures beside them."""
    for name, part in PARTS.items():
        found = results_page.read_results(name)
        if found is None:
            continue
        file = results_page.page_of(part)
        text = results_page.fill(file.read_text(encoding="utf-8"), part.blocks(found))
        file.write_text(text, encoding="utf-8")
        pictures = part.pictures(found) if hasattr(part, "pictures") else {}
        for picture, svg in pictures.items():
            (results_page.IMAGES / f"{picture}.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
