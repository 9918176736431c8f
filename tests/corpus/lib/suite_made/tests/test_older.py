import torch

from toy.kernels import Double, Half


def test_what_the_machine_has():
    x = torch.randn(512)
    (Half if torch.cuda.get_device_capability()[0] < 9 else Double)(512)(x)


def test_complex():
    x = torch.randn(2, 256, dtype=torch.complex64)
    assert x.shape == (2, 256)
    Double(512)(x.real.reshape(512))
