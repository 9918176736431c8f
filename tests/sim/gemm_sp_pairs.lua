-- Metadata of T.gemm_sp that no compression writes: the simulator says which, and where.
tl.set_target "sim -arch=sm_80"
local function try(dtype, good, bad)
  local f = tl.jit(function(A, E, B)
    A: T.Tensor({32, 16}, dtype)
    E: T.Tensor({32, dtype == "float32" and 4 or 2}, T.int16)
    B: T.Tensor({32, 32}, dtype)
    local C = T.empty({32, 32}, T.float32)
    for bx in T.Kernel(1, {threads = 32}) do
      local As = T.alloc_shared({32, 16}, dtype)
      local Es = T.alloc_shared({32, dtype == "float32" and 4 or 2}, T.int16)
      local Bs = T.alloc_shared({32, 32}, dtype)
      local Cl = T.alloc_fragment({32, 32}, T.float32)
      T.copy(A, As)
      T.copy(E, Es)
      T.copy(B, Bs)
      T.clear(Cl)
      T.gemm_sp(As, Es, Bs, Cl)
      T.copy(Cl, C)
    end
    return C
  end)
  local A, B = tl.ones({32, 16}, dtype), tl.ones({32, 32}, dtype)
  local E = tl.full({32, dtype == "float32" and 4 or 2}, good, "int16")
  print(dtype, f(A, E, B)[{1, 1}])
  for _, code in ipairs(bad) do
    E[{3, 1}] = code
    print(select(2, pcall(f, A, E, B)))
  end
end
try("float16", 0x4444, {0x4454, 0x4414, 0x0444})
try("float32", 0x4e4e, {0x4e5e})
