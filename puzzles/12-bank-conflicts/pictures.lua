-- 12-bank-conflicts: the banks of a tile's corner, and who meets which bank.

local access = require "moontile.layout_viz.access"
local T = require "moontile.T"
local tl = require "moontile.tl"
local viz = require "moontile.viz"

-- The puzzle's kernel with rows that are `pitch` cells apart; place: [i, j] -> where a cell
-- of the tile stands, or nil.
local function kernel(pitch, place)
  local transpose = tl.jit(function(A, BLOCK_M, BLOCK_N)
    local M, N = T.const "M, N"
    A: T.Tensor({M, N}, T.float32)
    local B = T.empty({N, M}, T.float32)
    for bx, by in T.Kernel(T.ceildiv(N, BLOCK_N), T.ceildiv(M, BLOCK_M)) do
      local tile = T.alloc_shared({BLOCK_M, pitch}, T.float32)
      if place then
        T.annotate_layout {[tile] = T.Layout({BLOCK_M, BLOCK_N}, place)}
      end
      T.copy(A[by * BLOCK_M, bx * BLOCK_N], tile[0:BLOCK_M, 0:BLOCK_N])
      for j, i in T.Parallel(BLOCK_N, BLOCK_M) do
        B[bx * BLOCK_N + j, by * BLOCK_M + i] = tile[i, j]
      end
    end
    return B
  end, {target = "sim"})
  return transpose:compile {M = 64, N = 96, BLOCK_M = 32, BLOCK_N = 32}
end

-- How a warp reads the tile.
local function read(k, title)
  local f = viz.figure(title)
  for _, s in ipairs(access.shots(k, {buffer = "tile", target = "sim"})) do
    if s.dir == "read" then
      access.panels(f, s, {width = 72})
      return f
    end
  end
end

local function before(zh)
  return read(kernel(32, function(i, j) return i * 32 + j end), zh and "每行 32 格：一个 warp 按列读 tile" or
    "rows of 32: a warp reads the tile by columns")
end

local function after(zh)
  return read(kernel(33), zh and "每行 33 格：同样的读" or "rows of 33: the same read")
end

local function gemm_swizzle(zh)
  return read(kernel(32, function(i, j) return i * 32 + (j ~ i % 8 * 4) end),
    zh and "T.make_swizzled_layout 的布局：同样的读" or
      "the layout of T.make_swizzled_layout: the same read")
end

-- The banks of the first cells of the first rows; place: [i, j] -> offset
local function corner(f, place, caption)
  local rows, cols = 8, 12
  local labels, hues, heads = {}, {}, {}
  for i = 0, rows - 1 do
    heads[i + 1] = tostring(i)
    for j = 0, cols - 1 do
      local bank = place(i, j) % 32
      labels[#labels + 1], hues[#hues + 1] = tostring(bank), bank % 8
    end
  end
  f:grid {rows = rows, cols = cols, labels = labels, hues = hues, row_heads = heads,
    row_name = "i", col_name = "j", col_heads = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9",
      "10", "11"}}
  f:text(caption)
end

local function banks(zh)
  local f = viz.figure(zh and "tile 左上角各格所在的 bank" or
    "the bank of each cell, in a corner of the tile")
  corner(f, function(i, j) return i * 32 + j end, zh and
    "每行 32 格：位置 = i * 32 + j" or "rows of 32: place = i * 32 + j")
  corner(f, function(i, j) return i * 33 + j end, zh and
    "每行 33 格：位置 = i * 33 + j" or "rows of 33: place = i * 33 + j")
  return f
end

local function xored(zh)
  local f = viz.figure(zh and "位置 = i * 32 + (j ~ i) 时各格所在的 bank" or
    "the bank of each cell, with place = i * 32 + (j ~ i)")
  corner(f, function(i, j) return i * 32 + (j ~ i) end, zh and
    "每行还是那些 bank，次序不同；每列没有重复" or
    "a row has its banks in another order; a column has none twice")
  return f
end

return {before = before, after = after, gemm_swizzle = gemm_swizzle, banks = banks, xored = xored}
