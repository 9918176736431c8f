"""Attention through PyTorch, as an anchor: a server that speaks in lines.

    hello                                             -> torch 2.11 cudnn 91002 device NVIDIA H200
    attention b h s d causal dtype rounds             -> cudnn MS MS MS ...
    quit

Every answer is one line; "error TEXT" when a request cannot be served.  The
times are milliseconds of single runs between two events.  Inputs are
normal(0, 1) and stay for the next request of the same shape, so that rounds
here and rounds of another program can take turns.  The best back end that
runs is used: cuDNN's, else FlashAttention's; its name stands first.
"""

import sys

import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

DTYPES = {"float16": torch.float16, "bfloat16": torch.bfloat16}
BACKENDS = (("cudnn", SDPBackend.CUDNN_ATTENTION), ("flash", SDPBackend.FLASH_ATTENTION))

kept = {}


def prepare(key):
    """Inputs, and the first back end that runs on them, warm."""
    if kept.get("key") == key:
        return kept["run"], kept["name"]
    kept.clear()
    torch.cuda.empty_cache()
    b, h, s, d, causal, dtype = key
    q, k, v = (torch.randn(b, h, s, d, device="cuda", dtype=dtype) for _ in range(3))

    def run(backend):
        with sdpa_kernel(backend):
            return F.scaled_dot_product_attention(q, k, v, is_causal=causal)

    for name, backend in BACKENDS:
        try:
            for _ in range(5):
                run(backend)
            torch.cuda.synchronize()
        except RuntimeError:
            continue
        kept.update(key=key, run=lambda: run(backend), name=name)
        return kept["run"], name
    raise RuntimeError("no back end takes this shape")


def times(run, rounds):
    """Milliseconds of each of so many runs."""
    marks = [[torch.cuda.Event(enable_timing=True) for _ in range(2)] for _ in range(rounds)]
    run()
    for first, last in marks:
        first.record()
        run()
        last.record()
    torch.cuda.synchronize()
    return [first.elapsed_time(last) for first, last in marks]


def attention(words):
    b, h, s, d, causal, dtype, rounds = words
    key = (int(b), int(h), int(s), int(d), causal == "1", DTYPES[dtype])
    run, name = prepare(key)
    return name + "".join(f" {ms:.6f}" for ms in times(run, int(rounds)))


def hello(_):
    device = torch.cuda.get_device_name(0)
    return f"torch {torch.__version__} cudnn {torch.backends.cudnn.version()} device {device}"


def main():
    commands = {"attention": attention, "hello": hello}
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        if words[0] == "quit":
            return
        try:
            answer = commands[words[0]](words[1:])
        except Exception as e:  # the other side prints it
            answer = "error " + " ".join(str(e).split())
        print(answer, flush=True)


main()
