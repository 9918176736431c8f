-- Masks of barriers, votes and shuffles of warps that can be decided for each lane: those that do not
-- name who comes, or name others, are told; of right ones, and of what only values in memory
-- decide, nothing is said.
local function compile(body, threads, target)
  local text = [[
    return tl.jit(function(X, n)
      X: T.Tensor({%d}, "int32")
      n: T.int32
      local C = T.empty({%d}, "int32")
      for _ in T.Kernel(1, {threads = %d}) do
        local tx, lane = T.get_thread_binding(), T.get_lane_idx(32)
        local v, w = T.alloc_var("int32", 0), T.alloc_var("int32", 0)
        %s
        C[tx] = v
      end
      return C
    end, {target = "%s"})
  ]]
  assert(load(text:format(threads, threads, threads, body, target), "=" .. target:match "^%a+"))():compile():get_kernel_source()
end

local bodies = {
  "wrong",
  "T.sync_warp(2)",
  "T.sync_warp(0xFFFE)",
  "if lane < 16 then T.sync_warp(0xFF) end",
  "if tx < 16 then T.sync_warp(0x1FFFF) end",
  "if tx < 16 then T.sync_warp(0xFFFF) else T.sync_warp(0xFFFF0001) end",
  "if n > 4 then if lane < 16 then T.sync_warp(0xFF) end end",
  "for k in T.serial(n) do if lane < 16 then v = v + T.any_sync(X[tx] > k, {mask = 0xFF}) end end",
  "while T.any_sync(v < 4) ~= 0 do v = v + 1; if lane < 16 then T.sync_warp(0xFF) end end",
  "v = T.any_sync(X[tx] > 5, {mask = T.Select(lane < 16, 0xFFFF, 0x7FFF0000)})",
  "v = T.any_sync(X[tx] > 5, {mask = T.Select(lane % 2 == 0, 0xFFFFFF, 0xFFFF)})",
  "v = T.any_sync(X[tx] > 5, {mask = T.Select(lane % 2 == 0, 0x55555555, 0xFFFFFFFF)})",
  "v = T.shfl_xor(X[tx], 16, {mask = T.Select(lane < 16, 0xFFFF, 0xFFFF0000)})",
  "if lane < 16 then v = T.shfl_down(X[tx], 8, {mask = 0xFFFF}) end",
  "if lane % 2 == 0 then v = T.shfl_xor(X[tx], 1, {mask = 0x55555555}) end",
  "if lane < 16 then v = T.shfl_sync(X[tx], 20, {mask = 0xFFFF}) end",
  "v = T.Select(lane < 5, T.any_sync(X[tx] > 2, {mask = 0xF}), 0)",
  "if lane < 5 and T.any_sync(X[tx] > 2, {mask = 0x3F}) ~= 0 then v = 1 end",
  "w = lane // 16; if w == 0 then v = T.any_sync(X[tx] > 2, {mask = 0xFF}) end",
  {"for _ in T.ws(1) do if lane < 4 then T.sync_warp(0x7) end end", 256},
  {"if tx >= 32 then v = T.any_sync(X[tx] > 2, {mask = 0x7FFF}) end", 48},
  "if X[tx] > 3 or lane < 8 then T.sync_warp(0xF) end",
  "right",
  "T.sync_warp(); T.sync_warp(0xFFFFFFFF); T.sync_warp(-1)",
  "if tx < 16 then T.sync_warp(0xFFFF); v = T.any_sync(X[tx] == 3, {mask = 0xFFFF}) else if tx < 32 then T.sync_warp(0xFFFF0000) end end",
  "if tx < 16 then v = T.shfl_xor(X[tx], 2, {mask = 0xFFFF}) end",
  "if tx < 16 then v = T.shfl_down(X[tx], 8, {mask = 0xFFFF, width = 16}) end",
  "if tx < 32 and tx % 2 == 0 then v = T.shfl_xor(X[tx], 2, {mask = 0x55555555}) end",
  "if tx < 32 then v = T.any_sync(X[tx] % 32 == 5, {mask = T.Select(lane < 16, 0xFFFF, 0xFFFF0000)}) end",
  "if tx < 32 then v = T.shfl_xor(X[tx], 8, {mask = T.Select(lane < 16, 0xFFFF, 0xFFFF0000)}) end",
  "local m = T.ballot(X[tx] % 3 == 0); if X[tx] % 3 == 0 then v = T.popcount(T.ballot_sync(X[tx] % 2 == 0, {mask = m})) end",
  "v = T.popcount(T.ballot_sync(X[tx] % 2 == 0, {mask = T.match_any_sync(X[tx] % 4)}))",
  "for k in T.serial(X[tx] % 7) do v = v + T.any_sync(k == 2, {mask = T.activemask()}) end",
  "if X[tx] % 2 == 0 then T.sync_warp(0x55555555) end",
  "for k in T.serial(X[tx] % 7) do T.sync_warp(0xFF) end",
  "for k in T.serial(9) do if X[tx] == k then break end; T.sync_warp(0xFF) end",
  "while v < X[tx] do v = v + 1; T.sync_warp(0xFF) end",
  "if tx < 16 and X[tx] > 3 then T.sync_warp(0x1FF) end",
  "w = lane // 16; if w == 0 and tx < 32 then v = T.any_sync(X[tx] > 2, {mask = 0xFFFF}) end",
  "v = T.Select(tx < 5, T.any_sync(X[tx] > 2, {mask = 0x1F}), 0)",
  "right of warps of 32",
  "if tx >= 32 then if tx < 36 then T.sync_warp(T.Select(lane == tx, 0xFFFFFFFF, 0xF)) end end",
  {"if tx >= 32 then v = T.any_sync(X[tx] > 2, {mask = 0xFFFF}) end", 48},
}

io.stdout:setvbuf "no"
for _, k in ipairs(bodies) do
  local body, threads = k, 64
  if type(k) == "table" then body, threads = k[1], k[2] end
  print(body)
  if not body:find "^right" and body ~= "wrong" then
    compile(body, threads, "cuda -arch=sm_80")
    compile(body, threads, "hip -arch=gfx942")
  end
end
