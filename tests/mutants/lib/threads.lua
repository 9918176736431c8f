-- threads.lua: correct kernels written for single threads, one for each kind of
-- synchronisation: {name, machines, function, arguments}.
local f32, f16, i32 = T.float32, T.float16, T.int32
local all, nvidia, hopper = "sm_80 sm_90a c500 simt", "sm_80 sm_90a", "sm_90a"
local M = {}

local function case(name, machines, f, ...)
  M[#M + 1] = {name = name, machines = machines, f = f, args = table.pack(...)}
end

tl.manual_seed(21)
local x512, n512 = tl.randn({512}, f32), tl.randint(0, 32, {512}, i32)

case("reverse", all, tl.jit(function(A)
  A: T.Tensor({512}, f32)
  local C = T.empty({512}, f32)
  for bx in T.Kernel(4, {threads = 128}) do
    local s = T.alloc_shared({128}, f32)
    local t = T.get_thread_binding(0)
    s[t] = A[bx * 128 + t]
    T.sync_threads()
    C[bx * 128 + t] = s[127 - t]
  end
  return C
end), x512)

case("histogram", all, tl.jit(function(A)
  A: T.Tensor({512}, i32)
  local H = T.empty({2, 32}, i32)
  for bx in T.Kernel(2, {threads = 64}) do
    local s = T.alloc_shared({32}, i32)
    local t = T.get_thread_binding(0)
    if t < 32 then s[t] = 0 end
    T.sync_threads()
    for i in T.serial(4) do
      T.atomic_add(s[A[bx * 256 + i * 64 + t]], 1)
    end
    T.sync_threads()
    if t < 32 then H[bx, t] = s[t] end
  end
  return H
end), n512)

-- neighbours smooth a row five times, from one buffer into the other
case("ping-pong", all, tl.jit(function(A)
  A: T.Tensor({128}, f32)
  local C = T.empty({128}, f32)
  for _ in T.Kernel(1, {threads = 128}) do
    local s = T.alloc_shared({2, 128}, f32)
    local t = T.get_thread_binding(0)
    s[0, t] = A[t]
    T.sync_threads()
    for i in T.serial(5) do
      s[(i + 1) % 2, t] = (s[i % 2, (t + 127) % 128] + s[i % 2, (t + 1) % 128]) / 2
      T.sync_threads()
    end
    C[t] = s[1, t]
  end
  return C
end), tl.randn({128}, f32))

-- one buffer needs two barriers a step
case("in place", all, tl.jit(function(A)
  A: T.Tensor({128}, f32)
  local C = T.empty({128}, f32)
  for _ in T.Kernel(1, {threads = 128}) do
    local s = T.alloc_shared({128}, f32)
    local v = T.alloc_var(f32)
    local t = T.get_thread_binding(0)
    s[t] = A[t]
    for i in T.serial(4) do
      T.sync_threads()
      v = s[(t + 127) % 128] - s[(t + 1) % 128]
      T.sync_threads()
      s[t] = v
    end
    C[t] = s[t]
  end
  return C
end), tl.randn({128}, f32))

-- the sum of a block: halves are added up
case("tree", all, tl.jit(function(A)
  A: T.Tensor({512}, f32)
  local C = T.empty({4}, f32)
  for bx in T.Kernel(4, {threads = 128}) do
    local s = T.alloc_shared({128}, f32)
    local t = T.get_thread_binding(0)
    s[t] = A[bx * 128 + t]
    for i in T.unroll(7) do
      T.sync_threads()
      if t < 64 >> i then s[t] = s[t] + s[t + (64 >> i)] end
    end
    if t == 0 then C[bx] = s[0] end
  end
  return C
end), x512)

case("shuffles", nvidia, tl.jit(function(A)
  A: T.Tensor({512}, f32)
  local C = T.empty({4}, f32)
  for bx in T.Kernel(4, {threads = 128}) do
    local s = T.alloc_shared({4}, f32)
    local v = T.alloc_var(f32)
    local t = T.get_thread_binding(0)
    v = A[bx * 128 + t]
    for i in T.unroll(5) do
      v = v + T.shfl_xor(v, 16 >> i)
    end
    if t % 32 == 0 then s[t // 32] = v end
    T.sync_threads()
    if t == 0 then C[bx] = s[0] + s[1] + s[2] + s[3] end
  end
  return C
end), x512)

-- lanes of a warp exchange through shared memory
case("warp exchange", nvidia, tl.jit(function(A)
  A: T.Tensor({512}, f32)
  local C = T.empty({512}, f32)
  for bx in T.Kernel(4, {threads = 128}) do
    local s = T.alloc_shared({128}, f32)
    local t = T.get_thread_binding(0)
    s[t] = A[bx * 128 + t]
    T.sync_warp()
    C[bx * 128 + t] = s[t // 32 * 32 + 31 - t % 32]
  end
  return C
end), x512)

case("prefix", nvidia, tl.jit(function(A)
  A: T.Tensor({512}, i32)
  local C = T.empty({512}, i32)
  for bx in T.Kernel(4, {threads = 128}) do
    local s = T.alloc_shared({4}, i32)
    local v, u = T.alloc_var(i32), T.alloc_var(i32)
    local t = T.get_thread_binding(0)
    v = A[bx * 128 + t]
    for i in T.unroll(5) do
      u = T.shfl_up(v, 1 << i)
      if t % 32 >= 1 << i then v = v + u end
    end
    if t % 32 == 31 then s[t // 32] = v end
    T.sync_threads()
    for w in T.serial(3) do
      if w < t // 32 then v = v + s[w] end
    end
    C[bx * 128 + t] = v
  end
  return C
end), n512)

-- two roles and a pair of mbarriers for each slot
case("mbarriers", hopper, tl.jit(function(A)
  A: T.Tensor({1024}, f32)
  local C = T.empty({1024}, f32)
  for _ in T.Kernel(1, {threads = 256}) do
    local s = T.alloc_shared({2, 128}, f32)
    local full, empty = T.alloc_barrier {128, 128}, T.alloc_barrier {128, 128}
    for t in T.ws(0) do
      for i in T.serial(8) do
        T.mbarrier_wait_parity(full[i % 2], i // 2 % 2)
        C[i * 128 + t] = s[i % 2, 127 - t] * 2
        T.mbarrier_arrive(empty[i % 2])
      end
    end
    for t in T.ws(1) do
      for i in T.serial(8) do
        T.mbarrier_wait_parity(empty[i % 2], (i // 2 + 1) % 2)
        s[i % 2, t] = A[i * 128 + t]
        T.mbarrier_arrive(full[i % 2])
      end
    end
  end
  return C
end), tl.randn({1024}, f32))

-- one lane of each warp frees the slot for all
case("elected release", hopper, tl.jit(function(A)
  A: T.Tensor({1024}, f32)
  local C = T.empty({1024}, f32)
  for _ in T.Kernel(1, {threads = 256}) do
    local s = T.alloc_shared({2, 128}, f32)
    local full, empty = T.alloc_barrier {128, 128}, T.alloc_barrier {4, 4}
    for t in T.ws(0) do
      for i in T.serial(8) do
        T.mbarrier_wait_parity(full[i % 2], i // 2 % 2)
        C[i * 128 + t] = s[i % 2, 127 - t] * 2
        T.sync_warp()
        if t % 32 == 0 then T.mbarrier_arrive(empty[i % 2]) end
      end
    end
    for t in T.ws(1) do
      for i in T.serial(8) do
        T.mbarrier_wait_parity(empty[i % 2], (i // 2 + 1) % 2)
        s[i % 2, t] = A[i * 128 + t]
        T.mbarrier_arrive(full[i % 2])
      end
    end
  end
  return C
end), tl.randn({1024}, f32))

case("named barriers", nvidia, tl.jit(function(A)
  A: T.Tensor({1024}, f32)
  local C = T.empty({1024}, f32)
  for bx in T.Kernel(4, {threads = 256}) do
    local s = T.alloc_shared({128}, f32)
    local t = T.get_thread_binding(0)
    for r in T.serial(2) do
      if t < 128 then
        s[t] = A[bx * 256 + r * 128 + t]
        T.named_barrier_arrive(1, 256)
        T.sync_threads(2, 256)
      else
        T.sync_threads(1, 256)
        C[bx * 256 + r * 128 + t - 128] = s[255 - t]
        T.named_barrier_arrive(2, 256)
      end
    end
  end
  return C
end), tl.randn({1024}, f32))

-- tiles by TMA into two slots, one by one, and back
case("tma", hopper, tl.jit(function(A)
  A: T.Tensor({64, 64}, f32)
  local C = T.empty({64, 64}, f32)
  for bx in T.Kernel(2, {threads = 128}) do
    local s, o = T.alloc_shared({2, 16, 64}, f32), T.alloc_shared({16, 64}, f32)
    local full = T.alloc_barrier {1, 1}
    local t = T.get_thread_binding(0)
    for i in T.serial(2) do
      if t == 0 then
        T.tma_copy(A[bx * 32 + i * 16, 0], s[i, :, :], {barrier = full[i]})
        T.mbarrier_arrive(full[i])
      end
    end
    for i in T.serial(2) do
      T.mbarrier_wait_parity(full[i], 0)
      for r in T.serial(8) do
        o[r * 2 + t // 64, t % 64] = s[i, r * 2 + t // 64, 63 - t % 64] * 2
      end
      T.fence_proxy_async()
      T.sync_threads()
      if t == 0 then
        T.tma_copy(o, C[bx * 32 + i * 16, 0])
        T.tma_store_wait()
      end
      T.sync_threads()
    end
  end
  return C
end), tl.randn({64, 64}, f32))

-- a counter in global memory: the last block adds up what the others stored
case("last block", all, tl.jit(function(A, D, N)
  A: T.Tensor({512}, f32)
  D: T.Tensor({4}, f32)
  N: T.Tensor({1}, i32)
  local C = T.empty({1}, f32)
  for bx in T.Kernel(4, {threads = 128}) do
    local s = T.alloc_shared({1}, i32)
    local v = T.alloc_var(f32)
    local t = T.get_thread_binding(0)
    if t == 0 then
      v = 0
      for i in T.serial(128) do
        v = v + A[bx * 128 + i]
      end
      D[bx] = v
      s[0] = T.atomic_add(N[0], 1, {memory_order = "acq_rel", return_prev = true})
      if s[0] == 3 then
        C[0] = D[0] + D[1] + D[2] + D[3]
      end
    end
  end
  return C
end), x512, tl.zeros({4}, f32), tl.zeros({1}, i32))

return M
