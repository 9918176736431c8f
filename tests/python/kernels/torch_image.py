# unfold, fold, conv3d and interpolate against loops; derivatives; what is refused.
import itertools, math
import torch
import torch.nn.functional as F

torch.manual_seed(3)
bad = 0


def check(what, got, want):
    global bad
    if list(got.shape) != list(want.shape) or not torch.allclose(got, want, atol=1e-5):
        bad += 1
        print("wrong:", what)


def windows(x, k, d, p, s):
    n, c, h, w = x.shape
    oh, ow = (h + 2 * p - d * (k[0] - 1) - 1) // s + 1, (w + 2 * p - d * (k[1] - 1) - 1) // s + 1
    data, out = x.tolist(), []
    for b in range(n):
        lines = []
        for ch, i, j in itertools.product(range(c), range(k[0]), range(k[1])):
            line = []
            for y, z in itertools.product(range(oh), range(ow)):
                r, q = y * s + i * d - p, z * s + j * d - p
                line.append(data[b][ch][r][q] if 0 <= r < h and 0 <= q < w else 0.0)
            lines.append(line)
        out.append(lines)
    return torch.tensor(out)


for k, d, p, s in (((2, 3), 1, 0, 1), ((2, 2), 2, 1, 1), ((3, 2), 1, 2, 2)):
    x = torch.randn(2, 3, 5, 6)
    u = F.unfold(x, k, dilation=d, padding=p, stride=s)
    check(("unfold", k), u, windows(x, k, d, p, s))
    # fold is unfold's transpose: <unfold(x), y> = <x, fold(y)>
    y = torch.randn(u.shape)
    f = F.fold(y, (5, 6), k, d, p, s)
    check(("fold", k), (u * y).sum(), (x * f).sum())
print(F.fold(torch.ones(1, 4, 4), (3, 3), 2), F.unfold(torch.arange(9.).reshape(1, 3, 3), 2).shape)


def conv(x, w, b, s, p, d, g):
    n, c, *size = x.shape
    o, cg, *k = w.shape
    out = [(size[i] + 2 * p[i] - d[i] * (k[i] - 1) - 1) // s[i] + 1 for i in range(3)]
    X, W, B = x.tolist(), w.tolist(), b.tolist()
    r = torch.zeros(n, o, *out)
    for a, f, i, j, l in itertools.product(range(n), range(o), *map(range, out)):
        total = B[f]
        for ch, u, v, t in itertools.product(range(cg), *map(range, k)):
            q = [i * s[0] + u * d[0] - p[0], j * s[1] + v * d[1] - p[1], l * s[2] + t * d[2] - p[2]]
            if all(0 <= q[e] < size[e] for e in range(3)):
                total += X[a][f // (o // g) * cg + ch][q[0]][q[1]][q[2]] * W[f][ch][u][v][t]
        r[a, f, i, j, l] = total
    return r


for s, p, d, g in (((1, 1, 1), (0, 0, 0), (1, 1, 1), 1), ((2, 1, 2), (1, 0, 2), (1, 2, 1), 2)):
    x, w, b = torch.randn(2, 2, 4, 5, 4), torch.randn(4, 2 // g, 2, 2, 3), torch.randn(4)
    check(("conv3d", s), F.conv3d(x, w, b, s, p, d, g), conv(x, w, b, s, p, d, g))
print(F.conv3d(torch.ones(1, 3, 3, 3), torch.ones(1, 1, 2, 2, 2), padding="same").shape)


def line(n, m, factor, corners):
    for i in range(m):
        if corners:
            at = i * (n - 1) / (m - 1) if m > 1 else 0.0
        else:
            at = max((i + 0.5) * (1 / factor if factor else n / m) - 0.5, 0.0)
        low = min(int(at), n - 1)
        yield low, min(low + 1, n - 1), at - low


def bilinear(x, oh, ow, factor, corners):
    X, r = x[0, 0].tolist(), torch.zeros(1, 1, oh, ow)
    for i, (a, b, t) in enumerate(line(x.shape[2], oh, factor, corners)):
        for j, (c, e, u) in enumerate(line(x.shape[3], ow, factor, corners)):
            top, low = X[a][c] * (1 - u) + X[a][e] * u, X[b][c] * (1 - u) + X[b][e] * u
            r[0, 0, i, j] = top * (1 - t) + low * t
    return r


x = torch.randn(1, 1, 4, 5)
for oh, ow in ((8, 10), (3, 7), (1, 1), (4, 5)):
    for corners in (False, True):
        check(("bilinear", oh, ow, corners), F.interpolate(x, (oh, ow), mode="bilinear", align_corners=corners),
              bilinear(x, oh, ow, None, corners))
    want = torch.tensor([[[[x[0, 0, i * 4 // oh, j * 5 // ow].item() for j in range(ow)] for i in range(oh)]]])
    check(("nearest", oh, ow), F.interpolate(x, size=(oh, ow)), want)
check("factor", F.interpolate(x, scale_factor=1.7, mode="bilinear"), bilinear(x, 6, 8, 1.7, False))
print(F.interpolate(torch.tensor([[[1., 2., 4.]]]), scale_factor=2, mode="linear"))
print(F.interpolate(torch.tensor([[[1., 2., 4.]]]), size=5), F.interpolate(torch.tensor([[[1., 2., 4.]]]), size=5, mode="nearest-exact"))
print(F.interpolate(torch.arange(8.).reshape(1, 1, 2, 2, 2), 3, mode="trilinear", align_corners=True)[0, 0, 1])
print(F.interpolate(torch.arange(6.).reshape(1, 1, 6), 3, mode="area"))
print("wrong:", bad)

a = torch.ones(1, 1, 2, 2, requires_grad=True)
F.interpolate(a, scale_factor=2, mode="bilinear").sum().backward()
print(a.grad)
a = torch.ones(1, 1, 3, 3, requires_grad=True)
F.unfold(a, 2).sum().backward()
print(a.grad)
v, w = torch.ones(1, 1, 2, 2, 2, requires_grad=True), torch.ones(1, 1, 1, 1, 2, requires_grad=True)
F.conv3d(v, w).sum().backward()
print(v.grad.flatten().tolist(), w.grad.flatten().tolist())
for call in (lambda: F.interpolate(x, 3, 2), lambda: F.interpolate(x), lambda: F.interpolate(x, 3, mode="linear"),
             lambda: F.interpolate(x, 3, align_corners=True), lambda: F.interpolate(x, 3, mode="bicubic"),
             lambda: F.fold(torch.ones(1, 4, 5), (3, 3), 2), lambda: F.conv3d(torch.ones(1, 3, 3, 3, 3), torch.ones(1, 1, 2, 2, 2)),
             lambda: F.unfold(torch.ones(1, 1, 2, 2), 3)):
    try:
        call()
    except (ValueError, RuntimeError) as e:
        print(type(e).__name__, e)
