-- Blocks that load tiles for each other load as often, in step: conditions and counts around
-- the loads that may differ between them leave each block to itself.  What is printed is
-- whether the blocks are in clusters, and that the product is right.
local F, A, I = "float16", "float32", "int32"
local BM, BN, BK, n = 128, 128, 32, 256

-- Each: what the loop counts to, and the condition of its loads, as text.
local cases = {
  {"nothing", "T.ceildiv(K, BK)", "true"},
  {"the step", "T.ceildiv(K, BK)", "k % 3 ~= 1"},
  {"a block", "T.ceildiv(K, BK)", "(k + bx) % 2 == 0"},
  {"the other block", "T.ceildiv(K, BK)", "(k + by) % 2 == 0"},
  {"both blocks", "T.ceildiv(K, BK)", "(k + bx + by) % 2 == 0"},
  {"memory of both", "T.ceildiv(K, BK)", "Mask[by, bx, k] ~= 0"},
  {"memory of one", "T.ceildiv(K, BK)", "Mask[by, 0, k] ~= 0"},
  {"memory of none", "T.ceildiv(K, BK)", "Mask[0, 0, k] ~= 0"},
  {"a name", "T.ceildiv(K, BK)", "half == 0"},
  {"a count of both", "bx + by + 1", "true"},
  {"a count of one", "by * 3 + 1", "true"},
  {"a count from memory", "N[bx + by]", "true"},
  {"a condition around", "T.ceildiv(K, BK)", "true", "N[bx + by] > 2"},
  {"a condition of one around", "T.ceildiv(K, BK)", "true", "by == 0"},
}

local text = [[
local F, A, I, BM, BN, BK = ...
return tl.jit(function(X, Y, Mask, N)
  local M, W, K = T.const "M, W, K"
  X: T.Tensor({M, K}, F)
  Y: T.Tensor({K, W}, F)
  Mask: T.Tensor({M // BM, W // BN, K // BK}, I)
  N: T.Tensor({4}, I)
  local C = T.empty({M, W}, A)
  for bx, by in T.Kernel(T.ceildiv(W, BN), T.ceildiv(M, BM), {threads = 128}) do
    local xs, ys = T.alloc_shared({BM, BK}, F), T.alloc_shared({BK, BN}, F)
    local c = T.alloc_fragment({BM, BN}, A)
    local half = bx // 2
    T.annotate_min_blocks_per_sm(1)
    T.clear(c)
    if %s then
      for k in T.Pipelined(%s, {num_stages = 2}) do
        if %s then
          T.copy(X[by * BM, k * BK], xs)
          T.copy(Y[k * BK, bx * BN], ys)
          T.gemm(xs, ys, c)
        end
      end
    end
    T.copy(c, C[by * BM, bx * BN])
  end
  return C
end)]]

tl.manual_seed(7)
local x, y = tl.randint(-2, 3, {n, n}, I):astype(F), tl.randint(-2, 3, {n, n}, I):astype(F)
local mask, counts = tl.randint(0, 2, {2, 2, 8}, I), tl.from_table({5, 0, 8, 3}, I)

local function run(case, target)
  local f = load(text:format(case[4] or "true", case[2], case[3]))(F, A, I, BM, BN, BK)
  f.opts.target = target
  local k = f:compile {M = n, W = n, K = n}
  return f(x, y, mask, counts), k
end

for _, case in ipairs(cases) do
  local want = run(case, "cpu")
  local got, k = run(case, "sim -arch=sm_90a")
  local cluster = k:ir("thread"):match "launch[^\n]*cluster" ~= nil
  print(("%-28s %-8s %s"):format(case[1], cluster and "clusters" or "-",
    tl.allclose(got:to "cpu", want, {rtol = 0, atol = 0}) and "right" or "WRONG"))
end
