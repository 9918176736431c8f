-- 11-transpose: who takes what of a sector, and the way of a tile.

local access = require "moontile.layout_viz.access"
local T = require "moontile.T"
local tl = require "moontile.tl"
local viz = require "moontile.viz"

local straight = tl.jit(function(A, BLOCK_M, BLOCK_N)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float32)
  local B = T.empty({N, M}, T.float32)
  for bx, by in T.Kernel(T.ceildiv(N, BLOCK_N), T.ceildiv(M, BLOCK_M)) do
    for j, i in T.Parallel(BLOCK_N, BLOCK_M) do
      B[bx * BLOCK_N + j, by * BLOCK_M + i] = A[by * BLOCK_M + i, bx * BLOCK_N + j]
    end
  end
  return B
end, {target = "sim"})

local shared = tl.jit(function(A, BLOCK_M, BLOCK_N)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float32)
  local B = T.empty({N, M}, T.float32)
  for bx, by in T.Kernel(T.ceildiv(N, BLOCK_N), T.ceildiv(M, BLOCK_M)) do
    local tile = T.alloc_shared({BLOCK_M, BLOCK_N}, T.float32)
    T.annotate_layout {[tile] = T.make_linear_layout(tile)}
    T.copy(A[by * BLOCK_M, bx * BLOCK_N], tile)
    for j, i in T.Parallel(BLOCK_N, BLOCK_M) do
      B[bx * BLOCK_N + j, by * BLOCK_M + i] = tile[i, j]
    end
  end
  return B
end, {target = "sim"})

-- The first access of the puzzle's first size to `buffer`, in the direction `dir`.
local function picture(f, title, buffer, dir)
  local k = f:compile {M = 64, N = 128, BLOCK_M = 32, BLOCK_N = 64}
  local fig = viz.figure(title)
  for _, s in ipairs(access.shots(k, {buffer = buffer, target = "sim"})) do
    if s.dir == dir then
      access.panels(fig, s, {width = 72})
      return fig
    end
  end
end

-- What a warp of the starter reads of A.
local function read(zh)
  return picture(straight, zh and "初始内核中一个 warp 读 A：每行占一个扇区，只取其一半" or
    "a warp of the starter reads A: half of each sector is used", "A", "read")
end

-- How the solution reads its tile.
local function tile(zh)
  return picture(shared, zh and "参考答案中一个 warp 按列读 tile" or
    "a warp of the solution reads its tile by columns", "tile", "read")
end

-- Tiles of 32 x 64 of a matrix of 64 x 128, and where they stand in the turned one.
local function way(zh)
  local f = viz.figure(zh and "线程块 (by, bx) 读 A 的哪一块、写 B 的哪一块" or
    "blocks (by, bx): the tiles of A they read, the tiles of B they write")
  local names, hues, back, back_hues = {}, {}, {}, {}
  for by = 0, 1 do
    for bx = 0, 1 do
      names[#names + 1], hues[#hues + 1] = ("%d,%d"):format(by, bx), by * 2 + bx
      back[bx * 2 + by + 1], back_hues[bx * 2 + by + 1] = ("%d,%d"):format(by, bx), by * 2 + bx
    end
  end
  f:grid {rows = 2, cols = 2, labels = names, hues = hues, row_heads = {"0", "32"},
    col_heads = {"0", "64"}, row_name = "i", col_name = "j"}
  f:text(zh and "A (64, 128)：每格 32 x 64" or "A (64, 128): a cell is 32 x 64")
  f:grid {rows = 2, cols = 2, labels = back, hues = back_hues, row_heads = {"0", "64"},
    col_heads = {"0", "32"}, row_name = "j", col_name = "i"}
  f:text(zh and "B (128, 64)：每格 64 x 32" or "B (128, 64): a cell is 64 x 32")
  return f
end

return {read = read, tile = tile, way = way}
