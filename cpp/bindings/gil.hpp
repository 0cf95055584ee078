// The lock of the interpreter, given up and taken by threads that may outlive it.
#pragma once

#include <version>

#include <nanobind/nanobind.h>

#ifdef __GLIBCXX__
#include <cxxabi.h>
#endif

namespace branchwise {

/// Sleep until the process ends.
[[noreturn]] void wait_for_the_end();

/// Once the interpreter ends, some versions of Python end a thread that asks for the
/// lock by unwinding its stack. C++ cannot be unwound like that from everywhere, and
/// the process would be aborted. As Python will not go on in this thread either way, it
/// may just as well stay where it is.
///
/// That may happen wherever the lock is asked for, and whenever Python code runs. It is
/// GNU's C library that unwinds, and GNU's C++ library that has a name for it; on macOS
/// and Windows, with libraries of their own, a thread ends where it is.
template <typename Ask>
auto staying_here(Ask ask) {
#ifdef __GLIBCXX__
    try {
        return ask();
    } catch (abi::__forced_unwind const&) {
        wait_for_the_end();
    }
#else
    return ask();
#endif
}

/// Without the lock as long as this lasts.
class WithoutLock {
  public:
    WithoutLock() : state_(PyEval_SaveThread()) {}
    WithoutLock(WithoutLock const&) = delete;
    WithoutLock& operator=(WithoutLock const&) = delete;
    ~WithoutLock() noexcept(false) {
        staying_here([this] { PyEval_RestoreThread(state_); });
    }

  private:
    PyThreadState* state_;
};

/// With the lock as long as this lasts.
class WithLock {
  public:
    WithLock() : state_(staying_here([] { return PyGILState_Ensure(); })) {}
    WithLock(WithLock const&) = delete;
    WithLock& operator=(WithLock const&) = delete;
    ~WithLock() { PyGILState_Release(state_); }

  private:
    PyGILState_STATE state_;
};

} // namespace branchwise
