"""Scenarios of the Network Attack Simulator (NASim) to nodes of a document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Final

from branchwise.errors import Issue
from branchwise.formats.document.nodes import MapNode, Node
from branchwise.formats.foreign.draft import Draft, Part
from branchwise.formats.foreign.parts import (
    amount_of,
    field,
    fields_of,
    items_of,
    number_of,
    one_of,
    probability_of,
    text_of,
    whole_of,
)
from branchwise.formats.place import Place
from branchwise.formats.source_text import excerpt, refuse
from branchwise.model.conditions import condition as conditions

_ADDRESS: Final = re.compile(r"\s*\(\s*(\d{1,6})\s*,\s*(\d{1,6})\s*\)\s*")
_ACCESS: Final = {"user": "user", "root": "root", "1": "user", "2": "root"}
_ANY_SYSTEM: Final = frozenset({"none", "null", "~", ""})
_STEPS: Final = 50
_INTERNET: Final = 0
_MOST_HOSTS: Final = 200
_FAILED: Final = "failed"

Address = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Host:
    """A machine: what runs on it, and from whom it takes what."""

    address: Address
    place: Place
    system: str
    services: frozenset[str]
    processes: frozenset[str]
    denied: Mapping[Address, frozenset[str]]
    value: Fraction

    @property
    def subnet(self) -> int:
        """The subnet it is in."""
        return self.address[0]


@dataclass(frozen=True, slots=True)
class _Exploit:
    """A way to get access to a machine, through a service or a process on it."""

    name: str
    place: Place
    system: str
    runs: str
    probability: Fraction
    cost: Fraction
    access: str
    is_remote: bool

    def works_on(self, host: _Host) -> bool:
        """Whether it may succeed on a machine at all."""
        running = host.services if self.is_remote else host.processes
        is_system = self.system in {"", host.system}
        return is_system and self.runs in running and self.probability > 0


@dataclass(frozen=True, slots=True)
class _Attempt:
    """An exploit of one machine: an action."""

    name: str
    exploit: _Exploit
    host: _Host

    @property
    def succeeds(self) -> conditions.Condition:
        """That it has worked."""
        return conditions.Happened(self.name, self.exploit.access)


def document_nodes(root: Node, source: str) -> tuple[MapNode, list[Issue]]:
    """Read a scenario as a document; the issues say what was assumed."""
    return _Reading(root, source).document()


class _Reading:
    """Puts the parts of a scenario together."""

    def __init__(self, root: Node, source: str) -> None:
        self.root = root
        self.fields = fields_of(root, "the scenario")
        self.draft = Draft(root.place, Path(source).stem)

    def document(self) -> tuple[MapNode, list[Issue]]:
        """Return the document, and what was assumed."""
        self._say_objective()
        for attempt in self.attempts:
            self._add_attempt(attempt)
        for address, scan in self._scans.items():
            self._add_scan(scan, self.hosts[address])
        for host in self.hosts.values():
            gained = self.root_access(host)
            if host.value and gained != conditions.NEVER:
                self.draft.reward(gained, host.value, host.place)
        self._assume()
        return self.draft.node(), self.draft.issues

    # What the file says.

    def _field(self, key: str) -> Node:
        return field(self.fields, self.root, key, "the scenario")

    @cached_property
    def sizes(self) -> list[int]:
        """How many machines each subnet has; the internet is the first."""
        node = self._field("subnets")
        sizes = [
            whole_of(each, "a subnet's size") for each in items_of(node, "subnets")
        ]
        if sum(sizes) > _MOST_HOSTS:
            what = f"there are {sum(sizes):,} machines; at most {_MOST_HOSTS} are read"
            raise refuse(node.place, what, "take a part of the network")
        return [1, *sizes]

    @cached_property
    def links(self) -> list[set[int]]:
        """Which subnets each subnet is connected with."""
        node = self._field("topology")
        rows = items_of(node, "the topology")
        links: list[set[int]] = []
        for row in rows:
            cells = items_of(row, "a row of the topology")
            ones = [one_of(cell, "link", ("0", "1")) == "1" for cell in cells]
            if len(ones) != len(self.sizes):
                raise self._wrong_size(row, len(ones), "columns")
            links.append({i for i, is_linked in enumerate(ones) if is_linked})
        if len(rows) != len(self.sizes):
            raise self._wrong_size(node, len(rows), "rows")
        return links

    def _wrong_size(self, node: Node, count: int, kind: str) -> Exception:
        what = f"the topology has {count} {kind} for {len(self.sizes) - 1} subnets"
        fix = f"give it {len(self.sizes)}: the internet, then each subnet"
        return refuse(node.place, what, fix)

    @cached_property
    def firewall(self) -> dict[tuple[int, int], frozenset[str]]:
        """Which services pass from subnet to subnet."""
        rules = fields_of(self._field("firewall"), "the firewall")
        return {
            _address(key, node): _names(node, "what a firewall lets pass")
            for key, node in rules.items()
        }

    @cached_property
    def sensitive(self) -> dict[Address, Fraction]:
        """What the targets are worth."""
        node = self._field("sensitive_hosts")
        return {
            self._known(key, each): number_of(each, "a machine's value")
            for key, each in fields_of(node, "the sensitive hosts").items()
        }

    def _known(self, key: str, node: Node) -> Address:
        subnet, number = address = _address(key, node)
        if not (0 < subnet < len(self.sizes) and number < self.sizes[subnet]):
            what = f"there is no machine {excerpt(key)} in the subnets"
            raise refuse(node.place, what, "correct the address, or `subnets`")
        return address

    @cached_property
    def hosts(self) -> dict[Address, _Host]:
        """The machines."""
        node = self._field("host_configurations")
        said = fields_of(node, "the host configurations")
        hosts = {}
        for key, each in said.items():
            address = self._known(key, each)
            hosts[address] = self._host(address, each)
        for subnet, size in enumerate(self.sizes[1:], 1):
            for number in range(size):
                if (subnet, number) not in hosts:
                    what = f"the machine `({subnet}, {number})` has no configuration"
                    fix = f"add `({subnet}, {number})` to `host_configurations`"
                    raise refuse(node.place, what, fix)
        return hosts

    def _host(self, address: Address, node: Node) -> _Host:
        what = f"the machine `{address}`"
        said = fields_of(node, what)
        denied = {}
        if "firewall" in said:
            for key, each in fields_of(said["firewall"], "a firewall").items():
                denied[self._known(key, each)] = _names(each, "what is denied")
        value = self.sensitive.get(address, Fraction(0))
        if address not in self.sensitive and "value" in said:
            value = number_of(said["value"], "a machine's value")
        processes = said.get("processes")
        return _Host(
            address,
            node.place,
            text_of(field(said, node, "os", what), "an operating system"),
            _names(field(said, node, "services", what), "services"),
            frozenset() if processes is None else _names(processes, "processes"),
            denied,
            value,
        )

    def _exploits(self, key: str, runs: str) -> Iterator[_Exploit]:
        node = self.fields.get(key)
        if node is None:
            return
        for name, each in fields_of(node, f"`{key}`").items():
            what = f"`{name}`"
            said = fields_of(each, what)
            system = text_of(field(said, each, "os", what), "an operating system")
            yield _Exploit(
                name,
                each.place,
                "" if system.casefold() in _ANY_SYSTEM else system,
                text_of(field(said, each, runs, what), f"a {runs}"),
                probability_of(field(said, each, "prob", what), "`prob`"),
                amount_of(field(said, each, "cost", what), "`cost`"),
                _ACCESS[one_of(field(said, each, "access", what), "access", _ACCESS)],
                runs == "service",
            )

    @cached_property
    def attempts(self) -> list[_Attempt]:
        """Every exploit of every machine on which it may work."""
        exploits = [
            *self._exploits("exploits", "service"),
            *self._exploits("privilege_escalation", "process"),
        ]
        return [
            _Attempt(self.draft.free_name(f"{e.name} on {_shown(host)}"), e, host)
            for host in self.hosts.values()
            for e in _useful([e for e in exploits if e.works_on(host)])
        ]

    @cached_property
    def _attempts_on(self) -> dict[Address, list[_Attempt]]:
        found: dict[Address, list[_Attempt]] = {address: [] for address in self.hosts}
        for attempt in self.attempts:
            found[attempt.host.address].append(attempt)
        return found

    @cached_property
    def _scans(self) -> dict[Address, str]:
        """The scans that may find something."""
        return {
            address: self.draft.free_name(f"subnet scan from {_shown(host)}")
            for address, host in self.hosts.items()
            if self.compromised(host) != conditions.NEVER
            and any(s and not self.is_public(s) for s in self.links[host.subnet])
        }

    # What follows from it.

    def is_public(self, subnet: int) -> bool:
        """Whether a subnet can be reached from the internet."""
        return _INTERNET in self.links[subnet]

    def passes(self, service: str, start: int, end: int) -> bool:
        """Whether the firewalls between subnets let a service pass."""
        if start == end:
            return True
        allowed = self.firewall.get((start, end), frozenset())
        return end in self.links[start] and service in allowed

    def compromised(self, host: _Host) -> conditions.Condition:
        """That there is some access to a machine."""
        attempts = self._attempts_on[host.address]
        return conditions.any_of(*(a.succeeds for a in attempts if a.exploit.is_remote))

    def root_access(self, host: _Host) -> conditions.Condition:
        """That there is full access to a machine."""
        attempts = self._attempts_on[host.address]
        return conditions.any_of(
            *(a.succeeds for a in attempts if a.exploit.access == "root")
        )

    def _is_found(self, host: _Host) -> conditions.Condition:
        """That a machine is known: by a scan from a subnet connected with its own."""
        if self.is_public(host.subnet):
            return conditions.ALWAYS
        scans = (
            conditions.Happened(scan, "done")
            for address, scan in self._scans.items()
            if host.subnet in self.links[address[0]] and address != host.address
        )
        return conditions.any_of(*scans)

    def _is_let_in(self, host: _Host, exploit: _Exploit) -> conditions.Condition:
        """That the firewalls let an exploit pass, from a machine that is ours."""
        service = exploit.runs
        sources = [
            other
            for other in self.hosts.values()
            if self.passes(service, other.subnet, host.subnet)
        ]
        open_to = [s for s in sources if service not in host.denied.get(s.address, ())]
        passed = conditions.any_of(
            *(
                conditions.ALWAYS
                if self.is_public(each.subnet)
                else self._is_ours(each, host)
                for each in open_to
            )
        )
        if self.is_public(host.subnet):
            return passed
        started = conditions.any_of(*(self._is_ours(each, host) for each in sources))
        return (
            started
            if passed in (started, conditions.ALWAYS)
            else conditions.all_of(started, passed)
        )

    def _is_ours(self, source: _Host, target: _Host) -> conditions.Condition:
        """That one may start from a machine; from the target itself, as its user."""
        if source is target:
            return self._user_access(target)
        return self.compromised(source)

    def _user_access(self, host: _Host) -> conditions.Condition:
        attempts = self._attempts_on[host.address]
        return conditions.any_of(
            *(a.succeeds for a in attempts if a.exploit.access == "user")
        )

    # The document.

    def _say_objective(self) -> None:
        steps: Part = _STEPS
        if "step_limit" in self.fields:
            steps = whole_of(self.fields["step_limit"], "`step_limit`")
        self.draft.say("budget", {"steps": steps, "cost": "unlimited"})
        self.draft.say("combine", "sum")
        self.draft.say("cost_weight", {"cost": 1})

    def _add_attempt(self, attempt: _Attempt) -> None:
        exploit, host = attempt.exploit, attempt.host
        done = self.root_access(host)
        is_ours = self.compromised(host)
        if exploit.is_remote:
            requires = conditions.all_of(
                self._is_found(host), self._is_let_in(host, exploit)
            )
            done = done if exploit.access == "root" else is_ours
        else:
            requires = self._user_access(host)
        said: dict[str, Part] = {
            "cost": {"steps": 1, "cost": exploit.cost},
            "attempts": "unlimited",
        }
        if requires != conditions.ALWAYS:
            said["requires"] = requires
        said["precluded_by"] = conditions.any_of(done, self._is_over)
        said["outcomes"] = _chances(exploit.access, exploit.probability)
        is_user = self._user_access(host)
        # Who has access already exploits a machine without fail.
        if (
            exploit.is_remote
            and exploit.access == "root"
            and is_user != conditions.NEVER
        ):
            said["given"] = [{"when": is_user, "outcomes": {exploit.access: 1}}]
        self.draft.action(attempt.name, said, exploit.place)

    def _add_scan(self, name: str, host: _Host) -> None:
        said: dict[str, Part] = {
            "cost": {"steps": 1, "cost": self._scan_cost},
            "requires": self.compromised(host),
            "outcomes": {"done": 1},
        }
        if self._is_over != conditions.NEVER:
            said["precluded_by"] = self._is_over
        self.draft.action(name, said, host.place)

    @cached_property
    def _scan_cost(self) -> Fraction:
        node = self._field("subnet_scan_cost")
        return amount_of(node, "`subnet_scan_cost`")

    @cached_property
    def _is_over(self) -> conditions.Condition:
        """That all targets are reached: then the simulator ends the episode."""
        others = [h for a, h in self.hosts.items() if a not in self.sensitive]
        if all(host.value <= 0 for host in others):
            return conditions.NEVER  # There is nothing to gain afterwards.
        return conditions.all_of(
            *(self.root_access(self.hosts[a]) for a in self.sensitive)
        )

    def _assume(self) -> None:
        draft, place = self.draft, self.root.place
        if "step_limit" not in self.fields:
            what = f"there is no `step_limit`; the budget is {_STEPS} steps"
            draft.assume(place, what, "say another with `--budget steps=20`, say")
        what = (
            "the attacker knows every machine's configuration, so that scans of "
            "services, systems and processes are left out; so are exploits that cannot "
            "work on a machine"
        )
        fix = "nothing, if this is meant; partial observation cannot be expressed here"
        draft.assume(place, what, fix)
        for address in self.sensitive:
            if self.root_access(self.hosts[address]) == conditions.NEVER:
                what = f"no exploit gives root access to the target `{address}`"
                fix = "check its services, processes and operating system"
                draft.assume(self.hosts[address].place, what, fix)


def _useful(exploits: list[_Exploit]) -> list[_Exploit]:
    """Return those that gain something: from within, full access for a mere user."""
    has_user = any(each.is_remote and each.access == "user" for each in exploits)
    return [e for e in exploits if e.is_remote or (has_user and e.access == "root")]


def _chances(access: str, probability: Fraction) -> dict[str, Part]:
    if probability == 1:
        return {access: 1}
    return {access: probability, _FAILED: "rest"}


def _shown(host: _Host) -> str:
    return f"({host.address[0]}, {host.address[1]})"


def _address(key: str, node: Node) -> Address:
    found = _ADDRESS.fullmatch(key)
    if found is None:
        what = f"{excerpt(key)} is no pair of numbers"
        raise refuse(node.place, what, "write for example `(1, 0)`")
    return int(found[1]), int(found[2])


def _names(node: Node, what: str) -> frozenset[str]:
    return frozenset(text_of(each, "a name") for each in items_of(node, what))
