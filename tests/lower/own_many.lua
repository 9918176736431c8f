-- Loops that the program's own mbarriers keep in step, several of them: each gets places of its own, whatever mbarriers
-- the others have (their number is printed); and one of many statements, whose order is found in a time that grows with them.
local function kernel(loops, many, target)
  return tl.jit(function(A, C)
    A: T.Tensor({64, 32}, T.float32)
    C: T.Tensor({64, 32}, T.float32)
    for bx in T.Kernel(1, {threads = 256}) do
      for l = 1, loops do
        local done, ready = T.alloc_barrier(128), T.alloc_barrier(128)
        local S = T.alloc_shared({64, 32}, T.float32)
        for k in T.Pipelined(6, {num_stages = 2}) do
          for _ in T.ws(1) do
            T.barrier_wait(done, (k + 1) % 2)
            for s = 1, many do
              for i, j in T.Parallel(64, 32) do S[i, j] = A[i, j] * s + k end
            end
            T.barrier_arrive(ready)
          end
          for _ in T.ws(0) do
            T.barrier_wait(ready, k % 2)
            for s = 1, many do
              for i, j in T.Parallel(64, 32) do C[i, j] = C[i, j] + S[i, j] end
            end
            T.barrier_arrive(done)
          end
        end
      end
    end
  end, {target = target})
end

local function text(loops, many) return kernel(loops, many, "cuda -arch=sm_90a"):compile{}:get_kernel_source() end

for _, c in ipairs {{1, 1}, {3, 1}, {2, 3}} do
  local loops, many = c[1], c[2]
  local want = 0 -- of element 136
  for j = 0, 5 do want = want + loops * (136 * many + j) * many end
  for seed = 1, 3 do
    local A, C = tl.arange(64 * 32, "float32"):reshape(64, 32), tl.zeros({64, 32}, "float32")
    kernel(loops, many, ("sim -arch=sm_90a -seed=%d"):format(seed))(A, C)
    if C[4][8] ~= want then print(seed, C[4][8], want) end
  end
  print(loops, many, select(2, text(loops, many):gsub("// mbarriers %[3%]", "")))
end
local clock = os.clock()
print(#text(1, 1500) > 0, os.clock() - clock < 60 and "in time" or "too slow")
