-- A box in shared memory that a TMA store reads is waited for before its bytes are used again, also where the next
-- wait stands in a loop or a branch that may be left out.
local function kernel(target, way)
  return tl.jit(function(A, R1, R2, N)
    A: T.Tensor({32, 32}, "float16")
    R1: T.Tensor({32, 16}, "float32")
    R2: T.Tensor({32, 16}, "float32")
    N: T.int32
    local O = T.empty({1, 32, 16}, "float32")
    for bx in T.Kernel(1, {threads = 64}) do
      local s, t = T.alloc_shared({32, 32}, "float16"), T.alloc_shared({32, 16}, "float16")
      local f = T.alloc_fragment({32, 16}, "float32")
      T.copy(A, s)
      T.copy(A[:, 0:16], t)
      T.gemm(s, t, f, {clear_accum = true})
      T.atomic_add(R1[:, :], f)
      if way == "loop" then
        for k in T.serial(N) do T.atomic_add(R2[:, :], f) end
      elseif way == "branch" then
        if N > 0 then T.atomic_add(R2[:, :], f) end
      else
        local k = T.alloc_var("int32", 0)
        while k < N do
          T.atomic_add(R2[:, :], f)
          k += 1
        end
      end
      T.copy(f, O[bx, 0, 0])
    end
    return O
  end, {target = target})
end

local A = tl.ones({32, 32}, "float16")
for _, way in ipairs {"loop", "branch", "while"} do
  local right, n = 0, 0
  for seed = 1, 4 do
    for N = 0, 2 do
      local R1, R2 = tl.zeros({32, 16}, "float32"), tl.zeros({32, 16}, "float32")
      local O = kernel("sim -arch=sm_90a -seed=" .. seed, way)(A, R1, R2, N)
      local times = way == "branch" and math.min(N, 1) or N
      n = n + 1
      right = right + (O:sum() == 16384 and R1:sum() == 16384 and R2:sum() == 16384 * times and 1 or 0)
    end
  end
  print(way, right .. " of " .. n)
end
