"""Killed at any moment, `follow` goes on exactly where it was."""

import json
import os
import re
import subprocess
import sys
import threading
import time
from random import Random

import pytest

PROBLEM = """\
actions:
  toss: {attempts: unlimited, cost: 1, outcomes: {heads: 0.5, tails: 0.5}}
  rest: {attempts: unlimited, cost: 1, outcomes: {slept: 0.5, awake: 0.5}}
budget: 2000
rewards: [{when: toss=heads and toss=tails and rest=slept, value: 10}]
"""
NUM_KILLS = 30


class Talk:
    """A process that is told outcomes one after another until it is killed."""

    def __init__(self, folder, random, told):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "branchwise", "follow", "toss.yaml"],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        )
        self.random = random
        self.is_ready = False
        self.resumed = []
        self.num_told = len(told)
        self.entered = list(told)
        self.acknowledged = list(told)
        self.seen = b""

    def wait_for(self, num_answers):
        """Wait until it has resumed and answered so often."""
        deadline = time.monotonic() + 60
        while len(self.acknowledged) < self.num_told + num_answers or not self.is_ready:
            assert time.monotonic() < deadline
            time.sleep(0.001)

    def kill(self):
        """End it as a crash would."""
        self.process.kill()
        self.process.wait()

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()

    def until_prompt(self):
        """Read up to the next question; tell whether there was one."""
        while not re.search(rb"(What came of it\? |> )$", self.seen):
            part = os.read(self.process.stdout.fileno(), 65536)
            if not part:
                return False
            self.seen += part
        return True

    def go_on(self):
        """Say one outcome after another, noting what was answered."""
        try:
            if not self.until_prompt():
                return
            self.resumed = re.findall(r"(?m)^  \d+  (\w+=\w+)$", self.seen.decode())
            self.is_ready = True
            while True:
                event = self.random.choice(
                    ["toss=heads", "toss=tails", "rest=slept", "rest=awake"]
                )
                self.seen = b""
                self.entered.append(event)
                os.write(self.process.stdin.fileno(), f"{event}\n".encode())
                if not self.until_prompt():
                    return
                self.acknowledged.append(event)
        except BrokenPipeError:
            return


def seconds_to_start(folder):
    """Measure how long it takes to the first question, on this machine today."""
    start, talk = time.monotonic(), Talk(folder, Random(0), [])
    assert talk.until_prompt()
    talk.kill()
    talk.close()
    return time.monotonic() - start


def events_in(journal):
    lines = journal.read_bytes().split(b"\n")[1:-1]
    return [f"{e['action']}={e['outcome']}" for e in map(json.loads, lines)]


@pytest.mark.timeout(120)
def test_killed_30_times_nothing_acknowledged_is_lost_and_nothing_is_made_up(tmp_path):
    """
    Every other kill comes at a random moment from the start on, the rest shortly after
    a random number of answers: while it reads, plans, writes or waits.

    What it has answered must be there after each kill; the last thing said may be, if
    it was killed between keeping it and saying so; nothing else may.
    """
    (tmp_path / "toss.yaml").write_text(PROBLEM)
    journal = tmp_path / "toss.yaml.journal"
    moments, told, num_while_talking = Random(5), [], 0
    start_seconds = seconds_to_start(tmp_path)
    for number in range(NUM_KILLS):
        talk = Talk(tmp_path, Random(number), told)
        thread = threading.Thread(target=talk.go_on)
        thread.start()
        if number % 2:
            time.sleep(moments.uniform(0, 1.5 * start_seconds))
        else:
            talk.wait_for(moments.randint(0, 3))
            time.sleep(moments.uniform(0, 0.1))
        talk.kill()
        thread.join(30)
        assert not thread.is_alive()
        talk.close()

        kept = events_in(journal) if journal.exists() else []
        if talk.is_ready:
            assert talk.resumed == told
        assert kept[: len(talk.acknowledged)] == talk.acknowledged
        assert kept == talk.entered[: len(kept)]
        assert len(talk.entered) - len(talk.acknowledged) <= 1
        num_while_talking += len(talk.entered) > len(told)
        told = kept

    assert len(told) > NUM_KILLS / 2  # it came far, and
    assert num_while_talking > NUM_KILLS / 4  # was often killed while it talked
