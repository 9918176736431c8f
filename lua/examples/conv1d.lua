-- conv1d.lua: convolution along a sequence, in two forms.
--
--   depthwise  y[n, l, c] = sum_k x[n, l + k - (KW - 1), c] w[k, c]: each
--              channel by itself and causal, as in front of a Mamba block.  A
--              block brings in its rows and the KW - 1 before them, the halo,
--              once; all taps then read shared memory.
--   dense      y[n, l, f] = sum_k sum_c x[n, l + k - pad, c] w[k, c, f]: a matrix
--              product with K = KW * C.  The rows of its left matrix (im2col)
--              are the input shifted by k, so the matrix is never made:
--              each tile is one copy from another place.
--
-- Both lean on the same rule: what a copy reads before the beginning or behind
-- the end is zero, which is just the padding that a convolution wants.
--
--     moontile lua/examples/conv1d.lua [small]
local ex = require "moontile.examples.frame"

local depthwise = tl.jit(function(X, W, BL, BC)
  local N, L, C, KW = T.const "N, L, C, KW"
  X: T.Tensor({N, L, C}, T.float16)
  W: T.Tensor({KW, C}, T.float16)
  local Y = T.empty({N, L, C}, T.float16)
  for bc, bl, n in T.Kernel(T.ceildiv(C, BC), T.ceildiv(L, BL), N, {threads = 128}) do
    local Xs = T.alloc_shared({BL + KW - 1, BC}, T.float16)
    local Ws = T.alloc_shared({KW, BC}, T.float16)
    local y = T.alloc_fragment({BL, BC}, T.float32)
    T.copy(X[n, bl * BL - (KW - 1), bc * BC], Xs)
    T.copy(W[0, bc * BC], Ws)
    T.clear(y)
    for k in T.serial(KW) do
      for i, j in T.Parallel(BL, BC) do
        y[i, j] += Xs[i + k, j]:astype(T.float32) * Ws[k, j]:astype(T.float32)
      end
    end
    T.copy(y, Y[n, bl * BL, bc * BC])
  end
  return Y
end)

local dense = tl.jit(function(X, W, pad, BL, BF, BC)
  local N, L, C, KW, F = T.const "N, L, C, KW, F"
  X: T.Tensor({N, L, C}, T.float16)
  W: T.Tensor({KW, C, F}, T.float16)
  local OL = L + 2 * pad - KW + 1
  local Y = T.empty({N, OL, F}, T.float16)
  for bf, bl, n in T.Kernel(T.ceildiv(F, BF), T.ceildiv(OL, BL), N, {threads = 128}) do
    local Xs = T.alloc_shared({BL, BC}, T.float16)
    local Ws = T.alloc_shared({BC, BF}, T.float16)
    local y = T.alloc_fragment({BL, BF}, T.float32)
    local nc = T.ceildiv(C, BC)
    T.clear(y)
    for step in T.Pipelined(KW * nc, {num_stages = 2}) do
      local k, c = step // nc, step % nc * BC
      T.copy(X[n, bl * BL + k - pad, c], Xs)
      T.copy(W[k, c, bf * BF], Ws)
      T.gemm(Xs, Ws, y)
    end
    T.copy(y, Y[n, bl * BL, bf * BF])
  end
  return Y
end)

local function check_depthwise(N, L, C, KW)
  local x = tl.randn({N, L, C}, "float16")
  local w = tl.randn({KW, C}, "float16")
  local what = ("depthwise %dx%dx%d, %d taps"):format(N, L, C, KW)
  -- the reference pads both sides: its first L outputs are the causal ones
  local both = tl.ref.conv1d(x, w:unsqueeze(1), {padding = KW - 1, groups = C, layout = "nwc"})
  ex.close(what, depthwise(x, w, 64, 64), both[:, 0:L], ex.tolerance("float16", KW))
  ex.time(what, {byte = 2 * 2 * N * L * C}, depthwise:compile(x, w, 64, 64), x, w)
end

local function check_dense(N, L, C, KW, F)
  local x = tl.randn({N, L, C}, "float16")
  local w = tl.randn({KW, C, F}, "float16")
  local pad = KW // 2
  local y = dense(x, w, pad, 64, 64, 64)
  local what = ("dense %dx%dx%d, filter %dx%d"):format(N, L, C, KW, F)
  local want = tl.ref.conv1d(x, w, {padding = pad, layout = "nwc"})
  ex.close(what, y, want, ex.tolerance("float16", KW * C))
  local flop = 2 * N * y.shape[2] * F * KW * C
  ex.time(what, {flop = flop}, dense:compile(x, w, pad, 64, 64, 64), x, w)
end

tl.manual_seed(11)
if ex.small then
  check_depthwise(2, 70, 33, 4)
  check_dense(2, 67, 35, 3, 20)
else
  check_depthwise(4, 4096, 512, 4)
  check_dense(4, 1024, 128, 5, 128)
  check_dense(3, 1001, 99, 4, 65)
end
