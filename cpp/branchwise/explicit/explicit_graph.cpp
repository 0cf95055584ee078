#include "branchwise/explicit/explicit_graph.hpp"

namespace branchwise {

namespace {

using Number = ExplicitGraph::Number;

/// A state above the one that is looked at, and which branch of it comes next.
struct Entered {
    Number state;
    std::size_t branch;
    std::size_t last;
};

Entered entered(ExplicitGraph const& graph, Number state) {
    if (graph.is_open(state) || graph.num_options[state] == 0) {
        return {state, 0, 0};
    }
    auto const row = graph.branches_of_all(graph.options(state));
    return {state, row.first, row.last};
}

enum class Mark : std::uint8_t { fresh, above, done };

} // namespace

std::variant<std::vector<Number>, Circle> children_first(ExplicitGraph const& graph) {
    std::vector<Number> order;
    std::vector<Mark> marks(graph.size(), Mark::fresh);
    // A loop instead of a recursion: plans may be a million actions deep.
    std::vector<Entered> path{entered(graph, 0)};
    marks[0] = Mark::above;
    while (!path.empty()) {
        Entered& here = path.back();
        if (here.branch == here.last) {
            marks[here.state] = Mark::done;
            order.push_back(here.state);
            path.pop_back();
            continue;
        }
        Number const child = graph.child(here.branch++);
        if (marks[child] == Mark::above) {
            return Circle{here.state, child};
        }
        if (marks[child] == Mark::fresh) {
            marks[child] = Mark::above;
            path.push_back(entered(graph, child));
        }
    }
    return order;
}

} // namespace branchwise
