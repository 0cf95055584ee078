#include "bindings/gil.hpp"

#include <chrono>
#include <thread>

namespace branchwise {

void wait_for_the_end() {
    while (true) {
        std::this_thread::sleep_for(std::chrono::hours(1));
    }
}

} // namespace branchwise
