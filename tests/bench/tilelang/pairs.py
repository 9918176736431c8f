"""pairs.py SEED COUNT ROWS: kernels that nobody chose, with a driver for each row, and rows.json.

Each is a text of TileLang's Python with random tiles, stages, threads, types, masks and gathers; run.py times it under
CPython with TileLang and under moontile.  Results are checked on both sides, on a slice, against torch."""
import json, os, random, shutil, sys

here = os.path.dirname(os.path.abspath(__file__))

HEAD = '''import torch
import tilelang
import tilelang.language as T
from tilelang.profiler import do_bench
from pb import bench as _pb

'''


def indent(text, n):
    return "\n".join(" " * n + x if x else x for x in text.strip("\n").split("\n"))


def program(params, grid, threads, body, make, ref, call, tol):
    """The text: `params` and `body` of the kernel, inputs, a reference of `got`."""
    return HEAD + '''
@tilelang.jit(out_idx=[-1])
def build():
    @T.prim_func
    def main(%s):
        with T.Kernel(%s, threads=%d) as %s:
%s

    return main


def run_regression_perf():
    torch.manual_seed(1)
%s
    f = build()
    got = f(%s)
%s
    torch.testing.assert_close(got.float(), want.float(), rtol=%s, atol=%s)
    return _pb(None, do_bench, lambda: f(%s))
''' % (",\n             ".join(params), ", ".join(g for g, _ in grid), threads,
       "(%s)" % ", ".join(v for _, v in grid) if len(grid) > 1 else grid[0][1],
       indent(body, 12), indent(make, 4), call, indent(ref, 4), tol[0], tol[1], call)


def gemm(r):
    bm, bn = r.choice([(64, 64), (128, 64), (64, 128), (128, 128), (128, 256)])
    bk, stages = r.choice([32, 64, 128]), r.choice([1, 2, 3, 4])
    threads = r.choice([128, 256])
    m, n, k = (r.choice([1024, 2048, 4096, 1536, 3072]) for _ in range(3))
    dt, out = r.choice([("float16", "float16"), ("bfloat16", "bfloat16"), ("float16", "float32")])
    ta, tb = r.random() < 0.2, r.random() < 0.5
    shape = lambda rows, cols, t: "(%d, %d)" % ((cols, rows) if t else (rows, cols))
    tile = lambda i, j, ri, ci, t: "%s, %s" % ((j, i) if t else (i, j))
    epilogue = r.choice(["", "relu", "bias", "scale"])
    params = ["A: T.Tensor(%s, '%s')" % (shape(m, k, ta), dt), "B: T.Tensor(%s, '%s')" % (shape(k, n, tb), dt)]
    make = "a = torch.randn%s.cuda().to(torch.%s)\nb = torch.randn%s.cuda().to(torch.%s)" % (shape(m, k, ta), dt, shape(k, n, tb), dt)
    call, bias = "a, b", ""
    if epilogue == "bias":
        params.append("bias: T.Tensor((%d,), '%s')" % (n, dt))
        make += "\nbias = torch.randn(%d).cuda().to(torch.%s)" % (n, dt)
        call = "a, b, bias"
    params.append("C: T.Tensor((%d, %d), '%s')" % (m, n, out))
    after = {"": "", "relu": "for i, j in T.Parallel(%d, %d):\n    C_local[i, j] = T.max(C_local[i, j], 0)\n" % (bm, bn),
             "scale": "for i, j in T.Parallel(%d, %d):\n    C_local[i, j] = C_local[i, j] * 0.125\n" % (bm, bn),
             "bias": "for i, j in T.Parallel(%d, %d):\n    C_local[i, j] = C_local[i, j] + bias[bx * %d + j]\n" % (bm, bn, bn)}[epilogue]
    store = r.choice(["T.copy(C_local, C[by * %d, bx * %d])" % (bm, bn),
                      "C_shared = T.alloc_shared((%d, %d), '%s')\nT.copy(C_local, C_shared)\nT.copy(C_shared, C[by * %d, bx * %d])"
                      % (bm, bn, out, bm, bn)])
    body = '''
A_shared = T.alloc_shared(%s, '%s')
B_shared = T.alloc_shared(%s, '%s')
C_local = T.alloc_fragment((%d, %d), 'float32')
%sT.clear(C_local)
for ko in T.Pipelined(T.ceildiv(%d, %d), num_stages=%d):
    T.copy(A[%s], A_shared)
    T.copy(B[%s], B_shared)
    T.gemm(A_shared, B_shared, C_local%s%s)
%s%s''' % (shape(bm, bk, ta), dt, shape(bk, bn, tb), dt, bm, bn,
           r.choice(["", "T.use_swizzle(panel_size=10)\n"]), k, bk, stages,
           tile("by * %d" % bm, "ko * %d" % bk, bm, bk, ta), tile("ko * %d" % bk, "bx * %d" % bn, bk, bn, tb),
           ", transpose_A=True" if ta else "", ", transpose_B=True" if tb else "", after, store)
    ref = "x, y = a%s.float(), b%s.float()\nwant = x[:128] @ y\n" % (".T" if ta else "", ".T" if tb else "")
    ref += {"": "", "relu": "want = want.clamp(min=0)\n", "scale": "want = want * 0.125\n", "bias": "want = want + bias.float()\n"}[epilogue]
    ref += "got = got[:128]"
    return program(params, [("%d" % -(-n // bn), "bx"), ("%d" % -(-m // bm), "by")], threads, body, make, ref, call, ("2e-2", "1.0"))


def elementwise(r):
    m, n = r.choice([2048, 4096, 8192, 5000]), r.choice([1024, 4096, 3000, 8192])
    bm, bn = r.choice([(1, 1024), (4, 256), (32, 128), (64, 64), (8, 512)])
    dt = r.choice(["float16", "float32", "bfloat16"])
    expr = r.choice(["a * b + 0.5", "T.exp(a * 0.125) - b", "T.max(a, b) * a", "a / (1.0 + T.exp(-a)) * b", "T.if_then_else(a > b, a, b * 0.5)"])
    ref = {"a * b + 0.5": "x * y + 0.5", "T.exp(a * 0.125) - b": "torch.exp(x * 0.125) - y", "T.max(a, b) * a": "torch.maximum(x, y) * x",
           "a / (1.0 + T.exp(-a)) * b": "x / (1.0 + torch.exp(-x)) * y", "T.if_then_else(a > b, a, b * 0.5)": "torch.where(x > y, x, y * 0.5)"}[expr]
    row = r.random() < 0.3
    load = "T.cast(B[%s], 'float32')" % ("bx * %d + j" % bn if row else "by * %d + i, bx * %d + j" % (bm, bn))
    body = '''
for i, j in T.Parallel(%d, %d):
    a = T.cast(A[by * %d + i, bx * %d + j], 'float32')
    b = %s
    C[by * %d + i, bx * %d + j] = T.cast(%s, '%s')''' % (bm, bn, bm, bn, load, bm, bn, expr, dt)
    params = ["A: T.Tensor((%d, %d), '%s')" % (m, n, dt), "B: T.Tensor((%s), '%s')" % ("%d," % n if row else "%d, %d" % (m, n), dt),
              "C: T.Tensor((%d, %d), '%s')" % (m, n, dt)]
    make = "a = torch.randn(%d, %d).cuda().to(torch.%s)\nb = torch.randn(%s).cuda().to(torch.%s)" % (m, n, dt, n if row else "%d, %d" % (m, n), dt)
    check = "x, y = a[:256].float(), b%s.float()\nwant = %s\ngot = got[:256]" % ("" if row else "[:256]", ref)
    return program(params, [(str(-(-n // bn)), "bx"), (str(-(-m // bm)), "by")], r.choice([128, 256]), body, make, check, "a, b", ("2e-2", "2e-2"))


def rows(r):
    """Softmax, normalisation, sums of rows."""
    m, n = r.choice([2048, 4096, 8192]), r.choice([512, 1024, 2048, 4096])
    bm, threads = r.choice([1, 2, 4, 8]), r.choice([128, 256])
    dt = r.choice(["float16", "float32", "bfloat16"])
    kind = r.choice(["softmax", "rms", "layer"])
    shared = r.random() < 0.5
    first = "xs = T.alloc_shared((%d, %d), '%s')\nT.copy(A[bx * %d, 0], xs)\nT.copy(xs, x)" % (bm, n, dt, bm) if shared else "T.copy(A[bx * %d, 0], x)" % bm
    middle = {"softmax": '''
T.reduce_max(x, top, dim=1)
for i, j in T.Parallel(%(bm)d, %(n)d):
    x[i, j] = T.exp(x[i, j] - top[i])
T.reduce_sum(x, total, dim=1)
for i, j in T.Parallel(%(bm)d, %(n)d):
    x[i, j] = x[i, j] / total[i]''', "rms": '''
for i, j in T.Parallel(%(bm)d, %(n)d):
    y[i, j] = x[i, j] * x[i, j]
T.reduce_sum(y, total, dim=1)
for i in T.Parallel(%(bm)d):
    total[i] = T.rsqrt(total[i] / %(n)d + 1e-5)
for i, j in T.Parallel(%(bm)d, %(n)d):
    x[i, j] = x[i, j] * total[i]''', "layer": '''
T.reduce_sum(x, top, dim=1)
for i, j in T.Parallel(%(bm)d, %(n)d):
    x[i, j] = x[i, j] - top[i] / %(n)d
for i, j in T.Parallel(%(bm)d, %(n)d):
    y[i, j] = x[i, j] * x[i, j]
T.reduce_sum(y, total, dim=1)
for i, j in T.Parallel(%(bm)d, %(n)d):
    x[i, j] = x[i, j] * T.rsqrt(total[i] / %(n)d + 1e-5)'''}[kind] % {"bm": bm, "n": n}
    body = "x = T.alloc_fragment((%d, %d), 'float32')\n" % (bm, n)
    body += "" if kind == "softmax" else "y = T.alloc_fragment((%d, %d), 'float32')\n" % (bm, n)
    body += "" if kind == "rms" else "top = T.alloc_fragment((%d,), 'float32')\n" % bm
    body += "total = T.alloc_fragment((%d,), 'float32')\n" % bm + first + middle + "\nT.copy(x, C[bx * %d, 0])" % bm
    ref = {"softmax": "want = torch.softmax(x, -1)", "rms": "want = x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-5)",
           "layer": "d = x - x.mean(-1, keepdim=True)\nwant = d * torch.rsqrt((d * d).mean(-1, keepdim=True) + 1e-5)"}[kind]
    params = ["A: T.Tensor((%d, %d), '%s')" % (m, n, dt), "C: T.Tensor((%d, %d), '%s')" % (m, n, dt)]
    return program(params, [(str(m // bm), "bx")], threads, body, "a = torch.randn(%d, %d).cuda().to(torch.%s)" % (m, n, dt),
                   "x = a[:256].float()\n%s\ngot = got[:256]" % ref, "a", ("2e-2", "2e-2"))


def columns(r):
    m, n = r.choice([2048, 4096, 8192]), r.choice([1024, 4096, 2048])
    bm, bn, threads = r.choice([32, 64, 128]), r.choice([32, 64, 128]), r.choice([128, 256])
    body = '''
x = T.alloc_fragment((%(bm)d, %(bn)d), 'float32')
part = T.alloc_fragment((%(bn)d,), 'float32')
total = T.alloc_fragment((%(bn)d,), 'float32')
T.clear(total)
for k in T.Pipelined(%(k)d, num_stages=%(s)d):
    T.copy(A[k * %(bm)d, bx * %(bn)d], x)
    T.reduce_sum(x, part, dim=0)
    for j in T.Parallel(%(bn)d):
        total[j] = total[j] + part[j]
T.copy(total, C[bx * %(bn)d])''' % {"bm": bm, "bn": bn, "k": m // bm, "s": r.choice([0, 2, 3])}
    dt = r.choice(["float16", "float32"])
    params = ["A: T.Tensor((%d, %d), '%s')" % (m, n, dt), "C: T.Tensor((%d,), 'float32')" % n]
    return program(params, [(str(n // bn), "bx")], threads, body, "a = torch.randn(%d, %d).cuda().to(torch.%s)" % (m, n, dt),
                   "want = a.float().sum(0)", "a", ("2e-2", "0.5"))


def gather(r):
    rows_, m, n = r.choice([10000, 32768]), r.choice([8192, 16384, 5000]), r.choice([128, 256, 1024])
    bm, threads, dt = r.choice([4, 8, 16, 32]), r.choice([128, 256]), r.choice(["float16", "bfloat16", "float32"])
    masked = r.random() < 0.5
    value = "A[I[bx * %d + i], j]" % bm
    if masked:
        value = "T.if_then_else(I[bx * %d + i] >= 0, %s, 0)" % (bm, value)
    body = '''
s = T.alloc_shared((%(bm)d, %(n)d), '%(dt)s')
for i, j in T.Parallel(%(bm)d, %(n)d):
    s[i, j] = %(value)s
T.copy(s, C[bx * %(bm)d, 0])''' % {"bm": bm, "n": n, "dt": dt, "value": value}
    params = ["A: T.Tensor((%d, %d), '%s')" % (rows_, n, dt), "I: T.Tensor((%d,), 'int32')" % m, "C: T.Tensor((%d, %d), '%s')" % (m, n, dt)]
    make = "a = torch.randn(%d, %d).cuda().to(torch.%s)\nidx = torch.randint(%d, %d, (%d,), dtype=torch.int32).cuda()" % (
        rows_, n, dt, -1 if masked else 0, rows_, m)
    ref = "k = idx[:256]\nwant = a[k.clamp(min=0).long()].float() * (k >= 0).float()[:, None]\ngot = got[:256]"
    return program(params, [("T.ceildiv(%d, %d)" % (m, bm), "bx")], threads, body, make, ref, "a, idx", ("1e-3", "1e-3"))


def transpose(r):
    m, n = r.choice([2048, 4096, 3072]), r.choice([2048, 4096, 1024])
    bm, bn, threads, dt = r.choice([32, 64, 128]), r.choice([32, 64, 128]), r.choice([128, 256]), r.choice(["float16", "float32"])
    body = '''
s = T.alloc_shared((%(bm)d, %(bn)d), '%(dt)s')
T.copy(A[by * %(bm)d, bx * %(bn)d], s)
for i, j in T.Parallel(%(bn)d, %(bm)d):
    C[bx * %(bn)d + i, by * %(bm)d + j] = s[j, i]''' % {"bm": bm, "bn": bn, "dt": dt}
    params = ["A: T.Tensor((%d, %d), '%s')" % (m, n, dt), "C: T.Tensor((%d, %d), '%s')" % (n, m, dt)]
    return program(params, [(str(n // bn), "bx"), (str(m // bm), "by")], threads, body,
                   "a = torch.randn(%d, %d).cuda().to(torch.%s)" % (m, n, dt), "want = a[:, :128].T\ngot = got[:128]", "a", ("1e-3", "1e-3"))


def attention(r):
    b, h, s, d = r.choice([1, 2, 4]), r.choice([8, 16, 32]), r.choice([512, 1024, 2048]), r.choice([64, 128])
    bm, bn, stages, threads = r.choice([64, 128]), r.choice([32, 64, 128]), r.choice([1, 2, 3]), r.choice([128, 256])
    causal = r.random() < 0.5
    dt = r.choice(["float16", "bfloat16"])
    scale = 1.44269504 / d ** 0.5
    mask = '''    for i, j in T.Parallel(%(bm)d, %(bn)d):
        acc_s[i, j] = T.if_then_else(bx * %(bm)d + i >= k * %(bn)d + j, 0, -T.infinity('float32'))
    T.gemm(Q_shared, K_shared, acc_s, transpose_B=True, policy=T.GemmWarpPolicy.FullRow)''' if causal else \
        '''    T.gemm(Q_shared, K_shared, acc_s, transpose_B=True, clear_accum=True, policy=T.GemmWarpPolicy.FullRow)'''
    body = ('''
Q_shared = T.alloc_shared((%(bm)d, %(d)d), '%(dt)s')
K_shared = T.alloc_shared((%(bn)d, %(d)d), '%(dt)s')
V_shared = T.alloc_shared((%(bn)d, %(d)d), '%(dt)s')
acc_s = T.alloc_fragment((%(bm)d, %(bn)d), 'float32')
acc_h = T.alloc_fragment((%(bm)d, %(bn)d), '%(dt)s')
acc_o = T.alloc_fragment((%(bm)d, %(d)d), 'float32')
m_old = T.alloc_fragment((%(bm)d,), 'float32')
m_new = T.alloc_fragment((%(bm)d,), 'float32')
alpha = T.alloc_fragment((%(bm)d,), 'float32')
row = T.alloc_fragment((%(bm)d,), 'float32')
total = T.alloc_fragment((%(bm)d,), 'float32')
T.copy(Q[bz, by, bx * %(bm)d, 0], Q_shared)
T.clear(acc_o)
T.clear(total)
T.fill(m_new, -T.infinity('float32'))
for k in T.Pipelined(%(trips)s, num_stages=%(stages)d):
    T.copy(K[bz, by, k * %(bn)d, 0], K_shared)
''' + mask + '''
    T.copy(m_new, m_old)
    T.reduce_max(acc_s, m_new, dim=1, clear=False)
    for i in T.Parallel(%(bm)d):
        alpha[i] = T.exp2((m_old[i] - m_new[i]) * %(scale).9f)
    for i, j in T.Parallel(%(bm)d, %(bn)d):
        acc_s[i, j] = T.exp2((acc_s[i, j] - m_new[i]) * %(scale).9f)
    T.reduce_sum(acc_s, row, dim=1)
    for i in T.Parallel(%(bm)d):
        total[i] = total[i] * alpha[i] + row[i]
    T.copy(acc_s, acc_h)
    for i, j in T.Parallel(%(bm)d, %(d)d):
        acc_o[i, j] = acc_o[i, j] * alpha[i]
    T.copy(V[bz, by, k * %(bn)d, 0], V_shared)
    T.gemm(acc_h, V_shared, acc_o, policy=T.GemmWarpPolicy.FullRow)
for i, j in T.Parallel(%(bm)d, %(d)d):
    acc_o[i, j] = acc_o[i, j] / total[i]
T.copy(acc_o, O[bz, by, bx * %(bm)d, 0])''') % {
        "bm": bm, "bn": bn, "d": d, "dt": dt, "stages": stages, "scale": scale,
        "trips": "T.ceildiv((bx + 1) * %d, %d)" % (bm, bn) if causal else str(s // bn)}
    shape = "(%d, %d, %d, %d)" % (b, h, s, d)
    params = ["%s: T.Tensor(%s, '%s')" % (x, shape, dt) for x in "QKVO"]
    make = "\n".join("%s = torch.randn%s.cuda().to(torch.%s)" % (x, shape, dt) for x in "qkv")
    ref = "x, y, z = q[0, 0].float(), k[0, 0].float(), v[0, 0].float()\ns = x @ y.T / %f\n" % d ** 0.5
    ref += "s = s.masked_fill(torch.triu(torch.ones(%d, %d), 1).cuda().bool(), float('-inf'))\n" % (s, s) if causal else ""
    ref += "want = torch.softmax(s, -1) @ z\ngot = got[0, 0]"
    return program(params, [(str(s // bm), "bx"), (str(h), "by"), (str(b), "bz")], threads, body, make, ref, "q, k, v", ("2e-2", "2e-2"))


def gemv(r):
    n, k = r.choice([1024, 4096, 8192]), r.choice([1024, 4096, 8192])
    bn, bk, threads = r.choice([4, 8, 16, 32]), r.choice([256, 512, 1024]), r.choice([128, 256])
    dt = r.choice(["float16", "bfloat16"])
    body = '''
x = T.alloc_fragment((%(bn)d, %(bk)d), 'float32')
part = T.alloc_fragment((%(bn)d,), 'float32')
total = T.alloc_fragment((%(bn)d,), 'float32')
T.clear(total)
for ko in T.serial(%(trips)d):
    for i, j in T.Parallel(%(bn)d, %(bk)d):
        x[i, j] = T.cast(B[bx * %(bn)d + i, ko * %(bk)d + j], 'float32') * T.cast(A[ko * %(bk)d + j], 'float32')
    T.reduce_sum(x, part, dim=1)
    for i in T.Parallel(%(bn)d):
        total[i] = total[i] + part[i]
T.copy(total, C[bx * %(bn)d])''' % {"bn": bn, "bk": bk, "trips": k // bk}
    params = ["A: T.Tensor((%d,), '%s')" % (k, dt), "B: T.Tensor((%d, %d), '%s')" % (n, k, dt), "C: T.Tensor((%d,), 'float32')" % n]
    make = "a = torch.randn(%d).cuda().to(torch.%s)\nb = torch.randn(%d, %d).cuda().to(torch.%s)" % (k, dt, n, k, dt)
    return program(params, [(str(n // bn), "bx")], threads, body, make, "want = (b[:256].float() * a.float()).sum(-1)\ngot = got[:256]", "a, b", ("2e-2", "0.5"))


def dequant(r):
    bm, bn, bk = r.choice([(64, 64, 64), (128, 128, 64), (64, 128, 64), (128, 64, 128)])
    m, n, k = r.choice([256, 1024]), r.choice([1024, 4096]), r.choice([1024, 4096])
    stages, threads = r.choice([1, 2, 3]), r.choice([128, 256])
    body = '''
A_shared = T.alloc_shared((%(bm)d, %(bk)d), 'float16')
B_shared = T.alloc_shared((%(bn)d, %(half)d), 'uint8')
B_local = T.alloc_fragment((%(bn)d, %(half)d), 'uint8')
D_local = T.alloc_fragment((%(bn)d, %(bk)d), 'float16')
D_shared = T.alloc_shared((%(bn)d, %(bk)d), 'float16')
C_local = T.alloc_fragment((%(bm)d, %(bn)d), 'float32')
T.clear(C_local)
for ko in T.Pipelined(%(trips)d, num_stages=%(stages)d):
    T.copy(A[by * %(bm)d, ko * %(bk)d], A_shared)
    T.copy(B[bx * %(bn)d, ko * %(half)d], B_shared)
    T.copy(B_shared, B_local)
    for i, j in T.Parallel(%(bn)d, %(bk)d):
        D_local[i, j] = T.cast((B_local[i, j // 2] >> T.cast(j %% 2 * 4, 'uint8')) & 15, 'float16') - T.cast(8, 'float16')
    T.copy(D_local, D_shared)
    T.gemm(A_shared, D_shared, C_local, transpose_B=True)
T.copy(C_local, C[by * %(bm)d, bx * %(bn)d])''' % {"bm": bm, "bn": bn, "bk": bk, "half": bk // 2, "trips": k // bk, "stages": stages}
    params = ["A: T.Tensor((%d, %d), 'float16')" % (m, k), "B: T.Tensor((%d, %d), 'uint8')" % (n, k // 2), "C: T.Tensor((%d, %d), 'float16')" % (m, n)]
    make = "a = torch.randn(%d, %d).cuda().to(torch.float16)\nb = torch.randint(0, 256, (%d, %d), dtype=torch.uint8).cuda()" % (m, k, n, k // 2)
    ref = "w = torch.stack((b & 15, b >> 4), -1).reshape(%d, %d).float() - 8\nwant = a[:128].float() @ w.T\ngot = got[:128]" % (n, k)
    return program(params, [(str(n // bn), "bx"), (str(m // bm), "by")], threads, body, make, ref, "a, b", ("2e-2", "2.0"))


def grouped(r):
    e, n, k = r.choice([4, 8]), r.choice([512, 1024, 2048]), r.choice([512, 1024])
    bm, bn, bk, stages, threads = r.choice([64, 128]), r.choice([64, 128]), r.choice([32, 64]), r.choice([2, 3]), r.choice([128, 256])
    m = 4096
    body = '''
A_shared = T.alloc_shared((%(bm)d, %(bk)d), 'float16')
B_shared = T.alloc_shared((%(bk)d, %(bn)d), 'float16')
C_local = T.alloc_fragment((%(bm)d, %(bn)d), 'float32')
which = expert[by]
T.clear(C_local)
for ko in T.Pipelined(%(trips)d, num_stages=%(stages)d):
    T.copy(A[by * %(bm)d, ko * %(bk)d], A_shared)
    T.copy(B[which, ko * %(bk)d, bx * %(bn)d], B_shared)
    T.gemm(A_shared, B_shared, C_local)
for i, j in T.Parallel(%(bm)d, %(bn)d):
    if by * %(bm)d + i < used[0]:
        C[by * %(bm)d + i, bx * %(bn)d + j] = C_local[i, j]
    else:
        C[by * %(bm)d + i, bx * %(bn)d + j] = 0''' % {"bm": bm, "bn": bn, "bk": bk, "trips": k // bk, "stages": stages}
    params = ["A: T.Tensor((%d, %d), 'float16')" % (m, k), "B: T.Tensor((%d, %d, %d), 'float16')" % (e, k, n),
              "expert: T.Tensor((%d,), 'int32')" % (m // bm), "used: T.Tensor((1,), 'int32')", "C: T.Tensor((%d, %d), 'float16')" % (m, n)]
    make = ("a = torch.randn(%d, %d).cuda().to(torch.float16)\nb = torch.randn(%d, %d, %d).cuda().to(torch.float16)\n"
            "which = torch.randint(0, %d, (%d,), dtype=torch.int32).cuda()\nused = torch.tensor([%d], dtype=torch.int32).cuda()") % (
                m, k, e, k, n, e, m // bm, r.choice([m, m - 77]))
    return program(params, [(str(n // bn), "bx"), (str(m // bm), "by")], threads, body, make,
                   "want = a[:%d].float() @ b[int(which[0])].float()\ngot = got[:%d]" % (bm, bm), "a, b, which, used", ("2e-2", "1.0"))


FAMILIES = [gemm, gemm, gemm, elementwise, rows, rows, columns, gather, transpose, attention, attention, gemv, dequant, grouped]


def main():
    seed, count, to = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    d = to + "/pairs"
    os.makedirs(d, exist_ok=True)
    shutil.copy(here + "/pb.py", d)
    out = []
    for i in range(count):
        r = random.Random(seed + i)
        family = FAMILIES[(seed + i) % len(FAMILIES)]
        name = "pair_%d_%s" % (seed + i, family.__name__)
        with open("%s/%s.py" % (d, name), "w") as o:
            o.write(family(r))
        with open("%s/_r_%s.py" % (d, name), "w") as o:
            o.write("import %s\nprint('PB_RESULT', %s.run_regression_perf())\n" % (name, name))
        out.append({"name": name, "dir": "pairs", "driver": "_r_%s.py" % name, "extra": False})
    json.dump(out, open(to + "/rows.json", "w"), indent=0)


main()
