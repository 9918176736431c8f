-- Tiles read by columns get an XOR of their own: no conflicts, the same values, vectors kept; a tile that
-- is read by rows alone, or has a layout that somebody asked for, stays as it is.
local function turned(dt, m, n, threads, asked, target)
  return tl.jit(function(A)
    A: T.Tensor({2 * m, 2 * n}, dt)
    local B = T.empty({2 * n, 2 * m}, dt)
    for bx, by in T.Kernel(2, 2, {threads = threads}) do
      local s = T.alloc_shared({m, n}, dt)
      if asked then
        T.annotate_layout {[s] = T.make_linear_layout(s)}
      end
      T.copy(A[by * m, bx * n], s)
      for i, j in T.Parallel(n, m) do
        B[bx * n + i, by * m + j] = s[j, i]
      end
    end
    return B
  end, {target = target})
end
for _, c in ipairs {{"float32", 128, 32, 128}, {"float16", 64, 128, 256}, {"float16", 64, 32, 128},
                    {"int8", 64, 64, 128}, {"float32", 48, 24, 64}, {"float32", 128, 32, 128, true}} do
  local dt, m, n = c[1], c[2], c[3]
  local a = tl.arange(4 * m * n, "float32"):reshape {2 * m, 2 * n}
  a = (a - tl.host.floor(a / 97) * 97):to(dt)
  for _, arch in ipairs {"sm_75", "sm_90a", "gfx942"} do
    local k = turned(dt, m, n, c[4], c[5], "sim -arch=" .. arch):compile(a)
    local worst = 0
    for _, r in ipairs(k:analyze().access) do
      if r.space == "shared" then
        worst = math.max(worst, r.waves / r.ideal)
      end
    end
    local equal = tl.testing.assert_close(k(a):to "float32", a:t():to "float32", {rtol = 0, atol = 0})
    print(arch, dt, m, n, c[5] or false, "wavefronts / ideal", worst, equal == nil or equal)
  end
end
-- Four elements that one statement takes are read at once: nothing to part, though each alone would queue.
local sums = tl.jit(function(A, B)
  A: T.Tensor({64, 128}, "float32")
  B: T.Tensor({64, 128}, "float32")
  for bx in T.Kernel(1, {threads = 128}) do
    local s = T.alloc_shared({64, 128}, "float32")
    T.copy(A, s)
    for i, j in T.Parallel(64, 32) do
      T.atomic_addx4(B[i, j * 4], s[i, j * 4])
    end
  end
end, {target = "sim -arch=sm_90a"})
local k = sums:compile(tl.zeros({64, 128}, "float32"), tl.zeros({64, 128}, "float32"))
print(k:ir("shared"):match "alloc s: [^\n]*")
