-- What is no vector, each alone.
local function try(body)
  local _, err = pcall(T.prim_func, function(A, H)
    A: T.Tensor({64}, T.float32)
    H: T.Tensor({64}, T.float16)
    for bx in T.Kernel(1) do
      local S = T.alloc_shared({64}, T.float32)
      body(A, H, S, bx)
    end
  end)
  io.stderr:write(tostring(err), "\n")
end
try(function(A) A[0:2] = T.Broadcast(T.cast(1, T.float32), 4) end)
try(function(_, _, S) T.stg32(S[0], T.ldg32(S[1])) end)
try(function(A) T.stg64(A[0], T.ldg32(A[0])) end)
try(function(A) A[0:4] = T.add2(A[0:4], A[4:8]) end)
try(function(A, H) A[0:2] = T.add2(A[0:2], H[0:2]) end)
try(function(A) A[0] = T.extract_lane(A[0:4], 4) end)
try(function(A) A[T.Ramp(0, 2, 2)] = T.abs2(A[0:2]) end)
try(function(A) A[0:2] = T.reinterpret(T.ldg128(A[0:4]), T.float32x2) end)
try(function() for _ in T.While(true) do T.sync_threads() end end)
