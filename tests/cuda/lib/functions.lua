-- do_bench of functions: calls and milliseconds of each kind.
local function kernel(factor)
  return tl.jit(function(x)
    x: T.Tensor({256}, T.float32)
    local y = T.empty({256}, T.float32)
    for bx in T.Kernel(1, {threads = 32}) do
      for i in T.Parallel(256) do
        y[i] = x[i] * factor
      end
    end
    return y
  end)
end
local twice, thrice = kernel(2), kernel(3)
local x = tl.ones({256}, "float32")
local calls = 0
local function bench(what, f, ...)
  calls = 0
  local ms = tl.profiler.do_bench(f, {n_warmup = 2, n_repeat = 4, flush = ...})
  print(("%s: called %d times, a number %s"):format(what, calls, ms >= 0))
  io.stdout:flush()
end
local kinds = {
  one = function() calls = calls + 1; twice(x) end,
  chain = function() calls = calls + 1; thrice(twice(x)) end,
  host = function() calls = calls + 1; twice(twice(x) + 1) end,
  none = function() calls = calls + 1 end,
}
bench(arg[1], kinds[arg[1]], arg[2] ~= "warm")
