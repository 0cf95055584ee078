#include "branchwise/families/family_algebra.hpp"

#include <algorithm>
#include <utility>

namespace branchwise {

// A family without the top element has all of its sets on the low side.
FamilyAlgebra::Split FamilyAlgebra::split(Family f, Family g) const {
    FamilyNode const in_f = table_.node(f);
    FamilyNode const in_g = table_.node(g);
    ElementId const top = std::min(in_f.element, in_g.element);
    bool const f_has_it = in_f.element == top;
    bool const g_has_it = in_g.element == top;
    return {top, f_has_it ? in_f.low : f, f_has_it ? in_f.high : empty_family,
            g_has_it ? in_g.low : g, g_has_it ? in_g.high : empty_family};
}

// Operations recur on pairs of families, each of which is a node. As results are
// remembered by pair, the time depends on how many different pairs there are, and not
// on how many sets.
template <typename Compute>
Family FamilyAlgebra::remembered(FamilyOperation operation, Family f, Family g,
                                 Compute compute) {
    if (auto const known = table_.recall(operation, f, g)) {
        return *known;
    }
    watch_.step();
    Family const result = compute(split(f, g));
    table_.remember(operation, f, g, result);
    return result;
}

Family FamilyAlgebra::unite(Family f, Family g) {
    if (f == g || g == empty_family) {
        return f;
    }
    if (f == empty_family) {
        return g;
    }
    if (g < f) {
        std::swap(f, g);
    }
    return remembered(FamilyOperation::unite, f, g, [this](Split const& s) {
        Family const low = unite(s.f0, s.g0);
        return table_.make(s.top, low, unite(s.f1, s.g1));
    });
}

Family FamilyAlgebra::intersect(Family f, Family g) {
    if (f == g || f == empty_family) {
        return f;
    }
    if (g == empty_family) {
        return g;
    }
    if (g < f) {
        std::swap(f, g);
    }
    return remembered(FamilyOperation::intersect, f, g, [this](Split const& s) {
        Family const low = intersect(s.f0, s.g0);
        return table_.make(s.top, low, intersect(s.f1, s.g1));
    });
}

Family FamilyAlgebra::subtract(Family f, Family g) {
    if (f == g || f == empty_family) {
        return empty_family;
    }
    if (g == empty_family) {
        return f;
    }
    return remembered(FamilyOperation::subtract, f, g, [this](Split const& s) {
        Family const low = subtract(s.f0, s.g0);
        return table_.make(s.top, low, subtract(s.f1, s.g1));
    });
}

// A union has the top element if either set has it: f1 with all of g, or f0 with g1.
Family FamilyAlgebra::join(Family f, Family g) {
    if (f == empty_family || g == unit_family) {
        return f;
    }
    if (g == empty_family || f == unit_family) {
        return g;
    }
    if (g < f) {
        std::swap(f, g);
    }
    return remembered(FamilyOperation::join, f, g, [this](Split const& s) {
        Family const low = join(s.f0, s.g0);
        Family const from_f = join(s.f1, unite(s.g0, s.g1));
        return table_.make(s.top, low, unite(from_f, join(s.f0, s.g1)));
    });
}

// A set with the top element is not minimal if it contains one without it.
Family FamilyAlgebra::minimal(Family f) {
    if (table_.is_known_minimal(f)) {
        return f;
    }
    auto const compute = [this](Split const& s) {
        Family const low = minimal(s.f0);
        return table_.make(s.top, low, nonsupersets(minimal(s.f1), low));
    };
    Family const result =
        remembered(FamilyOperation::minimal, f, empty_family, compute);
    table_.mark_minimal(result);
    return result;
}

// A set with the top element contains a set of g with it or without it; one without it
// can only contain a set of g that is without it, too.
Family FamilyAlgebra::nonsupersets(Family f, Family g) {
    if (f == empty_family || g == empty_family) {
        return f;
    }
    if (f == g || g == unit_family) {
        return empty_family;
    }
    return remembered(FamilyOperation::nonsupersets, f, g, [this](Split const& s) {
        Family const low = nonsupersets(s.f0, s.g0);
        Family const high = nonsupersets(nonsupersets(s.f1, s.g0), s.g1);
        return table_.make(s.top, low, high);
    });
}

Family FamilyAlgebra::minimal_union(Family f, Family g) {
    if (f == g || g == empty_family || f == unit_family) {
        return f;
    }
    if (f == empty_family || g == unit_family) {
        return g;
    }
    if (g < f) {
        std::swap(f, g);
    }
    auto const compute = [this](Split const& s) {
        // Each high side is free of supersets of its own low side already.
        Family const low = minimal_union(s.f0, s.g0);
        Family const from_f = nonsupersets(s.f1, s.g0);
        Family const from_g = nonsupersets(s.g1, s.f0);
        return table_.make(s.top, low, minimal_union(from_f, from_g));
    };
    Family const result = remembered(FamilyOperation::minimal_union, f, g, compute);
    table_.mark_minimal(result);
    return result;
}

// As `join`, with supersets dropped on every level: no large family is made first. That
// f joined with itself is f holds for minimal families only.
Family FamilyAlgebra::minimal_join(Family f, Family g) {
    if (f == g || f == empty_family || g == unit_family) {
        return f;
    }
    if (g == empty_family || f == unit_family) {
        return g;
    }
    if (g < f) {
        std::swap(f, g);
    }
    auto const compute = [this](Split const& s) {
        Family const low = minimal_join(s.f0, s.g0);
        Family const from_f = minimal_join(s.f1, minimal_union(s.g0, s.g1));
        Family const high = minimal_union(from_f, minimal_join(s.f0, s.g1));
        return table_.make(s.top, low, nonsupersets(high, low));
    };
    Family const result = remembered(FamilyOperation::minimal_join, f, g, compute);
    table_.mark_minimal(result);
    return result;
}

Family FamilyAlgebra::single_set(std::span<ElementId const> elements) {
    Family family = unit_family;
    for (auto element = elements.rbegin(); element != elements.rend(); ++element) {
        family = table_.make(*element, empty_family, family);
    }
    table_.mark_minimal(family);
    return family;
}

Family FamilyAlgebra::with_element(Family f, Family element) {
    if (table_.node(f).element > table_.node(element).element) {
        return empty_family;
    }
    return remembered(FamilyOperation::with_element, f, element, [&](Split const& s) {
        if (s.g1 != empty_family) {
            return table_.make(s.top, empty_family, s.f1);
        }
        Family const low = with_element(s.f0, element);
        return table_.make(s.top, low, with_element(s.f1, element));
    });
}

Family FamilyAlgebra::without(Family f, Family elements) {
    elements = skip_above(f, elements);
    if (elements == unit_family) {
        return f;
    }
    return remembered(FamilyOperation::without, f, elements, [&](Split const& s) {
        if (s.g1 != empty_family) {
            return without(s.f0, s.g1);
        }
        Family const low = without(s.f0, elements);
        return table_.make(s.top, low, without(s.f1, elements));
    });
}

Family FamilyAlgebra::project_out(Family f, Family elements) {
    elements = skip_above(f, elements);
    if (elements == unit_family) {
        return f;
    }
    return remembered(FamilyOperation::project_out, f, elements, [&](Split const& s) {
        if (s.g1 != empty_family) {
            Family const low = project_out(s.f0, s.g1);
            return unite(low, project_out(s.f1, s.g1));
        }
        Family const low = project_out(s.f0, elements);
        return table_.make(s.top, low, project_out(s.f1, elements));
    });
}

// Elements above the top of f are in none of its sets; leaving them out lets more calls
// share one remembered result.
Family FamilyAlgebra::skip_above(Family f, Family elements) const {
    ElementId const top = table_.node(f).element;
    while (table_.node(elements).element < top) {
        elements = table_.node(elements).high;
    }
    return elements;
}

} // namespace branchwise
