-- A pipelined tile of which a row is read that only the kernel's inputs or its block know: which
-- stage it is in is known, and mbarriers order that.  No warning.
local F = "float32"
for _, row in ipairs {"bx % 4", "I[k]", "I[bx] % 4"} do
  local f = assert(load(([[return tl.jit(function(X, I)
    X: T.Tensor({4, 64}, "float32")
    I: T.Tensor({8}, "int32")
    local C = T.empty({4, 8}, "float32")
    for bx in T.Kernel(4, {threads = 128}) do
      local a, b = T.alloc_shared({4, 8}, "float32"), T.alloc_shared({4, 8}, "float32")
      local c = T.alloc_fragment({8}, "float32")
      T.fill(c, bx)
      if bx > 1 then
        for k in T.Pipelined(I[7], {num_stages = 2}) do
          T.copy(X[0, k * 8], a)
          for i in T.Parallel(8) do c[i] = c[i] + a[ROW, i] end
        end
      else
        for k in T.Pipelined(3, {num_stages = 3}) do
          T.copy(X[0, k * 8], b)
          for i in T.Parallel(8) do c[i] = c[i] + b[ROW, i] end
        end
      end
      T.copy(c, C[bx, 0])
    end
    return C
  end)]]):gsub("ROW", {ROW = row}), row))()
  local x = tl.arange(256, F):reshape {4, 64} % 7
  local i = tl.from_table({2, 1, 3, 0, 2, 1, 0, 5}, "int32")
  local function run(target)
    f.opts.target = target
    return f(x, i):to "cpu"
  end
  print(row, tl.allclose(run "sim -arch=sm_90a", run "cpu", {rtol = 0, atol = 0}) and "right" or "WRONG")
end
