#include "branchwise/canonical/lanes/residual_lanes.hpp"

#include <cassert>
#include <limits>

namespace branchwise {

namespace {

// Asked here and not in the files that have the instructions: the compiler may use them
// anywhere in those, also before the question. So nothing else in them may be called
// from outside: tests/engine/test_processors.py runs the core without the instructions.
#if defined(__x86_64__)
bool has_avx2() {
    return __builtin_cpu_supports("avx2") != 0;
}
bool has_avx512() {
    return __builtin_cpu_supports("avx512f") != 0 &&
           __builtin_cpu_supports("avx512bw") != 0;
}
#else
bool has_avx2() {
    return false;
}
bool has_avx512() {
    return false;
}
#endif

// Prices are as small as they can be: the more of them in a register the better. The
// largest stands for what is too much.
LaneKernel kernel_for(LaneTables const& tables, LaneForm form) {
    static LaneKernels const portable = portable_lane_kernels();
    static LaneKernels const avx2 = has_avx2() ? avx2_lane_kernels() : LaneKernels{};
    static LaneKernels const avx512 =
        has_avx512() ? avx512_lane_kernels() : LaneKernels{};
    std::uint64_t const largest = tables.largest_number();
    LaneKernel LaneKernels::* const kernel =
        largest < std::numeric_limits<std::uint8_t>::max()    ? &LaneKernels::bytes
        : largest < std::numeric_limits<std::uint16_t>::max() ? &LaneKernels::halves
                                                              : &LaneKernels::words;
    bool const is_best = form == LaneForm::best;
    if ((is_best || form == LaneForm::avx512) && (avx512.*kernel).take != nullptr) {
        return avx512.*kernel;
    }
    if ((is_best || form == LaneForm::avx2) && (avx2.*kernel).take != nullptr) {
        return avx2.*kernel;
    }
    return portable.*kernel;
}

} // namespace

ResidualLanes::ResidualLanes(ResidualLayout const& layout, LaneForm form)
    : kernel_(kernel_for(layout.lane_tables(), form)),
      view_(layout.lane_tables().view()) {
    make_words();
    make_rows();
}

void ResidualLanes::make_words() {
    std::size_t const nodes = view_.num_nodes;
    std::size_t const actions = view_.num_actions;
    std::size_t const true_in = view_.num_sets == 0 ? 0 : nodes * sets_at_once;
    words_.resize(6 * nodes + 2 * actions + view_.num_clauses + 3 * view_.num_rewards +
                  64 * view_.key_words + true_in + 5 * view_.node_words);
    Word* next = words_.data();
    auto const some = [&](std::size_t count) {
        Word* const result = next;
        next += count;
        return result;
    };
    view_.undecided = some(nodes);
    view_.is_true = some(nodes);
    view_.is_false = some(nodes);
    view_.wanted = some(nodes);
    view_.wants_not = some(nodes);
    view_.is_useful = some(actions);
    view_.is_killed = some(actions);
    view_.open_clauses = some(view_.num_clauses);
    view_.gained = some(view_.num_rewards);
    view_.relevant = some(view_.num_rewards);
    view_.secured = some(view_.num_rewards);
    view_.is_in_reach = some(nodes);
    view_.key_bits = some(64 * view_.key_words);
    view_.true_in = some(true_in);
    view_.news = some(view_.node_words);
    view_.decided = some(view_.node_words);
    view_.stale = some(view_.node_words);
    view_.repriced = some(view_.node_words);
    view_.marked = some(view_.node_words);
    numbers_.resize(nodes + actions + num_lanes);
    view_.open = numbers_.data();
    view_.open_actions = view_.open + nodes;
    view_.held = view_.open_actions + actions;
    flags_.resize(actions);
    view_.is_open_action = flags_.data();
}

// Left as they are: most of a large problem is never met, and the system provides
// memory only for what is written to.
void ResidualLanes::make_rows() {
    std::size_t const row = num_lanes * kernel_.bytes_per_price;
    std::size_t const per_node = view_.num_nodes * view_.num_resources;
    std::size_t const per_conditioned = view_.num_conditioned * view_.num_resources;
    std::size_t const count = 2 * per_node + 2 * per_conditioned +
                              view_.num_repeatable + view_.num_resources +
                              view_.num_counters;
    auto* next =
        static_cast<std::byte*>(::operator new(count * row, std::align_val_t{64}));
    rows_.reset(next);
    auto const some = [&](std::size_t rows) {
        std::byte* const result = next;
        next += rows * row;
        return result;
    };
    view_.left = some(view_.num_resources);
    view_.attempts = some(view_.num_repeatable);
    view_.counts = some(view_.num_counters);
    view_.cheapest = some(per_conditioned);
    view_.dearest = some(per_conditioned);
    view_.cost = some(per_node);
    view_.rest = some(per_node);
}

void ResidualLanes::start(std::span<std::int64_t const> budget, Word* key,
                          std::span<std::uint8_t const> left_out) {
    assert(left_out.empty() || left_out.size() == view_.num_actions);
    kernel_.start(view_, budget.data(), left_out.empty() ? nullptr : left_out.data(),
                  key);
}

void ResidualLanes::take(std::span<LaneStep const> steps, Word* keys) {
    assert(steps.size() <= num_lanes);
    kernel_.take(view_, steps.data(), steps.size(), keys);
}

void ResidualLanes::refresh(std::span<LaneStep const> steps) {
    kernel_.refresh(view_, steps.data(), steps.size());
}

std::int64_t ResidualLanes::price(void const* rows, std::size_t row,
                                  std::size_t lane) const {
    std::size_t const at = row * num_lanes + lane;
    switch (kernel_.bytes_per_price) {
    case 1:
        return static_cast<std::uint8_t const*>(rows)[at];
    case 2:
        return static_cast<std::uint16_t const*>(rows)[at];
    default:
        break;
    }
    std::uint64_t const found = static_cast<std::uint64_t const*>(rows)[at];
    constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max() / 4;
    return static_cast<std::int64_t>(std::min(found, most));
}

} // namespace branchwise
