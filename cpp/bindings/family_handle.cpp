#include <cstddef>
#include <cstdint>
#include <functional>

#include "bindings/family.hpp"

#include "bindings/gil.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace branchwise {

SharedFamilies::SharedFamilies(std::uint32_t num_elements, std::size_t max_nodes)
    : families(num_elements, max_nodes) {
    families.watch().set_hook([] {
        WithLock const with_lock;
        if (PyErr_CheckSignals() != 0) {
            throw nb::python_error();
        }
    });
}

void bind_family_handle(nb::module_& m) {
    nb::class_<FamilyHandle>(m, "Family",
                             "A family of sets; equal families compare equal.")
        .def(
            "__eq__",
            [](FamilyHandle const& self, nb::object const& other) {
                FamilyHandle const* that = nullptr;
                return nb::try_cast(other, that) && that != nullptr &&
                       self.manager.get() == that->manager.get() &&
                       self.family == that->family;
            },
            "other"_a.none())
        .def("__hash__",
             [](FamilyHandle const& self) { return std::hash<Family>{}(self.family); });
}

} // namespace branchwise
