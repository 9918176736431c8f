import torch

from toy.kernels import Wrong


def test_wrong():
    Wrong(256)(torch.randn(256))
