-- TMA reads and writes rows that begin at 16 bytes of memory; a card stops at others with an
-- illegal instruction.  Copies that may begin elsewhere go another way; T.tma_copy, which
-- asks for TMA, is refused where that is known and told by the simulator where it is not.
local text = [[
return tl.jit(function(X, I, C)
  X: T.Tensor({16, 64}, "float16")
  I: T.Tensor({4}, "int32")
  C: T.Tensor({16, 72}, "float16")
  for bx in T.Kernel(2, {threads = 128}) do
    local a = T.alloc_shared({8, 16}, "float16")
    local sum = T.alloc_fragment({8, 16}, "float16")
    T.clear(sum)
    for k in T.Pipelined(2, {num_stages = 2}) do
      T.copy(X[bx * 8, %s], a)
      for i, j in T.Parallel(8, 16) do sum[i, j] = sum[i, j] + a[i, j] end
    end
    for i, j in T.Parallel(8, 16) do a[i, j] = sum[i, j] end
    T.copy(a, C[bx * 8, %s])
  end
end)]]

local cases = {
  {"k * 16", "bx * 32"}, {"k * 16 + 8", "bx * 32 + 8"}, {"k * 16 + 1", "bx * 32 + 4"}, {"k * 8 - 2", "3"},
  {"k * 16 + bx", "bx * 17"}, {"I[k]", "I[bx]"}, {"I[k] * 8", "I[bx] * 8"},
}
local x, at = (tl.arange(16 * 64, "int32") % 13):reshape({16, 64}):astype "float16", tl.from_table({1, 3, 2, 5}, "int32")
for _, case in ipairs(cases) do
  local function run(target)
    local f = assert(load(text:format(case[1], case[2]), case[1]))()
    f.opts.target = target
    local c = tl.zeros({16, 72}, "float16")
    f(x, at, c)
    return c, f:compile():ir "thread"
  end
  local got, ir = run "sim -arch=sm_90a"
  print(("%-12s %-9s %-12s %-10s %s"):format(case[1], ir:match "tma_load" and "tma_load" or "-", case[2],
    ir:match "tma_store" and "tma_store" or "-",
    tl.allclose(got, (run "cpu"), {rtol = 0, atol = 0}) and "right" or "WRONG"))
end

local asked = [[
return tl.jit(function(X, I)
  X: T.Tensor({16, 64}, "float16")
  I: T.Tensor({4}, "int32")
  local C = T.empty({8, 16}, "float16")
  for bx in T.Kernel(1, {threads = 128}) do
    local a = T.alloc_shared({8, 16}, "float16")
    local bar = T.alloc_barrier(1)
    if T.get_thread_binding() == 0 then
      T.tma_copy(X[0, %s], a, {barrier = bar})
      T.barrier_arrive(bar)
    end
    T.barrier_wait(bar, 0)
    T.copy(a, C)
  end
  return C
end)]]
for _, column in ipairs {"8", "3", "I[0] * 8", "I[0]"} do
  local f = assert(load(asked:format(column), "=asked"))()
  f.opts.target = "sim -arch=sm_90a"
  local ok, e = pcall(f, x, at)
  print(column, ok and "right" or tostring(e):match "error%[[^\n]*")
end
