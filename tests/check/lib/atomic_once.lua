-- An atomic that is done once for the block, and by TileLang in each thread: told where that makes a difference.
tl.jit(function(C)
  C: T.Tensor({16}, T.int32)
  for bx in T.Kernel(2, {threads = 64}) do
    local tx = T.get_thread_binding()
    T.atomic_add(C[0], 1)
    local before = T.atomic_max(C[1], bx, nil, true)
    C[8 + bx] = before
    T.atomic_addx2(C[4], {1, 1})
    -- And no word of these.
    T.atomic_max(C[1], 3)
    T.atomic_or(C[3], 4)
    T.atomic_add(C[0], 0)
    T.atomic_store(C[3], 1)
    if tx == 0 then
      T.atomic_add(C[0], 1)
    end
    for i in T.Parallel(64) do
      T.atomic_add(C[6], 1)
    end
    local mine = T.alloc_var(T.int32)
    mine = tx * 5
    if mine % 3 == 0 then
      T.atomic_add(C[7], 1)
    end
    for k in T.serial(mine) do
      T.atomic_add(C[7], 1)
    end
  end
end, {target = "sim -arch=sm_80"})(tl.zeros({16}, "int32"))
