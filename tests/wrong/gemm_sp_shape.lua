-- T.gemm_sp: tiles that do not fit together, types that it has no groups for.
local function try(a, e, b, options)
  local f = tl.jit(function(A)
    A: T.Tensor({64, 64}, T.float16)
    local C = T.empty({64, 64}, T.float32)
    for bx in T.Kernel(1, {threads = 128}) do
      local As, Es = T.alloc_shared(a[1], a[2]), T.alloc_shared(e[1], e[2])
      local Bs, Cl = T.alloc_shared(b, a[2]), T.alloc_fragment({64, 64}, T.float32)
      T.gemm_sp(As, Es, Bs, Cl, options)
      T.copy(Cl, C)
    end
    return C
  end)
  local ok, e = pcall(f.compile, f)
  io.stderr:write(ok and "none" or tostring(e), "\n")
end

try({{64, 16}, T.float16}, {{64, 2}, T.int16}, {64, 64}, {})
try({{64, 16}, T.float16}, {{64, 4}, T.int16}, {32, 64}, {})
try({{16, 64}, T.float16}, {{64, 1}, T.int32}, {64, 32}, {transpose_A = true, transpose_B = true, transpose_E = true})
try({{64, 16}, T.float16}, {{64, 2}, T.float16}, {32, 64}, {})
try({{64, 16}, T.int32}, {{64, 2}, T.int16}, {32, 64}, {})
