// What the bindings of families share: how elements, families and calls look in Python.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include "bindings/gil.hpp"
#include "branchwise/families/families.hpp"

namespace nanobind::detail {

/// An element is a plain number in Python.
template <>
struct type_caster<branchwise::ElementId> {
    NB_TYPE_CASTER(branchwise::ElementId, const_name("int"))

    bool from_python(handle source, std::uint8_t flags, cleanup_list* list) noexcept {
        make_caster<std::uint32_t> number;
        bool const is_number = number.from_python(source, flags, list);
        value = branchwise::ElementId{is_number ? number.value : 0};
        return is_number;
    }

    static handle from_cpp(branchwise::ElementId element, rv_policy policy,
                           cleanup_list* list) noexcept {
        auto const number = static_cast<std::uint32_t>(element);
        return make_caster<std::uint32_t>::from_cpp(number, policy, list);
    }
};

/// A chance is a pair in Python.
template <>
struct type_caster<branchwise::Chance> {
    NB_TYPE_CASTER(branchwise::Chance, const_name("tuple[int, float]"))

    bool from_python(handle source, std::uint8_t flags, cleanup_list* list) noexcept {
        make_caster<std::pair<branchwise::ElementId, double>> pair;
        if (!pair.from_python(source, flags, list)) {
            return false;
        }
        auto const [element, probability] =
            static_cast<std::pair<branchwise::ElementId, double>>(pair);
        value = {element, probability};
        return true;
    }
};

} // namespace nanobind::detail

namespace branchwise {

/// The manager of all families, and whether it is at work.
struct SharedFamilies {
    SharedFamilies(std::uint32_t num_elements, std::size_t max_nodes);

    Families families;
    std::mutex is_busy;
};

using Manager = std::shared_ptr<SharedFamilies>;

/// A family as Python sees it: it keeps its manager alive.
struct FamilyHandle {
    Manager manager;
    Family family;
};

/// The family behind the handle, which must be of this manager.
inline Family family_of(Manager const& manager, FamilyHandle const& handle) {
    if (handle.manager.get() != manager.get()) {
        throw nanobind::value_error("this family belongs to other Families");
    }
    return handle.family;
}

/// Work on the families without the GIL. Waiting for another thread could not be
/// interrupted, so being busy is an error.
template <typename Work>
auto work_on(Manager const& manager, Work work) {
    WithoutLock const without_lock;
    std::unique_lock const lock(manager->is_busy, std::try_to_lock);
    if (!lock) {
        throw std::runtime_error("another thread is working on these Families");
    }
    return work(manager->families);
}

/// A question about one family, with further arguments after it.
template <auto query, typename... Arguments>
auto ask(Manager const& self, FamilyHandle const& f, Arguments const&... arguments) {
    return work_on(self, [&, id = family_of(self, f)](Families& families) {
        return (families.*query)(id, arguments...);
    });
}

/// While it lives, Python does not look for garbage.
class NoCollection {
  public:
    NoCollection() : was_on_(PyGC_Disable() != 0) {}
    NoCollection(NoCollection const&) = delete;
    NoCollection& operator=(NoCollection const&) = delete;
    ~NoCollection() {
        if (was_on_) {
            PyGC_Enable();
        }
    }

  private:
    bool was_on_;
};

/// Many sets as a list of lists. They hold numbers alone, so there is no garbage to
/// collect among them, and looking for it would take as long as making them.
inline nanobind::object listed(std::vector<ElementSet> const& sets) {
    NoCollection const pause;
    return nanobind::cast(sets);
}

void bind_strongest_sets(nanobind::module_& m,
                         nanobind::class_<SharedFamilies>& families);

} // namespace branchwise
