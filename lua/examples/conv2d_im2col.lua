-- conv2d_im2col.lua: a convolution of images (N, H, W, C) as a matrix product.
--
-- im2col puts the KH x KW x C numbers under the filter into one row for each
-- output pixel; the convolution is that matrix times the filters.  In memory
-- the matrix would be KH * KW times the image.  Here it only ever exists as a
-- BM x BK tile in shared memory, gathered when it is needed: row i of the
-- tile is an output pixel, its columns are channels under one tap (kh, kw).
--
--     moontile lua/examples/conv2d_im2col.lua [small]
local ex = require "moontile.examples.frame"

local conv2d = tl.jit(function(X, W, stride, pad, dilation, BM, BN, BK)
  local N, H, WD, C, KH, KW, F = T.const "N, H, WD, C, KH, KW, F"
  X: T.Tensor({N, H, WD, C}, T.float16)
  W: T.Tensor({KH, KW, C, F}, T.float16)
  local OH = (H + 2 * pad - dilation * (KH - 1) - 1) // stride + 1
  local OW = (WD + 2 * pad - dilation * (KW - 1) - 1) // stride + 1
  local Y = T.empty({N, OH, OW, F}, T.float16)
  local pixels = N * OH * OW
  for bx, by in T.Kernel(T.ceildiv(F, BN), T.ceildiv(pixels, BM), {threads = 128}) do
    local Xs = T.alloc_shared({BM, BK}, T.float16)
    local Ws = T.alloc_shared({BK, BN}, T.float16)
    local y = T.alloc_fragment({BM, BN}, T.float32)
    local Yflat = T.reshape(Y, {pixels, F})   -- the same memory, one row a pixel
    local nc = T.ceildiv(C, BK)
    T.clear(y)
    for step in T.Pipelined(KH * KW * nc, {num_stages = 2}) do
      local kh, kw, c = step // nc // KW, step // nc % KW, step % nc * BK
      for i, j in T.Parallel(BM, BK) do
        local p = by * BM + i
        local h = p // OW % OH * stride + kh * dilation - pad
        local w = p % OW * stride + kw * dilation - pad
        Xs[i, j] = X[p // (OH * OW), h, w, c + j]  -- outside: zero, the padding
      end
      T.copy(W[kh, kw, c, bx * BN], Ws)
      T.gemm(Xs, Ws, y)
    end
    T.copy(y, Yflat[by * BM, bx * BN])
  end
  return Y
end)

local function check(N, H, WD, C, KH, KW, F, stride, pad, dilation)
  local x = tl.randn({N, H, WD, C}, "float16")
  local w = tl.randn({KH, KW, C, F}, "float16")
  local y = conv2d(x, w, stride, pad, dilation, 64, 64, 64)
  local want = tl.ref.conv2d(x, w, {stride = stride, padding = pad, dilation = dilation,
                                    layout = "nhwc"})
  local what = ("%dx%dx%dx%d, filter %dx%dx%d, stride %d/%d")
               :format(N, H, WD, C, KH, KW, F, stride, dilation)
  ex.close(what, y, want, ex.tolerance("float16", KH * KW * C))
  local pixels = y.shape[1] * y.shape[2] * y.shape[3]
  local kernel = conv2d:compile(x, w, stride, pad, dilation, 64, 64, 64)
  ex.time(what, {flop = 2 * pixels * KH * KW * C * F}, kernel, x, w)
end

tl.manual_seed(12)
if ex.small then
  check(2, 9, 11, 5, 3, 3, 7, 1, 1, 1)
  check(1, 13, 8, 3, 3, 2, 4, 2, 1, 2)
else
  check(4, 56, 56, 64, 3, 3, 64, 1, 1, 1)
  check(2, 57, 31, 66, 3, 5, 70, 2, 2, 1)
  check(2, 40, 40, 32, 3, 3, 48, 1, 2, 2)
end
