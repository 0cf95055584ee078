"""Building the compiled module of a source tree apart from the package in use."""

import subprocess
import sys
from pathlib import Path


def build_core(source, folder, **definitions):
    """
    Build `_core` of a source tree in a folder; what is up to date stays as it is.

    Parameters
    ----------
    source
        Where its CMakeLists.txt is.
    folder
        Where everything that is made goes.
    definitions
        What CMake is to know besides, such as the kind of build.

    Returns
    -------
    Path
        The compiled module.
    """
    nanobind = [sys.executable, "-m", "nanobind", "--cmake_dir"]
    found = subprocess.run(nanobind, capture_output=True, text=True, check=True).stdout
    tools = Path(sys.executable).parent
    options = {
        "CMAKE_MAKE_PROGRAM": tools / "ninja",
        "Python_EXECUTABLE": sys.executable,
        "nanobind_DIR": found.strip(),
        **definitions,
    }
    defined = [f"-D{name}={value}" for name, value in options.items()]
    cmake = str(tools / "cmake")
    where = ["-S", str(source), "-B", str(folder), "-G", "Ninja"]
    for task in ([*where, *defined], ["--build", str(folder), "--target", "_core"]):
        subprocess.run([cmake, *task], check=True, stdout=subprocess.DEVNULL)
    [core] = folder.glob("_core*.so")
    return core
