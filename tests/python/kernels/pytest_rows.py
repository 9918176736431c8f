# pytest: rows with names and marks, what raises and approx take, the names of tests.
import pytest, torch
CASES = [pytest.param(1, 2, id="one"), pytest.param(3, 4), (5, 6), pytest.param(7, 8, marks=pytest.mark.skip), pytest.param(9, 10, marks=[pytest.mark.smoke, pytest.mark.skipif(False, reason="x")])]
@pytest.mark.parametrize("m, n", CASES)
@pytest.mark.parametrize("dtype", [torch.float16, torch.float32])
def test_x(m, n, dtype): assert m < n
@pytest.mark.parametrize("k", ["a", 1.5, None, True, int], ids=["A", "B", None, "D", "E"])
def test_y(k): pass
@pytest.mark.parametrize("f", [abs, print], ids=lambda f: f.__name__.upper())
def test_z(f): pass
with pytest.raises((ValueError, KeyError), match=r"bad \w+") as e: raise KeyError("bad thing")
print(e.value, e.type.__name__ if hasattr(e, "type") else "", pytest.approx(0.3) == 0.1 + 0.2, 0.30001 == pytest.approx(0.3), [0.1, 0.2] == pytest.approx([0.1, 0.2 + 1e-9]), 5 == pytest.approx(5.1, abs=0.2), repr(pytest.approx(0.3)), {"a": 1.0} == pytest.approx({"a": 1 + 1e-8}), 1.0 != pytest.approx(2))
pytest.main([__file__])
