-- A statement is computed from left to right: what stands to the left of an atomic is read before it, what
-- stands to the right of it, behind it.
local k = tl.jit(function(C, O)
  C: T.Tensor({32}, T.int32)
  O: T.Tensor({10, 32}, T.int32)
  for _ in T.Kernel(1, {threads = 32}) do
    local t = T.get_thread_binding()
    local v = T.view(C, {16, 2})
    O[0, t] = C[t] + T.atomic_add(C[t], 5, {return_prev = true}) + C[t] -- 3t + 5
    O[1, t] = T.Select(C[t] > 10, C[t], 2) * 1000 + T.atomic_max(C[t], 20, {return_prev = true})
    O[2, t] = (C[t] + 1) * T.atomic_add(C[t], T.atomic_min(C[t], 21, {return_prev = true}) + C[t], {return_prev = true})
    O[3, t] = T.shfl_xor(C[t], 1) + T.atomic_add(C[t], 1, {return_prev = true})
    C[t] += T.atomic_add(C[t], 7, {return_prev = true})
    O[4, t] = C[t]
    O[5, t] = v[t // 2, t % 2] - T.atomic_add(C[t], 1, {return_prev = true})
    local b = T.atomic_add(C[t], 3, {return_prev = true})
    O[6, t] = C[t] - b -- another statement: behind it
    local list = {C[t]}
    local e = T.atomic_add(C[t], 4, {return_prev = true})
    O[7, t] = T.atomic_add(C[t], 2, {return_prev = true}) - e
    O[8, t] = C[t] - (t > 3 and T.atomic_add(C[t], 2, {return_prev = true}) or C[t] * 2) -- 0 where it is added
    O[9, t] = T.if_then_else(C[t] > 100 and T.atomic_add(C[t], 1, {return_prev = true}) == C[t] - 1, C[t], 0)
  end
end)
for _, target in ipairs {"cpu", "sim -arch=sm_80"} do
  local c, o = tl.arange(32, "int32"), tl.zeros({10, 32}, "int32")
  k.opts.target = target
  k(c, o)
  for i = 0, 9 do print(i, o[i, 0], o[i, 1], o[i, 9], o[i, 31]) end
  print(c[0], c[1], c[31])
end
