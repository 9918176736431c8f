import inspect

import pytest
import torch
from others.ops.copy import chunk_copy

from benchmarks.baselines import TORCH_COMPILE_TAG, compiled_reference
from benchmarks.benchmark_base import BenchmarkBase
from toy.kernels import Timed


@pytest.mark.parametrize("n, block", [(512, 64), pytest.param(1024, 128, marks=pytest.mark.smoke)])
def test_timed_bench(n, block):
    assert "speed" not in inspect.signature(chunk_copy).parameters
    x = torch.randn(n)
    figures = BenchmarkBase().compare(
        {TORCH_COMPILE_TAG: compiled_reference(lambda x: x / 0), "others": chunk_copy, "tileops": Timed(n, block)}, x
    )
    assert figures["others"]["latency_ms"] == 1
