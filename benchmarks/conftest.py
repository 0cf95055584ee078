"""What of the benchmarks is not looked at for tests."""

# They are run by an environment of their own, which has scikit-decide; the usual one
# does not, and they have no tests.
collect_ignore = ["peers/decide_domain.py", "peers/decide_worker.py"]
