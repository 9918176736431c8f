-- plot(got, want): where results differ, and what that looks like.
tl.manual_seed(1)
local differences = require "moontile.layout_viz.differences"
local diag = require "moontile.diag"
local S = require("moontile.stage").slice
local want = tl.randn {128, 128}

-- Elements rows r0 .. r1, columns c0 .. c1 of g become wrong, each in its own way.
local noise = tl.rand {128, 128} + 1
local function spoil(g, r0, r1, c0, c1)
  local at = {S(r0, r1 + 1), S(c0, c1 + 1)}
  g[at] = want[at] + noise[at]
end

local cases = {
  {"last column of tiles", function(g) for j = 31, 127, 32 do spoil(g, 0, 127, j, j) end end},
  {"last four columns", function(g) for j = 31, 127, 32 do spoil(g, 0, 127, j - 3, j) end end},
  {"first row of tiles", function(g) for i = 0, 127, 16 do spoil(g, i, i, 0, 127) end end},
  {"first two rows", function(g) for i = 0, 127, 16 do spoil(g, i, i + 1, 0, 127) end end},
  {"inside of tiles", function(g) for i = 0, 127, 16 do spoil(g, i + 4, i + 5, 0, 127) end end},
  {"rows at the end", function(g) spoil(g, 96, 127, 0, 127) end},
  {"rows inside", function(g) spoil(g, 32, 63, 0, 127) end},
  {"one row", function(g) spoil(g, 5, 5, 0, 127) end},
  {"a block", function(g) spoil(g, 32, 63, 64, 127) end},
  {"tiles of columns in a block", function(g)
    for j = 7, 127, 8 do spoil(g, 64, 127, j, j) end
  end},
  {"odd columns", function(g) for j = 1, 127, 2 do spoil(g, 0, 127, j, j) end end},
  {"even rows", function(g) for i = 0, 127, 2 do spoil(g, i, i, 0, 127) end end},
  {"one element", function(g) spoil(g, 3, 3, 5, 5) end},
  {"the diagonal", function(g) for i = 0, 127 do spoil(g, i, i, i, i) end end},
  {"above it", function(g) for i = 0, 126 do spoil(g, i, i, i + 1, 127) end end},
  {"below it", function(g) for i = 0, 127 do spoil(g, i, i, 0, i) end end},
  {"a chessboard", function(g)
    for i = 0, 127 do for j = i % 2, 127, 2 do spoil(g, i, i, j, j) end end
  end},
  {"here and there", function(g)
    for n = 1, 60 do spoil(g, n * 37 % 128, n * 37 % 128, n * n * 11 % 128, n * n * 11 % 128) end
  end},
  {"all but the first tile", function(g)
    spoil(g, 0, 31, 64, 127)
    spoil(g, 32, 127, 0, 127)
  end},
  {"some outside of the first tile", function(g)
    for i = 0, 127 do for j = (i < 32 and 64 or 0) + i % 3, 127, 3 do spoil(g, i, i, j, j) end end
  end},
  {"twice", function(g) return g * 2 end},
  {"half of a tile's rows", function(g) g[{S(64, 128)}] = want[{S(64, 128)}] * 0.5 end},
  {"one more", function(g) return g + 1 end},
  {"zeros", function(g) return g * 0 end},
  {"zeros in rows", function(g) g[{S(64, 128)}] = 0 end},
  {"NaN", function(g) g[{S(0, 64)}] = 0 / 0 end},
  {"transposed", function(g) return g:transpose(0, 1) end},
  {"shifted", function(g) g[{S(0, 128), S(0, 127)}] = want[{S(0, 128), S(1, 128)}] end},
  {"shifted by a tile", function(g) g[{S(32, 128)}] = want[{S(0, 96)}] end},
  {"exchanged", function(g)
    for j = 0, 127 do g[{S(0, 128), j}] = want[{S(0, 128), j ~ 8}] end
  end},
  {"something else", function() return tl.randn {128, 128} end},
  {"nothing", function() end},
}

local found = {}
for i, c in ipairs(cases) do
  local g = want:copy()
  found[i] = differences.describe(c[2](g) or g, want)
end
for _, lang in ipairs {"en", "zh"} do
  diag.setlang(lang)
  for i, d in ipairs(found) do
    local parts = {cases[i][1], d.pattern or "-", d.text and differences.say(d.text) or "-"}
    for _, cause in ipairs(d.causes) do
      parts[#parts + 1] = cause.id .. ": " .. differences.say(cause)
    end
    print(table.concat(parts, " | "))
  end
end
diag.setlang "en"

local got = want:copy()
for j = 31, 127, 32 do spoil(got, 0, 127, j, j) end
plot(got, want)
plot(got, want, {rtol = 10, atol = 10})
plot(want, want)
plot(got, want, {width = 40, unicode = false})
plot(tl.zeros {2, 3, 40}, tl.ones {2, 3, 40})
plot(tl.zeros {100}, tl.arange(100, "float32"))
plot(tl.zeros({4, 4}, "int32"), tl.arange(16, "int32"):reshape {4, 4})
diag.setlang "zh"
plot(got, want)
diag.setlang "en"
print(select(2, pcall(plot, tl.zeros {2}, tl.zeros {3})))
print(select(2, pcall(plot, got, want, {tol = 1})))

-- What others found to be wrong.
pcall(tl.testing.assert_close, got, want)
plot(tl.testing.failed)
-- A kernel that reads its neighbour's place before all threads have written: the check's
-- two results, and that what does not fail has a table.
local sums = tl.jit(function(X)
  local N = T.const "N"
  X: T.Tensor({N}, T.float32)
  local Y = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 32), {threads = 32}) do
    for i in T.Parallel(32) do
      Y[bx * 32 + i] = X[bx * 32 + i] * 2
    end
  end
  return Y
end, {target = "cpu"}):compile {N = 64}
plot(sums:check {sizes = {{N = 64}, {N = 33}}})
plot(sums:check {sizes = {{N = 64}}, ref = function(x) return x * 3 end})
