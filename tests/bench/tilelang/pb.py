# Stands in for do_bench in a copy of the examples, the same file under CPython and under moontile: compiles and runs
# once, waits until it may have the GPU for itself, then times twice: by events, and of the device alone.
import os
import time

side = os.environ["PB_SIDE"]
state = {"parked": False, "hidden": False, "dry": False}


def park():
    d = os.environ["PB_DIR"]
    open(d + "/ready", "w").close()
    while not os.path.exists(d + "/go"):
        time.sleep(0.005)


def bench(profiler, f, *args, **kw):
    kw["return_mode"] = "median"
    kw["backend"] = "event"
    once = {"_n_warmup": 1, "_n_repeat": 1}
    if profiler is not None:  # the same inputs each time: making them can take longer than all else
        once = {"n_warmup": 1, "n_repeat": 1}
        kw["input_tensors"] = profiler._get_inputs()
    f(*args, **kw, **once)
    if state["dry"]:
        return 1.0
    if not state["parked"]:
        park()
        state["parked"] = True
    event = f(*args, **kw, warmup=100, rep=100)
    if side == "T":
        state["hidden"] = True
        device = f(*args, **kw, warmup=25, rep=100)
        state["hidden"] = False
    else:
        kw["backend"] = "cupti"
        device = f(*args, **kw, warmup=25, rep=100)
    print("PB_MS", event, device, flush=True)
    return event
