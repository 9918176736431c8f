-- Groups of asynchronous copies are each thread's own: lanes of one warp that commit and wait in branches, in loops
-- of different lengths, or not at all, wait for what they have started themselves.
local frame = [[
kernel k(A, C) machine %s
  buffer A: global int32[64, 4]
  buffer C: global int32[64]
  launch bx in 1 threads tid in 64 shared=4096 do
    alloc S: shared int32[256, 4] at=0
%s
  end
end
]]

local function go(name, body)
  body = body:gsub("COPY%((.-), (.-)%)", "cp_async A[%1, 0:+4] -> S[%2, 0:+4], true bytes=16")
  for _, m in ipairs {"sm_80", "sm_90a"} do
    local found = {}
    for _, seed in ipairs {"", " -seed=3"} do
      local k = tl.from_ir(frame:format(m, body), {target = "sim -arch=" .. m .. seed})
      local c = tl.zeros({64}, "int32")
      local ok, e = pcall(k, tl.arange(256, "int32"):reshape(64, 4), c)
      found[#found + 1] = ok and tostring(c:sum()) or e.code
    end
    print(name, m, table.concat(found, " "))
  end
end

go("lanes copy and wait in a branch", [[
    if tid % 3 == 0 then
      COPY(tid, tid)
      cp_async_commit
      cp_async_wait
      C[tid] = S[tid, 1]
    end]])
go("both branches do", [[
    if tid % 2 == 0 then
      COPY(tid, tid)
      cp_async_commit
      cp_async_wait
    else
      COPY(63 - tid, tid)
      cp_async_commit
      cp_async_wait
    end
    C[tid] = S[tid, 1] ]])
go("one of them does not wait", [[
    COPY(tid, tid)
    cp_async_commit
    if tid % 2 == 0 then
      cp_async_wait
    end
    C[tid] = S[tid, 1]
    cp_async_wait]])
go("those who waited read", [[
    COPY(tid, tid)
    cp_async_commit
    if tid % 2 == 0 then
      cp_async_wait
      C[tid] = S[tid, 1]
    end
    cp_async_wait]])
go("others wait later", [[
    COPY(tid, tid)
    cp_async_commit
    if tid % 32 < 16 then
      cp_async_wait
      C[tid] = S[tid, 1]
    end
    warp_sync
    if tid % 32 >= 16 then
      cp_async_wait
      C[tid] = S[tid, 2]
    end]])
go("what others have not waited for", [[
    COPY(tid, tid)
    cp_async_commit
    if tid % 32 < 16 then
      cp_async_wait
    end
    warp_sync
    C[tid] = S[tid ^ 16, 1]
    cp_async_wait]])
go("what others waited for, unmet", [[
    COPY(tid, tid)
    cp_async_commit
    if tid % 32 < 16 then
      cp_async_wait
    end
    if tid % 32 >= 16 then
      C[tid] = S[tid ^ 16, 1]
    end
    cp_async_wait]])
go("met", [[
    COPY(tid, tid)
    cp_async_commit
    if tid % 32 < 16 then
      cp_async_wait
    end
    warp_sync
    if tid % 32 >= 16 then
      C[tid] = S[tid ^ 16, 1]
    end
    cp_async_wait]])
go("some have a second group", [[
    COPY(tid, tid)
    cp_async_commit
    if tid % 32 < 5 then
      COPY(tid, tid + 64)
      cp_async_commit
    end
    cp_async_wait n=1
    if tid % 32 < 5 then
      C[tid] = S[tid, 1]
    end
    cp_async_wait]])
go("the others have none", [[
    COPY(tid, tid)
    cp_async_commit
    if tid % 32 < 5 then
      COPY(tid, tid + 64)
      cp_async_commit
    end
    cp_async_wait n=1
    C[tid] = S[tid, 1]
    cp_async_wait]])
go("or an empty one", [[
    COPY(tid, tid)
    cp_async_commit
    if tid % 32 < 5 then
      COPY(tid, tid + 64)
      cp_async_commit
    else
      cp_async_commit
    end
    cp_async_wait n=1
    C[tid] = S[tid, 1]
    cp_async_wait]])
go("some commit, all wait", [[
    COPY(tid, tid)
    if tid % 2 == 0 then
      cp_async_commit
    end
    cp_async_wait
    if tid % 2 == 0 then
      C[tid] = S[tid, 1]
    end
    cp_async_commit
    cp_async_wait]])
go("what was not committed", [[
    COPY(tid, tid)
    if tid % 2 == 0 then
      cp_async_commit
    end
    cp_async_wait
    C[tid] = S[tid, 1]
    cp_async_commit
    cp_async_wait]])
go("rings of different lengths", [[
    for i in serial(A[tid, 0] % 3 + 2) step=1 do
      COPY((tid + i) % 64, tid + i % 2 * 64)
      cp_async_commit
      cp_async_wait n=1
      if i > 0 then
        C[tid] = C[tid] + S[tid + (i + 1) % 2 * 64, 1]
      end
    end
    cp_async_wait]])
go("loops that some do not enter", [[
    COPY(tid, tid)
    cp_async_commit
    for i in serial(A[tid, 0] % 3) step=1 do
      cp_async_wait
    end
    C[tid] = S[tid, 1]
    cp_async_wait]])

-- Bulk stores that two lanes start: each waits for its own.
tl.set_target "sim -arch=sm_90a"
local function stores(name, body)
  local k = tl.jit(function(X)
    X: T.Tensor({32, 32}, "float32")
    local C, D = T.empty({32, 32}, "float32"), T.empty({128}, "float32")
    for _ in T.Kernel(1, {threads = 128}) do
      local s, tx = T.alloc_shared({32, 32}, "float32"), T.get_thread_binding()
      T.copy(X, s)
      T.fence_proxy_async()
      T.sync_threads()
      if tx == 1 then T.tma_copy(s[0:16, :], C[0:16, :]) end
      if tx == 0 then T.tma_copy(s[16:32, :], C[16:32, :]) end
      body(C, D, tx)
    end
    return C, D
  end)
  local ok, c, d = pcall(k, tl.arange(1024, "float32"):reshape(32, 32))
  print(name, ok and c:sum() + d:sum() or c.code)
end
stores("the later one first", T.macro(function(C, D, tx)
  if tx == 0 then T.tma_store_wait(0, false) end
  T.sync_threads()
  D[tx] = C[20, tx % 32]
  if tx == 1 then T.tma_store_wait(0, false) end
end))
stores("the other one's", T.macro(function(C, D, tx)
  if tx == 0 then T.tma_store_wait(0, false) end
  T.sync_threads()
  D[tx] = C[5, tx % 32]
  if tx == 1 then T.tma_store_wait(0, false) end
end))
stores("both", T.macro(function(C, D, tx)
  if tx < 2 then T.tma_store_wait(0, false) end
  T.sync_threads()
  D[tx] = C[5, tx % 32] + C[20, tx % 32]
end))
