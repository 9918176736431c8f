"""One row under CPython: run(driver), in a forked child or as a program of its own."""
import os, sys, time

SITE = os.environ.get("PB_SITE")  # where TileLang is, if it is not installed


def load():
    if SITE:
        sys.path.insert(0, SITE)
    import torch
    usual = torch.cuda.is_available, torch.cuda.device_count
    torch.cuda.is_available, torch.cuda.device_count = lambda: True, lambda: 1  # asking begins CUDA, and no fork works then
    try:
        import tilelang
        import tilelang.language
        import tilelang.profiler
        for m in ("tilelang.autotuner", "einops", "triton", "triton.language"):
            try:
                __import__(m)
            except Exception:
                pass
    finally:
        torch.cuda.is_available, torch.cuda.device_count = usual
    return torch, tilelang


def hide(bench, pb):
    """What the device takes without what the host does: it is kept busy while fn's launches are queued."""
    import torch
    usual = bench._bench_with_cuda_events

    def timed(fn, cache, n_repeat, quantiles, return_mode, device_idx):
        if not pb.state["hidden"]:
            return usual(fn, cache, n_repeat, quantiles, return_mode, device_idx)
        torch.cuda.synchronize()
        host = []
        for _ in range(5):
            t = time.perf_counter()
            fn()
            host.append(time.perf_counter() - t)
            torch.cuda.synchronize()
        ahead = min(5e-3, 1.5 * sorted(host)[2] + 1e-4)
        n = max(10, min(n_repeat, 200, int(0.3 / (ahead + 1e-4))))
        start = [torch.cuda.Event(enable_timing=True) for _ in range(n)]
        end = [torch.cuda.Event(enable_timing=True) for _ in range(n)]
        for i in range(n):
            cache.zero_()
            torch.cuda._sleep(int(ahead * 1.98e9))
            start[i].record()
            fn()
            end[i].record()
        torch.cuda.synchronize()
        return torch.tensor([s.elapsed_time(e) for s, e in zip(start, end)]).median().item()

    bench._bench_with_cuda_events = timed


def run(driver):
    d = os.path.dirname(driver)
    os.chdir(d)
    sys.path.insert(0, d)
    sys.argv = [driver]
    os.environ["PB_SIDE"] = "T"
    load()
    import importlib
    import pb
    hide(importlib.import_module("tilelang.profiler.bench"), pb)
    import runpy
    runpy.run_path(driver, run_name="__main__")


if __name__ == "__main__":
    run(sys.argv[1])
