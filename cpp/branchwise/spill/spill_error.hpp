#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>

namespace branchwise {

/// A file of a folder cannot be used, or cannot be written: which one, and why.
class SpillError : public std::runtime_error {
  public:
    enum class Kind : std::uint8_t {
        damaged,    // it is not what was written
        foreign,    // it belongs to something else
        unreadable, // the system does not let it be read
        unwritable, // the system does not let it be written
    };

    SpillError(Kind kind, std::filesystem::path path, std::string const& what)
        : std::runtime_error(what), kind_(kind), path_(std::move(path)) {}

    [[nodiscard]] Kind kind() const { return kind_; }
    [[nodiscard]] std::filesystem::path const& path() const { return path_; }

  private:
    Kind kind_;
    std::filesystem::path path_;
};

} // namespace branchwise
