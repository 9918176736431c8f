-- Copies whose regions depend on the thread: each thread makes its own.  By cp.async in 4, 8 and
-- 16 bytes, with zeros where the tensor ends, element by element where that is too narrow.
local F, I = "float16", "int32"
local targets = {"sim -arch=sm_80", "sim -arch=sm_90a", "sim -arch=c500 -async=on"}

-- Each: name, the copy of thread tx in step r, as text; rows of X that there are.
local cases = {
  {"16 bytes", "T.async_copy(X[r * 16 + tx // 8, tx % 8 * 8 : tx % 8 * 8 + 8], " ..
    "s[r * 16 + tx // 8, tx % 8 * 8 : tx % 8 * 8 + 8])", 64},
  {"ragged", "T.async_copy(X[r * 16 + tx // 8, tx % 8 * 8 : tx % 8 * 8 + 8], " ..
    "s[r * 16 + tx // 8, tx % 8 * 8 : tx % 8 * 8 + 8])", 50},
  {"8 bytes", "for h in T.serial(2) do T.async_copy(X[r * 16 + tx // 8, tx % 8 * 8 + h * 4 : tx % 8 * 8 + h * 4 + 4], " ..
    "s[r * 16 + tx // 8, tx % 8 * 8 + h * 4 : tx % 8 * 8 + h * 4 + 4]) end", 64},
  {"4 bytes", "for h in T.serial(4) do T.async_copy(X[r * 16 + tx // 8, tx % 8 * 8 + h * 2 : tx % 8 * 8 + h * 2 + 2], " ..
    "s[r * 16 + tx // 8, tx % 8 * 8 + h * 2 : tx % 8 * 8 + h * 2 + 2]) end", 64},
  {"2 bytes", "for h in T.serial(8) do T.async_copy(X[r * 16 + tx // 8, tx % 8 * 8 + h : tx % 8 * 8 + h + 1], " ..
    "s[r * 16 + tx // 8, tx % 8 * 8 + h : tx % 8 * 8 + h + 1]) end", 64},
  {"rows", "if r == 0 and tx < 64 then T.async_copy(X[tx, :], s[tx, :]) end", 64},
  {"a variable", "at = r * 16 + tx // 8; T.async_copy(X[at, tx % 8 * 8 : tx % 8 * 8 + 8], " ..
    "s[at, tx % 8 * 8 : tx % 8 * 8 + 8])", 64},
  {"lanes", "T.async_copy(X[r * 16 + T.get_warp_idx() * 4 + T.get_lane_idx() // 8, tx % 8 * 8 : tx % 8 * 8 + 8], " ..
    "s[r * 16 + tx // 8, tx % 8 * 8 : tx % 8 * 8 + 8])", 64},
  {"T.copy", "T.copy(X[r * 16 + tx // 8, tx % 8 * 8 : tx % 8 * 8 + 8], " ..
    "s[r * 16 + tx // 8, tx % 8 * 8 : tx % 8 * 8 + 8])", 64},
  {"T.fill", "T.fill(s[r * 16 + tx // 8, tx % 8 * 8 : tx % 8 * 8 + 8], r)", 64},
}

local text = [[
local F, I = ...
return tl.jit(function(X, O)
  local U = T.const "U"
  X: T.Tensor({U, 64}, F)
  O: T.Tensor({64, 64}, F)
  for _ in T.Kernel(1, {threads = 128}) do
    local s, tx = T.alloc_shared({64, 64}, F), T.get_thread_binding()
    local at = T.alloc_var(I, 0)
    for r in T.serial(4) do
      %s
    end
    T.ptx_wait_group(0)
    T.sync_threads()
    T.copy(s, O)
  end
end)]]

tl.manual_seed(3)
local all = tl.randint(1, 9, {64, 64}, I)
for _, target in ipairs(targets) do
  for _, case in ipairs(cases) do
    if not (target:find "c500" and case[1] == "lanes") then -- whose warps have 64 lanes
      local want, x = all:astype(F), tl.zeros({case[3], 64}, F)
      for i = 0, 63 do
        for j = 0, 63 do
          if case[1] == "T.fill" then
            want[i, j] = i // 16
          elseif i >= case[3] then
            want[i, j] = 0
          else
            x[i, j] = want[i, j]
          end
        end
      end
      local f, o = load(text:format(case[2]))(F, I), tl.zeros({64, 64}, F)
      f.opts.target = target
      f(x, o)
      local wide = 0
      for n in f:compile {U = case[3]}:ir "thread":gmatch "cp_async X[^\n]*bytes=(%d+)" do
        wide = math.max(wide, math.tointeger(tonumber(n)))
      end
      print(("%-18s %-12s %-10s %s"):format(target, case[1], wide > 0 and wide .. " B" or "plain",
        tl.allclose(o:to "cpu", want, {rtol = 0, atol = 0}) and "right" or "WRONG"))
    end
  end
end
