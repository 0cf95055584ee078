#include "branchwise/support/machine.hpp"

#include <cstdint>
#include <fstream>

#ifdef _WIN32
#ifndef NOMINMAX // Some libraries have done so.
#define NOMINMAX
#endif
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
// What it names is declared by the file above.
#include <psapi.h>
#else
#include <unistd.h>
#endif

namespace branchwise {

#ifdef _WIN32

std::size_t machine_bytes() {
    MEMORYSTATUSEX status{};
    status.dwLength = sizeof status;
    return GlobalMemoryStatusEx(&status) != 0
               ? static_cast<std::size_t>(status.ullTotalPhys)
               : SIZE_MAX;
}

std::size_t resident_bytes() {
    PROCESS_MEMORY_COUNTERS counters{};
    return K32GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof counters) != 0
               ? counters.WorkingSetSize
               : 0;
}

long process_number() {
    return static_cast<long>(GetCurrentProcessId());
}

#else

std::size_t machine_bytes() {
    long const pages = sysconf(_SC_PHYS_PAGES);
    long const page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0
               ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(page)
               : SIZE_MAX;
}

std::size_t resident_bytes() {
    // The second number is the resident size in pages. Only Linux has such a file.
    std::ifstream statm("/proc/self/statm");
    std::size_t total = 0;
    std::size_t resident = 0;
    if (!(statm >> total >> resident)) {
        return 0;
    }
    return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

long process_number() {
    return static_cast<long>(getpid());
}

#endif

} // namespace branchwise
