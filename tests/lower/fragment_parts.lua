-- Elements of a fragment that one iteration alone writes: all threads that hold them see it.
local function make(size, write, read)
  return load(([[return tl.jit(function(A, n)
    A: T.Tensor({32}, T.int32)
    n: T.int32
    local B = T.empty({16}, T.int32)
    for bx in T.Kernel(1, {threads = 128}) do
      local F = T.alloc_fragment({%d}, T.int32)
      T.fill(F, 1)
      %s
      for o in T.Parallel(16) do B[o] = %s end
    end
    return B
  end)]]):format(size, write, read), "=k")()
end
local A = tl.arange(32, "int32")
for _, c in ipairs {
  {20, "for j in T.Parallel(16) do if j == 3 then F[0] = 5 end end", "F[0]"},
  {8, "for i, j in T.Parallel(4, 4) do if i == j then F[i] = 5 end end", "F[o % 4]"},
  {8, "for j in T.Parallel(16) do if j % 4 == 0 then F[j // 4] = 5 end end", "F[o % 4]"},
  {8, "for j in T.Parallel(16) do if A[j] == 3 then F[1] = j end end", "F[o % 4]"},
  {8, "for j in T.Parallel(16) do if j == 5 then F[n] = 7 end end", "F[o % 8]"},
  {8, "for j in T.Parallel(16) do for k in T.serial(T.max(j - 14, 0)) do F[k] = 9 end end", "F[o % 8]"},
  {8, "for j in T.Parallel(16) do local v = T.alloc_var(T.int32, 0) v = j if v == 9 then F[2] = 4 end end",
    "F[o % 8]"},
  {8, "for r in T.serial(3) do for j in T.Parallel(16) do if j == r then F[r] = F[r] + j end end end",
    "F[o % 8]"},
  {16, "for j in T.Parallel(16) do if j == 3 then F[j] = 5 end end", "F[(o + 3) % 16]"},
  {8, "for j in T.Parallel(16) do if n == 3 then F[4] = 6 end end", "F[o % 8]"},
  {8, "for j in T.Parallel(16) do if j ~= 3 then goto continue end F[0] = 5 ::continue:: end", "F[0]"},
  {8, "for j in T.Parallel(16) do for k in T.serial(4) do if k + 10 > j then break end F[k] = 5 end end",
    "F[o % 8]"},
  {8, "for j in T.Parallel(16) do for k in T.serial(4) do if k + 10 > j then goto continue end F[k] = 5 " ..
    "::continue:: end end", "F[o % 8]"},
  {8, "for j in T.Parallel(16) do for a, b in T.grid(2, T.max(j - 13, 0)) do F[a * 2 + b] = 7 end end",
    "F[o % 8]"},
  {64, "for i, j in T.Parallel(8, 8) do if j == 7 then F[i * 8] = i end end", "F[o % 8 * 8]"},
} do
  local k = make(table.unpack(c))
  tl.set_target "cpu"
  local want = tostring(k(A, 3))
  for _, arch in ipairs {"sm_75", "sm_80", "sm_90a", "c500", "gfx942", "simt"} do
    tl.set_target("sim -arch=" .. arch)
    local got = tostring(k(A, 3))
    if got ~= want then
      print(c[2], arch, got, "instead of", want)
    end
  end
  print((want:gsub("%s+", " ")))
end
