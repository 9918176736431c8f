-- Threads of a branch that is not made of whole warps come to one element, some to change it: nothing can make them
-- wait.  Where whole warps come, they have a barrier; where each thread has its own element, nobody has to wait.
local function kernel(body)
  local k = tl.jit(function(A)
    A: T.Tensor({128}, "int32")
    local B, C = T.empty({128}, "int32"), T.empty({32}, "int32")
    for bx in T.Kernel(1, {threads = 128}) do
      local tx = T.get_thread_binding()
      local S = T.alloc_shared({32}, "int32")
      T.clear(B)
      T.clear(C)
      T.clear(S)
      body(A, B, C, S, tx)
      B[tx] = S[tx % 32]
    end
    return B, C
  end, {target = "sim -arch=sm_80"})
  k:compile()
end
kernel(T.macro(function(A, B, C, S, tx)
  if tx < 20 then
    T.atomic_add(C[0], A[tx])
    B[tx] = C[0]
  end
end))
kernel(T.macro(function(A, B, C, S, tx)
  if tx < 20 then
    T.atomic_add(S[3], A[tx])
    if tx == 7 then B[tx] = S[3] end
  end
end))
kernel(T.macro(function(A, B, C, S, tx)
  if tx % 2 == 0 then
    if tx == 4 then C[1] = 5 end
    B[tx] = C[tx // 64]
    T.atomic_max(C[1], tx)
  end
end))
kernel(T.macro(function(A, B, C, S, tx) -- updates of two kinds
  if tx < 20 then
    T.atomic_add(S[tx % 4], 1)
    T.atomic_max(S[3 - tx % 4], 3)
  end
end))
kernel(T.macro(function(A, B, C, S, tx)
  if tx < 50 then T.atomic_add(S[tx % 4], 1) else T.atomic_max(S[3 - tx % 4], 3) end
end))
kernel(T.macro(function(A, B, C, S, tx) -- from here on all is right
  if tx < 20 then
    T.atomic_add(S[tx], 1)
    T.atomic_max(S[tx], 3)
    T.atomic_or(C[tx], 3)
    T.atomic_add(C[tx], 1)
  end
  if tx == 70 then
    T.atomic_add(S[0], 1)
    T.atomic_max(S[0], 3)
  end
end))
kernel(T.macro(function(A, B, C, S, tx)
  if tx < 64 then
    T.atomic_add(C[0], A[tx])
    B[tx] = C[0]
  else
    T.atomic_add(S[0], A[tx])
    B[tx] = S[0]
  end
end))
kernel(T.macro(function(A, B, C, S, tx)
  if tx < 20 then
    T.atomic_add(C[tx], A[tx])
    B[tx] = C[tx]
    T.atomic_add(S[0], A[tx])
    T.atomic_add(S[0], 1)
  end
end))
kernel(T.macro(function(A, B, C, S, tx)
  if tx < 20 then
    if tx < 10 then T.atomic_add(C[tx], A[tx]) else B[tx] = C[tx] end
    if tx == 3 then T.atomic_add(S[tx], 1) end
    if tx == 3 then B[tx] = S[3] end
  end
end))
kernel(T.macro(function(A, B, C, S, tx) -- whether several come is known when it runs
  if A[tx] == 7 then
    T.atomic_add(C[0], A[tx])
    B[tx] = C[0]
  end
  for k in T.serial(20) do
    if tx < 20 then
      T.atomic_add(C[(tx + k) % 20], A[tx])
      if k == 0 then B[tx] = C[tx] end
    end
    T.sync_threads()
  end
end))
error "it was told"
