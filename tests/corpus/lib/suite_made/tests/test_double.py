import pytest
import torch

from toy.kernels import Double


@pytest.fixture
def size():
    return 300


@pytest.mark.parametrize("dtype", ["float16", pytest.param("float32", marks=pytest.mark.smoke)])
@pytest.mark.parametrize("n", [256, 1024])
def test_double(n, dtype):
    x = torch.randn(n, dtype=getattr(torch, dtype))
    torch.testing.assert_close(Double(n, dtype)(x), x * 2)


def test_fixture(size):
    Double(size)(torch.randn(size))


def test_skipped():
    pytest.skip("not here")


class TestRefused:
    def test_none(self):
        with pytest.raises(TypeError):
            Double()
