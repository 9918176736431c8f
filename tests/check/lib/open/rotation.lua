-- Rotations and the like by a number that is the same in all iterations write each element once.
local function go(name, body)
  local k = tl.jit(function(A, C)
    A: T.Tensor({64}, "int32")
    C: T.Tensor({64}, "int32")
    local B = T.empty({64}, "int32")
    for bx in T.Kernel(1, {threads = 64}) do
      body(A, C, B)
    end
    return B
  end)
  print("==", name)
  k:compile(tl.zeros({64}, "int32"), tl.zeros({64}, "int32"))
end
go("rotation", T.macro(function(A, C, B)
  for i in T.Parallel(64) do B[(i + A[0]) % 64] = C[i] end
end))
go("rotation by a variable", T.macro(function(A, C, B)
  local c = T.alloc_var("int32", A[3])
  for i in T.Parallel(64) do B[(i + c) % 64] = C[i] end
end))
go("rotation by a let", T.macro(function(A, C, B)
  local c = A[3] * 3
  for i in T.Parallel(64) do B[(i * 5 + c) % 64] = C[i] end
end))
go("shift", T.macro(function(A, C, B)
  T.clear(B)
  for i in T.Parallel(32) do B[i + T.max(T.min(A[0], 32), 0)] = C[i] end
end))
go("backwards", T.macro(function(A, C, B)
  for i in T.Parallel(64) do B[(A[0] - i) % 64] = C[i] end
end))
go("xor", T.macro(function(A, C, B)
  for i in T.Parallel(64) do B[i ~ (A[0] & 63)] = C[i] end
end))
go("part", T.macro(function(A, C, B)
  T.clear(B)
  for i in T.Parallel(32) do B[(i + A[0]) % 64] = C[i] end
end))
go("wrong", T.macro(function(A, C, B)
  T.clear(B)
  for i in T.Parallel(64) do B[(i + A[0]) % 32] = C[i] end
end))
go("shared", T.macro(function(A, C, B)
  local S = T.alloc_shared({64}, "int32")
  for i in T.Parallel(64) do S[(i + A[0]) % 64] = C[i] end
  T.copy(S, B)
end))
go("fragment", T.macro(function(A, C, B)
  local S = T.alloc_shared({64}, "int32")
  for i in T.Parallel(64) do S[(i + A[0]) % 64] = C[i] end
  for i in T.Parallel(64) do B[i] = S[i] end
end))
go("no power of two", T.macro(function(A, C, B)
  local S = T.alloc_shared({60}, "int32")
  for i in T.Parallel(60) do S[(i + A[0] % 60) % 60] = C[i] end
  for i in T.Parallel(60) do B[i] = S[i] end
end))
go("a sum that may wrap", T.macro(function(A, C, B)
  local S = T.alloc_shared({60}, "int32")
  for i in T.Parallel(60) do S[(i + A[0]) % 60] = C[i] end
  for i in T.Parallel(60) do B[i] = S[i] end
end))
go("every second", T.macro(function(A, C, B)
  local S = T.alloc_shared({64}, "int32")
  for i in T.Parallel(64) do S[(i * 2 + A[0]) % 64] = 1 end
  for i in T.Parallel(64) do B[i] = S[i] end
end))
go("changed on the way", T.macro(function(A, C, B)
  local S = T.alloc_shared({64}, "int32")
  local c = T.alloc_var("int32", A[0])
  for i in T.serial(64) do
    S[(i + c) % 64] = C[i]
    if C[i] > 3 then c += 1 end
  end
  for i in T.Parallel(64) do B[i] = S[i] end
end))
go("out of two", T.macro(function(A, C, B)
  local S = T.alloc_shared({8, 8}, "int32")
  for i, j in T.Parallel(8, 8) do S[(i + j) % 8, (i + A[1]) % 8] = C[i * 8 + j] end
  for i, j in T.Parallel(8, 8) do B[i * 8 + j] = S[i, j] end
end))
go("varies", T.macro(function(A, C, B)
  for i in T.Parallel(64) do B[(i + A[i]) % 64] = C[i] end
end))
go("two dims", T.macro(function(A, C, B)
  local S = T.alloc_shared({8, 8}, "int32")
  for i, j in T.Parallel(8, 8) do S[(i + A[0]) % 8, (j + A[1]) % 8] = C[i * 8 + j] end
  for i, j in T.Parallel(8, 8) do B[i * 8 + j] = S[i, j] end
end))
