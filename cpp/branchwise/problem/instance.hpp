#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <vector>

namespace branchwise {

enum class ActionId : std::uint32_t {};
/// Outcomes of all actions are numbered through, those of one action in a row.
enum class OutcomeId : std::uint32_t {};
enum class ConditionId : std::uint32_t {};

template <typename Id>
[[nodiscard]] constexpr std::size_t index_of(Id id) {
    return static_cast<std::size_t>(id);
}

/// A condition: a fact, or one put together from conditions with smaller numbers.
struct Condition {
    enum class Kind : std::uint8_t { happened, attempted, all, any, negation };

    Kind kind{};
    std::uint32_t subject{};           // the outcome or the action of a fact
    std::vector<ConditionId> inside{}; // of the others; ascending, none twice
};

/// Conditions, each of which stands here once: equal ones have the same number.
/// `all` of nothing always holds, `any` of nothing never.
class Conditions {
  public:
    ConditionId happened(OutcomeId outcome);
    ConditionId attempted(ActionId action);
    ConditionId all(std::vector<ConditionId> inside);
    ConditionId any(std::vector<ConditionId> inside);
    ConditionId negation(ConditionId inside);

    [[nodiscard]] std::size_t size() const { return nodes_.size(); }
    [[nodiscard]] Condition const& operator[](ConditionId id) const {
        return nodes_[index_of(id)];
    }

  private:
    using Spelling =
        std::tuple<Condition::Kind, std::uint32_t, std::vector<ConditionId>>;

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

/// The probabilities and the cost of an action while a clause of it counts.
struct Variant {
    ConditionId when{};
    std::vector<std::int64_t> price{};   // one per finite resource, in whole units
    double cost{};                       // all resources added up
    double charge{};                     // what the objective subtracts
    std::vector<double> probabilities{}; // one per outcome
    Spread spread{};                     // where an adversary may choose

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
};

struct InstanceReward {
    ConditionId when{};
    double value{};
};

/// A problem in numbers: what the engines work on. Checked before it gets here.
struct Instance {
    Conditions conditions{};
    std::vector<InstanceAction> actions{}; // in the problem's order
    std::vector<InstanceReward> rewards{};
    std::vector<std::int64_t> budget{}; // of each finite resource, in whole units
    bool is_sum = false;                // rewards add up; else the best one counts

    [[nodiscard]] std::size_t num_outcomes() const;
};

} // namespace branchwise
