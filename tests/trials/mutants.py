"""Weaken every rule of the engines in turn, and see which test fails: `make mutants`.

    PYTHONPATH=tests python -m trials.mutants [--only NAME]... [--jobs 2]

Each mutant of `mutant_list.py` is made in a copy of the package under build/mutants, so
that the sources stay as they are. What is compiled is built without much optimizing,
and only the changed file again. The result is docs/explanation/mutants.md; where a
mutant survives that is not known to be equivalent, the command ends with 1.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

import click

from trials.mutant_list import EVERYWHERE, MUTANTS

TOP = Path(__file__).parents[2]
SCRATCH = TOP / "build" / "mutants"
RESULTS = SCRATCH / "results.json"
PAGE = TOP / "docs" / "explanation" / "mutants.md"
ARCHIVE = "libbranchwise_core.a"
MOST_SECONDS = 900  # One that never ends is noticed, too.
ENDLESS = "runs without end"
BUNDLES = "branchwise-disagreement-*.zip"  # What some mutants leave where they run.

Result = namedtuple("Result", "name killer")  # the test that failed, or nothing


class Native:
    """The compiled part, built once; of a mutant only what it changes is, again."""

    def __init__(self):
        self.source, self.built = SCRATCH / "source", SCRATCH / "native"
        self.compiling, self.linking = {}, []

    def prepare(self):
        """Copy the sources, build them as they are, and note how that is done."""
        for path in (TOP / "cpp").rglob("*pp"):
            put(self.source / path.relative_to(TOP), path.read_text("utf-8"))
        listed = (TOP / "CMakeLists.txt").read_text("utf-8")
        put(self.source / "CMakeLists.txt", listed)
        binaries = Path(sys.executable).parent
        nanobind = run([sys.executable, "-m", "nanobind", "--cmake_dir"]).strip()
        options = {
            "CMAKE_MAKE_PROGRAM": binaries / "ninja",
            "CMAKE_BUILD_TYPE": "None",
            "CMAKE_CXX_FLAGS": "-O1",
            "Python_EXECUTABLE": sys.executable,
            "nanobind_DIR": nanobind,
        }
        where = ["-S", self.source, "-B", self.built, "-G", "Ninja"]
        run([binaries / "cmake", *where, *(f"-D{o}={v}" for o, v in options.items())])
        ninja = [binaries / "ninja", "-C", self.built]
        run([*ninja, "_core"])
        for line in run([*ninja, "-t", "commands", "_core"]).splitlines():
            words = shlex.split(line)
            if "-c" in words:
                self.compiling[Path(words[words.index("-c") + 1])] = words
            elif "-shared" in words:
                self.linking = words[words.index("&&") + 1 : -2]

    def mutated(self, mutant, folder):
        """Put the module of a mutant into a folder."""
        linking = list(self.linking)
        for old, new in self.compiled(mutant).items():
            # An object counts before those of the archive that define the same.
            if old in linking:
                linking[linking.index(old)] = new
            else:
                linking.insert(linking.index(ARCHIVE), new)
        place = linking.index("-o") + 1
        linking[place] = folder / linking[place]
        run(linking, cwd=self.built)
        shutil.rmtree(overlay_of(mutant))

    def program(self, mutant, test):
        """The test program of a mutant, with the cases of one file."""
        overlay = overlay_of(mutant)
        objects = list(self.compiled(mutant).values())
        # Tests are compiled as the core is.
        words = self.compiling[
            self.source / "cpp/branchwise/canonical/lanes/residual.cpp"
        ]
        sources = (self.source / test, self.source / "cpp/tests/main.cpp")
        objects += [self.compile(words, each, each, overlay) for each in sources]
        result = overlay / "tests"
        run([words[0], *objects, ARCHIVE, "-pthread", "-o", result], cwd=self.built)
        return result

    def compiled(self, mutant):
        """The objects of a mutant, by the name of the one that each stands for."""
        overlay = overlay_of(mutant)
        changed = self.source / mutant.file
        own = overlay / Path(mutant.file).relative_to("cpp")
        put(own, weakened(mutant, changed.read_text("utf-8")))
        result = {}
        for source in self.users(changed):
            words = self.compiling[source]
            file = own if source == changed else source
            old = words[words.index("-o") + 1]
            result[old] = self.compile([*words, "-O0"], source, file, overlay)
        return result

    def compile(self, words, source, file, overlay):
        """The object of a source, with what is in the overlay before all else."""
        words = list(words)
        # Files of different rooms may have the same name.
        name = "-".join(source.relative_to(self.source).with_suffix("").parts)
        words[words.index("-o") + 1] = result = overlay / f"{name}.o"
        words[words.index("-c") + 1] = file
        words[words.index("-MF") + 1] = overlay / f"{name}.d"
        include = words.index(f"-I{self.source / 'cpp'}")
        run([*words[:include], f"-I{overlay}", *words[include:], "-w"], cwd=self.built)
        return result

    def users(self, changed):
        """What must be compiled again: the file, or all that include the header."""
        if changed in self.compiling:
            return [changed]
        found = {changed}
        texts = {
            path: path.read_text("utf-8")
            for path in (*self.source.rglob("*.hpp"), *self.compiling)
            if path.is_relative_to(self.source)
        }
        is_grown = True
        while is_grown:
            names = [f'"{path.relative_to(self.source / "cpp")}"' for path in found]
            more = {p for p, text in texts.items() if any(n in text for n in names)}
            is_grown = not more <= found
            found |= more
        return sorted(found & set(self.compiling))


def overlay_of(mutant):
    """Where the files are that a mutant changes."""
    return SCRATCH / "overlays" / mutant.name


def put(path, text):
    """Write a file unless it is as it should be, so that nothing is built for it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text("utf-8") != text:
        path.write_text(text, "utf-8")


def run(command, cwd=TOP):
    """What a command prints; one that fails ends it all."""
    words = list(map(str, command))
    done = subprocess.run(words, capture_output=True, check=False, cwd=cwd, text=True)
    if done.returncode:
        raise click.ClickException(done.stdout[-3000:] + done.stderr[-3000:])
    return done.stdout


def weakened(mutant, text):
    """The text with the rule made too strong; it must stand there once."""
    if text.count(mutant.find) != 1:
        raise click.ClickException(
            f"{mutant.name}: what to replace stands {text.count(mutant.find)} times "
            f"in {mutant.file}, not once; write the mutant anew"
        )
    return text.replace(mutant.find, mutant.replace)


def copy_package(name):
    """A copy of the package, with its compiled module."""
    folder = SCRATCH / "packages" / name
    shutil.rmtree(folder, ignore_errors=True)
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(TOP / "src" / "branchwise", folder / "branchwise", ignore=ignored)
    return folder


def make(mutant, native):
    """A package with the mutant in it."""
    folder = copy_package(mutant.name)
    if mutant.file.startswith("src/"):
        path = folder / Path(mutant.file).relative_to("src")
        path.write_text(weakened(mutant, path.read_text("utf-8")), "utf-8")
    else:
        for module in (folder / "branchwise").glob("_core.*.so"):
            module.unlink()
        native.mutated(mutant, folder / "branchwise")
    return folder


def result_of(mutant, native, tests):
    """Make a mutant, and run tests until one fails."""
    tests = tests or mutant.tests
    if tests[0].startswith("cpp/"):
        (test,) = tests
        program = native.program(mutant, test)
        try:
            return Result(mutant.name, first_failed_case(program, test))
        finally:
            shutil.rmtree(overlay_of(mutant))
    folder = make(mutant, native)
    try:
        return Result(mutant.name, first_failure(folder, tests))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def first_failure(folder, tests):
    """The first test that fails with a package, or an empty text."""
    unused = ("cacheprovider", "benchmark", "xdist", "hypothesispytest")
    options = ["-q", "-x", "--tb=no", "--timeout=120"]
    options += [word for plugin in unused for word in ("-p", f"no:{plugin}")]
    command = [sys.executable, "-m", "pytest", *options, *tests]
    # A test that is slow on a busy machine has not failed; CI asks for no deadlines.
    environment = os.environ | {"CI": "1", "PYTHONPATH": str(folder)}
    if (done := ended(command, env=environment)) is None:
        return ENDLESS
    if done.returncode == 0:
        return ""
    found = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
    return found[1] if found else f"crashes ({tests[0]})"


def first_failed_case(program, test):
    """The first case of a file that fails with a test program, or an empty text."""
    if (done := ended([program, "--abort-after=1", "--no-colors"])) is None:
        return ENDLESS
    if done.returncode == 0:
        return ""
    found = re.search(r"^TEST CASE: +(.+)$", done.stdout, re.MULTILINE)
    return f"{test}::{found[1]}" if found else f"crashes ({test})"


def ended(command, **options):
    """What has become of a command, or None of one that never ends."""
    try:
        return subprocess.run(
            command,
            capture_output=True,
            check=False,
            cwd=TOP,
            text=True,
            timeout=MOST_SECONDS,
            **options,
        )
    except subprocess.TimeoutExpired:
        return None


@click.command()
@click.option("--only", multiple=True, help="The name of a mutant; may come again.")
@click.option("--jobs", type=click.IntRange(min=1), default=os.cpu_count() or 1)
@click.option("--resume", is_flag=True, help="Leave out those that have died before.")
def main(only, jobs, resume):
    """Run the tests on every mutant, and write the page about it."""
    known = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
    skipped = {name for name, killer in known.items() if killer} if resume else set()
    known_names = {mutant.name for mutant in MUTANTS}
    chosen = [
        m for m in MUTANTS if m.name in (only or known_names) and m.name not in skipped
    ]
    native = Native()
    if any(not mutant.file.startswith("src/") for mutant in chosen):
        native.prepare()
    bundles = set(TOP.glob(BUNDLES))
    # First only where each should die; what survives that has to face all tests.
    for tests in (None, EVERYWHERE):
        with ThreadPoolExecutor(jobs) as pool:
            waiting = [pool.submit(result_of, each, native, tests) for each in chosen]
            for future in as_completed(waiting):
                result = future.result()
                known[result.name] = result.killer
                put(RESULTS, json.dumps(known, indent=1))
                click.echo(f"{result.name}: {result.killer or 'survives'}")
        chosen = [m for m in chosen if not known[m.name] and not m.equivalent]
    for path in set(TOP.glob(BUNDLES)) - bundles:
        path.unlink()
    if known_names <= set(known):  # Or else the page would say that many survive.
        put(PAGE, page(known))
    asked = [m for m in MUTANTS if m.name in (only or known_names) and not m.equivalent]
    if survivors := [m.name for m in asked if not known.get(m.name)]:
        raise click.ClickException(f"these survive: {', '.join(survivors)}")


def page(known):
    """The page about mutants."""
    died = sum(bool(known.get(mutant.name)) for mutant in MUTANTS)
    rows = [row(mutant, known.get(mutant.name, "")) for mutant in MUTANTS]
    return HEAD.format(count=len(MUTANTS), died=died) + "\n".join(rows) + "\n"


def row(mutant, killer):
    if killer:
        name = killer.removeprefix("tests/").partition("[")[0]
        fate = name.replace("::", "` `") if "::" in name else killer
        fate = f"`{fate}`" if "::" in name else fate
    else:
        fate = f"equivalent: {mutant.equivalent}" if mutant.equivalent else "survives"
    file = mutant.file.removeprefix("cpp/branchwise/").removeprefix("src/branchwise/")
    return f"| {mutant.name} | {mutant.rule} | `{file}` | {fate} |"


HEAD = """\
# Mutants

A rule that drops, merges or bounds something is right only as far as a test would
notice if it were not. So every rule is weakened on purpose, in turn: a `<=` becomes
`<`, a condition goes, the minimal stands for all. The tests then run against this
*mutant* of the engine until one fails. Of {count} mutants {died} die; why the others
need not is said with them. What is replaced by what stands in
`tests/trials/mutant_list.py`, and all tests that kill belong to `make test`.

The page is written anew by:

<!-- not run: it takes an hour -->
```console
$ make mutants
```

| mutant | the rule that is weakened | where | the test that kills it |
|---|---|---|---|
"""


if __name__ == "__main__":
    main()
