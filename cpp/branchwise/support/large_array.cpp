#include "branchwise/support/large_array.hpp"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace branchwise {

void LargeMemory::free() {
#ifdef __linux__
    if (is_mapped_) {
        munmap(data_, bytes_);
        return;
    }
#endif
    std::free(data_);
}

#ifdef __linux__

namespace {

constexpr std::size_t page = std::size_t{1} << 12U;
constexpr std::size_t large_page = std::size_t{1} << 21U;

std::size_t round_up(std::size_t bytes, std::size_t unit) {
    return (bytes + unit - 1) / unit * unit;
}

} // namespace

void LargeMemory::resize(std::size_t bytes) {
    if (is_mapped_) {
        remap(bytes);
    } else if (bytes >= large_page) {
        map(bytes);
    } else if (bytes != bytes_) {
        void* const moved = std::realloc(data_, std::max<std::size_t>(bytes, 1));
        if (moved == nullptr) {
            throw std::bad_alloc();
        }
        data_ = moved;
        bytes_ = bytes;
    }
}

/// Move to a mapping that begins where a large page does.
void LargeMemory::map(std::size_t bytes) {
    bytes = round_up(bytes, large_page);
    void* const found = mmap(nullptr, bytes + large_page, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (found == MAP_FAILED) {
        throw std::bad_alloc();
    }
    auto* const begin = static_cast<std::byte*>(found);
    std::size_t const before =
        round_up(reinterpret_cast<std::uintptr_t>(found), large_page) -
        reinterpret_cast<std::uintptr_t>(found);
    if (before > 0) {
        munmap(begin, before);
    }
    if (before < large_page) {
        munmap(begin + before + bytes, large_page - before);
    }
    // If the system does not take the advice, all is the same, only slower.
    madvise(begin + before, bytes, MADV_HUGEPAGE);
    if (bytes_ > 0) {
        std::memcpy(begin + before, data_, bytes_);
    }
    std::free(data_);
    data_ = begin + before;
    bytes_ = bytes;
    is_mapped_ = true;
}

void LargeMemory::remap(std::size_t bytes) {
    bytes = round_up(std::max<std::size_t>(bytes, 1), page);
    void* const moved = mremap(data_, bytes_, bytes, MREMAP_MAYMOVE);
    if (moved == MAP_FAILED) {
        throw std::bad_alloc();
    }
    if (bytes > bytes_) {
        madvise(moved, bytes, MADV_HUGEPAGE);
    }
    data_ = moved;
    bytes_ = bytes;
}

#else

void LargeMemory::resize(std::size_t bytes) {
    void* const moved = std::realloc(data_, std::max<std::size_t>(bytes, 1));
    if (moved == nullptr) {
        throw std::bad_alloc();
    }
    data_ = moved;
    bytes_ = bytes;
}

#endif

void keep_freed_memory() {
#ifdef __GLIBC__
    // The C library trims its heap to twice the largest piece that was ever mapped and
    // freed, unless it was configured otherwise. This one is never written to. That
    // the pointer is volatile keeps the compiler from leaving both calls out.
    constexpr std::size_t piece = std::size_t{8} << 20U;
    static bool const is_advised = [] {
        void* const volatile mapped = std::malloc(piece);
        std::free(mapped);
        return true;
    }();
    static_cast<void>(is_advised);
#endif
}

void give_back_freed_memory() {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

} // namespace branchwise
