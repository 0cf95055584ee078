#include "branchwise/families/strongest_sets.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace branchwise {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

} // namespace

StrongestSets::StrongestSets(Families& families, Family family,
                             std::span<double const> weights)
    : watch_(families.watch()), diagram_(families.diagram(family)),
      weights_(weights.begin(), weights.end()), heaps_(diagram_.size(), unknown) {
    assert(weights.size() == families.num_elements());
    heaps_[FamilyDiagram::empty_place] = none;
    heaps_[FamilyDiagram::unit_place] = none;
    prefer();
    if (diagram_.root() != FamilyDiagram::empty_place) {
        wait({0, 0, none});
    }
}

StrongestSets::Batch StrongestSets::next(std::size_t limit) {
    watch_.look();
    Batch batch;
    double strength_limit = last_strength_;
    std::size_t given = num_given_;
    for (; batch.sets.size() < limit; ++given, watch_.step()) {
        if (given == found_.size()) {
            if (waiting_.empty()) {
                break;
            }
            find_next();
        }
        batch.sets.push_back(set(static_cast<std::uint32_t>(given)));
        longest_ = std::max(longest_, batch.sets.back().size());
        double strength = 1;
        for (ElementId const element : batch.sets.back()) {
            strength *= weights_[static_cast<std::size_t>(element)];
        }
        // Losses are rounded, so equals may change places: not to be seen outside.
        strength_limit = std::min(strength_limit, strength);
        batch.strengths.push_back(strength_limit);
    }
    num_given_ = given;
    last_strength_ = strength_limit;
    return batch;
}

std::size_t StrongestSets::bytes() const {
    return diagram_.size() *
               (sizeof(FamilyDiagram::Node) + sizeof(double) + sizeof(Link)) +
           deviations_.capacity() * sizeof(Deviation) +
           (waiting_.capacity() + found_.capacity()) * sizeof(Candidate);
}

void StrongestSets::prefer() {
    std::vector<double> least(diagram_.size(), infinite);
    least[FamilyDiagram::unit_place] = 0;
    losses_.assign(diagram_.size(), infinite);
    prefers_high_.assign(diagram_.size(), true);
    for (Place place = FamilyDiagram::unit_place + 1; place < diagram_.size();
         ++place) {
        watch_.step();
        auto const& [element, low_place, high_place, family] = diagram_[place];
        double const low = least[low_place];
        double const high =
            least[high_place] - std::log(weights_[static_cast<std::size_t>(element)]);
        least[place] = std::min(low, high);
        losses_[place] = std::max(low, high) - least[place];
        prefers_high_[place] = high <= low;
    }
}

StrongestSets::Place StrongestSets::preferred(Place place) const {
    return prefers_high_[place] ? diagram_[place].high : diagram_[place].low;
}

StrongestSets::Place StrongestSets::other(Place place) const {
    return prefers_high_[place] ? diagram_[place].low : diagram_[place].high;
}

StrongestSets::Link StrongestSets::append(Deviation deviation) {
    if (deviations_.size() >= static_cast<std::size_t>(unknown)) {
        throw TooLarge("the strongest sets need too many deviations");
    }
    deviations_.push_back(deviation);
    return Link{static_cast<std::uint32_t>(deviations_.size() - 1)};
}

StrongestSets::Link StrongestSets::insert(Link heap, double loss, Place place) {
    if (heap == none || loss <= deviation(heap).loss) {
        return append({loss, place, heap, none, 1});
    }
    Deviation copy = deviation(heap);
    copy.right = insert(copy.right, loss, place);
    auto const rank = [this](Link link) {
        return link == none ? 0 : deviation(link).rank;
    };
    if (rank(copy.left) < rank(copy.right)) {
        std::swap(copy.left, copy.right);
    }
    copy.rank = rank(copy.right) + 1;
    return append(copy);
}

StrongestSets::Link StrongestSets::heap(Place place) {
    std::vector<Place> above;
    for (; heaps_[place] == unknown; place = preferred(place)) {
        above.push_back(place);
    }
    Link result = heaps_[place];
    for (auto at = above.rbegin(); at != above.rend(); ++at) {
        if (losses_[*at] < infinite) {
            result = insert(result, losses_[*at], *at);
        }
        heaps_[*at] = result;
    }
    return result;
}

void StrongestSets::find_next() {
    Candidate const next = waiting_.front();
    std::ranges::pop_heap(waiting_, std::greater{});
    waiting_.pop_back();
    auto const now = static_cast<std::uint32_t>(found_.size());
    found_.push_back(next);
    Place place = diagram_.root();
    if (next.deviation != none) {
        Deviation const taken = deviation(next.deviation);
        for (Link const link : {taken.left, taken.right}) {
            if (link != none) {
                double const loss = found_[next.before].loss + deviation(link).loss;
                wait({loss, next.before, link});
            }
        }
        place = other(taken.place);
    }
    if (Link const link = heap(place); link != none) {
        wait({next.loss + deviation(link).loss, now, link});
    }
}

void StrongestSets::wait(Candidate candidate) {
    waiting_.push_back(candidate);
    std::ranges::push_heap(waiting_, std::greater{});
}

ElementSet StrongestSets::set(std::uint32_t found) const {
    std::vector<Place> deviations;
    for (auto at = found; found_[at].deviation != none; at = found_[at].before) {
        deviations.push_back(deviation(found_[at].deviation).place);
    }
    ElementSet elements;
    elements.reserve(longest_);
    Place place = diagram_.root();
    while (place != FamilyDiagram::unit_place) {
        bool const deviates = !deviations.empty() && deviations.back() == place;
        if (deviates) {
            deviations.pop_back();
        }
        Place const below = deviates ? other(place) : preferred(place);
        if (prefers_high_[place] != deviates) {
            elements.push_back(diagram_[place].element);
        }
        place = below;
    }
    return elements;
}

} // namespace branchwise
