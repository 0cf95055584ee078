"""The dialogue: what is said, what is understood, and how one leaves and returns."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from random import Random
from select import select

import pytest

from branchwise import LimitError, validate, write_text
from branchwise.model.action import Action
from branchwise.model.problem import Problem, Reward
from problems.hostile_names import HOSTILE
from problems.wildcatter import OIL


@pytest.fixture
def oil(folder):
    (folder / "oil.yaml").write_text(OIL)
    return "oil.yaml"


@pytest.fixture
def follow(run, oil):
    """Follow the plan, given these answers."""

    def say(*answers, options=(), file=oil):
        text = "".join(f"{answer}\n" for answer in answers)
        return run("follow", file, *options, input=text)

    return say


def test_it_leads_through_the_plan(follow):
    result = follow("good", "no buyer", "oil")

    assert result.exit_code == 0
    assert (
        result.output
        == """\
What you say is kept in oil.yaml.journal; `help` says what you can say.

Do test (costs 1, 3 left), worth 47.2 from here.
  1  good  40 %
  2  bad   60 %
What came of it? good

Do sell (costs 1, 2 left), worth 118 from here.
  1  sold      90 %
  2  no buyer  10 %
What came of it? no buyer

Do drill (costs 1, 1 left), worth 100 from here.
  1  oil  50 %
  2  dry  50 %
What came of it? oil

Stop here: this pays 200.
Say `quit` to leave, or what has changed.
> (end of input)
Everything said is kept. Go on with: branchwise follow oil.yaml
"""
    )


@pytest.mark.parametrize("answer", ["good", "1", "g", "GOOD", "test=good", "t=g"])
def test_names_numbers_and_first_letters_are_understood(follow, answer):
    assert "Do sell (costs 1, 2 left), worth 118" in follow(answer).output


@pytest.mark.parametrize(
    ("answer", "reply"),
    [
        ("3", "there is no 3; write a number from 1 to 2"),
        ("x", "`x` is not understood; say `good`, `bad` or `help`"),
        ("drill", "say what came of `drill`, such as `drill=oil`"),
        ("sell=sold", "`sell` requires `test=good and not drill`, which does not"),
        ("sell=sold", "if it happened all the same: `surprise sell=sold`"),
        ("drlil=oil", "there is no action `drlil`; did you mean `drill`?"),
        ("probability drill=oil 2", "2 is no probability"),
        ("probability", "write `probability a3=ok 0.2`"),
        ("cost drill x", "`x` is not a number"),
        ("cost dril -1", "less than 0"),
        ("budget", "write `budget 4` for what is left"),
        ("budget +x", "`+x` is not a number"),
        ("budget +1e99999999", "`+1e99999999` is not a number"),
        ("budget +1/0", "`+1/0` is not a number"),
        ("9" * 5_000, "there is no 999"),
        (f"reward {'9' * 5_000} 3", "there is no such reward"),
        ("budget days=3", "there is no resource 'days'"),
        ("reward drill=gas 3", "there is no such reward"),
        ("impossible fly", "there is no action 'fly'"),
        ("undo", "there is nothing to undo"),
        ("s", "`s` may be `surprise` or `status`; write more of it"),
        ("\x1b[2J", "`?[2J` is not understood"),
    ],
)
def test_what_is_not_understood_is_reported_and_changes_nothing(follow, answer, reply):
    result = follow(answer, "history")

    assert result.exit_code == 0
    assert reply in result.output
    assert "nothing yet" in result.output
    assert "\x1b" not in result.output


@pytest.mark.parametrize(
    ("answer", "reply"),
    [
        (
            "impossible sell",
            "Now drill instead of sell, worth 100 instead of 118 (-18)",
        ),
        ("prob sell=sold 1", "Still sell, worth 120 instead of 118 (+2)"),
        ("cost sell 2", "Still sell, worth 108 instead of 118 (-10)"),
        ("budget -1", "Still sell, worth 108 instead of 118 (-10)"),
        ("budget 9", "Still sell, worth 118 as before"),
        ("reward drill=oil 400", "Now drill instead of sell, worth 200 instead of 118"),
        ("reward 1 400", "Now drill instead of sell, worth 200 instead of 118"),
        ("surprise sell=stolen", "Now drill instead of sell, worth 100"),
        ("drill=dry", "That was not the plan; there is a new one from here."),
    ],
)
def test_a_surprise_is_planned_for_and_its_effect_reported(follow, answer, reply):
    result = follow("good", answer)

    assert reply in result.output


def test_commands_yield_to_outcomes_and_a_slash_makes_them_commands(folder, follow):
    (folder / "odd.yaml").write_text(
        "actions: {a: {attempts: 3, outcomes: {quit: 0.5, 2: 0.3, 1: 0.2}}}\n"
        "rewards: [{when: a=1, value: 9}]\n"
    )
    result = follow("quit", "1", "/undo", "/history", "/quit", file="odd.yaml")

    assert "  quit  50 %\n  2     30 %\n  1     20 %\n" in result.output
    assert "Taken back:\n  2  a=1\n" in result.output
    assert "> /history" not in result.output
    assert "What came of it? /history\n  1  a=quit\n" in result.output


def test_the_same_command_goes_on_from_there(follow):
    follow("good", "impossible sell", "quit")

    result = follow("oil")

    assert result.output.startswith(
        "Going on with oil.yaml.journal, where this was said:\n"
        "  1  test=good\n"
        "  2  sell is no longer possible\n"
        "\n"
        "Do drill (costs 1, 2 left), worth 100 from here.\n"
    )


def test_an_edited_or_missing_file_does_not_matter_and_is_reported(folder, follow):
    follow("good")
    (folder / "oil.yaml").write_text(OIL.replace("200", "300"))
    assert "oil.yaml has changed since" in follow().output
    (folder / "oil.yaml").unlink()

    result = follow()

    assert (
        "oil.yaml cannot be read any more; the journal has the problem."
        in result.output
    )
    assert "worth 118 from here" in result.output


def test_restart_keeps_the_old_journal_under_another_name(folder, follow):
    follow("good")

    result = follow(options=["--restart", "--budget", "2", "--prefer", "order"])

    assert "The journal so far is kept as oil.yaml.journal.1\n" in result.output
    assert "Do test (costs 1, 2 left)" in result.output
    head = json.loads((folder / "oil.yaml.journal").read_text().splitlines()[0])
    assert (head["problem"]["budget"], head["how"]["prefer"]) == (2, "order")


def test_a_budget_does_not_fit_a_plan_that_is_under_way(follow):
    follow("good")

    result = follow(options=["--budget", "9"])

    assert result.exit_code == 2
    assert "say `budget 9` when asked what came, or begin anew" in result.stderr


def test_a_torn_line_is_reported(folder, follow):
    follow("good", "sold")
    journal = folder / "oil.yaml.journal"
    journal.write_bytes(journal.read_bytes()[:-3])

    result = follow()

    assert "Its last line was torn off by a crash" in result.output
    assert "Do sell" in result.output


def test_a_damaged_journal_is_wrong_input_with_its_line(folder, follow):
    follow("good")
    journal = folder / "oil.yaml.journal"
    journal.write_text(journal.read_text().replace('"entry": 1', '"entry": 7'))

    result = follow()

    assert result.exit_code == 2
    assert result.stderr.startswith("oil.yaml.journal:2: entry 1 should stand here")


def test_the_problem_cannot_come_from_where_the_answers_do(follow):
    assert follow(file="-").exit_code == 2


def test_the_problem_file_is_never_taken_for_the_journal(folder, follow):
    result = follow(options=["--journal", "oil.yaml", "--restart"])

    assert result.exit_code == 2
    assert "is the problem itself" in result.stderr
    assert (folder / "oil.yaml").read_text() == OIL


@pytest.mark.parametrize("notes", ["buy milk", "buy milk\ncall Ann\n"])
@pytest.mark.parametrize("options", [[], ["--restart"]])
def test_a_file_that_is_not_a_journal_is_left_alone(folder, follow, notes, options):
    (folder / "notes.txt").write_text(notes)

    result = follow(options=["--journal", "notes.txt", *options])

    assert result.exit_code == 2
    assert "notes.txt: this file is not a journal, and stays as it is" in result.stderr
    assert "fix: name another file with `--journal`" in result.stderr
    assert (folder / "notes.txt").read_text() == notes
    assert {each.name for each in folder.iterdir()} == {"notes.txt", "oil.yaml"}


def test_a_first_line_that_was_torn_is_reported(folder, follow):
    follow("good")
    journal = folder / "oil.yaml.journal"
    journal.write_bytes(journal.read_bytes()[:60])

    result = follow()

    assert "oil.yaml.journal ended in its first line, torn off" in result.output
    assert "Do test" in result.output


def test_what_was_interrupted_before_it_was_kept_is_not_said_to_be(follow, monkeypatch):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("branchwise.follow.journal.Journal.append", interrupt)
        early = follow("good")
    with monkeypatch.context() as patch:
        patch.setattr("branchwise.cli.terminal.dialogue.Dialogue._report", interrupt)
        late = follow("good", "impossible sell")

    for result in (early, late):
        assert result.exit_code == 130
    assert "is kept but `good`, which came last and may not be. Go" in early.output
    assert "Everything said is kept. Go on with" in late.output


def test_restart_with_a_broken_file_leaves_the_journal_alone(folder, follow):
    follow("good")
    (folder / "oil.yaml").write_text("actions: []\n")

    assert follow(options=["--restart"]).exit_code == 2
    assert "Do sell" in follow().output


def test_an_outcome_that_the_problem_does_not_have_is_pointed_out(follow):
    result = follow("good", "surprise sell=stolen")

    assert "So far `sell` had no outcome `stolen`.\nNow drill" in result.output


def test_a_journal_of_ones_own_is_named_in_the_end(follow):
    result = follow("good", options=["--journal", "my day.journal"])

    assert "Go on with: branchwise follow oil.yaml --journal 'my day.journal'" in (
        result.output
    )
    assert Path("my day.journal").exists()


def named(name):
    action = Action(name, outcomes={name: 0.5, f"{name}r": 0.5}, attempts=2)
    return Problem([action], [Reward(action[name], 1)], budget=2, name=name)


def is_allowed(name):
    return not any(issue.severity == "error" for issue in validate(named(name)))


@pytest.mark.parametrize("name", [*filter(is_allowed, HOSTILE)])
def test_hostile_names_are_only_text(folder, follow, name):
    text = write_text(named(name))
    (folder / "hostile.yaml").write_text(text, encoding="utf-8")
    answers = ["1", "undo", name[0], "nonsense", "surprise x=y", "1", "status"]

    result = follow(*answers, file="hostile.yaml")

    assert result.exit_code == 0
    assert "Stop here: this pays 1." in result.output
    assert not {"\x1b", "\x07", "\x00", "\u202e"} & set(result.output)


def test_a_limit_that_leaves_no_plan_ends_it_with_the_journal_intact(
    follow, monkeypatch
):
    """What was said is kept, and goes on from there once there is a plan."""
    follow("good")

    def none(*_, **__):
        raise LimitError("the time limit was met before there was a plan")

    with monkeypatch.context() as patch:
        patch.setattr("branchwise.follow.route.solve", none)
        result = follow()

    assert result.exit_code == 2
    assert result.stderr == "the time limit was met before there was a plan\n"
    assert "Do sell" in follow().output


def test_without_an_input_there_is_no_dialogue(start, oil):
    process = start("follow", oil, preexec_fn=lambda: os.close(0))

    assert process.wait(60) == 2
    assert b"there is no standard input to answer on" in process.stderr.read()


def test_a_journal_of_gigabytes_is_not_read(follow, folder):
    with (folder / "sparse.journal").open("wb") as file:
        file.truncate(30 * 2**30)
    result = follow(options=["--journal", "sparse.journal"])

    assert result.exit_code == 2
    assert result.stderr == (
        "sparse.journal: the file has more than 64 MB, the most that is read\n"
        "    fix: name another file with `--journal`\n"
    )


def test_a_device_is_no_journal(follow):
    result = follow(options=["--journal", "/dev/full"])

    assert result.exit_code == 2
    assert result.stderr.startswith("/dev/full: this is a device or a pipe")


def test_two_processes_cannot_follow_one_journal(start, oil):
    first = start("follow", oil, stdin=-1)
    first.stdout.readline()

    second = start("follow", oil, stdin=-1)

    assert second.wait(60) == 2
    assert b"another process is following this plan just now" in second.stderr.read()


def test_a_dumb_terminal_will_do_and_control_c_leaves_safely(start, oil):
    ours, theirs = pty.openpty()
    process = start(
        "follow",
        oil,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        environment={"TERM": "dumb"},
        start_new_session=True,
    )
    os.close(theirs)
    seen = until(ours, "What came of it? ")
    os.write(ours, b"good\n")
    seen += until(ours, "no buyer  10 %\r\nWhat came of it? ")
    seen += until(ours, "Go on with: branchwise follow oil.yaml", interrupting=process)

    assert process.wait(60) == 130
    assert "Do sell (costs 1, 2 left), worth 118 from here." in seen
    assert "\x1b" not in seen
    assert "Traceback" not in seen
    os.close(ours)


def until(terminal, text, interrupting=None):
    """
    Read until there is this text, pressing Ctrl-C before, if so asked.

    Python sees a Ctrl-C that falls between its prompt and its waiting for an answer
    only when something else happens. So it is pressed again where no answer comes.
    """
    seen = ""
    num_silent = 0
    while text not in seen:
        if interrupting and not seen:
            interrupting.send_signal(signal.SIGINT)
        if select([terminal], [], [], 5)[0]:
            seen += os.read(terminal, 4096).decode()
        else:
            num_silent += 1
        assert num_silent < 6, f"no {text!r} in {seen!r}"
    return seen


PROBLEM = """\
actions:
  toss: {attempts: unlimited, cost: 1, outcomes: {heads: 0.5, tails: 0.5}}
  rest: {attempts: unlimited, cost: 1, outcomes: {slept: 0.5, awake: 0.5}}
budget: 2000
rewards: [{when: toss=heads and toss=tails and rest=slept, value: 10}]
"""
NUM_KILLS = 30
MOST_SAID = 9  # to one process: altogether far less than the budget allows


class Talk:
    """A process that is given some outcomes one after another until it is killed."""

    def __init__(self, folder, random, reported):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "branchwise", "follow", "toss.yaml"],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        )
        self.random = random
        self.news = threading.Condition()
        self.is_ready = self.is_over = False
        self.resumed = []
        self.num_reported = len(reported)
        self.entered = list(reported)
        self.acknowledged = list(reported)
        self.seen = b""

    def wait_for(self, num_answers):
        """Wait until it has resumed, answered so often, and was told one more."""
        num_told = self.num_reported + num_answers + 1
        with self.news:
            self.news.wait_for(lambda: len(self.entered) >= num_told or self.is_over)
        assert len(self.entered) >= num_told

    def kill(self):
        """End it as a crash would."""
        self.process.kill()
        self.process.wait()

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()

    def until_prompt(self):
        """Read up to the next question; whether there was one."""
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
            for _ in range(MOST_SAID):
                event = self.random.choice(
                    ["toss=heads", "toss=tails", "rest=slept", "rest=awake"]
                )
                self.seen = b""
                with self.news:
                    self.entered.append(event)
                    self.news.notify()
                os.write(self.process.stdin.fileno(), f"{event}\n".encode())
                if not self.until_prompt():
                    return
                self.acknowledged.append(event)
        except BrokenPipeError:
            return
        finally:
            with self.news:
                self.is_over = True
                self.news.notify()


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


@pytest.mark.timeout(600)
def test_killed_30_times_nothing_acknowledged_is_lost_and_nothing_is_made_up(tmp_path):
    """
    Every other kill comes at a random moment from the start on, the rest shortly after
    a random number of answers: while it reads, plans, writes or waits.

    What it has answered must be there after each kill; the last thing said may be, if
    it was killed between keeping it and saying so; nothing else may.
    """
    (tmp_path / "toss.yaml").write_text(PROBLEM)
    journal = tmp_path / "toss.yaml.journal"
    moments, reported, num_awaited = Random(5), [], 0
    start_seconds = seconds_to_start(tmp_path)
    for number in range(NUM_KILLS):
        talk = Talk(tmp_path, Random(number), reported)
        thread = threading.Thread(target=talk.go_on)
        thread.start()
        if number % 2:
            time.sleep(moments.uniform(0, 1.5 * start_seconds))
        else:
            num_answers = moments.randint(0, 3)
            num_awaited += num_answers
            talk.wait_for(num_answers)
            time.sleep(moments.uniform(0, 0.02))
        talk.kill()
        thread.join()
        talk.close()

        kept = events_in(journal) if journal.exists() else []
        if talk.is_ready:
            assert talk.resumed == reported
        assert kept[: len(talk.acknowledged)] == talk.acknowledged
        assert kept == talk.entered[: len(kept)]
        assert len(talk.entered) - len(talk.acknowledged) <= 1
        reported = kept

    assert len(reported) >= num_awaited > NUM_KILLS / 2  # it came far
