-- Loops with 2^31 rounds or more between ends of int32, which memory or arguments decide: how many
-- rounds there are is counted in more bits where they may be so many, and else as ever.
local function build(loop, body, target)
  return assert(load(([[return tl.jit(function(X, C, lo, hi)
    X: T.Tensor({64}, "int32")
    C: T.Tensor({2}, "int32")
    lo: T.int32
    hi: T.int32
    for bx in T.Kernel(1, {threads = 32}) do
      local n, s, f = T.alloc_var("int32", 0), T.alloc_shared({32}, "int32"), T.alloc_fragment({32}, "int32")
      T.clear(f)
      for k in %s do
        %s
      end
      C[0] = n + f[0]
    end
  end, {target = "%s"})]]):format(loop, body, target), "=kernel"))()
end

local ends = "if n == 5 then break end; n += 1; C[1] = k"
local loops = {
  "T.Pipelined(lo, hi, {num_stages = 2})", "T.Pipelined(lo, hi)", "T.serial(lo, hi)", "T.serial(lo, hi, 3)",
  "T.serial(hi, lo, -3)", "T.unroll(lo, hi)", "T.Pipelined(X[40], X[41])", "T.Pipelined(-2147483647, hi)",
}
for _, loop in ipairs(loops) do
  for _, t in ipairs {"cpu", "sim -arch=sm_80", "sim -arch=sm_90a", "sim -arch=gfx942"} do
    local c, x = tl.zeros({2}, "int32"), tl.zeros({64}, "int32")
    x[40], x[41] = -2000000000, 2000000000
    build(loop, ends, t)(x, c, -2000000000, 2000000000)
    print(loop, t, c)
  end
end

-- the heads of loops
local copies = "T.copy(X[k % 32:k % 32 + 32], s); for i in T.Parallel(32) do f[i] = f[i] + s[i] end"
for _, loop in ipairs {
  "T.Pipelined(lo, hi, {num_stages = 2})", "T.Pipelined(-1, hi, {num_stages = 2})",
  "T.Pipelined(0, hi, {num_stages = 2})", "T.Pipelined(lo, lo + 8, {num_stages = 2})",
  "T.Pipelined(lo % 8, hi, {num_stages = 2})", "T.Pipelined(X[0], T.min(X[1], 100), {num_stages = 2})",
  "T.Pipelined(T.max(lo, 0), hi, {num_stages = 2})",
} do
  print(loop)
  for line in build(loop, copies, "cuda -arch=sm_80"):compile():get_kernel_source():gmatch "[^\n]+" do
    if line:find "for %(" then print(line) end
  end
end
