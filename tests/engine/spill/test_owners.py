"""Several owners of buckets, each with a folder, come to the answer of one."""

from random import Random

import pytest

import branchwise._core as core
from branchwise import solve
from branchwise.engine.canonical_policy import tree_of
from branchwise.engine.lower import Lowered, core_objective
from problems.gadgets import gadget_oracles
from problems.straight_problem import straight_problem
from problems.wide_documents import wide_oracles

NO_LIMIT = (None, None, lambda *_: True)


class Owners:
    """Some owners who hand each other keys, values and marks."""

    def __init__(self, problem, folder, ends, prefer):
        self.problem, self.folder, self.ends = problem, folder, ends
        self.measurement = core.Measurement(core_objective(prefer))
        self.ranges = [
            core.BucketRange(first, last)
            for first, last in zip((0, *ends), (*ends, core.NUM_BUCKETS), strict=True)
        ]
        self.spills = [self._begun(owner) for owner in range(len(self.ranges))]

    def _begun(self, owner):
        folder = self.folder / str(owner)
        folder.mkdir(exist_ok=True)
        instance = Lowered(self.problem).instance
        return core.Spill(instance, 1, str(folder), owner, self.ranges[owner])

    def restart(self, owner):
        self.spills[owner] = self._begun(owner)

    def others(self, owner):
        return (each for each in range(len(self.spills)) if each != owner)

    def inbox(self, owner):
        return str(self.folder / str(owner) / "incoming.tmp")

    def explore(self, part_states, random):
        ranks = [spill.next_rank for spill in self.spills]
        while (
            rank := max((r for r in ranks if r is not None), default=None)
        ) is not None:
            for owner, spill in enumerate(self.spills):
                done = spill.num_parts
                while spill.next_rank == rank:
                    is_done, _ = spill.expand(2**40, part_states, 2**40, *NO_LIMIT)
                    assert is_done
                for part in range(done, spill.num_parts):
                    self._hand_out_keys(owner, part)
            self.restart(random.randrange(len(self.spills)))
            ranks = [spill.next_rank for spill in self.spills]
        for spill in self.spills:
            spill.end_exploring()

    def _hand_out_keys(self, owner, part):
        for other in self.others(owner):
            for _ in range(2):  # Twice is as good as once.
                inbox = self.inbox(other)
                self.spills[owner].export_keys(part, self.ranges[other], inbox)
                self.spills[other].import_keys(owner, part, inbox)

    def parts_by_rank(self):
        """All parts as owner and number, by falling rank."""
        parts = [
            (spill.layers(part), owner, part)
            for owner, spill in enumerate(self.spills)
            for part in range(spill.num_parts)
        ]
        return sorted((-layers[0][0], owner, part) for layers, owner, part in parts)

    def score(self):
        for _, owner, part in reversed(self.parts_by_rank()):
            for other in self.others(owner):
                inbox, how = self.inbox(owner), self.measurement
                self.spills[other].export_values(owner, part, how, inbox)
                self.spills[owner].import_values(part, other, how, inbox)
            scored, _ = self.spills[owner].score(part, self.measurement, *NO_LIMIT)
            assert scored is core.PartScored.DONE

    def plan(self):
        marks = [core.PlanMarks(s, self.measurement, True) for s in self.spills]
        parts = self.parts_by_rank()
        first = parts[0][1]
        marks[first].mark_root()
        engine = core.CanonicalEngine(Lowered(self.problem).instance, 1)
        builder = core.PlanBuilder(engine, first)
        for _, owner, part in parts:
            assert builder.add(marks[owner].follow(part))
            for other in self.others(owner):
                sent = marks[owner].marks_in(self.ranges[other])
                marks[other].add(owner, part, sent)
        builder.finish()
        num_reduced = sum(each.num_counted for each in marks)
        return tree_of(core.Plan(engine), self.problem), num_reduced


@pytest.mark.parametrize("documents", [gadget_oracles, wide_oracles])
def test_owners_of_buckets_come_to_the_tree_of_one_who_has_all(tmp_path, documents):
    for number, oracle in enumerate(documents(12, "owners")):
        problem, random = straight_problem(oracle.doc), Random(number)
        if problem.finish is not None:
            continue
        ends = sorted(random.sample(range(1, 64), random.choice((1, 2, 4))))
        prefer = random.choice(("fewest-nodes", "least-depth", "order"))
        folder = tmp_path / str(number)
        folder.mkdir()
        owners = Owners(problem, folder, ends, prefer)
        owners.explore(random.choice((1, 8, 2**40)), random)
        owners.score()
        tree, num_reduced = owners.plan()

        known = solve(problem, engine="canonical", search="exhaustive", prefer=prefer)
        nodes = [(node.path, node.action, node.value) for node in tree.walk()]
        assert nodes == [(n.path, n.action, n.value) for n in known.tree.walk()]
        assert num_reduced == known.statistics.reduced_graph_states
        total = sum(spill.num_states for spill in owners.spills)
        assert total == known.statistics.full_graph_states


def test_keys_that_come_once_their_layer_is_done_are_refused(tmp_path):
    problem = straight_problem(next(gadget_oracles(1, "late", max_states=200)).doc)
    owners = Owners(problem, tmp_path, (32,), "fewest-nodes")
    first = next(s for s in owners.spills if s.next_rank is not None)
    owner = owners.spills.index(first)
    other = 1 - owner
    # All that is sent to the other goes to it one step too late.
    while first.next_rank is not None:
        assert first.expand(2**40, None, 2**40, *NO_LIMIT)[0]
    inbox, late = owners.inbox(other), []
    for part in reversed(range(first.num_parts)):
        first.export_keys(part, owners.ranges[other], inbox)
        try:
            owners.spills[other].import_keys(owner, part, inbox)
            while owners.spills[other].next_rank is not None:
                assert owners.spills[other].expand(2**40, None, 2**40, *NO_LIMIT)[0]
        except core.SpillError as error:
            late.append(error.args)

    assert late
    assert {what for _, _, what in late} == {"its states were expanded before it came"}
