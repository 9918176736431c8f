# pytest's marks, and what runs a file's tests.
import sys

import pytest
import tilelang.testing


@pytest.mark.parametrize("n", [1, 2])
@pytest.mark.parametrize("a, b", [(3, "x"), (4, "y")])
def test_rows(a, b, n):
    print(a, b, n)


@pytest.mark.skip(reason="not now")
def test_skipped():
    print("never")


@pytest.mark.skipif(sys.version_info < (3, 0), reason="old")
@pytest.mark.slow
def test_not_skipped():
    with pytest.raises(ValueError, match="lit.ral"):
        int("x")


def test_itself():
    pytest.skip("later")


tilelang.testing.main()


def test_wrong():
    assert 1 + 1 == 3


try:
    with pytest.raises(KeyError):
        pass
except AssertionError as e:
    print(e)
print(pytest.main([__file__]))
