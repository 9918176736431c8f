-- 10-dequant: bytes and the weights in them, and where a tile stands on its way.

local viz = require "moontile.viz"

-- Two rows of three bytes, and the six columns of weights that they are.
local function nibbles(zh)
  local bytes = {{0x80, 0x3f, 0xa9}, {0x71, 0x08, 0xe5}}
  local hex, weights, one, two = {}, {}, {}, {}
  for _, row in ipairs(bytes) do
    for j, b in ipairs(row) do
      hex[#hex + 1] = ("0x%02x"):format(b)
      weights[#weights + 1] = ("%d"):format((b & 15) - 8)
      weights[#weights + 1] = ("%d"):format((b >> 4) - 8)
      one[#one + 1] = j - 1
      two[#two + 1], two[#two + 2] = j - 1, j - 1
    end
  end
  local f = viz.figure(zh and "2 行 3 个字节，即 2 行 6 个权重" or
    "two rows of three bytes are two rows of six weights")
  f:row()
  f:grid {rows = 2, cols = 3, labels = hex, hues = one, col_heads = {"0", "1", "2"},
    caption = "B: K x H, uint8"}
  f:grid {rows = 2, cols = 6, labels = weights, hues = two, gap_cols = 2,
    col_heads = {"0", "1", "2", "3", "4", "5"}, caption = "W: K x 2 H"}
  return f
end

-- The way of one tile of weights, and its bytes on each part of it.
local function way(zh)
  local f = viz.figure(zh and "一个 32 x 64 的权重分块所占的字节" or
    "a tile of 32 x 64 weights on its way: bytes")
  f:bars {
    unit = zh and "字节" or "bytes",
    {label = zh and "全局内存中，打包" or "global memory, packed", value = 1024, hue = 0},
    {label = zh and "共享内存中，打包" or "shared memory, packed", value = 1024, hue = 0},
    {label = zh and "共享内存中，float16" or "shared memory, float16", value = 4096, hue = 1},
  }
  return f
end

return {nibbles = nibbles, way = way}
