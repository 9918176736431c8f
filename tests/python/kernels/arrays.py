# NumPy as programs with tensors use it.
import numpy as np
a = np.array([[1, 2], [3, 4]])
print(a.dtype, a.shape, a.sum(), np.mean(a), np.mean([1.5, 2.5]), np.median([3, 1, 2, 4]), np.std([1.0, 2.0, 4.0]))
print(np.array([1.5]).dtype, np.zeros(3).dtype, np.arange(3).dtype, np.arange(0, 1, 0.25))
print(set(np.array([1, 2, 2, 3])), np.array([4, 5])[1], np.unravel_index(5, (2, 3)))
print(np.max(a), np.max(a, axis=0), np.concatenate([a, a], axis=1).shape, np.where(a > 2, a, 0))
np.testing.assert_allclose(np.array([1.0, np.nan]), [1.0, np.nan])
try:
    np.testing.assert_allclose([1.0, 2.0], [1.0, 2.1])
except AssertionError as e:
    print("AssertionError")
print(np.allclose([1.0], [1.0 + 1e-9]), np.array_equal([1, 2], [1, 2]), np.exp(0), np.sqrt([4, 9]), np.int32)
r = np.random.randint(0, 10, (3, 4))
print(r.shape, r.dtype, np.random.rand(2, 3).shape)
