-- Products by warp groups run on while the program does: a break or continue behind one waits
-- for it, since it does not come to the wait that stands further down.
local cases = {
  {"break", "for s in T.serial(4) do fill(s); T.gemm(a, b, c); break end"},
  {"break under a condition", "for s in T.serial(4) do fill(s); T.gemm(a, b, c); if I[s] == 3 then break end end"},
  {"break in else", "for s in T.serial(4) do fill(s); T.gemm(a, b, c); if I[s] ~= 3 then T.fill(d, s) else break end end"},
  {"continue", "for s in T.serial(4) do fill(s); T.gemm(a, b, c); if s % 2 == 1 then goto continue end; T.fill(d, s) ::continue:: end"},
  {"break of a while", "local w = T.alloc_var('int32', 0); while w < 4 do fill(w); T.gemm(a, b, c); w = w + 1; if I[w] == 3 then break end end"},
  {"break of a loop inside", "for s in T.serial(4) do fill(s); T.gemm(a, b, c); for q in T.serial(3) do if I[q] == s then break end; T.fill(d, q) end end"},
  {"break before the second", "for s in T.serial(4) do fill(s); T.gemm(a, b, c); if I[s] == 3 then break end; T.gemm(a, b, e) end"},
  {"two products", "for s in T.serial(4) do fill(s); T.gemm(a, b, c); T.gemm(a, b, e); if I[s] == 3 then break end end"},
  {"a break two ifs deep", "for s in T.serial(4) do fill(s); T.gemm(a, b, c); if I[s] > 0 then T.fill(d, s); if I[s] == 3 then break end end end"},
}

local text = [[
local A, B = T.Tensor({64, 16}, "float16"), T.Tensor({16, 32}, "float16")
return tl.jit(function(X, Y, I)
  X: A
  Y: B
  I: T.Tensor({8}, "int32")
  local C, D, E = T.empty({64, 32}, "float32"), T.empty({8}, "float32"), T.empty({64, 32}, "float32")
  for bx in T.Kernel(1, {threads = 128}) do
    local a, b = T.alloc_shared({64, 16}, "float16"), T.alloc_shared({16, 32}, "float16")
    local c, d, e = T.alloc_fragment({64, 32}, "float32"), T.alloc_fragment({8}, "float32"), T.alloc_fragment({64, 32}, "float32")
    local fill = T.macro(function(s)
      for i, j in T.Parallel(64, 16) do a[i, j] = X[i, j] + T.cast(s, "float16") end
      for i, j in T.Parallel(16, 32) do b[i, j] = Y[i, j] - T.cast(s, "float16") end
    end)
    T.clear(c)
    T.clear(e)
    T.fill(d, 9)
    %s
    T.copy(c, C)
    T.copy(d, D)
    T.copy(e, E)
  end
  return C, D, E
end)]]

tl.manual_seed(3)
local x = tl.randint(-3, 4, {64, 16}, "int32"):astype "float16"
local y = tl.randint(-3, 4, {16, 32}, "int32"):astype "float16"
local jumps = tl.from_table({2, 1, 3, 0, 2, 1, 0, 0}, "int32")

for _, case in ipairs(cases) do
  local function run(target)
    local f = assert(load(text:format(case[2]), case[1]))()
    f.opts.target = target
    return {f(x, y, jumps)}, f:compile()
  end
  local got, k = run "sim -arch=sm_90a"
  local right = true
  for i, want in ipairs(run "cpu") do
    right = right and tl.allclose(got[i]:to "cpu", want, {rtol = 0, atol = 0})
  end
  print(("%-26s %-6s %s"):format(case[1], k:ir("thread"):match "wgmma" and "wgmma" or "-", right and "right" or "WRONG"))
end
