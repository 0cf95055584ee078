#include "branchwise/best_first.hpp"

#include <algorithm>
#include <new>

namespace branchwise {

namespace {

// What a plan takes for every spot: a score, a choice, an upper bound, and a bit; and
// what the search can give back for that.
constexpr std::size_t bytes_of_plan =
    2 * sizeof(double) + sizeof(std::uint32_t) + sizeof(std::uint8_t);
constexpr std::size_t bytes_to_give_back = sizeof(double) + 2 * sizeof(std::uint32_t);

// What a search takes for every spot, all in all.
constexpr std::size_t bytes_of_search =
    2 * sizeof(double) + sizeof(std::uint8_t) + bytes_to_give_back;

// What working the plan out takes besides, and whoever asks for it.
constexpr std::size_t bytes_of_answer = std::size_t{8} << 20U;

} // namespace

// Have room for so many more states. What has no room throws before anything has
// changed.
void BestFirst::make_room(std::size_t num_states) {
    std::size_t const size = graph_.size() + num_states;
    std::size_t const num_spots = size * worst_case_.num_layers();
    std::size_t const to_finish = num_spots * bytes_of_plan + bytes_of_answer;
    if (is_searching_ && reserve_.bytes() < to_finish) {
        reserve_.resize(to_finish + to_finish / 4);
    }
    lower_.make_room(num_spots - lower_.size());
    upper_.make_room(num_spots - upper_.size());
    is_bounded_.make_room(size - is_bounded_.size());
    if (!is_light_) {
        walked_.make_room(num_spots - walked_.size());
        reach_.make_room(num_spots - reach_.size());
        best_.make_room(num_spots - best_.size());
    }
}

void BestFirst::keep(StateId state, Successors const& successors) {
    std::size_t const num_spots = successors.gained.size() * worst_case_.num_layers();
    std::size_t const bytes = num_spots * bytes_of_search;
    if (!watch_->has_room(graph_.bytes_to_keep(successors) + bytes)) {
        throw Stopped("the run must end");
    }
    make_room(successors.gained.size());
    graph_.keep(state, successors, residuals_[0]);
    meet_new_states();
}

// There is room for them.
void BestFirst::meet_new_states() {
    for (std::size_t i = is_bounded_.size(); i < graph_.size(); ++i) {
        double const reward = graph_.reward(static_cast<StateId>(i));
        double const most = std::max(reward, information_.trivial_bound());
        lower_.fill_up((i + 1) * worst_case_.num_layers(), reward);
        upper_.fill_up((i + 1) * worst_case_.num_layers(), most);
    }
    is_bounded_.fill_up(graph_.size(), 0);
    if (!is_light_) {
        walked_.fill_up(worst_case_.num_spots(), 0);
        reach_.fill_up(worst_case_.num_spots(), 0);
        best_.fill_up(worst_case_.num_spots(), 0);
    }
}

void BestFirst::rest(bool is_short) {
    is_searching_ = false;
    reserve_.release();
    if (is_short) {
        lighten();
    }
}

// From here on there is nothing but the plan in hand.
void BestFirst::lighten() {
    is_searching_ = false;
    is_light_ = true;
    reserve_.release();
    walked_.release();
    reach_.release();
    best_.release();
    information_.forget();
}

void BestFirst::begin(Faced root, char const* stage) {
    is_searching_ = true;
    is_light_ = false;
    std::size_t const num_new = worst_case_.num_spots() - lower_.size();
    if (!watch_->has_room(num_new * bytes_of_search)) {
        throw std::bad_alloc();
    }
    make_room(0);
    meet_new_states();
    note_progress(root, stage);
}

bool BestFirst::comes_to_end(std::function<void()> const& work) {
    try {
        work();
        return true;
    } catch (Stopped const&) {
        return false;
    } catch (std::bad_alloc const&) {
        watch_->end(Ending::memory);
        lighten();
        return false;
    }
}

void BestFirst::note_progress(Faced root, char const* stage) {
    std::size_t const more = bytes_of_plan - bytes_to_give_back;
    progress_ = {graph_.size(), lower(root), upper(root), stage,
                 worst_case_.num_spots() * more + bytes_of_answer};
}

std::size_t BestFirst::bytes() const {
    return information_.bytes() + lower_.bytes() + upper_.bytes() +
           is_bounded_.bytes() + walked_.bytes() + reach_.bytes() + best_.bytes();
}

} // namespace branchwise
