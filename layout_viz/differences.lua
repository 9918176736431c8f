-- layout_viz/differences.lua: where two tensors differ, and what that looks like, in
-- words.  Nothing here draws: errors.lua does, and whoever judges a result may ask.
--
--   d = differences.describe(got, want [, {rtol =, atol =, near =}])
--
-- near: how close, relatively, elements must be to what a cause predicts (else rtol).
-- -> {ok, count, bad, rtol, atol,
--     first = {3, 5}, got, want          the first bad element and both values there
--     max_abs, abs_at, max_rel, rel_at   the greatest differences
--     pattern, text = {en =, zh =}       the form of the bad elements; nil: none has a name
--     causes = {{id =, en =, zh =}, ..}  what it looks like, likeliest first
--     rows, cols                         the tensor as a matrix; facts: moontile.stats's}
--
-- Patterns: "one" "all" "rows" "cols" "block" "edges" "checker" "diagonal" "above" "below"
-- "outside" (of a first tile, which is right) "scattered".  Causes: "zeros" "nan" "transposed" "factor" "offset" "shifted"
-- "xor".  When a pattern holds for most bad elements and not for all, its text says
-- "mostly".

local diag = require "moontile.diag"
local stats = require "moontile.stats"
local testing = require "moontile.tl.testing"

local M = {}

local Least = 8    -- of fewer elements anything looks like a pattern
local Most = 0.95  -- of the bad elements: what a pattern must hold for
local Tile = 32    -- elements that a first tile has at least
local Large = 1 << 16 -- elements: of more, no first tile is looked for

local function both(en, zh)
  return {en = en, zh = zh}
end

-- A pair of texts in the user's language.
function M.say(t)
  return diag.lang() == "zh" and t.zh or t.en
end

-- Sets of rows and columns ---------------------------------------------------------------

local words = {
  row = {en = "row", ens = "rows", zh = "行"},
  col = {en = "column", ens = "columns", zh = "列"},
  element = {en = "element", ens = "elements", zh = "个元素"},
}

-- "rows 96 .. 127" of a range.
local function range_text(s, w, n)
  local k = s.to - s.from + 1
  if k == 1 then
    return both(("%s %d"):format(w.en, s.from), ("第 %d %s"):format(s.from, w.zh))
  elseif s.to == n - 1 then
    return both(("the last %d %s (%d .. %d)"):format(k, w.ens, s.from, s.to),
      ("最后 %d %s（%d .. %d）"):format(k, w.zh, s.from, s.to))
  end
  return both(("%s %d .. %d"):format(w.ens, s.from, s.to),
    ("第 %d .. %d %s"):format(s.from, s.to, w.zh))
end

-- "the last column of every tile of 32" of a set that repeats.
local function every_text(s, w)
  local k, p = s.to - s.from + 1, s.period
  if p == 2 then
    return s.from == 0 and both("even " .. w.ens, "偶数" .. w.zh) or
      both("odd " .. w.ens, "奇数" .. w.zh)
  elseif s.to == p - 1 and k == 1 then
    return both(("the last %s of every tile of %d"):format(w.en, p),
      ("每 %d %s的最后一%s"):format(p, w.zh, w.zh))
  elseif s.to == p - 1 then
    return both(("the last %d %s of every tile of %d"):format(k, w.ens, p),
      ("每 %d %s的最后 %d %s"):format(p, w.zh, k, w.zh))
  elseif s.from == 0 and k == 1 then
    return both(("the first %s of every tile of %d"):format(w.en, p),
      ("每 %d %s的第一%s"):format(p, w.zh, w.zh))
  elseif s.from == 0 then
    return both(("the first %d %s of every tile of %d"):format(k, w.ens, p),
      ("每 %d %s的前 %d %s"):format(p, w.zh, k, w.zh))
  elseif k == 1 then
    return both(("%s %d of every tile of %d"):format(w.en, s.from, p),
      ("每 %d %s中的第 %d %s"):format(p, w.zh, s.from, w.zh))
  end
  return both(("%s %d .. %d of every tile of %d"):format(w.ens, s.from, s.to, p),
    ("每 %d %s中的第 %d .. %d %s"):format(p, w.zh, s.from, s.to, w.zh))
end

-- A set in words; nil: it has no form.
local function set_text(s, w, n)
  if s.kind == "range" then
    return range_text(s, w, n)
  elseif s.kind == "every" then
    return every_text(s, w)
  end
end

-- Patterns ---------------------------------------------------------------------------------

-- Rows times columns: pattern, text and how many elements that is.
local function product(f)
  local r, c = f.row_set, f.col_set
  local cells = r.count * c.count
  if f.inside < Most * f.bad or f.bad < 0.8 * cells then
    return
  end
  if r.kind == "all" and c.kind == "all" then
    return "all", both("every element", "所有元素"), cells
  end
  local row = r.kind ~= "all" and set_text(r, words.row, f.rows)
  local col = c.kind ~= "all" and set_text(c, f.rows == 1 and words.element or words.col, f.cols)
  if row == nil or col == nil then
    return
  elseif row and col then
    return "block", both(row.en .. " in " .. col.en, row.zh .. "与" .. col.zh .. "的交叉处"), cells
  end
  return row and "rows" or "cols", row or col, cells
end

-- All of some rows, and all of some columns: what tiles that are missing at two ends leave.
local function edges(f)
  local r, c = f.row_set, f.col_set
  local cells = r.count * f.cols + c.count * f.rows - r.count * c.count
  if r.kind == "all" or c.kind == "all" or math.abs(f.bad - cells) > 0.02 * cells then
    return
  end
  local row, col = set_text(r, words.row, f.rows), set_text(c, words.col, f.cols)
  if row and col then
    return "edges", both(row.en .. " and " .. col.en, row.zh .. "，以及" .. col.zh), cells
  end
end

-- Elements on, above or below the diagonal: how many there are of them.
local function triangle(rows, cols)
  local on, above = math.min(rows, cols), 0
  if cols > 1 then -- row r has cols - 1 - r of them
    local k = math.min(rows, cols - 1)
    above = k * (cols - 1) - k * (k - 1) // 2
  end
  return on, above, rows * cols - on - above
end

local function diagonals(f)
  local on, above, below = triangle(f.rows, f.cols)
  local forms = {
    {"diagonal", f.diagonal, on, both("the diagonal", "对角线")},
    {"above", f.above, above, both("all above the diagonal", "对角线上方")},
    {"below", f.below, below, both("all below the diagonal", "对角线下方")},
    {"above", f.above + f.diagonal, above + on, both("the diagonal and all above it",
      "对角线及其上方")},
    {"below", f.below + f.diagonal, below + on, both("the diagonal and all below it",
      "对角线及其下方")},
  }
  for _, exact in ipairs {true, false} do
    for _, k in ipairs(forms) do
      local fits = exact and k[2] == f.bad and k[3] == f.bad or not exact and
        k[2] >= Most * f.bad and f.bad >= 0.8 * k[3]
      if fits and k[3] < f.count then
        return k[1], k[4], k[3]
      end
    end
  end
end

-- The greatest first tile without a bad element: how many rows and columns it has.
-- cells: of each element, row by row, 1 where it is bad
local function first_tile(cells, rows, cols)
  local high, wide, left = 0, 0, cols
  for r = 0, rows - 1 do
    for c = 0, left - 1 do
      if cells[r * cols + c + 1] > 0 then
        left = c
        break
      end
    end
    if (r + 1) * left > high * wide then
      high, wide = r + 1, left
    end
  end
  return high, wide
end

-- Is a number of rows or columns likely to be a tile's?
local function tiled(k, n)
  return k == n or k % 4 == 0
end

-- Bad elements outside of a first tile, which is right; all: only when all others are bad.
local function outside(f, cells, all)
  local high, wide = first_tile(cells, f.rows, f.cols)
  local rest = f.count - high * wide
  if high * wide < Tile or f.bad < 0.1 * rest or not tiled(high, f.rows) or
    not tiled(wide, f.cols) then
    return
  end
  local col = range_text({from = 0, to = wide - 1}, f.rows == 1 and words.element or words.col, -1)
  local row = range_text({from = 0, to = high - 1}, words.row, -1)
  local where = wide == f.cols and row or f.rows == 1 and col or
    both(row.en .. " in " .. col.en, row.zh .. "与" .. col.zh .. "的交叉处")
  if f.bad == rest then
    return "outside", both("all but " .. where.en, where.zh .. "之外的所有元素")
  elseif all then
    return
  end
  return "outside", both(("%.3g %% of all, none in %s"):format(100 * f.bad / f.count, where.en),
    ("占全部的 %.3g %%，%s没有"):format(100 * f.bad / f.count, where.zh))
end

-- Sets id, text and `of`, how many elements have the form.
local function pattern_of(f, cells)
  if f.bad < f.count and f.count < Least then
    return
  elseif f.bad == 1 and f.count > 1 then
    return "one", both("one element alone", "只有一个元素")
  end
  local id, text, n = product(f)
  if not id and f.rows > 1 and f.cols > 1 then
    id, text, n = edges(f)
  end
  if not id and f.rows > 1 and f.cols > 1 and math.max(f.rows, f.cols) <= 2 * math.min(f.rows,
    f.cols) then -- of a long matrix nearly all lies on one side
    id, text, n = diagonals(f)
  end
  if not id and f.rows > 1 and f.cols > 1 and math.max(f.even, f.odd) >= Most * f.bad and
    f.bad >= 0.4 * f.count then
    id, n = "checker", f.count // 2
    text = both("one element in two, like the fields of a chessboard", "每两个元素中的一个，如棋盘格")
  end
  if id then
    local tile, what
    if id == "all" and f.bad < f.count and f.count <= Large then
      tile, what = outside(f, cells(), true)
    end
    if tile then
      return tile, what
    elseif f.bad ~= n then
      text = id == "all" and both("nearly every element", "几乎所有元素") or
        both("mostly " .. text.en, "多为" .. text.zh)
    end
  elseif f.bad >= Least then
    local tile, what
    if f.count <= Large then
      tile, what = outside(f, cells())
    end
    if tile then
      return tile, what
    end
    id = "scattered"
    text = both(("scattered, %.3g %% of all"):format(100 * f.bad / f.count),
      ("分散，占全部的 %.3g %%"):format(100 * f.bad / f.count))
  end
  return id, text
end

-- Causes -----------------------------------------------------------------------------------

local function number(v)
  return ("%.6g"):format(v)
end

-- Is lo .. hi one number but for rounding?
local function constant(lo, hi, eps)
  return lo == lo and hi == hi and math.abs(lo) < math.huge and math.abs(hi) < math.huge and
    hi - lo <= eps * math.max(math.abs(lo), math.abs(hi))
end

local function factor(f, rtol)
  local lo, hi = f.ratio_lo, f.ratio_hi
  if f.bad < Least or f.zeros > 0 or not constant(lo, hi, 4 * rtol + 1e-5) or lo == 0 then
    return
  end
  local k = (lo + hi) / 2
  local whole = math.floor(k + 0.5)
  k = whole ~= 0 and math.abs(k - whole) <= (2 * rtol + 1e-5) * math.abs(k) and whole or k
  return {id = "factor", en = ("each is %s times what it should be"):format(number(k)),
    zh = ("每个都是应有值的 %s 倍"):format(number(k))}
end

local function offset(f, rtol, atol)
  local lo, hi = f.diff_lo, f.diff_hi
  local slack = 2 * (atol + rtol * math.abs(f.want))
  if f.bad < Least or lo ~= lo or hi ~= hi or hi - lo > slack + 1e-5 * math.abs(hi) or
    math.abs(hi) == math.huge or math.abs(lo) <= 2 * slack then
    return
  end
  local k = (lo + hi) / 2
  return {id = "offset", en = ("each is %s too %s"):format(number(math.abs(k)),
    k > 0 and "large" or "small"), zh = ("每个都%s了 %s"):format(k > 0 and "大" or "小",
    number(math.abs(k)))}
end

-- Do nearly all elements of got, moved so, agree?
local function agrees(a, b, o, down, right, xdown, xright)
  local good, seen = stats.moved(a, b, o.rtol, o.atol, down, right, xdown, xright)
  return seen >= 16 and seen * 4 >= a.shape[1] // math.max(1, a.shape[1] // 512) * a.shape[2] and
    good >= 0.98 * seen
end

-- "j + 1"
local function index(name, shift)
  return shift == 0 and name or ("%s %s %d"):format(name, shift > 0 and "+" or "-",
    math.abs(shift))
end

local function shifted(a, b, o)
  local rows, cols = a.shape[1], a.shape[2]
  for e = 0, 8 do
    local n = 1 << e
    for _, s in ipairs {{0, n}, {0, -n}, {n, 0}, {-n, 0}} do
      if math.abs(s[1]) < rows and math.abs(s[2]) < cols and agrees(a, b, o, s[1], s[2], 0, 0) then
        local from = rows == 1 and ("[%s]"):format(index("i", s[2])) or
          ("[%s, %s]"):format(index("i", s[1]), index("j", s[2]))
        local to = rows == 1 and "[i]" or "[i, j]"
        return {id = "shifted", en = ("shifted by %s: got%s is want%s"):format(
          n == 1 and "one" or n, to, from), zh = ("错开了 %d：got%s 等于 want%s"):format(n, to, from)}
      end
    end
  end
end

local function exchanged(a, b, o)
  local rows, cols = a.shape[1], a.shape[2]
  for e = 0, 7 do
    local n = 1 << e
    for _, x in ipairs {{0, n}, {n, 0}} do
      if x[1] < rows and x[2] < cols and agrees(a, b, o, 0, 0, x[1], x[2]) then
        local from = x[2] > 0 and ("[i, j ~ %d]"):format(n) or ("[i ~ %d, j]"):format(n)
        return {id = "xor", en = ("exchanged in groups of %d: got[i, j] is want%s"):format(n, from),
          zh = ("以 %d 个为一组两两对换：got[i, j] 等于 want%s"):format(n, from)}
      end
    end
  end
end

-- What the differences look like.
local function causes_of(f, got, want, o)
  local list = {}
  if f.zeros == f.bad then
    list[1] = {id = "zeros", en = "all of them are 0: nothing arrived there",
      zh = "它们全部为 0：没有数据写到那里"}
    return list
  elseif f.nans == f.bad then
    list[1] = {id = "nan", en = "all of them are NaN: memory that nobody wrote, or 0 / 0",
      zh = "它们全部为 NaN：未写过的内存，或 0 / 0"}
    return list
  end
  list[1] = factor(f, o.rtol) or offset(f, o.rtol, o.atol)
  if list[1] or f.bad < 0.1 * f.count or f.count < 2 * Least then
    return list
  end
  local a, b = got:reshape {f.rows, f.cols}, want:reshape {f.rows, f.cols}
  if f.rows == f.cols and agrees(a, b:transpose(0, 1), o, 0, 0, 0, 0) then
    list[1] = {id = "transposed", en = "transposed: got[i, j] is want[j, i]",
      zh = "转置了：got[i, j] 等于 want[j, i]"}
  else
    list[1] = shifted(a, b, o) or exchanged(a, b, o)
  end
  return list
end

-- The whole ----------------------------------------------------------------------------------

-- Indices of the element at flat position `at`.
function M.unflatten(at, shape)
  local idx = {}
  for d = #shape, 1, -1 do
    idx[d] = at % shape[d]
    at = at // shape[d]
  end
  return idx
end

-- rtol and atol for two dtypes: testing's, the looser ones.
function M.tolerances(got, want, opts)
  local x = testing.tolerance[got.dtype] or {0, 0}
  local y = testing.tolerance[want.dtype] or {0, 0}
  if want.dtype:find "int" or y[1] < x[1] then
    y = x
  end
  return opts.rtol or y[1], opts.atol or y[2]
end

-- See the head of the file.  high, wide: of the cells of facts.cells.
function M.describe(got, want, opts, high, wide)
  opts = opts or {}
  if table.concat(got.shape, ",") ~= table.concat(want.shape, ",") then
    diag.fail("plot_shapes", "{" .. table.concat(got.shape, ", ") .. "}",
      "{" .. table.concat(want.shape, ", ") .. "}")
  end
  local rtol, atol = M.tolerances(got, want, opts)
  local f = stats.errors(got, want, rtol, atol, high or 1 << 40, wide or 1 << 40)
  local d = {ok = f.bad == 0, count = f.count, bad = f.bad, rtol = rtol, atol = atol, rows = f.rows,
    cols = f.cols, max_abs = f.max_abs, max_rel = f.max_rel, facts = f, causes = {}}
  d.abs_at, d.rel_at = M.unflatten(f.abs_at, got.shape), M.unflatten(f.rel_at, got.shape)
  if f.bad > 0 then
    d.first, d.got, d.want = M.unflatten(f.first, got.shape), f.got, f.want
    d.pattern, d.text = pattern_of(f, function()
      return stats.errors(got, want, rtol, atol, 1, 1).cells
    end)
    d.causes = causes_of(f, got, want, {rtol = opts.near or rtol, atol = atol})
  end
  return d
end

return M
