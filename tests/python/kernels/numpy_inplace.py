import numpy as np
def t(f, a):
    try:
        r = f(a); print(repr(a), r is None)
    except Exception: print("refused")
def i1(a): a += 0.5
def i2(a): a += np.float64(2)
def i3(a): a *= np.array([1.0, 2.0, 3.0])
def i4(a): a /= 2
def i5(a): a -= 1
def i6(a): a //= 2
def i7(a): a **= 2
def i8(a): a[0] = 2.7
def i9(a): a[:] = np.array([1.5, 2.5, 3.5])
def i10(a): a += a[0]
for d in (np.int32, np.float32, np.float16, np.uint8):
    for f in (i1, i2, i3, i4, i5, i6, i7, i8, i9, i10):
        print(f.__name__, end=" "); t(f, np.array([1, 2, 3], dtype=d))
a = np.arange(3, dtype=np.float32); b = a; a += 1; print(b); a = a + 1; print(b); c = a[1:]; c[0] = 9; print(a); d = a.reshape(3, 1); d[0, 0] = 7; print(a); e = a.astype(np.float32); e[0] = 0; print(a)
x = a[0]; a[0] = 100; print(x)
a = np.arange(4.0); a += a.sum(); print(a); a /= a.max(); print(a); a[1:] -= a[1]; print(a); a *= np.float32(2); print(a)
m = np.array([[1., 2], [3, 4]]); m -= m.mean(); print(m); m[0] += m[1, 1]; print(m); m[:, 0] *= np.int64(3); print(m); m[m > 0] = m[0, 0]; print(m); m[0, 1] += np.float64(1); print(m)
import torch
t1 = torch.ones(3); t1 += np.float32(2); print(t1); t1 *= m[0, 0]; print(t1 > np.float32(1), t1 + np.float64(1), np.float64(1) + t1, t1 / np.int64(2)); print(t1, t1[np.int64(0)], torch.full((2,), np.float32(2)), t1.clamp(np.float32(0), np.float64(1)), t1.view(np.int64(3)).shape)
