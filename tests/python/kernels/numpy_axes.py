# The order of arrays' axes, axes that are not there, arrays without dimensions, numbers of NumPy's types.
import numpy as np

a = np.arange(24).reshape(2, 3, 4)
print(np.swapaxes(a, 0, 1).shape, a.swapaxes(0, 2).shape, a.swapaxes(-1, 0)[3, 2, 1], np.swapaxes(a, 1, -1)[1, 3, 2])
print(a.transpose(2, 0, 1).shape, a.transpose((2, 0, 1))[3, 1, 2], a.transpose([1, 0, 2]).shape, a.transpose().shape)
print(a.transpose(None).shape, np.transpose(a, (2, 0, 1)).shape, np.transpose(a, axes=[0, 2, 1]).shape, np.transpose(a).shape)
print(np.transpose([[1, 2, 3], [4, 5, 6]]), a.transpose(0, -1, 1).shape, a.T.shape)

x = np.array(3)
print(x.dtype, x.shape, x.ndim, x.size, x, float(x), int(x), x.item(), x == 3, x + 1, f"{x}", bool(x), isinstance(x, np.ndarray))
y = np.array(1.5, dtype=np.float32)
print(y.dtype, y * 2, np.asarray(2.5).dtype, np.array(True).dtype, np.zeros(()).shape, np.full((), 7).dtype, y.astype("int32").dtype)
print(np.array(x).shape, x.reshape(1).shape, np.transpose(x).shape)


def tried(f):
    try:
        print("no error", f())
    except Exception as e:
        print(type(e).__name__, isinstance(e, ValueError), isinstance(e, IndexError), "|", e)


tried(lambda: a.sum(axis=3))
tried(lambda: np.sum(a, axis=-4))
tried(lambda: np.mean(a, axis=3))
tried(lambda: np.mean([1, 2], axis=1))
tried(lambda: np.max(a, axis=5))
tried(lambda: a.argmax(axis=3))
tried(lambda: np.swapaxes(a, 0, 3))
tried(lambda: a.swapaxes(-4, 0))
tried(lambda: a.transpose(0, 1, 3))
tried(lambda: np.concatenate([a, a], axis=3))
tried(lambda: np.stack([a, a], axis=4))
tried(lambda: np.median(a, axis=3))
tried(lambda: np.std(a, axis=3))
tried(lambda: x.sum(axis=1))
tried(lambda: a.transpose(0, 1))
tried(lambda: a.transpose(0, 1, 1))
tried(lambda: np.transpose(a, (0, 1, 2, 2)))
tried(lambda: len(x))
tried(lambda: list(x))
e = np.exceptions.AxisError(2, 1)
print(e, e.axis, e.ndim, np.exceptions.AxisError("my text"), issubclass(np.exceptions.AxisError, (ValueError)))

print(np.float64("3"), np.int32("7"), np.float32(" 1.5 "), np.int64("-12"), np.float64("nan"), np.float64("-inf"))
tried(lambda: np.float64("abc"))
tried(lambda: np.int32("7.5"))
print(a.size, np.float64(3), [np.exceptions.AxisError(3, 2, "axis")][0])
print(type(np.float32(1.5)).__name__, type(np.float32(1.5)), type(np.float64(2)).__name__, type(np.int8(3)).__name__)
