-- An int4 beside a uint4 is a uint4 first, as in TVM, for every operator: what is computed of both is computed in int32.
local targets = arg[1] and {arg[1]} or {"cpu", "sim -arch=sm_80", "sim -arch=gfx942"}

local ops = {
  {"i >> u", T.macro(function(i, u) return i >> u end)}, {"i << u", T.macro(function(i, u) return i << u end)},
  {"i | u", T.macro(function(i, u) return i | u end)}, {"i & u", T.macro(function(i, u) return i & u end)},
  {"i ~ u", T.macro(function(i, u) return i ~ u end)}, {"max(i, u)", T.macro(function(i, u) return T.max(i, u) end)},
  {"min(i, u)", T.macro(function(i, u) return T.min(u, i) end)},
  {"i // u", T.macro(function(i, u) return i // u end)}, {"i % u", T.macro(function(i, u) return i % u end)},
  {"i + u", T.macro(function(i, u) return T.cast(i + u, "uint4") end)},
  {"i < u", T.macro(function(i, u) return T.if_then_else(i < u, 1, 0) end)},
  {"-3 < u", T.macro(function(i, u) return T.if_then_else(T.cast(-3, "int4") < u, 1, 0) end)},
  {"i or u", T.macro(function(i, u) return T.if_then_else(u == 2, i, u) end)},
  {"i beside i", T.macro(function(i, u) return (i >> 1) + T.min(i, T.cast(u, "int4")) end)},
}

for _, target in ipairs(targets) do
  local f = tl.jit(function(A, B)
    A: T.Tensor({32}, "int4")
    B: T.Tensor({32}, "uint4")
    local O = T.empty({#ops, 32}, "int32")
    for bx in T.Kernel(1, {threads = 32}) do
      for k = 1, #ops do
        for i in T.Parallel(32) do O[k - 1, i] = ops[k][2](A[i], B[i]) end
      end
    end
    return O
  end, {target = target})
  local O = f(tl.full({32}, -3, "int4"), tl.full({32}, 2, "uint4")):totable()
  local out = {}
  for k, op in ipairs(ops) do out[k] = op[1] .. " = " .. O[k][1] end
  print(target .. ": " .. table.concat(out, ", "))
end
