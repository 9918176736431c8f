-- 09-conv1d: which elements of X an output needs, the halo of a tile, and the windows as
-- the rows of a matrix.

local viz = require "moontile.viz"

-- Outputs 0 .. 5 of a signal of six, and a filter of three.
local function taps(zh)
  local L, KL = 6, 3
  local labels, hues, rows, cols = {}, {}, {}, {}
  for j = 0, L - 1 do
    rows[j + 1] = ("O[%d]"):format(j)
    for l = 0, L + KL - 2 do
      local k = l - j
      local hit = k >= 0 and k < KL
      labels[#labels + 1] = hit and ("W[%d]"):format(k) or "."
      hues[#hues + 1] = hit and k or viz.dim
      cols[l + 1] = l < L and ("X[%d]"):format(l) or "0"
    end
  end
  local f = viz.figure(zh and "L = 6，KL = 3：每行是一个输出，把 X 的元素与所标的权重相乘后求和" or
    "L = 6, KL = 3: an output is a sum of elements of X times these")
  f:grid {rows = L, cols = L + KL - 1, labels = labels, hues = hues, row_heads = rows,
    col_heads = cols}
  return f
end

-- Two tiles of outputs, and what of X each needs.
local function halo(zh)
  local f = viz.figure(zh and "BLOCK_L = 32，KL = 9，L = 64：两个输出分块各需要的 X" or
    "BLOCK_L = 32, KL = 9, L = 64: two tiles of O and what they need")
  local own, more, zero = zh and "自己的 32 个" or "32 of its own", "halo", zh and "零" or "zeros"
  f:track {
    rows = {
      {label = "O", spans = {{0, 32, "bx = 0", 0}, {32, 64, "bx = 1", 1}}},
      {label = "X, bx = 0", spans = {{0, 32, own, 0}, {32, 40, more, 2}}},
      {label = "X, bx = 1", spans = {{32, 64, own, 1}, {64, 72, zero, viz.dim}}},
    },
    from = 0, to = 72, unit = zh and "位置" or "position",
  }
  return f
end

-- Two signals of four, a filter of three: eight rows, each a window.
local function windows(zh)
  local N, L, KL = 2, 4, 3
  local labels, hues, heads = {}, {}, {}
  for p = 0, N * L - 1 do
    heads[p + 1] = ("p = %d"):format(p)
    for k = 0, KL - 1 do
      local n, l = p // L, p % L + k
      labels[#labels + 1] = l < L and ("X[%d,%d]"):format(n, l) or "0"
      hues[#hues + 1] = l < L and n or viz.dim
    end
  end
  local f = viz.figure(zh and "N = 2，L = 4，KL = 3：N * L 个窗口作为矩阵的行" or
    "N = 2, L = 4, KL = 3: N * L windows as the rows of a matrix")
  f:row()
  f:grid {rows = N * L, cols = KL, labels = labels, hues = hues, row_heads = heads,
    col_heads = {"k=0", "k=1", "k=2"}, gap_rows = L, caption = zh and "窗口" or "windows"}
  local w = {}
  for k = 0, KL - 1 do
    for c = 0, 1 do
      w[#w + 1] = ("W[%d,%d]"):format(k, c)
    end
  end
  f:grid {rows = KL, cols = 2, labels = w, hues = 3, col_heads = {"f=0", "f=1"},
    caption = "W: KL x F"}
  return f
end

return {taps = taps, halo = halo, windows = windows}
