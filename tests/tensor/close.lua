-- assert_close and allclose
local function try(...)
  local ok, e = pcall(tl.testing.assert_close, ...)
  print(ok and "close" or (tostring(e):gsub("close.lua:%d+: ", ""):gsub("moontile: ", "")) .. "\n")
end
local want = tl.randn({64, 96}, "float64")
local got = want:to("float16")
try(got, want)
try(got, want, {rtol = 1e-6, atol = 0})
try(want:to("float32"), want)
try(want:to("bfloat16"), want)
try(tl.zeros {64, 96}, want)
try(want * 3, want)
try(tl.arange(16):reshape({4, 4}).T, tl.arange(16):reshape {4, 4})

local function spoil(f)
  local t = want:copy()
  f(t)
  try(t, want)
end
spoil(function(t) t[:, 15] = 0 t[:, 31] = 0 t[:, 47] = 0 t[:, 63] = 0 t[:, 79] = 0 t[:, 95] = 0 end)
spoil(function(t) for i = 1, 63, 2 do t[i] = 5 end end)
spoil(function(t) t[:, 80:] = 0 / 0 end)
spoil(function(t) t[32:] = 0 t[:, 32:] = 0 end)
spoil(function(t) t[17, 3] = 1 / 0 end)
try(tl.zeros {3}, tl.zeros {4})
try(tl.from_table {1, 2, 3}, {1, 2, 4})
try(tl.ones {3}, 1)
try(tl.from_table {0 / 0}, tl.from_table {0 / 0})
try(tl.zeros({2, 3, 4}), tl.zeros({2, 3, 4}):fill_(1))
try("x", 1)
try(tl.ones {1}, tl.ones {1}, {rtoll = 1})
print(tl.allclose(got, want), tl.allclose(got, want, 1e-6, 0), tl.allclose(tl.zeros {2}, tl.zeros {3}))

-- in Chinese too
require "moontile.diag".setlang "zh"
try(tl.zeros {64, 96}, want)
try(tl.zeros {3}, tl.zeros {4})
