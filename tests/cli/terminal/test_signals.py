import signal
import subprocess
import sys
from pathlib import Path

LOST = """
import os, signal, sys, time
from branchwise.cli.terminal import signals

class Interrupted:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(0.05)

signals.end_in_order()
try:
    Interrupted()
    time.sleep(60)
except KeyboardInterrupt:
    print("interrupted", signals.exit_code())
"""

WITHIN_EXEC = """
import os, signal, sys
from branchwise.cli.terminal import signals

signals.end_in_order()
try:
    exec("os.kill(os.getpid(), signal.SIGTERM)")
    signal.pause()
except KeyboardInterrupt:
    code = signals.exit_code()
signals.let_go()
sys.exit(code)
"""


def test_an_interruption_that_comes_where_nothing_can_be_raised_is_not_lost():
    done = subprocess.run(
        [sys.executable, "-c", LOST], capture_output=True, check=False, timeout=60
    )

    assert done.stdout == b"interrupted 143\n"
    assert done.stderr == b""


def test_the_exit_code_is_ours_also_where_an_exec_was_interrupted():
    done = subprocess.run(
        [sys.executable, "-c", WITHIN_EXEC],
        capture_output=True,
        check=False,
        timeout=60,
    )

    assert done.returncode == 143
    assert done.stderr == b""


def test_a_signal_that_the_caller_ignores_stays_ignored(start, example):
    """As `nohup` does."""
    process = start(
        "simulate",
        example,
        "-n",
        "3000000",
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
    )
    while process.poll() is None and not listens(process.pid, signal.SIGTERM):
        pass
    process.send_signal(signal.SIGHUP)
    shown, _ = process.communicate(timeout=120)

    assert process.returncode == 0
    assert b"3,000,000 runs" in shown


def listens(pid, number):
    status = Path(f"/proc/{pid}/status").read_text()
    [caught] = [line for line in status.splitlines() if line.startswith("SigCgt")]
    return bool(int(caught.split()[1], 16) >> (number - 1) & 1)


def test_signals_end_a_process_at_once_when_there_is_nothing_left_to_do():
    code = (
        "from branchwise.cli.terminal import signals; import os, signal;"
        "signals.end_in_order(); signals.let_go(); os.kill(os.getpid(), signal.SIGINT)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=False, timeout=60
    )

    assert done.returncode == -signal.SIGINT
    assert done.stderr == b""
