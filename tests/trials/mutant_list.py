"""Every rule of the engines, weakened on purpose; `mutants.py` runs the tests on each.

A mutant replaces a text that stands once in a file. `tests` is where it should die, so
that not everything has to run; where it does not, the whole selection runs.
"""

from typing import NamedTuple

__all__ = ["EVERYWHERE", "MUTANTS", "Mutant"]

CLAIMS = "tests/engine/test_claims.py"
COUNTEREXAMPLES = ("tests/agreement/test_counterexamples.py",)
SEARCHES = (f"{CLAIMS}::test_both_searches_have_the_best_value_and_the_fewest_nodes",)
SCORES = f"{CLAIMS}::test_every_state_scores_what_it_is_worth"
CANONICAL = (SCORES, "-k", "canonical")
RARE = (f"{SCORES}_where_that_is_rare", "-k", "canonical")
PAPER = (SCORES, "-k", "paper")
REFERENCE = (SCORES, "-k", "reference")
MERGED = (f"{CLAIMS}::test_states_that_are_merged_have_the_same_future",)
BOUNDS = (f"{CLAIMS}::test_perfect_information_bounds_every_score",)
STOPPED = (f"{CLAIMS}::test_a_search_that_is_cut_short_has_bounds_that_hold",)
WORST = (
    f"{CLAIMS}::test_the_worst_case_is_what_brute_force_says",
    f"{CLAIMS}::test_bounds_on_the_worst_case_hold_wherever_the_search_stops",
)
AGAIN = (f"{CLAIMS}::test_a_solver_that_is_used_again_says_what_a_new_one_does",)
DEEPENED = ("tests/engine/test_deepening.py",)
SETS = ("tests/rewarding",)
FINELY = (f"{CLAIMS}::test_states_are_the_same_however_finely_costs_are_counted",)
EXACT = ("tests/engine/test_exact.py",)
ALIKE = (f"{SCORES}_where_keys_are_alike",)
PACKED = ("cpp/tests/canonical/test_key_store.cpp",)
MANY = (f"{SCORES}_where_there_are_many_sets",)
SHOWN = (
    "tests/engine/test_canonical.py"
    "::test_a_plan_is_worth_what_was_shown_without_time_to_work_it_out",
)
HANDED_OVER = (
    "tests/engine/test_best_first.py"
    "::test_what_a_plan_in_hand_hopes_for_is_handed_over_with_it",
)
AT_LEAST = ("tests/agreement/test_at_least.py",)
MUCH = (f"{CLAIMS}::test_what_all_attempts_cost_may_be_too_much_to_be_counted",)
OWN_SPACES = ("tests/engine/explicit",)
WIDE = ("tests/agreement/test_wide.py",)
WIDE_AIMS = (
    "tests/risk/test_aim_solver.py::test_aims_of_wide_problems_are_met_as_by_every_plan",
)
AFTER = (f"{WIDE[0]}::test_what_is_left_after_an_outcome_is_worth_what_the_plan_says",)
BY_SETS = "tests/engine/test_sets_run.py"
LEFT_OUT = (
    f"{BY_SETS}::test_every_state_is_worth_what_it_is_with_these_actions_alone",
)
WHOLE = (
    f"{BY_SETS}::test_both_searches_find_value_and_fewest_nodes_with_these_actions_alone",
)
HELD = "tests/agreement/test_wide_canonical.py"
HELD_STATES = f"{HELD}::test_every_state_scores_what_it_is_worth"
COUNTERS = (HELD_STATES, "-k", "counters")
COUNTS = (HELD_STATES, "-k", "counts")
PER_COUNTER = (HELD_STATES, "-k", "per")
OUTCOME_COSTS = (HELD_STATES, "-k", "costs")
WIDE_ENDINGS = (HELD_STATES, "-k", "endings")
HIDDEN_FACTS = (HELD_STATES, "-k", "hidden")
WIDE_BOUNDS = (HELD, "-k", "bound")
BEST_OF_HIDDEN = (HELD, "-k", "the_best_reward")
LOST_STEPS = (HELD, "-k", "steps_of_a_counter")
WIDE_SEARCHES = (f"{HELD}::test_all_parts_together_agree_with_brute_force",)
BY_HAND = ("tests/agreement/test_wide_rules.py",)
FINISHED = (f"{HELD_STATES}_where_one_must_finish",)
FINISHED_EARLY = ("tests/engine/test_finishing_plan.py", "-k", "plan_and_bound")
BY_PAPER = ("tests/agreement/test_wide_paper.py",)
EXACTLY_HIDDEN = (f"{HELD}::test_fractions_are_exact_where_facts_are_hidden",)
# In C++, so that it runs every form of the kernel, whichever this machine would choose.
LANES = ("cpp/tests/canonical/test_residual_lanes.cpp",)

SPILLED = ("tests/engine/spill/test_same_answer.py",)
SPILL_OWNERS = ("tests/engine/spill/test_owners.py",)
SPILL_FOLDER = ("tests/engine/spill/test_folder.py",)

# Where a mutant dies at the latest: all of it is part of `make test`.
EVERYWHERE = (
    *COUNTEREXAMPLES,
    CLAIMS,
    "tests/engine/test_best_first.py",
    "tests/rewarding",
    "tests/engine/test_paper_sets.py",
    "tests/reference/test_rewarding_sets.py",
    BY_SETS,
)


class Mutant(NamedTuple):
    """
    A rule made too strong.

    `equivalent` says why no test can tell it from the rule, where that is so.
    """

    name: str
    rule: str
    file: str
    find: str
    replace: str
    tests: tuple[str, ...]
    equivalent: str = ""


def cpp(name, rule, file, find, replace, tests, equivalent=""):
    path = f"cpp/branchwise/{file}"
    return Mutant(name, rule, path, find, replace, tests, equivalent)


def python(name, rule, file, find, replace, tests, equivalent=""):
    path = f"src/branchwise/{file}"
    return Mutant(name, rule, path, find, replace, tests, equivalent)


RESIDUAL_SETS = (
    cpp(
        "sets-minimal",
        "a set that contains another goes only if smaller ones hold what it holds",
        "canonical/layout/residual_sets_builder.cpp",
        "is_new = !is_subset(holds, covered);",
        "is_new = false;",
        COUNTEREXAMPLES,
    ),
    cpp(
        "sets-literals",
        "what smaller sets must hold in its stead are gates, too",
        "canonical/layout/residual_sets_builder.cpp",
        "        Facts const holds = held_under(facts, index);",
        "        Facts holds = held_under(facts, index);\n"
        "        for_each_bit(below_[index], [&](std::size_t each) {\n"
        "            if (layout_.nodes()[each].kind != Kind::literal) {\n"
        "                holds[each / 64] &= ~(Word{1} << (each % 64));\n"
        "            }\n"
        "        });",
        RARE,
    ),
    cpp(
        "sets-one-reason",
        "a negated part is a fact of a set",
        "canonical/layout/residual_sets_builder.cpp",
        "return ref.is_negated ? has_bit(facts.data(), "
        "num_places() + index_of(ref.node))",
        "return ref.is_negated ? true",
        RARE,
    ),
    cpp(
        "sets-contradictory",
        "two outcomes contradict each other only if there is one attempt",
        "canonical/layout/residual_sets_builder.cpp",
        "instance_.actions[node.action].attempts <= 1) {",
        "instance_.actions[node.action].attempts <= 2) {",
        CANONICAL,
    ),
    cpp(
        "sets-free-need-charged",
        "that an action was attempted comes with what came of it (listing)",
        "canonical/layout/residual_sets_builder.cpp",
        "need.is_free ? 0 : instance_.actions[need.action].variants[0].price[r];",
        "instance_.actions[need.action].variants[0].price[r];",
        RARE,
    ),
    cpp(
        "sets-budget-strict",
        "a set that takes all of the budget is affordable (listing)",
        "canonical/layout/residual_sets_builder.cpp",
        "            if (left < 0) {",
        "            if (left <= 0) {",
        CANONICAL,
    ),
    cpp(
        "sets-negation-twice",
        "no sets where something is avoided by making another thing come true",
        "canonical/layout/residual_sets_builder.cpp",
        "            if (is_avoided[i] && ref.is_negated) {\n"
        "                return true;",
        "            if (is_avoided[i] && ref.is_negated) {\n"
        "                return false;",
        CANONICAL,
    ),
    cpp(
        "sets-penalty-unless",
        "no sets where a penalty is due unless something holds",
        "canonical/layout/residual_sets_builder.cpp",
        "layout_.reward(i).is_negated) {\n            return true;",
        "layout_.reward(i).is_negated) {\n            return false;",
        CANONICAL,
    ),
    cpp(
        "sets-conditioned",
        "no sets where probabilities or costs are conditioned",
        "canonical/layout/residual_sets_builder.cpp",
        "!layout_.conditioned().empty() || ",
        "",
        CANONICAL,
    ),
    cpp(
        "sets-cyclic",
        "no sets where prerequisites go in a circle",
        "canonical/layout/residual_sets_builder.cpp",
        "layout_.is_cyclic() || ",
        "",
        CANONICAL,
    ),
    cpp(
        "reach-budget-strict",
        "a set that takes all that is left is within reach",
        "canonical/lanes/lane_kernel.hpp",
        "result &= Ops::at_most(total, Ops::load(left(r)));",
        "result &= ~Ops::at_most(Ops::load(left(r)), total);",
        CANONICAL,
    ),
    cpp(
        "reach-free-need-charged",
        "that an action was attempted comes with what came of it (at a state)",
        "canonical/lanes/lane_tables.cpp",
        "        if (need.is_free) {",
        "        if (false) {",
        RARE,
    ),
    cpp(
        "reach-decided",
        "what is decided holds where it is asked for",
        "canonical/lanes/lane_kernel.hpp",
        "            Word const undecided = view_.undecided[node_of(inside[i])];\n",
        "            Word const undecided = view_.undecided[node_of(inside[i])];\n"
        "            for (Word& each : holds) {\n"
        "                each &= is_negated(inside[i]) ? undecided : ~Word{0};\n"
        "            }\n",
        CANONICAL,
    ),
)

SIMPLIFYING = (
    cpp(
        "relevant-off-by-one",
        "every reward that is worth more than what is held matters",
        "canonical/lanes/lane_kernel.hpp",
        "Word{view_.held[lane] < level} << lane;",
        "Word{view_.held[lane] + 1 < level} << lane;",
        CANONICAL,
    ),
    cpp(
        "cost-of-all-adds",
        "parts that share actions may share costs",
        "canonical/lanes/lane_kernel.hpp",
        "        total = Ops::add(total, most_of_part(first, "
        "view_.part_ends[part], resource));",
        "        for (Number i = first; i < view_.part_ends[part]; ++i) {\n"
        "            total = Ops::add(total, most_of_part(i, i + 1, resource));\n"
        "        }",
        CANONICAL,
    ),
    cpp(
        "parts-apart",
        "parts belong together if they share an action",
        "canonical/layout/residual_layout_builder.cpp",
        "        if (overlap(actions, support)) {",
        "        if (overlap(actions, support) && support.empty()) {",
        CANONICAL,
    ),
    cpp(
        "parts-apart-at-sight",
        "a part is apart only if it shares no action with any other",
        "canonical/layout/residual_layout_builder.cpp",
        "is_apart = !overlap(parts.actions, support);",
        "is_apart = true;",
        CANONICAL,
    ),
    cpp(
        "negation-costs",
        "what should not happen costs nothing",
        "canonical/lanes/lane_kernel.hpp",
        "return is_negated(ref) ? 0 : view_.undecided[node_of(ref)];",
        "return view_.undecided[node_of(ref)];",
        CANONICAL,
    ),
    cpp(
        "rest-of-all",
        "what a part may cost is not taken off itself",
        "canonical/lanes/lane_kernel.hpp",
        "Row const rest = Ops::subtract(whole, most_of_part(i, end, r));",
        "Row const rest = whole;",
        CANONICAL,
    ),
    cpp(
        "want-larger-rest",
        "of several ways to a reward the cheapest rest counts",
        "canonical/lanes/lane_kernel.hpp",
        "    Row const found = Ops::least_where(lanes, known, rest);",
        "    Row const most = Ops::all(static_cast<Price>(endless - 1));\n"
        "    Word const fresh = lanes & ~Ops::at_most(known, most);\n"
        "    Row const larger = Ops::where(fresh, rest, Ops::most(known, rest));\n"
        "    Row const found = Ops::where(lanes, larger, known);",
        CANONICAL,
    ),
    cpp(
        "clause-not-wanted-true",
        "a clause may help by coming true",
        "canonical/lanes/lane_kernel.hpp",
        "        want_at_once(clause, open);\n",
        "",
        CANONICAL,
    ),
    cpp(
        "clause-not-wanted-false",
        "a clause may help by staying false",
        "canonical/lanes/lane_kernel.hpp",
        "        want_not(clause, open);\n",
        "",
        CANONICAL,
    ),
    cpp(
        "wants-not-stays",
        "what should stay false is passed down to its parts",
        "canonical/lanes/lane_kernel.hpp",
        "    if (Word const lanes = view_.wants_not[index]; lanes != 0) {",
        "    if (Word const lanes = view_.wants_not[index];\n"
        "        lanes != 0 && node.first_inside == node.last_inside) {",
        CANONICAL,
    ),
    cpp(
        "penalty-wanted",
        "a penalty should come out false",
        "canonical/lanes/lane_kernel.hpp",
        "if (is_negated(when) != (view_.rewards[i].value < 0)) {",
        "if (is_negated(when)) {",
        CANONICAL,
    ),
    cpp(
        "out-of-reach-strict",
        "what costs all that is left is not out of reach",
        "canonical/lanes/lane_kernel.hpp",
        "within &= Ops::at_most(cost(index, r), Ops::load(left(r)));",
        "within &= ~Ops::at_most(Ops::load(left(r)), cost(index, r));",
        CANONICAL,
    ),
    cpp(
        "wanted-strict",
        "what costs all that is left, with the rest of its way, may help",
        "canonical/lanes/lane_kernel.hpp",
        "lanes &= Ops::at_most(whole, Ops::load(left(r)));",
        "lanes &= ~Ops::at_most(Ops::load(left(r)), whole);",
        CANONICAL,
    ),
    cpp(
        "cap-attempts-dearest",
        "attempts are capped by the least that one may cost",
        "canonical/lanes/lane_kernel.hpp",
        "Row const price = cheapest(action, r);",
        "Row const price = dearest(action, r);",
        CANONICAL,
    ),
    cpp(
        "cap-budget-cheapest",
        "the budget is capped by the most that attempts may cost",
        "canonical/lanes/lane_kernel.hpp",
        "Row price = dearest(action, r);",
        "Row price = cheapest(action, r);",
        CANONICAL,
    ),
    cpp(
        "cap-budget-once",
        "the budget is capped by all attempts",
        "canonical/lanes/lane_kernel.hpp",
        "price = Ops::times(price, Ops::load(attempts(number)));",
        "price = Ops::times(price, Ops::all(1));",
        CANONICAL,
    ),
    cpp(
        "slack-by-one",
        "the budget is slack if it pays for everything",
        "canonical/lanes/lane_kernel.hpp",
        "view_.is_slack &= Ops::at_most(total, had);",
        "view_.is_slack &= Ops::at_most(total, Ops::add(had, Ops::all(1)));",
        BOUNDS,
    ),
    cpp(
        "no-use-decides-useful",
        "only actions of no use leave what should be false false for good",
        "canonical/lanes/lane_kernel.hpp",
        " &\n                                 ~view_.is_useful[node.action];",
        ";",
        CANONICAL,
    ),
    cpp(
        "cheapest-of-tail",
        "an open clause may make an action cheaper",
        "canonical/lanes/lane_kernel.hpp",
        "                least =\n"
        "                    Ops::least(least, Ops::where(possible, price, "
        "Ops::all(endless)));",
        "                Word const tail =\n"
        "                    k < action.num_clauses\n"
        "                        ? possible & "
        "~view_.open_clauses[action.first_clause + k]\n"
        "                        : possible;\n"
        "                least = Ops::least(least, Ops::where(tail, price, "
        "Ops::all(endless)));",
        CANONICAL,
    ),
    cpp(
        "dearest-of-tail",
        "an open clause may make an action dearer",
        "canonical/lanes/lane_kernel.hpp",
        "                most = Ops::most(most, Ops::where(possible, price, "
        "Ops::all(0)));",
        "                Word const tail =\n"
        "                    k < action.num_clauses\n"
        "                        ? possible & "
        "~view_.open_clauses[action.first_clause + k]\n"
        "                        : possible;\n"
        "                most = Ops::most(most, Ops::where(tail, price, "
        "Ops::all(0)));",
        CANONICAL,
    ),
    cpp(
        "one-sweep",
        "where dropping something changes costs, look again",
        "canonical/lanes/lane_kernel.hpp",
        "    if (view_.is_cyclic) {\n        take_upwards(view_.stale",
        "    if (false) {\n        take_upwards(view_.stale",
        CANONICAL,
    ),
    cpp(
        "news-not-told",
        "what is decided may decide what it is part of",
        "canonical/lanes/lane_kernel.hpp",
        "        add_users(index, view_.news);\n",
        "",
        CANONICAL,
    ),
    cpp(
        "open-any-decided",
        "of an open `any` the cheapest open part counts",
        "canonical/lanes/lane_kernel.hpp",
        "least = Ops::least_where(view_.undecided[node_of(ref)], least, price);",
        "least = Ops::where(view_.undecided[node_of(ref)], price, least);",
        CANONICAL,
    ),
)

LANE_BY_LANE = (
    cpp(
        "negation-costs-any",
        "an `any` is free where something should not happen",
        "canonical/lanes/lane_kernel.hpp",
        "Row const price = is_negated(ref) ? free : cost(node_of(ref), resource);",
        "Row const price = cost(node_of(ref), resource);",
        CANONICAL,
    ),
    cpp(
        "lane-not-again",
        "a state is looked at again until it is simple",
        "canonical/lanes/lane_kernel.hpp",
        "        lanes = again;\n",
        "        lanes = 0;\n",
        CANONICAL,
    ),
    cpp(
        "lane-lost",
        "a state is kept once it is simple, whatever those beside it need",
        "canonical/lanes/lane_kernel.hpp",
        "Word const done = lanes & ~again;",
        "Word const done = again != 0 ? again : lanes;",
        CANONICAL,
    ),
    cpp(
        "lane-not-out-of-the-way",
        "a state that is simple is out of the way of those beside it",
        "canonical/lanes/lane_kernel.hpp",
        "            view_.undecided[view_.open[i]] &= lanes;\n",
        "",
        LANES,
    ),
    cpp(
        "lane-untouched",
        "a gate is decided only when something in it is",
        "canonical/lanes/lane_kernel.hpp",
        "Word const used_up = touched & ~settled & ~open;",
        "Word const used_up = ~settled & ~open;",
        LANES,
    ),
    cpp(
        "lane-capped-early",
        "a budget is capped once a state is simple, and not before",
        "canonical/lanes/lane_kernel.hpp",
        "        cap_budget(done);",
        "        cap_budget(~Word{0});",
        LANES,
        "what is useful only becomes less from round to round, so what it costs does; "
        "a cap that comes early is no lower than the last one",
    ),
    cpp(
        "lane-drops-beside",
        "what is of no use in one state may be in those beside it",
        "canonical/lanes/lane_kernel.hpp",
        "            view_.is_false[index] = dropped;",
        "            view_.is_false[index] = dropped == 0 ? 0 : "
        "view_.undecided[index];",
        CANONICAL,
    ),
    cpp(
        "lane-happens-beside",
        "what happens in one state does not in those beside it",
        "canonical/lanes/lane_kernel.hpp",
        "Word const decided = view_.undecided[node] & Word{1} << lane;",
        "Word const decided = view_.undecided[node] & ~Word{0} << lane;",
        CANONICAL,
    ),
    cpp(
        "lane-killed-for-good",
        "that an action can never be allowed is forgotten with its state",
        "canonical/lanes/lane_kernel.hpp",
        "view_.is_killed[view_.owners[k].subject] = 0;",
        "view_.is_killed[view_.owners[k].subject] |= 0;",
        CANONICAL,
    ),
    cpp(
        "lane-gained-for-good",
        "what was gained is forgotten with its state",
        "canonical/lanes/lane_kernel.hpp",
        "            view_.gained[i] = 0;",
        "            view_.gained[i] |= 0;",
        CANONICAL,
    ),
    cpp(
        "known-by-slot",
        "a state is known only if its whole key is",
        "canonical/canonical_graph.cpp",
        "    slot = tagged_slot(tag_of(hash), slot);\n    while (slots_[slot] != 0 &&",
        "    while (false && slots_[slot] != 0 &&",
        CANONICAL,
    ),
    cpp(
        "packed-known-by-last-word",
        "a packed key is the same only if all of its words are",
        "canonical/key_store.hpp",
        "difference |= *key++ ^ column",
        "difference = *key++ ^ column",
        PACKED,
    ),
    cpp(
        "packed-numbers-widened-late",
        "numbers of words that a byte more is needed for take it in every row",
        "canonical/key_store.cpp",
        "std::exchange(first_byte, first_byte + widths[w]);",
        "std::exchange(first_byte, first_byte + 1);",
        PACKED,
    ),
    cpp(
        "known-by-first-word",
        "a key is the same only if all of its words are",
        "support/key_hash.hpp",
        "    Word difference = 0;\n    for (std::size_t i = 0; i < num_words; ++i) {",
        "    Word difference = 0;\n    for (std::size_t i = 0; i < 1; ++i) {",
        ALIKE,
    ),
    cpp(
        "key-of-one-word",
        "a key holds a bit for every node, however many there are",
        "canonical/lanes/lane_kernel.hpp",
        "lane < count ? steps[lane].key[w] : 0;",
        "lane < count ? steps[lane].key[0] : 0;",
        MANY,
    ),
    cpp(
        "sets-first-facts",
        "each set has facts of its own, however many sets there are",
        "canonical/lanes/lane_kernel.hpp",
        "view_.with_sets + index * view_.padded_sets + first_set;",
        "view_.with_sets + index * view_.padded_sets;",
        MANY,
    ),
    cpp(
        "sets-first-avoided",
        "each set avoids what it has to, however many sets there are",
        "canonical/lanes/lane_kernel.hpp",
        "? view_.without_sets + node_of(ref) * view_.padded_sets + first_set",
        "? view_.without_sets + node_of(ref) * view_.padded_sets",
        MANY,
    ),
    cpp(
        "largest-byte",
        "the largest price stands for what is too much, and for nothing else",
        "canonical/lanes/residual_lanes.cpp",
        "largest < std::numeric_limits<std::uint8_t>::max() ",
        "largest <= std::numeric_limits<std::uint8_t>::max() ",
        FINELY,
    ),
    cpp(
        "largest-half",
        "the largest price stands for what is too much (two bytes)",
        "canonical/lanes/residual_lanes.cpp",
        "largest < std::numeric_limits<std::uint16_t>::max() ",
        "largest <= std::numeric_limits<std::uint16_t>::max() ",
        FINELY,
    ),
    cpp(
        "sum-wraps-byte",
        "a sum that is too large stays at the largest price",
        "canonical/lanes/lane_kernel_avx512.cpp",
        "return _mm512_adds_epu8(one, other);",
        "return _mm512_add_epi8(one, other);",
        CANONICAL,
    ),
    cpp(
        "sum-wraps-half",
        "a sum that is too large stays at the largest price (two bytes)",
        "canonical/lanes/lane_kernel_avx512.cpp",
        "        return {_mm512_adds_epu16(one.low, other.low),",
        "        return {_mm512_add_epi16(one.low, other.low),",
        FINELY,
    ),
    cpp(
        "sum-wraps-portable",
        "a sum that is too large stays at the largest price (any machine)",
        "canonical/lanes/lane_kernel_portable.cpp",
        "result.of[i] = sum < one.of[i] ? static_cast<Price>(~Price{0}) : sum;",
        "result.of[i] = sum;",
        LANES,
    ),
    cpp(
        "product-wraps-byte",
        "a product that is too large stays at the largest price",
        "canonical/lanes/lane_kernel_avx512.cpp",
        "        return _mm512_or_si512(_mm512_min_epu16(even, low),",
        "        return _mm512_or_si512(_mm512_and_si512(even, low),",
        FINELY,
    ),
    cpp(
        "product-wraps-half",
        "a product that is too large stays at the largest price (two bytes)",
        "canonical/lanes/lane_kernel_avx512.cpp",
        "_mm512_test_epi16_mask(above, above),",
        "0,",
        FINELY,
    ),
    cpp(
        "product-wraps-portable",
        "a product that is too large stays at the largest price (any machine)",
        "canonical/lanes/lane_kernel_portable.cpp",
        "result.of[i] = is_too_much ? static_cast<Price>(~Price{0}) : product;",
        "result.of[i] = is_too_much ? product : product;",
        MUCH,
    ),
)

STATES = (
    cpp(
        "key-without-attempts",
        "attempts that are left are part of the key",
        "canonical/lanes/lane_kernel.hpp",
        "put(view_.attempts_fields[i], Ops::load(attempts(i)), useful);",
        "put(view_.attempts_fields[i], Ops::all(1), useful);",
        CANONICAL,
    ),
    cpp(
        "key-without-tail",
        "the clause that counts for good is part of the key",
        "canonical/lanes/lane_kernel.hpp",
        "? before & view_.open_clauses[action.first_clause + k]",
        "? before",
        CANONICAL,
    ),
    cpp(
        "key-without-budget",
        "what is left is part of the key",
        "canonical/lanes/lane_kernel.hpp",
        "put(view_.left_fields[r], Ops::load(left(r)), ~Word{0});",
        "put(view_.left_fields[r], Ops::least(Ops::load(left(r)), Ops::all(1)),\n"
        "            ~Word{0});",
        CANONICAL,
    ),
    cpp(
        "key-without-held",
        "the reward that is held is part of the key",
        "canonical/lanes/lane_kernel.hpp",
        "held[k] |= Word{view_.held[lane] >> k & 1U} << lane;",
        "held[k] |= Word{0} << lane;",
        CANONICAL,
    ),
    cpp(
        "clause-order",
        "the first clause that holds counts",
        "canonical/lanes/lane_kernel.hpp",
        "            for (Number k = owner.clause; k < action.num_clauses; ++k) {\n"
        "                view_.open_clauses[action.first_clause + k] &= ~holds;",
        "            for (Number k = 0; k < action.num_clauses; ++k) {\n"
        "                Word& open = view_.open_clauses[action.first_clause + k];\n"
        "                open = k < owner.clause ? open | holds : open & ~holds;",
        CANONICAL,
    ),
    cpp(
        "held-last",
        "the best reward that is held counts",
        "canonical/lanes/lane_kernel.hpp",
        "held = held < level ? level : held;",
        "held = level;",
        CANONICAL,
    ),
    cpp(
        "not-killed",
        "an action that can never be allowed is out of the question",
        "canonical/lanes/lane_kernel.hpp",
        "view_.is_killed[owner.subject] |= fails;",
        "view_.is_killed[owner.subject] |= owner.subject > 99 ? fails : 0;",
        CANONICAL,
    ),
    cpp(
        "last-attempt",
        "other outcomes are ruled out by the last attempt only",
        "canonical/lanes/lane_kernel.hpp",
        "        if (is_true || is_last) {",
        "        if (is_true || is_last || action.repeatable != LaneAction::none) {",
        CANONICAL,
    ),
    cpp(
        "clause-now",
        "an open clause that holds now counts now",
        "canonical/lanes/residual.cpp",
        "if (is_undecided(ref.node) && holds_now(ref)) {\n            return k;",
        "if (k > 99 && is_undecided(ref.node) && holds_now(ref)) {\n"
        "            return k;",
        CANONICAL,
    ),
    cpp(
        "stop-at-tie",
        "stopping beats acting when both are optimal",
        "canonical/scoring.hpp",
        "if (!may_stop || best - reward > worst_case_.tolerance()) {",
        "if (!may_stop || best - reward >= 0) {",
        SEARCHES,
    ),
    cpp(
        "first-optimal",
        "all optimal actions are compared by the secondary objective",
        "canonical/scoring.hpp",
        "                    Measure::is_less(measure, measures_[at])) {",
        "                    false) {",
        SEARCHES,
    ),
    cpp(
        "optimal-if-better",
        "what is as good as the best option before it may be optimal, too",
        "canonical/scoring.hpp",
        "            if (best - value <= worst_case_.tolerance()) {\n"
        "                good.push_back",
        "            if (best < value) {\n                good.push_back",
        SEARCHES,
    ),
)

BOUNDING = (
    cpp(
        "slack-not-plain",
        "a slack budget settles a state only where nothing is in the way",
        "search/bounds/perfect_information.cpp",
        "    if (!is_plain_) {\n        bound.lower",
        "    if (!is_plain_ && !residual.is_budget_slack()) {\n        bound.lower",
        BOUNDS,
    ),
    cpp(
        "slack-deviated",
        "a slack budget settles nothing against an adversary",
        "search/bounds/perfect_information.cpp",
        "residual.is_budget_slack() && threat_ == Threat::none",
        "residual.is_budget_slack()",
        WORST,
    ),
    cpp(
        "plain-with-charges",
        "going for one set is worth less where spending counts",
        "search/bounds/perfect_information.cpp",
        "!layout_.has_negation() && !has_charges_ &&",
        "!layout_.has_negation() &&",
        BOUNDS,
    ),
    cpp(
        "plain-with-negation",
        "going for one set may be blocked where something is precluded",
        "search/bounds/perfect_information.cpp",
        "is_plain_ = !layout_.has_negation() && !has_charges_ &&",
        "is_plain_ = !has_charges_ &&",
        BOUNDS,
    ),
    cpp(
        "lots-drawn-once",
        "all attempts are drawn",
        "search/bounds/lots.cpp",
        "    if (action.attempts > 1) {",
        "    if (action.attempts > 99) {",
        BOUNDS,
    ),
    cpp(
        "lots-of-last-clause",
        "a lot has what any clause makes of it",
        "search/bounds/lots.cpp",
        "            mask |= OutcomeMask{1} << "
        "outcome_at(variant, borders[i] + width / 2);",
        "            mask = OutcomeMask{1} << "
        "outcome_at(variant, borders[i] + width / 2);",
        BOUNDS,
    ),
    cpp(
        "charge-largest",
        "a lot is charged the least of any clause",
        "search/bounds/perfect_information.cpp",
        "charge = std::min(charge, variant.charge);",
        "charge = std::max(charge, variant.charge);",
        BOUNDS,
    ),
    cpp(
        "charge-dearest-set",
        "what is charged at least is what the cheapest set is",
        "search/bounds/perfect_information.cpp",
        "double const result = std::min(with, least_charge(node.low));",
        "double const result = node.low == empty_family\n"
        "                              ? with\n"
        "                              : std::max(with, least_charge(node.low));",
        BOUNDS,
    ),
    cpp(
        "price-largest",
        "a lot costs the least of any clause",
        "search/bounds/perfect_information.cpp",
        "price = std::min(price, variant.price[r]);",
        "price = std::max(price, variant.price[r]);",
        BOUNDS,
    ),
    cpp(
        "levels-alone",
        "levels of reward are stacked",
        "search/bounds/perfect_information.cpp",
        "so_far = algebra_->minimal_union(so_far, family_of(residual, ref));",
        "so_far = family_of(residual, ref);",
        BOUNDS,
    ),
    cpp(
        "slack-too-small",
        "a node may take all of its slack",
        "search/bounds/perfect_information.cpp",
        "std::int64_t const slack = residual.slack(node, r);",
        "std::int64_t const slack = residual.slack(node, r) - 1;",
        BOUNDS,
    ),
    cpp(
        "negation-unlikely",
        "what must not happen is there for the taking",
        "search/bounds/perfect_information.cpp",
        "return is_free ? unit_family : families_[index_of(ref.node)];",
        "return is_free && !ref.is_negated ? unit_family\n"
        "                                      : families_[index_of(ref.node)];",
        BOUNDS,
    ),
    cpp(
        "probabilities-multiplied",
        "outcomes that exclude each other are added",
        "search/bounds/node_probabilities.cpp",
        "return is_monotone_ ? 1 - missed : std::min(1.0, total);",
        "return total > 9 ? 1 : 1 - missed;",
        BOUNDS,
    ),
    cpp(
        "probabilities-must-of-any",
        "what all parts need is a must, and not what any does",
        "search/bounds/node_probabilities.cpp",
        "        known.drawn = is_first ? part.drawn : "
        "shared(known.drawn, part.drawn);",
        "        unite(part.drawn, known.drawn);",
        BOUNDS,
    ),
    cpp(
        "probabilities-paid-of-any",
        "what all parts pay for is paid, and not what any does",
        "search/bounds/node_probabilities.cpp",
        "        known.paid = is_first ? part.paid : shared(known.paid, part.paid);",
        "        unite(part.paid, known.paid);",
        BOUNDS,
    ),
    cpp(
        "probabilities-not-free",
        "a part that is for free leaves an alternative nothing to ask for",
        "search/bounds/node_probabilities.cpp",
        "is_free |= !is_open(residual, node, ref);",
        "is_free |= false;",
        (
            f"{CLAIMS}::test_what_holds_unless_something_happens_costs_no_bound_anything",
        ),
    ),
    cpp(
        "probabilities-sharing",
        "only what shares no action is independent",
        "search/bounds/node_probabilities.cpp",
        "            if (share_nothing(support, more)) {",
        "            if (any != first) {",
        BOUNDS,
    ),
    cpp(
        "rough-not-plain",
        "a likely set is a lower bound only where nothing is in the way",
        "search/bounds/perfect_information.cpp",
        "    if (is_plain_) {\n        bound.lower",
        "    if (!so_far.empty()) {\n        bound.lower",
        BOUNDS,
    ),
)

SEARCHING = (
    cpp(
        "ties-ignored",
        "what may be as good as the best is followed",
        "search/best_first.cpp",
        "if (lower(faced) - bounds_.upper_of(option, faced) <= tolerance_) {",
        "if (lower(faced) - bounds_.upper_of(option, faced) < -tolerance_) {",
        SEARCHES,
    ),
    cpp(
        "end-by-lower",
        "a state is an end if nothing can be worth more than stopping",
        "search/best_first.cpp",
        "return upper(faced) - graph_.reward(faced.state) <= tolerance_;",
        "return lower(faced) - graph_.reward(faced.state) <= tolerance_;",
        SEARCHES,
        "before ties are followed, the gap of every state on the way is closed, so "
        "that lower and upper bound are one; what ended too early is walked again",
    ),
    cpp(
        "walked-not-evaluated",
        "where nothing is left to expand, what was passed over is evaluated",
        "search/best_first.cpp",
        "if (tips_.empty()) {\n            evaluate_walked();",
        "if (false) {\n            evaluate_walked();",
        ("tests/engine/test_best_first.py",),
    ),
    cpp(
        "evaluated-too-early",
        "options are left out only once one is as good as its state was said to be",
        "search/best_first.cpp",
        "is_found = bounds_.upper_of(option, faced) >= upper(faced) - tolerance_;",
        "is_found = true;",
        SEARCHES,
        "an option that was passed over keeps an upper bound that holds, and is "
        "evaluated once nothing is left to expand; so only the order of "
        "the work differs",
    ),
    cpp(
        "stopping-forgotten",
        "stopping is among what a state may be worth",
        "search/bounds/state_bounds.cpp",
        "    upper_[at] = std::max(lower_[at], std::min(upper_[at], upper));\n}\n\n"
        "// With more deviations an adversary can do all that can be done with fewer.\n"
        "void StateBounds::back_up(Faced faced) {\n"
        "    double lower = graph_.reward(faced.state);\n"
        "    double upper = lower;\n",
        "    upper_[at] = std::min(upper_[at], upper);\n}\n\n"
        "void StateBounds::back_up(Faced faced) {\n"
        "    double lower = graph_.reward(faced.state);\n"
        "    double upper = -1e300;\n",
        STOPPED,
    ),
    cpp(
        "backed-up-by-first",
        "the upper bound is that of the best option",
        "search/bounds/state_bounds.cpp",
        "        upper = std::max(upper, upper_of(option, faced));",
        "        upper = upper > lower ? upper : upper_of(option, faced);",
        SEARCHES,
    ),
    cpp(
        "deviations-swapped",
        "with fewer deviations left nothing is worth less",
        "search/bounds/state_bounds.cpp",
        "        upper = std::min(upper, upper_[at - 1]);",
        "        lower = std::max(lower, lower_[at - 1]);",
        WORST,
    ),
    cpp(
        "deviations-swapped-below",
        "with more deviations left nothing is worth more",
        "search/bounds/state_bounds.cpp",
        "        lower = std::max(lower, lower_[at + 1]);",
        "        upper = std::min(upper, upper_[at + 1]);",
        WORST,
    ),
    cpp(
        "deviations-endless",
        "only as many deviations as there are actions are as good as endless",
        "search/canonical_engine.cpp",
        "deviations_ > 0 && deviations_ >= graph_.rank(start_.state);",
        "deviations_ > 0;",
        WORST,
    ),
)

PAPER_STAGES = (
    cpp(
        "filter-budget-strict",
        "what takes all that is left is affordable",
        "paper/states/rewarding_filter.cpp",
        "return price_within(open, resource, have) <= have;",
        "return price_within(open, resource, have) < have;",
        PAPER,
    ),
    cpp(
        "filter-count-strict",
        "as many outcomes as the resources pay for can be had",
        "paper/states/rewarding_filter.cpp",
        "if (count <= most && is_open",
        "if (count < most && is_open",
        PAPER,
    ),
    cpp(
        "filter-attempts-strict",
        "all attempts can be taken",
        "paper/states/rewarding_filter.cpp",
        "        if (wanted > repeated.attempts) {",
        "        if (wanted >= repeated.attempts) {",
        PAPER,
    ),
    cpp(
        "filter-held-lost",
        "a reward that can be lost closes no sets",
        "paper/states/rewarding_filter.cpp",
        "        if (!goal.lasts) {",
        "        if (!goal.lasts && held > 99) {",
        PAPER,
    ),
    cpp(
        "filter-rivals-of-repeated",
        "another outcome takes the only attempt",
        "paper/states/rewarding_filter.cpp",
        "if (attempts == 1 && !is_needed) {",
        "if (!is_needed) {",
        PAPER,
    ),
    cpp(
        "filter-pays-more",
        "every set that pays more than what is held stays",
        "paper/states/rewarding_filter.cpp",
        "return goal.rank > held.rank;",
        "return goal.rank > held.rank + 1;",
        PAPER,
    ),
    cpp(
        "filter-sum-closes",
        "where rewards add up, each closes its own sets alone",
        "paper/states/rewarding_filter.cpp",
        "if (is_sum ? its != held : pays_more(found.goals[its], goal)) {",
        "if (is_sum ? its > held : pays_more(found.goals[its], goal)) {",
        PAPER,
    ),
    cpp(
        "filter-price-largest",
        "what is left of a set costs the least of any clause",
        "paper/states/rewarding_filter.cpp",
        "std::ranges::min(action.variants, {}, price)",
        "std::ranges::max(action.variants, {}, price)",
        PAPER,
    ),
    cpp(
        "carried-slack",
        "a set may waste what it does not need",
        "paper/states/carried_sets.cpp",
        "slack.push_back(std::min(others, most - std::min(most, size)));",
        "slack.push_back(std::min(others, most - std::min(most, size + 1)));",
        PAPER,
    ),
    cpp(
        "serves-without-reasons",
        "one way serves another only with its reasons",
        "rewarding/rewarding_sets.cpp",
        "           std::ranges::includes(other.reasons, one.reasons) &&\n",
        "",
        COUNTEREXAMPLES,
    ),
    cpp(
        "serves-without-avoids",
        "one way serves another only if it avoids no more",
        "rewarding/rewarding_sets.cpp",
        " &&\n           one.final->avoids.is_within(other.final->avoids);",
        ";",
        PAPER,
    ),
    cpp(
        "serves-for-less",
        "one way serves another only for as much reward",
        "rewarding/rewarding_sets.cpp",
        " && rank(one) >= rank(other) &&",
        " &&",
        PAPER,
    ),
    cpp(
        "backward-budget-strict",
        "a way that takes all of the budget is affordable",
        "rewarding/backward_search.cpp",
        "is_affordable = is_affordable && next.left[i] >= 0;",
        "is_affordable = is_affordable && next.left[i] > 0;",
        PAPER,
    ),
    cpp(
        "backward-without-clauses",
        "the clause that counts is part of the reason",
        "rewarding/backward_search.cpp",
        "Terms const here = terms_.both(earlier, terms_.of(variant.when));",
        "Terms const here = earlier;",
        PAPER,
    ),
    cpp(
        "backward-order-short",
        "as many rounds as there are outcomes find an order",
        "rewarding/backward_search.cpp",
        "round < all.size() && done",
        "round < 1 && done",
        PAPER,
    ),
    cpp(
        "backward-attempts",
        "a way may take all attempts",
        "rewarding/backward_search.cpp",
        "return std::cmp_less_equal((needs & each.outcomes).size(), each.attempts);",
        "return std::cmp_less((needs & each.outcomes).size(), each.attempts);",
        PAPER,
    ),
)

REFERENCE_ENGINE = (
    python(
        "minimal-without-reasons",
        "one way serves another only with its reasons",
        "rewarding/enumerate.py",
        "            other.reasons & way.reasons == other.reasons\n",
        "            other.needs & way.needs == other.needs\n",
        COUNTEREXAMPLES,
    ),
    python(
        "serves-ignoring-avoids",
        "one way serves another only if it avoids no more",
        "rewarding/enumerate.py",
        "        and one.final.avoids & other.final.avoids == one.final.avoids\n",
        "",
        REFERENCE,
    ),
    python(
        "serves-ignoring-rank",
        "one way serves another only for as much reward",
        "rewarding/enumerate.py",
        "        ranks[one.goal] >= ranks[other.goal]\n",
        "        bool(ranks)\n",
        REFERENCE,
    ),
    python(
        "worthwhile-lost",
        "a reward that can be lost closes no sets",
        "reference/rewarding_sets.py",
        "            if all(not term.avoids for term in found.terms.of(what.when))\n",
        "",
        REFERENCE,
    ),
    python(
        "worthwhile-sum",
        "where rewards add up, each closes its own sets alone",
        "reference/rewarding_sets.py",
        "        if self._is_sum:\n",
        "        if self._is_sum and not held:\n",
        REFERENCE,
    ),
    python(
        "affords-strict",
        "what takes all that is left is affordable",
        "reference/rewarding_sets.py",
        "cost <= have for cost",
        "cost < have for cost",
        REFERENCE,
    ),
    python(
        "attempts-strict",
        "all attempts can be taken",
        "reference/rewarding_sets.py",
        "(still.needs & mask).bit_count() <= left",
        "(still.needs & mask).bit_count() < left",
        REFERENCE,
    ),
    python(
        "price-of-own-cost",
        "what is left of a set costs the least of any clause",
        "reference/rewarding_sets.py",
        "space.least_price(a) for a",
        "space.units(a.cost) for a",
        REFERENCE,
    ),
    python(
        "ways-without-clauses",
        "the clause that counts is part of the reason",
        "rewarding/ways.py",
        "self.terms.of(all_of(available, when))",
        "self.terms.of(available)",
        REFERENCE,
    ),
    python(
        "ways-earlier-clauses",
        "a clause counts only where no earlier one holds",
        "rewarding/ways.py",
        "            earlier = all_of(earlier, negation(clause.when))\n",
        "",
        REFERENCE,
    ),
    python(
        "backward-attempts-strict",
        "a way may take all attempts",
        "rewarding/backward.py",
        "(needs & mask).bit_count() <= most for",
        "(needs & mask).bit_count() < most for",
        REFERENCE,
    ),
    python(
        "backward-order-reversed",
        "what is avoided may come later",
        "rewarding/backward.py",
        "            before[bit] |= outcome\n",
        "            before[outcome] |= bit\n",
        REFERENCE,
    ),
)

DIAGRAM = (
    cpp(
        "within-strict",
        "a set that takes all of the budget is within it",
        "families/family_price.cpp",
        "    if (budget < range.least) {",
        "    if (budget <= range.least) {",
        BOUNDS,
    ),
    cpp(
        "join-drops",
        "joined sets may have what either side has",
        "families/family_algebra.cpp",
        "Family const from_f = minimal_join(s.f1, minimal_union(s.g0, s.g1));",
        "Family const from_f = minimal_join(s.f1, s.g1);",
        BOUNDS,
    ),
    cpp(
        "join-not-minimal",
        "a set goes if another one is part of it",
        "families/family_algebra.cpp",
        "        return table_.make(s.top, low, nonsupersets(high, low));",
        "        return table_.make(s.top, low, high);",
        SETS,
    ),
    cpp(
        "nonsupersets-too-many",
        "only supersets go",
        "families/family_algebra.cpp",
        "Family const low = nonsupersets(s.f0, s.g0);",
        "Family const low = nonsupersets(s.f0, minimal_union(s.g0, s.g1));",
        SETS,
    ),
    python(
        "diagram-order-ignored",
        "a set must have an order",
        "rewarding/way_composition.py",
        "good = [each for each in candidates if self.order(each) is not None]",
        "good = list(candidates)",
        SETS,
    ),
    python(
        "diagram-order-strict",
        "what is avoided may come later",
        "rewarding/way_composition.py",
        "        return families.unite(settled, families.from_sets(good))\n",
        "        return settled\n",
        SETS,
    ),
    python(
        "diagram-attempts",
        "an action has as many outcomes in a set as attempts",
        "rewarding/composition.py",
        "            if attempts[name] < len(group)\n",
        "            if attempts[name] > len(group)\n",
        SETS,
    ),
    python(
        "diagram-budget",
        "a set that takes all of the budget is kept",
        "rewarding/composition.py",
        "family = self._families.within(family, prices, budget)",
        "family = self._families.within(family, prices, budget - 1)",
        SETS,
    ),
)

REUSE = (
    cpp(
        "explored-meanwhile",
        "what others have found meanwhile is still to be explored",
        "search/explorer.cpp",
        "is_met_.resize(num_known_, false);",
        "is_met_.resize(num_known_, true);",
        (
            f"{CLAIMS}::test_exploring_goes_on_where_it_was_whatever_is_searched_meanwhile",
        ),
    ),
    python(
        "fits-other-costs",
        "states are used again only for the same costs",
        "engine/lower.py",
        "        dict(action.cost),  # Whatever it lies between.\n",
        "",
        AGAIN,
    ),
    python(
        "fits-other-attempts",
        "states are used again only for the same attempts",
        "engine/lower.py",
        "        action.attempts,\n        _consequences(action),\n",
        "        _consequences(action),\n",
        AGAIN,
    ),
    python(
        "fits-larger-budget",
        "states are used again only for a budget that is no larger",
        "engine/lower.py",
        "limit > ours[resource] or (",
        "(",
        AGAIN,
    ),
    python(
        "fits-other-values",
        "states are used again only for the same rewards",
        "engine/lower.py",
        "            [(reward.when, reward.value, reward.per) "
        "for reward in problem.rewards]\n"
        "            == [(reward.when, reward.value, reward.per) "
        "for reward in ours.rewards]\n",
        "            [reward.when for reward in problem.rewards]\n"
        "            == [reward.when for reward in ours.rewards]\n",
        AGAIN,
    ),
    python(
        "fits-impossible",
        "states are used again only if the same outcomes can happen",
        "engine/lower.py",
        "    return frozenset(o.label for o in outcomes if o.probability > 0)\n",
        "    return frozenset(o.label for o in outcomes)\n",
        AGAIN,
    ),
)

COUNTING = (
    python(
        "count-one-too-few",
        "at least so many, with `all` and `any` alone",
        "model/conditions/condition.py",
        "range(count, max(0, count - place - 1), -1)",
        "range(count, max(0, count - place), -1)",
        AT_LEAST,
    ),
    python(
        "count-against",
        "what fails are so many that the others are too few",
        "model/conditions/condition.py",
        "len(self.conditions) - self.count + 1",
        "len(self.conditions) - self.count",
        AT_LEAST,
    ),
    python(
        "gate-of-one-too-few",
        "a gate is one of so many that the others are too few",
        "space/packed.py",
        "[: condition.count_against]",
        "[: condition.count_against - 1]",
        AT_LEAST,
    ),
    python(
        "checker-count",
        "the checker counts for itself",
        "certificate/checker.py",
        "held = [TRUE] + [FALSE] * (count if is_wanted else missing + 1)",
        "held = [TRUE] + [FALSE] * (count if is_wanted else missing)",
        AT_LEAST,
    ),
)

EXACTNESS = (
    cpp(
        "exact-end",
        "for exact arithmetic the search goes on below what floats call an end",
        "search/best_first.cpp",
        "if (is_exact_) {\n        return false;",
        "if (false) {\n        return false;",
        EXACT,
    ),
    python(
        "exact-levels",
        "rewards that are one float are not compared as floats",
        "engine/exact/exactness.py",
        'if problem.combine != "sum" and',
        "if False and",
        EXACT,
    ),
    python(
        "exact-impossible",
        "what floats call impossible may happen",
        "engine/exact/exactness.py",
        "if number and not _LEAST < abs(number) < _MOST:",
        "if number and not abs(number) < _MOST:",
        EXACT,
    ),
    python(
        "exact-ties",
        "fractions are tied only if they are equal",
        "engine/exact/settlement.py",
        "return worth == score",
        "return float(worth) == float(score)",
        EXACT,
    ),
)

SOME_SETS = (
    cpp(
        "left-out-attempts",
        "of an action that is left out, it is false also that it was attempted",
        "canonical/lanes/lane_kernel.hpp",
        "(left_out == nullptr || left_out[node.action] == 0);",
        "(left_out == nullptr || left_out[node.action] == 0 ||\n"
        "                 node.outcome == ResidualNode::no_outcome);",
        LEFT_OUT,
    ),
    cpp(
        "whole-bound-of-start",
        "no plan with all actions is worth more than the bound",
        "search/canonical_engine.cpp",
        "Faced const whole = worst_case().start(whole_.state);",
        "Faced const whole = worst_case().start(start_.state);",
        WHOLE,
    ),
    cpp(
        "restricted-by-gain",
        "nothing that matters is left out only if the start is the same",
        "search/canonical_engine.hpp",
        "return start_.state != whole_.state || start_.gain != whole_.gain;",
        "return start_.gain != whole_.gain;",
        WHOLE,
    ),
    python(
        "some-sets-optimal",
        "the best plan by some sets is a lower bound",
        "engine/sets_run.py",
        "        elif status in _DONE and not self._is_whole:\n"
        "            status = Status.LOWER_BOUND\n",
        "",
        (f"{BY_SETS}::test_some_sets_are_worth_as_much_as_in_the_paper_or_more",),
    ),
    python(
        "some-sets-last",
        "the best plan is kept as sets are added",
        "engine/sets_run.py",
        "best is None or found.expected_reward > best.expected_reward:",
        "best is None or found.expected_reward:",
        (f"{BY_SETS}::test_the_best_plan_is_kept",),
    ),
)

PREPARING = (
    python(
        "most-to-earn-of-a-sum",
        "rewards that add up are worth no more than all of them",
        "engine/preparation.py",
        'if problem.combine == "sum" else',
        'if problem.combine == "none" else',
        ("tests/engine/test_preparation.py",),
    ),
    python(
        "most-to-earn-at-one-end",
        "a counter may be paid for at either end of its range",
        "engine/preparation.py",
        "ends = counter.low, counter.high",
        "ends = counter.low, counter.low",
        ("tests/engine/test_preparation.py",),
    ),
    cpp(
        "sets-of-goals-alone",
        "what the action of a literal needs may help a reward",
        "canonical/layout/residual_sets_builder.hpp",
        "            visit(node.allowed);\n",
        "",
        CANONICAL,
    ),
)

DEEPENING = (
    cpp(
        "deepening-broken-off",
        "a state that is not solved may be worth less than what is said of it",
        "search/best_first.cpp",
        "bounds_.narrow(state, lower({state, 0}), uppers[i] + slack);",
        "bounds_.narrow(state, uppers[i], uppers[i] + slack);",
        DEEPENED,
    ),
    cpp(
        "deepening-everything-lost",
        "an outcome that something asks for is no loss",
        "search/deepening.cpp",
        "is_lost_[own] = 0;",
        "is_lost_[own] = 1;",
        DEEPENED,
    ),
    cpp(
        "deepening-attempt-lost",
        "an attempt that something asks for is no loss",
        "search/deepening.cpp",
        "if (outcome == ResidualNode::no_outcome || outcome == own) {",
        "if (outcome == own) {",
        DEEPENED,
    ),
    cpp(
        "deepening-free-attempt",
        "a free attempt leaves as much as before",
        "search/deepening.cpp",
        "if (less == state || is_free(action.variants[0]) ||",
        "if (less == state ||",
        DEEPENED,
    ),
    cpp(
        "deepening-largest-step",
        "a step is the least that an attempt costs",
        "search/deepening.cpp",
        "result[r] = std::min(result[r], variant.price[r]);",
        "result[r] = std::max(result[r], variant.price[r]);",
        DEEPENED,
    ),
    cpp(
        "transfer-with-more-left",
        "a plan is transferred only if as much is left",
        "search/deepening.cpp",
        "action.variants[0].price == step_};",
        "true};",
        DEEPENED,
    ),
    cpp(
        "transfer-what-failed",
        "a plan that takes what has failed is not transferred",
        "search/deepening.cpp",
        "!has_bit(plan_of(undone.state).data(), undone.failed)) {",
        "undone.failed < UINT32_MAX) {",
        DEEPENED,
    ),
    cpp(
        "transfer-unsolved",
        "only what is solved has a plan to transfer",
        "search/deepening.cpp",
        "if (undone.is_even && is_solved(undone.state) &&",
        "if (undone.is_even &&",
        DEEPENED,
    ),
    cpp(
        "transfer-first-action",
        "a plan takes what it takes later on, too",
        "search/deepening.cpp",
        "frame.plan[w] |= plan_of(child)[w];",
        "frame.plan[w] |= plan_of(child)[w] & 0U;",
        DEEPENED,
    ),
    cpp(
        "deepening-ties-ignored",
        "what may be as good as the best is followed, when deepening",
        "search/deepening.cpp",
        "return upper(state) - upper_of(option) <= worst_case_.tolerance();",
        "return upper(state) - upper_of(option) < -worst_case_.tolerance();",
        DEEPENED,
    ),
    cpp(
        "deepening-negated",
        "no deepening where something is negated or precluded",
        "search/deepening.cpp",
        "return !layout.has_negation() && layout.repeatable().empty() &&",
        "return layout.repeatable().empty() &&",
        DEEPENED,
    ),
    cpp(
        "deepening-repeated",
        "no deepening with repeats",
        "search/deepening.cpp",
        "return !layout.has_negation() && layout.repeatable().empty() &&",
        "return !layout.has_negation() &&",
        DEEPENED,
    ),
    cpp(
        "deepening-conditioned",
        "no deepening where numbers depend on what has happened",
        "search/deepening.cpp",
        "layout.conditioned().empty() && !is_charged && !has_penalty &&",
        "!is_charged && !has_penalty &&",
        DEEPENED,
    ),
    cpp(
        "deepening-charged",
        "no deepening where attempts are charged",
        "search/deepening.cpp",
        "layout.conditioned().empty() && !is_charged && !has_penalty &&",
        "layout.conditioned().empty() && (!is_charged || true) && !has_penalty &&",
        DEEPENED,
    ),
    cpp(
        "deepening-penalized",
        "no deepening with penalties",
        "search/deepening.cpp",
        "layout.conditioned().empty() && !is_charged && !has_penalty &&",
        "layout.conditioned().empty() && !is_charged && (!has_penalty || true) &&",
        DEEPENED,
    ),
    cpp(
        "deepening-adversary",
        "no deepening against an adversary",
        "search/canonical_engine.cpp",
        "return deviations_ == 0 && !is_exact_ && Deepening::fits(layout_);",
        "return !is_exact_ && Deepening::fits(layout_);",
        DEEPENED,
    ),
)

HOLDING_MORE = (
    cpp(
        "comparison-true-too-soon",
        "a comparison that holds may be undone by what lowers the counter",
        "canonical/lanes/lane_kernel.hpp",
        "now_true |= holds & ~lowered;",
        "now_true |= holds;",
        COUNTERS,
    ),
    cpp(
        "comparison-false-too-soon",
        "a comparison that does not hold may come true by what raises the counter",
        "canonical/lanes/lane_kernel.hpp",
        "now_false |= ~holds & ~raised;",
        "now_false |= ~holds;",
        COUNTERS,
    ),
    cpp(
        "comparison-costs-always",
        "a comparison that holds now costs nothing",
        "canonical/lanes/lane_kernel.hpp",
        "return Ops::where(stands_at_least(node), Ops::all(0), least);",
        "return least;",
        COUNTERS,
    ),
    cpp(
        "counter-capped-though-it-falls",
        "a counter may be capped at the highest threshold only if nothing lowers it",
        "canonical/lanes/lane_kernel.hpp",
        "Ops::least_where(asked & ~falls, value, highest)",
        "Ops::least_where(asked, value, highest)",
        COUNTERS,
    ),
    cpp(
        "counter-raised-though-it-rises",
        "a counter may be lifted to the lowest threshold only if nothing raises it",
        "canonical/lanes/lane_kernel.hpp",
        "Ops::where(asked & ~rises, Ops::most(value, below_lowest), value)",
        "Ops::where(asked, Ops::most(value, below_lowest), value)",
        COUNTERS,
    ),
    cpp(
        "counter-leaves-range",
        "what would leave its range stays at the end of it",
        "canonical/lanes/lane_kernel.hpp",
        "value = static_cast<Price>(next < 0 ? 0 : next > size ? size : next);",
        "value = static_cast<Price>(next < 0 ? 0 : next);",
        COUNTERS,
    ),
    cpp(
        "outcome-not-paid",
        "what an outcome costs is paid when it happens",
        "canonical/lanes/lane_kernel.hpp",
        "        if (view_.outcome_prices != nullptr) {",
        "        if (false) {",
        OUTCOME_COSTS,
    ),
    cpp(
        "budget-capped-below-outcomes",
        "the budget is capped at what attempts cost with their dearest outcomes",
        "canonical/lanes/lane_kernel.hpp",
        "    if (view_.dearest_outcomes == nullptr) {\n        return price;",
        "    if (true) {\n        return price;",
        OUTCOME_COSTS,
    ),
    cpp(
        "outcomes-out-of-reach",
        "an attempt that takes all that is left, with outcomes, is within reach",
        "canonical/lanes/lane_kernel.hpp",
        "result &= Ops::at_most(whole, Ops::load(left(r)));",
        "result &= ~Ops::at_most(Ops::load(left(r)), whole);",
        OUTCOME_COSTS,
    ),
    cpp(
        "sets-with-comparisons",
        "no sets where conditions compare counters",
        "canonical/layout/residual_sets_builder.cpp",
        "layout_.has_comparison() || ",
        "",
        COUNTERS,
    ),
    cpp(
        "knowledge-forgotten-by-rewards",
        "what is known matters as long as a reward depends on it",
        "canonical/lanes/lane_kernel.hpp",
        "    Word result = depends_on(group);",
        "    Word result = 0;",
        HIDDEN_FACTS,
    ),
    cpp(
        "knowledge-forgotten-by-actions",
        "what is known matters as long as a useful action depends on it",
        "canonical/lanes/lane_kernel.hpp",
        "        result |= view_.is_useful[view_.group_parts[k]];",
        "        result |= 0;",
        HIDDEN_FACTS,
    ),
    cpp(
        "secured-forgotten",
        "a reward that is certain but for hidden facts is part of the key",
        "canonical/lanes/lane_kernel.hpp",
        "field.mask == 0 ? 0 : bits[field.word * 64 + field.shift];",
        "0;",
        HIDDEN_FACTS,
    ),
    cpp(
        "bound-with-hidden",
        "perfect information is no bound where hidden facts decide probabilities",
        "search/bounds/perfect_information.cpp",
        "    if (instance_.has_hidden()) {",
        "    if (false) {",
        WIDE_SEARCHES,
    ),
    cpp(
        "counter-forgotten",
        "a counter is kept as long as any comparison asks for it",
        "canonical/lanes/lane_kernel.hpp",
        "                asked |= open;",
        "                asked = open;",
        BY_HAND,
    ),
    cpp(
        "outcomes-not-needed",
        "an action can be taken only where its dearest outcomes can be paid",
        "canonical/lanes/residual.cpp",
        "prices[r] + (dearest == nullptr ? 0 : dearest[r]) > left_[r]",
        "prices[r] > left_[r]",
        BY_HAND,
    ),
    cpp(
        "lower-bound-with-outcome-costs",
        "what a set costs says nothing of a plan where outcomes cost something",
        "search/bounds/perfect_information.cpp",
        "!instance_.has_outcome_costs() && !instance_.has_hidden() &&",
        "!instance_.has_hidden() &&",
        BY_HAND,
    ),
    cpp(
        "sets-with-hidden",
        "no sets where hidden facts make an action useful that no set has",
        "canonical/layout/residual_sets_builder.cpp",
        "layout_.has_comparison() || instance_.has_hidden() ||",
        "layout_.has_comparison() ||",
        BY_HAND,
    ),
    cpp(
        "knowledge-useless-to-actions",
        "what tells about hidden facts is useful where they decide what comes of an "
        "action",
        "canonical/lanes/lane_kernel.hpp",
        "        want_informers(action.group, lanes);",
        "        want_informers(action.group, 0);",
        BY_HAND,
    ),
    cpp(
        "knowledge-useless-to-rewards",
        "for sum, what tells about hidden facts is useful where a reward depends on "
        "them",
        "canonical/lanes/lane_kernel.hpp",
        "            lanes |= view_.relevant[view_.group_parts[k]];",
        "            lanes |= 0;",
        BY_HAND,
    ),
    cpp(
        "knowledge-useless-to-the-best",
        "for max, what is certain but for hidden facts makes it useful to know them",
        "canonical/lanes/lane_kernel.hpp",
        "Word lanes = view_.is_sum ? 0 : relevant & depends_on(group);",
        "Word lanes = 0;",
        BY_HAND,
    ),
    cpp(
        "outcome-charge-forgotten",
        "what outcomes cost is charged, too",
        "canonical/scoring.hpp",
        "            has_outcome_costs_ || option.chances != nullptr) {",
        "            option.chances != nullptr) {",
        BY_HAND,
    ),
    cpp(
        "deepening-wide",
        "no deepening where states hold more than outcomes",
        "search/deepening.cpp",
        "!is_charged && !has_penalty && !is_wide &&",
        "!is_charged && !has_penalty &&",
        BY_HAND,
    ),
    cpp(
        "finish-moves-useless",
        "whatever can be done may have to be done until it is certain that one may "
        "stop (M20)",
        "canonical/lanes/lane_kernel.hpp",
        "want_at_once(view_.moves[i], lanes);",
        "want_at_once(view_.moves[i], 0);",
        FINISHED,
    ),
    cpp(
        "finish-unwanted",
        "what `finish` asks for is kept until it is true for good (M20)",
        "canonical/lanes/lane_kernel.hpp",
        "want_not(finish, lanes) : want_at_once(finish, lanes);",
        "want_not(finish, lanes) : want_at_once(finish, 0);",
        FINISHED,
    ),
    cpp(
        "finish-forgotten",
        "that `finish` is true for good is part of the key (M20)",
        "canonical/lanes/lane_kernel.hpp",
        "        bits[field.word * 64 + field.shift] = view_.finished;",
        "        bits[field.word * 64 + field.shift] = 0;",
        FINISHED,
    ),
    cpp(
        "shown-and-not-kept",
        "a plan in hand is worked out until it is worth what was shown",
        "search/plans/plan.cpp",
        "if (scores->score(root) < promised) {",
        "if (scores->score(root) < promised - 1e9) {",
        SHOWN,
    ),
    cpp(
        "handed-over-without-hopes",
        "a plan that is handed over is worth as much there, worked out or not",
        "search/best_first.cpp",
        "            bounds_.raise_lower(state, steps.lowers[place->second]);",
        "            (void)steps.lowers;",
        HANDED_OVER,
    ),
    cpp(
        "finished-early-anywhere",
        "a plan found early knows nothing of states that were not looked at (B14)",
        "search/finishing_plan.cpp",
        "auto scores = scored(worst_case, reached_, -endless, objective);",
        "auto scores = scored(worst_case, reached_, 0, objective);",
        FINISHED_EARLY,
    ),
    cpp(
        "finished-early-for-less",
        "what is not expanded may lead to all that can be earned (B14)",
        "search/finishing_plan.cpp",
        "    double const most = most_earned(graph_.instance());",
        "    double const most = most_earned(graph_.instance()) / 2;",
        FINISHED_EARLY,
    ),
    cpp(
        "finished-early-on-the-way",
        "what is paid on the way can be earned, too (B14)",
        "search/finishing_plan.cpp",
        "    return total + instance.most_paid;",
        "    return total;",
        FINISHED_EARLY,
    ),
    cpp(
        "finish-stops-anywhere",
        "one may not stop where `finish` does not hold",
        "canonical/scoring.hpp",
        "        bool const may_stop = graph_.may_stop(faced.state);",
        "        bool const may_stop = true;",
        BY_HAND,
    ),
    cpp(
        "finish-stuck-for-nothing",
        "getting stuck is out of the question where no amount says what it counts",
        "canonical/scoring.hpp",
        "best = graph_.instance().finish->may_get_stuck ? reward : best;",
        "best = reward;",
        BY_HAND,
    ),
    cpp(
        "finish-exactly-anywhere",
        "one may not stop in exact arithmetic either",
        "search/plans/contenders.cpp",
        "result_.may_stop.push_back(graph_.may_end(state) ? 1 : 0);",
        "result_.may_stop.push_back(1);",
        BY_HAND,
    ),
    cpp(
        "finish-rounded-once",
        "where one must finish, a score may have all charges on the way in it",
        "search/canonical_engine.cpp",
        "double const charged = instance_.must_finish()",
        "double const charged = false",
        EXACT,
    ),
    python(
        "finish-narrowed",
        "where one must finish, what is ruled out may not be left in at a charge",
        "engine/lower.py",
        "        may_stop = problem.finish is None\n",
        "        may_stop = True\n",
        BY_HAND,
    ),
    python(
        "finish-ends-alike",
        "problems that finish elsewhere do not share scores",
        "engine/lower.py",
        "        and ends_alike\n",
        "",
        BY_HAND,
    ),
    cpp(
        "paper-leaves-range",
        "what would leave the range of a counter stays at its end (W5)",
        "paper/wide/wide_rules.cpp",
        "instance_.counters[at].size);",
        "counters[at] + effect.change);",
        BY_PAPER,
    ),
    cpp(
        "paper-outcomes-not-needed",
        "an action can be taken only where its dearest outcomes can be paid (W4)",
        "paper/wide/wide_rules.cpp",
        "gone[r] + price[r] + action.dearest_outcome(r) > instance_.budget[r]",
        "gone[r] + price[r] > instance_.budget[r]",
        BY_PAPER,
    ),
    cpp(
        "paper-last-clause",
        "the first clause that holds counts",
        "paper/wide/wide_rules.cpp",
        "number + 1 < variants.size() && !holds(variants[number].when)",
        "number + 1 < variants.size()",
        BY_PAPER,
    ),
    cpp(
        "paper-knows-nothing",
        "what is known decides probabilities (M17)",
        "paper/wide/wide_rules.cpp",
        "    return own.likelihoods.empty()\n",
        "    return true\n",
        BY_PAPER,
    ),
    cpp(
        "paper-best-on-average",
        "for max, the best is taken for each way that hidden facts may be",
        "paper/wide/wide_rules.cpp",
        "    auto const weights = knowledge_.weights(group);",
        "    auto const weights = std::span(knowledge_.weights(group)).first(1);",
        BY_PAPER,
    ),
    cpp(
        "paper-stops-anywhere",
        "one may not stop where `finish` does not hold",
        "paper/wide/wide_plan.cpp",
        "rules_.may_stop() || count == 0 ? 1 : 0",
        "1",
        BY_PAPER,
    ),
    cpp(
        "paper-nothing-on-the-way",
        "what steps of a counter pay is paid as often as outcomes come up",
        "paper/wide/wide_rules.cpp",
        "expected_sum() + paid_on_the_way()",
        "expected_sum()",
        BY_PAPER,
    ),
    python(
        "paper-prunes-wide",
        "rewarding sets prune nothing where states hold more than outcomes",
        "engine/paper.py",
        "not PRUNED_STATES.issuperset(features_of(problem))",
        "False",
        BY_PAPER,
    ),
    cpp(
        "exact-secured-forgotten",
        "a reward that is certain but for hidden facts is paid in fractions, too",
        "search/plans/contenders.cpp",
        "layout.secured_field(i).read(key) != 0",
        "false",
        EXACTLY_HIDDEN,
    ),
    python(
        "exact-knows-once",
        "a signal tells each time that it is met",
        "engine/exact/exact_knowledge.py",
        "weight * likelihood**times",
        "weight * likelihood",
        EXACTLY_HIDDEN,
    ),
    python(
        "exact-best-of-all",
        "the best reward is taken for each way that hidden facts may be",
        "engine/exact/exact_knowledge.py",
        "if e.group is not None and e.given[way])",
        "if e.group is not None)",
        EXACTLY_HIDDEN,
    ),
    python(
        "again-without-lowering",
        "what lowers a counter may undo a comparison",
        "engine/lower.py",
        "        inside += [negation(again(action)) for action in lowering]\n",
        "",
        COUNTERS,
    ),
    python(
        "goes-on-after-the-end",
        "nothing can be done after an outcome that ends everything",
        "engine/payments.py",
        ', negation(_ended_by(problem, "keep", "lose")))',
        ")",
        WIDE_ENDINGS,
    ),
    python(
        "keeps-what-is-lost",
        "nothing is paid after an outcome that loses everything",
        "engine/payments.py",
        "each._replace(when=all_of(each.when, kept))",
        "each",
        WIDE_ENDINGS,
    ),
    python(
        "ender-needs-no-gate",
        "what ends everything and is taken again must not come after that",
        "engine/payments.py",
        "enders == {action.name} and action.attempts == 1",
        "enders == {action.name}",
        WIDE_ENDINGS,
    ),
    python(
        "per-without-low-end",
        "a counter that starts below or above 0 counts from 0",
        "engine/payments.py",
        "    if counter.low:\n",
        "    if False:\n",
        PER_COUNTER,
    ),
    python(
        "counts-too-low",
        "counts matter up to the largest number they are compared with",
        "engine/quantities.py",
        "max([0, *(t for t in asked if t is not None)])",
        "max([0, *(t - 1 for t in asked if t is not None)])",
        COUNTS,
    ),
    python(
        "left-without-outcomes",
        "what an outcome costs is no longer left",
        "engine/quantities.py",
        "cost.of(quantity.resource) + outcome.cost.of(quantity.resource)",
        "cost.of(quantity.resource)",
        WIDE_SEARCHES,
    ),
    python(
        "signal-met-once",
        "a signal that is met again tells more, unless it tells for good",
        "engine/hidden_groups.py",
        "all(each in {0, 1} for each in signal)",
        "bool(signal)",
        HIDDEN_FACTS,
    ),
    python(
        "groups-apart-for-max",
        "for max all facts that rewards depend on go together",
        "engine/hidden_groups.py",
        "        if not self._is_sum:\n",
        "        if False:\n",
        BEST_OF_HIDDEN,
    ),
    python(
        "groups-apart-by-dependence",
        "facts that depend on each other go together",
        "engine/hidden_groups.py",
        "for names in [*asked, *depends]:",
        "for names in asked:",
        HIDDEN_FACTS,
    ),
)

STEPS_OF_COUNTERS = (
    cpp(
        "payer-useless",
        "an action that pays for a step of a counter is useful",
        "canonical/lanes/lane_kernel.hpp",
        "for (std::size_t i = 0; i < view_.num_payers; ++i) {",
        "for (std::size_t i = 0; i < 0 * view_.num_payers; ++i) {",
        PER_COUNTER,
    ),
    python(
        "per-paid-beyond-range",
        "steps are paid on the way only if the ends of the range do not matter",
        "engine/running_out.py",
        "most_moved(problem, counter.name, sign) <= space",
        "space >= 0",
        PER_COUNTER,
    ),
    python(
        "per-tied-by-range",
        "ties go by how far attempts move a counter, and not by its range (M16)",
        "engine/lower.py",
        "sum(most_moved(self.problem, payment.per, sign) for sign in (1, -1))",
        "next(c.high - c.low for c in self.problem.counters if c.name == payment.per)",
        BY_HAND,
    ),
    python(
        "per-paid-up-only",
        "what is paid on the way may be paid for steps down (M16)",
        "engine/lower.py",
        "most_moved(self.problem, payment.per, sign) for sign in (1, -1)",
        "most_moved(self.problem, payment.per, sign) for sign in (1,)",
        BY_HAND,
    ),
    python(
        "per-paid-though-lost",
        "steps are paid on the way only if nothing can lose everything",
        "engine/payments.py",
        '_ended_by(problem, "lose") == NEVER and reward.when == ALWAYS',
        "reward.when == ALWAYS",
        LOST_STEPS,
    ),
    python(
        "attempts-bounded-at-the-end-of-a-range",
        "a counter that stays at the end of its range does not bound attempts",
        "engine/running_out.py",
        "least is not None and least > counter.low and ",
        "least is not None and ",
        WIDE_BOUNDS,
    ),
    python(
        "attempts-bounded-by-the-largest-step",
        "a counter bounds attempts by the least that each moves it",
        "engine/running_out.py",
        "AttemptBound(name, least, -max(own), is_falling=True)",
        "AttemptBound(name, least, -min(own), is_falling=True)",
        WIDE_BOUNDS,
    ),
)

EXPLICIT_STATES = (
    cpp(
        "explicit-ties",
        "ties are settled once every action that may be as good was followed (O3)",
        "explicit/explicit_scores.cpp",
        "if (with_every_tie && worth >= bounds[state] - tolerance) {",
        "if (with_every_tie && worth > bounds[state] + tolerance) {",
        OWN_SPACES,
    ),
    cpp(
        "explicit-greedy",
        "the search ends where the best action by bounds leads to nothing open (O2)",
        "explicit/explicit_scores.cpp",
        "} else if (best == options.last || worth > most) {",
        "} else if (best == options.last || worth < most) {",
        OWN_SPACES,
    ),
    cpp(
        "explicit-open",
        "an open state is worth up to its own bound (O1)",
        "explicit/explicit_scores.cpp",
        "if (bounds[state] - graph.rewards[state] <= tolerance) {",
        "if (bounds[state] - 2 - graph.rewards[state] <= tolerance) {",
        OWN_SPACES,
    ),
    cpp(
        "explicit-upper",
        "what is expanded is worth as much as its best action by bounds (O1)",
        "explicit/explicit_scores.cpp",
        "most = std::max(most, graph.worth(i, result));",
        "most = std::max(most, graph.worth(i, graph.rewards));",
        OWN_SPACES,
    ),
    python(
        "explicit-half-done",
        "what Ctrl-C leaves half done is taken back",
        "engine/explicit/exploration.py",
        "if self.arrays.extent != self._sound or self._pending:",
        "if self.arrays.extent == self._sound and self._pending:",
        OWN_SPACES,
    ),
)

WIDE_STATES = (
    python(
        "wide-clamp",
        "effects are added up, and then the counter stays within its range",
        "space/packed.py",
        "stands = min(max(stood + change, self.low), self.high)",
        "stands = min(max(stood + change, self.low), self.high + 1)",
        WIDE,
    ),
    python(
        "wide-dearest",
        "an action is offered only if the dearest of its outcomes can be paid (W4)",
        "space/problem_space.py",
        "if any(map(lt, rest, turn.dearest)):",
        "if any(map(lt, rest, variant.price)) and min(rest) < 0:",
        WIDE,
    ),
    python(
        "wide-bayes",
        "what is known follows by Bayes' rule (W1)",
        "space/wide_states.py",
        "after = learned(knowledge, likelihoods) if knowledge else ()",
        "after = knowledge",
        WIDE,
    ),
    python(
        "wide-first-clause",
        "the first clause that holds under a way counts, for each way (W1)",
        "space/wide_states.py",
        "                next(i for i, holds in enumerate(tests) if holds(happened))",
        "                max(i for i, holds in enumerate(tests[:-1] or tests)"
        " if holds(happened) or i == 0)",
        WIDE,
    ),
    python(
        "wide-lose",
        "after an ending that loses no reward is paid",
        "space/wide_states.py",
        'if self._packing.ending_of(happened) == "lose":',
        'if self._packing.ending_of(happened) == "never":',
        WIDE,
    ),
    python(
        "wide-ended",
        "after an ending nothing can be done",
        "space/problem_space.py",
        "if self.packing.ended(state.happened):",
        "if self.packing.ended(state.happened) == 2:",
        WIDE,
    ),
    python(
        "wide-finish",
        "one may stop only where `finish` holds, or where nothing can be done",
        "reference/full_graph.py",
        "if state in self.unfinished:",
        "if state in self.unfinished and not options:",
        WIDE,
    ),
    python(
        "wide-sets",
        "rewarding sets prune nothing where states hold more than outcomes",
        "reference/pipeline.py",
        "return None if features_of(space.problem) else list_sets(space)",
        "return None if space.problem.hidden else list_sets(space)",
        WIDE,
    ),
    python(
        "wide-shift",
        "counts of the past are taken off what is still to come (W3)",
        "model/execution/remaining.py",
        "number = leaf.number - leaf.quantity.measured(self.facts)",
        "number = leaf.number",
        AFTER,
    ),
    python(
        "wide-posterior",
        "facts that were found out together are tied to each other (W3)",
        "model/execution/posterior.py",
        "if (now := shares(prefix)) != overall:",
        "if (now := shares(prefix)) != overall and False:",
        AFTER,
    ),
    python(
        "aim-by-expectation",
        "an aim is about what is paid in the end, not about what is expected of it",
        "space/problem_space.py",
        "if not state.knowledge or self.problem.is_least_cost:",
        "if self.problem is not None:",
        WIDE_AIMS,
    ),
    python(
        "aim-stated-though-lost",
        "what may be lost is worth the utility of nothing, not the least utility",
        "risk/utility_solver.py",
        'return "lose" in ends or any(',
        "return any(",
        WIDE_AIMS,
    ),
    python(
        "aim-charged-on-average",
        "for an aim, what an outcome costs is charged where it comes up",
        "space/problem_space.py",
        "if not self._is_wide:\n            return Fraction(action.charge)",
        "if self.problem is not None:\n            return Fraction(action.charge)",
        WIDE_AIMS,
    ),
    python(
        "aim-stops-unfinished",
        "for an aim, too, one may stop only where `finish` holds",
        "reference/full_graph.py",
        "return not isinstance(asked, SoundSpace) or asked.may_stop(state)",
        "return type(asked).__name__ != 'ProblemSpace' or asked.may_stop(state)",
        WIDE_AIMS,
    ),
)

LOSSES = ("tests/analysis/comparison/test_evaluation.py", "-k", "losses_add_up")
WILLINGNESS = ("tests/analysis/economics", "-k", "every_willingness")
ANALYSES = (
    python(
        "losses-that-are-small",
        "nothing is lost below a state only if the plan is worth as much as the best",
        "analysis/comparison/evaluation.py",
        "            if self._below(key) == 0:\n",
        "            if self._below(key) < 1:\n",
        LOSSES,
    ),
    python(
        "crossing-without-the-left",
        "a new plan at a crossing leaves crossings on both of its sides",
        "analysis/economics/efficient_plans.py",
        "gaps += [(low, middle), (middle, high)]",
        "gaps += [(middle, high)]",
        WILLINGNESS,
    ),
)

STATES_IN_FILES = (
    cpp(
        "spill-late-keys",
        "keys of a rank that is done are refused",
        "spill/spill_folder.cpp",
        "if (buckets_.has(segment.bucket) && is_taken(segment.rank, segment.bucket)) {",
        "if (false) {",
        SPILL_OWNERS,
    ),
    cpp(
        "spill-before-its-senders",
        "a part goes on to further ranks only if it has all buckets",
        "spill/part_expansion.cpp",
        "} while (is_whole && rank && has_room_for(*rank));",
        "} while (rank && has_room_for(*rank));",
        SPILLED,
    ),
    cpp(
        "spill-without-what-was-sent",
        "a further rank of a part takes in what earlier parts have sent there",
        "spill/part_expansion.cpp",
        "        take_in(*rank);\n",
        "        if (layers_.empty()) {\n            take_in(*rank);\n        }\n",
        SPILLED,
    ),
    cpp(
        "spill-begun-ranks",
        "what was expanded of a rank that is given up is sent on as well",
        "spill/part_expansion.cpp",
        "    if (!begun.empty()) {",
        "    if (false) {",
        SPILLED,
    ),
    cpp(
        "spill-met-too-late",
        "what only a rank that is given up has led to is left out",
        "spill/part_expansion.cpp",
        "return index_of(state) >= end.num_states;",
        "return false;",
        SPILLED,
    ),
    cpp(
        "spill-segments",
        "what a file of keys holds is compared with its checksum",
        "spill/key_segments.cpp",
        "    if (checksum_of(packed_) != segment.checksum) {",
        "    if (false) {",
        SPILL_FOLDER,
    ),
    cpp(
        "spill-sections",
        "what a section holds is compared with its checksum",
        "spill/section_file.cpp",
        "    if (checksum_of(to) != found.checksum) {",
        "    if (false) {",
        SPILL_FOLDER,
    ),
    cpp(
        "spill-ties",
        "all that is tied is counted, also where the plan stops",
        "spill/plan_marks.cpp",
        "if (is_tied || is_chosen) {",
        "if (is_chosen) {",
        SPILLED,
    ),
    cpp(
        "spill-other-numbers",
        "the digest goes over what is likely, too",
        "spill/instance_digest.cpp",
        "        add(variant.probabilities);\n",
        "",
        SPILL_FOLDER,
    ),
)

MUTANTS = (
    *RESIDUAL_SETS,
    *SIMPLIFYING,
    *LANE_BY_LANE,
    *STATES,
    *BOUNDING,
    *SEARCHING,
    *PREPARING,
    *DEEPENING,
    *PAPER_STAGES,
    *REFERENCE_ENGINE,
    *DIAGRAM,
    *REUSE,
    *COUNTING,
    *HOLDING_MORE,
    *STEPS_OF_COUNTERS,
    *EXACTNESS,
    *SOME_SETS,
    *EXPLICIT_STATES,
    *WIDE_STATES,
    *STATES_IN_FILES,
    *ANALYSES,
)
