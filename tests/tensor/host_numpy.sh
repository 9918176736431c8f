# Operators of tl.host beside NumPy's: inputs and results go through a file of tensors.
python3 -c "import numpy" 2>/dev/null || { echo "no numpy for python3"; exit 77; }
cat >"$TMP/make.lua" <<'END'
local h, out, n = tl.host, {}, 0
local dir = os.getenv "TMP"
local cases = {}
local function case(text, result, inputs)
  n = n + 1
  local id = ("c%03d"):format(n)
  out[id] = result:is_contiguous() and result or result:contiguous()
  cases[#cases + 1] = id .. "\t" .. text
end
local x = tl.randn({3, 4, 5}, "float64")
local y = tl.randn({4, 5}, "float64")
local i, j = tl.randint(-7, 8, {3, 4, 5}, "int32"), tl.randint(1, 6, {5}, "int32")
local u = tl.rand({3, 4, 5}, "float64") * 0.9 + 0.05
out.x, out.y, out.i, out.j, out.u = x, y, i, j, u
for _, name in ipairs {"exp", "expm1", "exp2", "sin", "cos", "tan", "tanh", "sinh", "cosh", "floor", "ceil", "trunc", "sign",
  "abs", "square", "reciprocal", "isfinite", "signbit"} do case(("np.%s(x)"):format(name), h[name](x)) end
for name, np in pairs {log = "log", log2 = "log2", log10 = "log10", log1p = "log1p", sqrt = "sqrt", asin = "arcsin", acos = "arccos",
  atanh = "arctanh", atan = "arctan", asinh = "arcsinh"} do case(("np.%s(u)"):format(np), h[name](u)) end
case("np.arccosh(u + 1)", h.acosh(u + 1))
case("np.rint(x * 4)", h.round(x * 4))
case("np.round(x, 2)", h.round(x, {decimals = 2}))
for name, np in pairs {atan2 = "arctan2", hypot = "hypot", copysign = "copysign", logaddexp = "logaddexp", fmax = "fmax", fmin = "fmin",
  fmod = "fmod", remainder = "remainder", floor_divide = "floor_divide", maximum = "maximum", lt = "less", ge = "greater_equal"} do
  case(("np.%s(x, y)"):format(np), h[name](x, y))
end
for name, np in pairs {fmod = "fmod", remainder = "remainder", floor_divide = "floor_divide", bitwise_and = "bitwise_and",
  bitwise_xor = "bitwise_xor", gcd = "gcd"} do case(("np.%s(i, j)"):format(np), h[name](i, j)) end
case("np.left_shift(i, j)", i << j)
case("np.right_shift(i, j)", i >> j)
case("i.astype('int64') ** 3", h.pow(i:long(), 3))
case("np.where(i > 0, x, y)", h.where(i:gt(0), x, y))
for _, axis in ipairs {0, 1, 2, -1} do
  for name, np in pairs {sum = "sum", mean = "mean", prod = "prod", amax = "max", amin = "min", argmax = "argmax", argmin = "argmin",
    any = "any", all = "all", cumsum = "cumsum", cumprod = "cumprod", argsort = "argsort"} do
    case(("np.%s(x, axis=%d%s)"):format(np, axis, np == "argsort" and ", kind='stable'" or ""), h[name](x, axis))
  end
  case(("np.sort(i, axis=%d)"):format(axis), (h.sort(i, axis)))
  case(("np.argsort(i, axis=%d, kind='stable')"):format(axis), h.argsort(i, axis))
  case(("np.var(x, axis=%d, ddof=1)"):format(axis), h.var(x, axis))
  case(("np.std(x, axis=%d)"):format(axis), h.std(x, axis, false))
  case(("np.flip(x, %d)"):format(axis), h.flip(x, axis))
  case(("np.roll(x, 2, %d)"):format(axis), h.roll(x, 2, axis))
  case(("np.repeat(x, 3, axis=%d)"):format(axis), h.repeat_interleave(x, 3, axis))
  case(("np.stack([x, u], %d)"):format(axis), h.stack({x, u}, axis))
  case(("np.concatenate([x, u], %d)"):format(axis), h.cat({x, u}, axis))
end
case("np.sum(x, axis=(0, 2))", h.sum(x, {0, 2}))
case("np.linalg.norm(x, axis=(0, 2))", h.norm(x, 2, {0, 2}))
case("np.sum(np.abs(x) ** 3, axis=1) ** (1 / 3)", h.norm(x, 3, 1))
case("np.tile(x, (2, 1, 3))", h.tile(x, 2, 1, 3))
case("np.kron(x[0], y)", h.kron(x[0], y))
case("np.outer(j, j)", h.outer(j, j))
case("np.einsum('abc,bc->ab', x, y)", h.einsum("abc,bc->ab", x, y))
case("np.einsum('abc,dbc->ad', x, u)", h.einsum("abc,dbc->ad", x, u))
case("np.einsum('...c,bc', x, y)", h.einsum("...c,bc", x, y))
case("np.einsum('abc,bc,c->a', x, y, j)", h.einsum("abc,bc,c->a", x, y, j:double()))
case("np.matmul(x, y.T)", h.matmul(x, y.T))
case("np.matmul(x, np.swapaxes(u, 1, 2))", x:matmul(u:transpose(1, 2)))
case("np.matmul(x, j)", h.matmul(x, j:double()))
case("np.tensordot(x, y, 2)", h.tensordot(x, y, 2))
case("np.tril(x, 1)", x:tril(1))
case("np.triu(y, -1)", y:triu(-1))
case("np.pad(y, ((1, 2), (3, 0)))", h.pad(y, {3, 0, 1, 2}))
case("np.pad(y, ((0, 0), (3, 2)), mode='reflect')", h.pad(y, {3, 2}, "reflect"))
case("np.pad(y, ((2, 1), (0, 0)), mode='wrap')", h.pad(y, {0, 0, 2, 1}, "circular"))
case("np.pad(y, ((2, 1), (3, 3)), mode='edge')", h.pad(y, {3, 3, 2, 1}, "replicate"))
case("np.unique(i)", (h.unique(i)))
case("np.unique(i, return_inverse=True)[1].reshape(i.shape)", (select(2, h.unique(i, true, true))))
case("np.unique(i, return_counts=True)[1]", (select(2, h.unique(i, true, false, true))))
case("np.bincount(j)", h.bincount(j))
case("np.histogram(x, 7)[0].astype('float64')", h.histc(x, 7))
case("np.searchsorted(np.sort(j), i)", h.searchsorted((j:sort()), i))
case("np.searchsorted(np.sort(j), i, side='right')", h.searchsorted((j:sort()), i, {right = true}))
case("np.isin(i, j)", h.isin(i, j))
case("np.nan_to_num(np.log(x))", h.nan_to_num(h.log(x)))
case("np.moveaxis(x, 0, 2)", h.movedim(x, 0, 2))
case("np.rot90(x, 1)", h.rot90(x))
case("np.diagonal(x, 1, 1, 2)", h.diagonal(x, 1, 1, 2))
case("np.linspace(-1, 2, 7)", h.linspace(-1, 2, 7, {dtype = "float64"}))
case("np.eye(3, 5)", h.eye(3, 5, {dtype = "float64"}))
case("np.take_along_axis(x, np.argsort(i, 1, kind='stable'), 1)", h.take_along_dim(x, i:argsort(1), 1))
case("x[:, ::2, 1:4:2]", x[{tl.slice(), tl.slice(nil, nil, 2), tl.slice(1, 4, 2)}])
case("x[..., None, 1]", x[{tl.ellipsis, tl.newaxis, 1}])
case("x[[2, 0]]", x[{{2, 0}}])
case("x[:, [3, 1, 1]]", x[{tl.slice(), {3, 1, 1}}])
case("x[[0, 2], :, [1, 4]]", x[{{0, 2}, tl.slice(), {1, 4}}])
case("x[:, [[0], [2]], [1, -1]]", x[{tl.slice(), {{0}, {2}}, {1, -1}}])
case("x[i > 2]", x[i:gt(2)])
case("x[0][y > 0]", x[0][y:gt(0)])
case("x[:, y > 0]", x[{tl.slice(), y:gt(0)}])
local z = x:clone()
z[i:gt(2)] = -1
case("np.where(i > 2, -1, x)", z)
z = x:clone()
z[{tl.slice(), {1, 3}}] = y[{tl.slice(0, 2)}]
case("put(x, (slice(None), [1, 3]), y[:2])", z)
tl.save(dir .. "/all.npz", out, {compress = false})
local f = io.open(dir .. "/cases", "w")
f:write(table.concat(cases, "\n"), "\n")
f:close()
END
"$MOONTILE" "$TMP/make.lua" || exit 1
cat >"$TMP/check.py" <<'END'
import numpy as np, os
all = np.load(os.environ["TMP"] + "/all.npz")
x, y, i, j, u = (all[k] for k in "xyiju")
def put(a, key, value):
    a = a.copy(); a[key] = value; return a
bad = n = 0
np.seterr(all="ignore")
for line in open(os.environ["TMP"] + "/cases"):
    name, text = line.rstrip("\n").split("\t")
    want, got = np.asarray(eval(text)), all[name]
    n += 1
    if want.shape != got.shape or want.dtype.kind != got.dtype.kind or not np.allclose(got, want, 1e-12, 1e-13, equal_nan=True):
        bad += 1
        print(text, "got", got.dtype, got.shape, "want", want.dtype, want.shape)
print("as NumPy:", n > 150, "different:", bad)
END
TMP="$TMP" python3 "$TMP/check.py"
