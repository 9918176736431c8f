-- 07-scalar-attention: the three running values of one row, and what is moved.

local viz = require "moontile.viz"

local function number(x)
  return ("%.4g"):format(x)
end

-- One row in tiles of two: scores (times log2(e) already) and values.
local function running(zh)
  local f = viz.figure(zh and "一行，每个分块 2 列：得分 z = q k log2(e) 与 v" or
    "one row in tiles of 2: scores z = q k log2(e), and v")
  local row = {{{1, 2}, {4, 8}}, {{4, 3}, {2, 4}}, {{2}, {6}}}
  local rows, top, sum, out = {}, -math.huge, 0, 0
  for k, tile in ipairs(row) do
    local old = top
    top = math.max(top, table.unpack(tile[1]))
    local fade = 2 ^ (old - top)
    sum, out = sum * fade, out * fade
    for n, z in ipairs(tile[1]) do
      sum = sum + 2 ^ (z - top)
      out = out + 2 ^ (z - top) * tile[2][n]
    end
    rows[k] = {tostring(k - 1), table.concat(tile[1], " "), table.concat(tile[2], " "), number(top),
      number(fade), number(sum), number(out)}
  end
  f:table {rows = rows, align = "cllcccc", head = {"k", "z", "v", "top",
    zh and "旧值乘以" or "old ones times", "sum", "out"}}
  return f:text(("O = out / sum = %.4g / %.4g = %.4g"):format(out, sum, out / sum))
end

-- Numbers that go through memory, for each element of a row.
local function traffic(zh)
  local f = viz.figure(zh and "每个元素要经过显存几次" or
    "how often memory is read or written, for each element")
  local function bar(en, cn, n)
    return {label = zh and cn or en, value = n, text = tostring(n)}
  end
  return f:bars {
    bar("scores, softmax, weighted sum: 3 kernels", "得分、softmax、加权和：三个内核", 8),
    bar("a pass for lse, a pass for the sum", "先求 lse，再求和：两遍", 5),
    bar("this puzzle: one pass", "本题：一遍", 3),
  }
end

return {running = running, traffic = traffic}
