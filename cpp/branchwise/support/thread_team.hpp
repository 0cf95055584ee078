#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace branchwise {

/// A few threads that share out numbered tasks. What a task does must not depend on
/// which thread does it, nor on when: then any number of threads gives one result.
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
    static constexpr std::size_t most_threads = 256;
    static constexpr std::size_t too_few = 16;
    static constexpr std::size_t at_a_time = 8;

    /// Start the others: not before there is something to share, as many a run is over
    /// sooner than they would be there.
    void gather();
    void share(std::size_t num_tasks, Task const& task, std::size_t step);
    [[nodiscard]] bool is_to_be_shared(std::size_t num_tasks, std::size_t step);
    void call(std::size_t num_tasks, Task const& task, std::size_t step);
    void finish();
    void work(std::size_t thread);
    void take_tasks(std::size_t thread) noexcept;
    void note_failure() noexcept;
    void begin_no_more() noexcept { next_task_ = num_tasks_; }

    std::size_t size_;
    bool is_gathered_ = false;
    std::mutex mutex_;
    std::condition_variable is_called_;
    std::condition_variable is_finished_;
    Task const* task_ = nullptr;
    std::size_t num_tasks_ = 0;
    std::size_t step_ = 1; // how many tasks a thread takes at a time
    std::atomic<std::size_t> next_task_ = 0;
    std::atomic<std::size_t> round_ = 0;
    std::atomic<std::size_t> num_working_ = 0;
    std::atomic<bool> is_over_ = false;
    std::exception_ptr failure_; // what a task of this round has thrown
    std::vector<std::thread> threads_;
};

} // namespace branchwise
