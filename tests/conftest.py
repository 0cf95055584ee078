"""What all tests rely on, wherever they are run."""

import signal


def pytest_configure():
    """
    Have signals do what they usually do.

    Where they are ignored, as `nohup` and the background of a shell do it, so would the
    processes that tests start and interrupt.
    """
    usual = {
        signal.SIGINT: signal.default_int_handler,
        signal.SIGHUP: signal.SIG_DFL,
        signal.SIGTERM: signal.SIG_DFL,
    }
    for each, handler in usual.items():
        if signal.getsignal(each) is signal.SIG_IGN:
            signal.signal(each, handler)
