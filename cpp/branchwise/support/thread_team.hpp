#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace branchwise {

/// A few threads that share out numbered tasks. What a task does must not depend on
/// which thread does it, nor on when: then any number of threads gives one result.
///
/// A process may be forked at any time. Its copy has the memory but none of the
/// threads, and may find a lock taken for good; there the team starts anew.
class ThreadTeam {
  public:
    using Task = std::function<void(std::size_t task, std::size_t thread)>;
    using Own = std::function<bool()>;

    explicit ThreadTeam(std::size_t num_threads);
    ~ThreadTeam();
    ThreadTeam(ThreadTeam const&) = delete;
    ThreadTeam& operator=(ThreadTeam const&) = delete;

    /// How many threads there are at most, the calling one included.
    [[nodiscard]] std::size_t size() const { return size_; }

    /// Do all tasks, and come back when they are done. Few tasks are not worth waking
    /// other threads up for. What a task throws in any thread is thrown here, once no
    /// other is at work; tasks that were not begun by then are left out.
    void share(std::size_t num_tasks, Task const& task);
    /// The same for tasks that take long, so that even two are worth it.
    void share_singly(std::size_t num_tasks, Task const& task);
    /// The same, while the calling thread does something of its own first, which tasks
    /// must not depend on. Once that returns false no more tasks are begun. Returns
    /// what it returns.
    [[nodiscard]] bool share_beside(Own const& own, std::size_t num_tasks,
                                    Task const& task);

  private:
    struct Others;

    static constexpr std::size_t most_threads = 256;
    static constexpr std::size_t too_few = 16;
    static constexpr std::size_t at_a_time = 8;

    void share(std::size_t num_tasks, Task const& task, std::size_t step);
    [[nodiscard]] bool is_to_be_shared(std::size_t num_tasks, std::size_t step);
    void leave_to_parent();

    std::size_t size_;
    std::unique_ptr<Others> others_; // not before there is something to share
};

} // namespace branchwise
