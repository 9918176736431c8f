-- Unrolled loops inside each other: 32 x 32 rounds with a condition are text, 64 x 64 too much.
local function pick(n)
  return tl.jit(function(X, R)
    X: T.Tensor({R, R}, T.float32)
    local Y = T.empty({R, 4}, T.float32)
    for bx in T.Kernel(4, {threads = 32}) do
      local t = T.get_thread_binding(0)
      for i in T.unroll(R) do
        for j in T.unroll(R) do
          if t == j then
            Y[i, bx] = X[i, j]
          end
        end
      end
    end
    return Y
  end):compile {R = n}
end

small = pick(32)
large = pick(64)
