// What the bindings of families share: how a family and a call look.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <stdexcept>

#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include "bindings/family_casters.hpp"
#include "bindings/gil.hpp"
#include "branchwise/families/families.hpp"

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

void bind_family_handle(nanobind::module_& m);
void bind_family_queries(nanobind::class_<SharedFamilies>& families);
void bind_family_listings(nanobind::module_& m,
                          nanobind::class_<SharedFamilies>& families);

} // namespace branchwise
