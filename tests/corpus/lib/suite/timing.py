# timing.py: benchmarks.timing: a call is made once, and its time is none.
DRY_RUN_MS = REPEAT_MS = 1.0
_MIN_ITERS = _MAX_ITERS = 1


class CUPTIError(RuntimeError):
    pass


class Sample:
    device_busy_ms = latency_ms = 1.0
    n_kernels = None


def bench_kernel(fn, args=(), **kwargs):
    fn(*args)
    return [Sample()]


def _capture_bench_meta():
    return {"timing": "none"}


def _sample_spread_ms(samples):
    return None, None
