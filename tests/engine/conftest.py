"""Which of these tests are left out where."""

import platform
import sys

# The core asks for a processor's instructions on x86-64 only, and only Linux can run a
# program as if on another processor: qemu does this for programs of Linux.
ASKS = (sys.platform, platform.machine()) == ("linux", "x86_64")
collect_ignore = [] if ASKS else ["test_processors.py"]
