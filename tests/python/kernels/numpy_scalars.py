import numpy as np
import torch


def t(f):
    try:
        r = f()
        print(repr(r), type(r).__name__)
    except Exception as e:
        print(type(e).__name__, e)


a = np.arange(6, dtype=np.float32)
b = np.array([1, 2, 3], dtype=np.int32)
t(lambda: np.float32(1) / 3)
t(lambda: a[1] / 3)
t(lambda: (a[0].dtype == np.float32, a[1].item(), a[1].shape, a[1].ndim))
t(lambda: np.float32(0.1) + np.float32(0.2))
t(lambda: np.float32(0.1) * np.float64(3))
t(lambda: np.float32(16777216) + 1)
t(lambda: (np.float16(1) / np.float16(3), np.uint8(200) + 100, np.int8(-128) - 1))
t(lambda: (b.sum(), a.mean(), a.max(), b[0] / 2, b[2] // 2, -b[0], b[2] % -2))
t(lambda: [v for v in a[:2]])
t(lambda: f"{a[1]:.3f} {a[2]} {a[1]!r} {a[1]!s} {1e7 * a[1]} {np.float32(1e-5)}")
t(lambda: (isinstance(a[1], float), isinstance(a[1], np.floating), isinstance(np.float64(1), float), isinstance(b[0], int),
           isinstance(b[0], np.integer), isinstance(a[1], np.float32), type(a[1]) == np.float32))
t(lambda: (np.float32(0.1) == 0.1, np.float32(0.1) == np.float64(0.1), {1: "x"}[b[0]], a[1] in [1]))
t(lambda: (range(b[2]), [10, 20, 30][b[1]], "ab" * b[1], round(np.float32(2.5)), max(a), sum(a)))
t(lambda: np.float32(3.7).astype(np.int32))
t(lambda: (np.float32("1.5"), np.int32(3.9), np.float32([1, 2]).dtype == "float32"))
t(lambda: np.uint8(300))
t(lambda: np.int32(2) ** -1)
t(lambda: a[0][0])
t(lambda: np.floating(1))
# arrays beside numbers and arrays: NumPy's dtypes, not PyTorch's
for x in (b * 0.5, b * a[:3], a * np.float64(2), a * 2.0, b / b, np.arange(3) / 2, a + b[0], np.array([True]) * 0.5,
          np.array([a[0], a[1]]), np.array([b[0], a[1]])):
    print(x, x.dtype)
x = a[1]
x += 1
a[0] = x * 2
print(x, a, torch.tensor(np.float64(2)).dtype, torch.ones(2) * x, torch.ones(1).numpy()[0] / 3)
