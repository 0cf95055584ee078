#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "branchwise/families/families.hpp"

namespace branchwise {

/// The sets of a family in the order of falling strength, the product of the weights
/// of their elements; each is found when it is asked for.
///
/// A set is a path down the diagram. Every node prefers the side that leads to the
/// stronger set, and going the other way loses a factor that is known. So a set is
/// given by its deviations from what the nodes prefer, and, as in Eppstein's k shortest
/// paths, the deviations below a node stand in a heap that shares all but a few
/// entries with the heap of the preferred node: one more set costs three candidates,
/// however long its path. Equally strong sets come in an order that is always the same.
class StrongestSets {
  public:
    /// Sets and their strengths, in the same order.
    struct Batch {
        std::vector<ElementSet> sets;
        std::vector<double> strengths;
    };

    /// There is one weight for each element, more than 0 and at most 1. Keeps a copy
    /// of the diagram, and goes on using the watch of `families`.
    StrongestSets(Families& families, Family family, std::span<double const> weights);

    /// The next sets, at most `limit`. A call that is stopped loses nothing: the next
    /// one goes on where it was.
    [[nodiscard]] Batch next(std::size_t limit);

    /// How much memory the diagram, the heaps and the sets found so far take.
    [[nodiscard]] std::size_t bytes() const;

  private:
    using Place = FamilyDiagram::Place;

    /// Points at a deviation, and so at the heap below it.
    enum class Link : std::uint32_t {};
    static constexpr Link none{UINT32_MAX};
    static constexpr Link unknown{UINT32_MAX - 1};

    /// Going the other way at one place: an entry of a leftist heap that never changes.
    struct Deviation {
        double loss; // a factor less than one is a loss, in logarithms, above zero
        Place place;
        Link left;
        Link right;
        std::uint32_t rank;
    };

    /// The set that deviates once more than another one that was found `before`.
    struct Candidate {
        double loss;
        std::uint32_t before;
        Link deviation; // none only in the strongest set of all

        auto operator<=>(Candidate const&) const = default;
    };

    void prefer();
    [[nodiscard]] Place preferred(Place place) const;
    [[nodiscard]] Place other(Place place) const;

    [[nodiscard]] Deviation const& deviation(Link link) const {
        return deviations_[static_cast<std::size_t>(link)];
    }
    Link append(Deviation deviation);
    Link insert(Link heap, double loss, Place place);

    /// The deviations on the way from this place that every node prefers.
    Link heap(Place place);

    void find_next();
    void wait(Candidate candidate);
    [[nodiscard]] ElementSet set(std::uint32_t found) const;

    FamilyWatch& watch_;
    FamilyDiagram diagram_;
    std::vector<double> weights_;
    std::vector<bool> prefers_high_; // by place
    std::vector<double> losses_;     // by place, of the other way
    std::vector<Link> heaps_;        // by place
    std::vector<Deviation> deviations_;
    std::vector<Candidate> waiting_; // a heap, the least loss on top
    std::vector<Candidate> found_;
    std::size_t num_given_ = 0;
    std::size_t longest_ = 0; // the size of the largest set so far
    double last_strength_ = 1;
};

} // namespace branchwise
