// The plan: one record per state, as Python wrote it. Nothing is unrolled here.

/** What a plan does at each of its states; states are told by number, 0 is the root. */
class Plan {
  constructor(data) {
    this.names = data.names;
    this.states = data.states;
    this.branchColumns = data.branches;
    this.alternativesOf = data.alternatives;
    this.descriptions = data.descriptions;
    this.notes = data.notes;
    this.spending = data.spending;
    this.isComplete = data.isComplete;
    this.isCost = data.isCost;
  }

  get numStates() { return this.states.action.length; }

  /** The action to take at a state; null where the plan stops. */
  action(state) {
    const number = this.states.action[state];
    return number < 0 ? null : this.names[number];
  }

  numBranches(state) { return this.states.start[state + 1] - this.states.start[state]; }

  /** One outcome of the action at a state: what it is, how likely, where it leads. */
  branch(state, number) {
    const index = this.states.start[state] + number;
    const { outcome, probabilities, nominal, cost, state: target } = this.branchColumns;
    return {
      outcome: this.names[outcome[index]],
      probabilities: probabilities[index],
      nominal: nominal?.[index] ?? null,
      state: target[index],
      cost: cost ? this.names[cost[index]] : "",
    };
  }

  branches(state) {
    return Array.from({ length: this.numBranches(state) }, (_, i) => this.branch(state, i));
  }

  /** Whether an adversary chooses other probabilities than the nominal ones at a state. */
  hasDeviation(state) { return this.branches(state).some((branch) => branch.nominal !== null); }

  /** Whether what follows a state is left out of this file. */
  isCut(state) { return this.states.action[state] >= 0 && this.numBranches(state) === 0; }

  /** What other actions would have been worth at a state, the best first. */
  alternatives(state) {
    return (this.alternativesOf[state] ?? []).map(([action, value, isBound, ...rest]) => (
      { action: this.names[action], value: this.shown(value), isBound: Boolean(isBound), prospects: this.prospects(rest) }
    ));
  }

  /** What each outcome of another action would lead to, from its outcome, probabilities and value. */
  prospects(numbers) {
    return Array.from({ length: numbers.length / 3 }, (_, i) => (
      { outcome: this.names[numbers[3 * i]], probabilities: numbers[3 * i + 1], value: this.shown(numbers[3 * i + 2]) }
    ));
  }

  /** What a value is as people read it: where the least cost is wanted, a cost. */
  shown(value) { return this.isCost && typeof value === "number" ? 0 - value : value; }

  /** Which branch of a state is the likeliest; the first of several. */
  likeliestBranch(state) {
    const { probabilities } = this.branchColumns;
    const from = this.states.start[state];
    let best = 0;
    for (let number = 1; number < this.numBranches(state); number += 1) {
      if (probabilities[from + number] > probabilities[from + best]) best = number;
    }
    return best;
  }

  /** The branches to take from the root, on the likeliest way to a state. */
  likeliestWay(state) {
    const way = [];
    for (let at = state; at > 0; at = this.states.before[at]) way.push(this.states.by[at]);
    return way.reverse();
  }

  /**
   * How likely each reward is to be the last, from a state on: pairs of reward and
   * probability, the highest reward first. Where the file ends before the plan does,
   * what is missing has the reward null.
   */
  endings(state) {
    const reached = new Map([[state, 1]]);
    const pending = [state];
    const endings = new Map();
    // A state's number is higher than those that lead to it, so the lowest is settled.
    while (pending.length > 0) {
      const at = popLowest(pending);
      const probability = reached.get(at);
      if (this.numBranches(at) === 0) {
        const reward = this.isCut(at) ? null : this.states.reward[at];
        endings.set(reward, (endings.get(reward) ?? 0) + probability);
      }
      for (const branch of this.branches(at)) {
        if (!reached.has(branch.state)) pushLowest(pending, branch.state);
        const before = reached.get(branch.state) ?? 0;
        reached.set(branch.state, before + probability * branch.probabilities);
      }
    }
    const order = (a, b) => (a === null) - (b === null) || asNumber(b) - asNumber(a) || 0;
    return [...endings].sort(([a], [b]) => order(a, b));
  }
}

/** Take the lowest number off a heap. */
function popLowest(heap, lower = (a, b) => a < b) {
  const lowest = heap[0];
  const last = heap.pop();
  if (heap.length === 0) return lowest;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && lower(heap[child + 1], heap[child])) child += 1;
    if (!lower(heap[child], last)) break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = last;
  return lowest;
}

/** Put a number on a heap. */
function pushLowest(heap, item, lower = (a, b) => a < b) {
  let at = heap.length;
  heap.push(item);
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!lower(item, heap[parent])) break;
    heap[at] = heap[parent];
    at = parent;
  }
  heap[at] = item;
}
