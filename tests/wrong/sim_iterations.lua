-- Which element an iteration accesses is a matter of J: two of them meet, in the same thread too.
tl.set_target "sim"
local k = tl.jit(function(J)
  J: T.Tensor({128}, T.int32)
  local B = T.empty({128}, T.int32)
  for bx in T.Kernel(1, {threads = 32}) do
    local S, R = T.alloc_shared({128}, T.int32), T.alloc_shared({128}, T.int32)
    for i in T.Parallel(128) do
      S[i] = 0
      R[i] = 0
    end
    for k = 0, 1 do
      for i, j in T.Parallel(32, 4) do S[J[i * 4 + j]] = j + k end
    end
    for i in T.Parallel(128) do
      S[i] = S[i] + R[i]
      R[J[i]] = i // 2
    end
    for i in T.Parallel(128) do
      T.atomic_add(R[J[i]], 1)
      B[i] = R[i] + S[i]
    end
  end
  return B
end)
local t = {}
for i = 0, 127 do
  t[i + 1] = i // 2 * 2
end
k(tl.from_table(t, "int32"))
