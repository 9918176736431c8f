import numpy as np
for a in (np.array([1, 2]), np.array([1.5, 2], dtype=np.float32), np.array([[1, 20], [3, 4]]), np.array([True, False]), np.array(3.0), np.array([], dtype=np.float32), np.array([[1.0, 2.5]]), np.zeros((2, 2, 2)), np.array([1], dtype=np.int32), np.array([0.1, 0.25, 100.0]), np.array([], dtype=np.float64), np.arange(30)):
    print(repr(a)); print([a]); print(a)
for a in (np.arange(30, dtype=np.float32) / 7, np.arange(60).reshape(2, 30), np.arange(40, dtype=np.int32).reshape(4, 10), (np.arange(24) > 5), np.zeros((0, 3)), np.linspace(0, 1, 20), np.arange(12, dtype=np.float16)):
    print(repr(a)); print(f"{a!r:.20}" if False else ""); print({"k": a})
