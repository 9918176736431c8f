-- Wrong: a fragment that went to the loop's layout by shuffles had copies in other threads; another fragment of the loop, which
-- each iteration writes and then reads, went to shared memory, where those threads read it before the one that writes it wrote.
local k = tl.jit(function(X)
  X: T.Tensor({8}, T.int32)
  local O = T.empty({8}, T.int32)
  local Q = T.empty({8}, T.int32)
  for bx in T.Kernel(1, {threads = 64}) do
    local F2 = T.alloc_fragment({8}, T.int32)
    local F3 = T.alloc_fragment({8}, T.int32)
    T.fill(F2, 1)
    T.fill(F3, 1)
    for i in T.Parallel(4) do
      if X[i] < 2 then
        F3[i + 3] = F2[i] + 1
        F2[i] = F3[i + 3]
      end
    end
    T.copy(F2, O)
    T.copy(F3, Q)
  end
  return O, Q
end)
local o, q = k(tl.arange(8, "int32"))
for i = 0, 7 do
  assert(o[i] == (i < 2 and 2 or 1) and q[i] == ((i == 3 or i == 4) and 2 or 1))
end
print "right"
