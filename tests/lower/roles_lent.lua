-- Pipelined loops that follow each other, whose slots do not fit into shared memory side by side:
-- on machines with a producer the later ones use the earlier one's, or there is no producer.
tl.set_target "sim -arch=sm_90a"

local function kernel(loops, tiles, turns, dynamic)
  return tl.jit(function(A, B)
    local K = dynamic and T.dynamic "K" or 256
    A: T.Tensor({128, K}, T.float16)
    B: T.Tensor({K, 128}, T.float16)
    local C = T.empty({128, 128}, T.float32)
    for bx in T.Kernel(1, {threads = 128}) do
      local Cl = T.alloc_fragment({128, 128}, T.float32)
      T.clear(Cl)
      for turn in T.serial(turns) do
        for n = 1, loops do
          local k = tiles[(n - 1) % #tiles + 1]
          local As, Bs = T.alloc_shared({128, k}, T.float16), T.alloc_shared({k, 128}, T.float16)
          for ko in T.Pipelined(T.ceildiv(K, k), {num_stages = 3}) do
            T.copy(A[0, ko * k], As)
            T.copy(B[ko * k, 0], Bs)
            T.gemm(As, Bs, Cl)
          end
          for i, j in T.Parallel(128, 128) do Cl[i, j] = Cl[i, j] + n end
        end
      end
      T.copy(Cl, C)
    end
    return C
  end)
end

local a, b = tl.randint(-2, 3, {128, 256}, "int32"):to "float16", tl.randint(-2, 3, {256, 128}, "int32"):to "float16"
local product = tl.ref.matmul(a, b)
for _, form in ipairs {{4, {64}, 1}, {20, {64}, 1}, {5, {64, 32}, 1}, {4, {64}, 2}, {3, {64}, 2, true}} do
  local loops, tiles, turns, dynamic = table.unpack(form, 1, 4)
  local c = kernel(loops, tiles, turns, dynamic)(a, b)
  local added = turns * loops * (loops + 1) / 2
  for at = 0, 128 * 128 - 1, 37 do
    local i, j = at // 128, at % 128
    local want = turns * loops * product:item(i, j) + added
    assert(c:item(i, j) == want, ("%d loops of %d, %d turns: [%d, %d] is %g, wanted %g")
      :format(loops, #tiles, turns, i, j, c:item(i, j), want))
  end
end
print "as expected"
