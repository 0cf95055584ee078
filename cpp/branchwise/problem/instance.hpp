#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

namespace branchwise {

enum class ActionId : std::uint32_t {};
/// Outcomes of all actions are numbered through, those of one action in a row.
enum class OutcomeId : std::uint32_t {};
enum class ConditionId : std::uint32_t {};
enum class CounterId : std::uint32_t {};

template <typename Id>
[[nodiscard]] constexpr std::size_t index_of(Id id) {
    return static_cast<std::size_t>(id);
}

/// A condition: a fact, or one put together from conditions with smaller numbers.
struct Condition {
    enum class Kind : std::uint8_t {
        happened,
        attempted,
        again, // can be taken once more; never comes true, and is false in the end
        all,
        any,
        negation,
        at_least, // a counter stands so high
    };

    Kind kind{};
    std::uint32_t subject{}; // the outcome or the action of a fact, or the counter
    // Of the others; ascending, none twice. Of `at_least`: that each action which may
    // raise the counter can be taken again, and the negation of that for each which may
    // lower it.
    std::vector<ConditionId> inside{};
    std::int64_t threshold = 0; // of `at_least`, above the low end of the range
};

/// Conditions, each of which stands here once: equal ones have the same number.
/// `all` of nothing always holds, `any` of nothing never.
class Conditions {
  public:
    ConditionId happened(OutcomeId outcome);
    ConditionId attempted(ActionId action);
    ConditionId again(ActionId action);
    ConditionId at_least(CounterId counter, std::int64_t threshold,
                         std::vector<ConditionId> inside);
    ConditionId all(std::vector<ConditionId> inside);
    ConditionId any(std::vector<ConditionId> inside);
    ConditionId negation(ConditionId inside);

    [[nodiscard]] std::size_t size() const { return nodes_.size(); }
    [[nodiscard]] Condition const& operator[](ConditionId id) const {
        return nodes_[index_of(id)];
    }

  private:
    using Spelling = std::tuple<Condition::Kind, std::uint32_t, std::int64_t,
                                std::vector<ConditionId>>;

    ConditionId known(Condition condition);

    std::vector<Condition> nodes_;
    std::map<Spelling, ConditionId> ids_;
};

/// All probabilities that an action may have, around the nominal ones; none but these
/// if empty.
struct Spread {
    std::vector<double> lows{};  // by outcome
    std::vector<double> highs{}; // by outcome
    double distance = 0;         // how much probability may move, all in all

    [[nodiscard]] bool is_exact() const { return highs.empty(); }
};

inline constexpr std::uint32_t no_group = UINT32_MAX;

/// A whole number that outcomes change, counted from the low end of its range. A
/// *signal* is one that counts how often something was met that tells about hidden
/// facts.
struct InstanceCounter {
    std::int64_t size{};  // the high end; what would leave the range stays at its end
    std::int64_t start{}; // where it stands at first
    std::uint32_t group = no_group;    // of a signal: the facts it tells about
    std::vector<double> likelihoods{}; // of a signal, by assignment, up to scale
};

/// A counter that every attempt moves one way, and nothing the other way: so it bounds
/// how often an action can still be taken.
struct AttemptBound {
    CounterId counter{};
    std::int64_t threshold{}; // an attempt needs it at least there, or where it rises,
                              // below
    std::int64_t step{};      // by how much each attempt moves it, at least
    bool is_falling = false;

    /// How many attempts there can be from where the counter stands.
    [[nodiscard]] std::int64_t most(std::int64_t value) const {
        std::int64_t const room =
            is_falling ? value - threshold : threshold - 1 - value;
        return room < 0 ? 0 : room / step + 1;
    }
};

/// Hidden facts that something asks about together. An *assignment* is a way they may
/// be.
struct HiddenGroup {
    std::vector<double> weights{};        // by assignment: how likely beforehand
    std::vector<ConditionId> informers{}; // that what tells about it can be taken again
};

/// By how much a counter changes.
struct Effect {
    CounterId counter{};
    std::int64_t change{};
};

/// The probabilities and the cost of an action while a clause of it counts.
struct Variant {
    ConditionId when{};
    std::vector<std::int64_t> price{};   // one per finite resource, in whole units
    double cost{};                       // all resources added up
    double charge{};                     // what the objective subtracts
    std::vector<double> probabilities{}; // one per outcome
    Spread spread{};                     // where an adversary may choose
    std::vector<std::vector<Effect>> effects{}; // by outcome; empty if there are none
    // By outcome and assignment, if hidden facts decide the probabilities. Then those
    // above are what they come to before anything is known.
    std::vector<std::vector<double>> likelihoods{};

    /// Do any probabilities let an outcome happen?
    [[nodiscard]] bool can_happen(std::size_t outcome) const {
        return spread.is_exact() ? probabilities[outcome] > 0
                                 : spread.highs[outcome] > 0;
    }
};

struct InstanceAction {
    OutcomeId first_outcome{};
    std::uint32_t num_outcomes{};
    std::int64_t attempts{};         // at most; 0 if no budget ever pays for it
    ConditionId allowed{};           // what is required, and nothing that precludes
    std::vector<Variant> variants{}; // the first whose `when` holds; the last always
    // What is paid when an outcome comes up, besides; empty if nothing ever is. The
    // action can be taken only where the dearest of each resource can be paid.
    std::vector<std::vector<std::int64_t>> outcome_prices{}; // by outcome and resource
    std::vector<double> outcome_costs{};                     // by outcome
    std::vector<double> outcome_charges{};                   // by outcome
    std::uint32_t group = no_group; // the hidden facts that decide what comes of it
    std::vector<AttemptBound> attempt_bounds{};
    // By outcome, if any: the rewards that it pays on the way, some of them repeatedly.
    std::vector<std::vector<std::uint32_t>> payments{};

    [[nodiscard]] bool has_outcome_costs() const { return !outcome_prices.empty(); }
    /// The most that an outcome may cost of a resource.
    [[nodiscard]] std::int64_t dearest_outcome(std::size_t resource) const;
    [[nodiscard]] double charge_of(std::size_t outcome) const {
        return outcome_charges.empty() ? 0 : outcome_charges[outcome];
    }
};

struct InstanceReward {
    ConditionId when{};
    double value{};
    std::uint32_t group = no_group; // the hidden facts it depends on
    std::vector<double> given{};    // by assignment: 1 if it is paid then, 0 if not
};

/// Where one must finish: one may stop only where this holds, or where nothing can be
/// done.
struct InstanceFinish {
    ConditionId when{};
    std::vector<ConditionId> moves{}; // that an action can be taken again, of each
    bool may_get_stuck = true;        // or no plan may end where it does not hold
};

/// A problem in numbers: what the engines work on. Checked before it gets here.
struct Instance {
    Conditions conditions{};
    std::vector<InstanceAction> actions{}; // in the problem's order
    std::vector<InstanceReward> rewards{};
    std::vector<std::int64_t> budget{}; // of each finite resource, in whole units
    bool is_sum = false;                // rewards add up; else the best one counts
    std::vector<InstanceCounter> counters{};
    std::vector<HiddenGroup> groups{}; // for `max` one has all that rewards depend on
    std::vector<ConditionId> payers{}; // that what pays on the way can be taken again
    double most_paid = 0;              // on the way, all in all, whatever its sign
    std::optional<InstanceFinish> finish{};

    [[nodiscard]] std::size_t num_outcomes() const;
    [[nodiscard]] bool has_outcome_costs() const;
    [[nodiscard]] bool has_hidden() const { return !groups.empty(); }
    [[nodiscard]] bool pays_on_the_way() const { return most_paid > 0; }
    [[nodiscard]] bool must_finish() const { return finish.has_value(); }
    /// The most that the objective subtracts for one attempt, with its outcome.
    [[nodiscard]] double dearest_charge() const;
};

} // namespace branchwise
