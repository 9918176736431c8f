-- Barriers of warps under conditions that threads decide: whom their masks name they order.
-- Nothing is said of right programs, nor are there more barriers; of others E498, or what the
-- simulator finds.
local function build(body, machine)
  local text = [[
    return tl.jit(function(X)
      X: T.Tensor({64}, "int32")
      local C = T.empty({64}, "int32")
      for _ in T.Kernel(1, {threads = 64}) do
        local tx, lane = T.get_thread_binding(), T.get_lane_idx(32)
        local h, v = T.alloc_shared({64}, "int32"), T.alloc_var("int32", 0)
        %s
        C[tx] = v
      end
      return C
    end, {target = "%s"})
  ]]
  return assert(load(text:format("\n" .. body, machine), "=kernel"))()
end

local function told(body)
  build(body, "cuda -arch=sm_80"):compile():get_kernel_source()
  local ok, err = pcall(build(body, "sim -arch=sm_80"), tl.arange(64, "int32"))
  io.stdout:write("  sim: ", ok and "silent" or err.code, "\n")
end

local bodies = {
  "right",
  "if X[tx] % 2 == 0 then h[tx] = X[tx]; T.sync_warp(0x55555555); v = h[tx ~ 2] end",
  "if X[tx] % 2 == 0 then h[tx] = X[tx]; T.sync_warp(T.activemask()); v = h[tx ~ 2] end",
  "local m = T.ballot(X[tx] % 2 == 0); if X[tx] % 2 == 0 then h[tx] = X[tx]; T.sync_warp(m); v = h[tx ~ 2] end",
  "if tx < 8 then h[tx] = X[tx]; T.sync_warp(0xFF); v = h[tx ~ 1] end",
  "if tx < 8 then h[tx] = X[tx]; T.sync_warp(0xFF); v = h[0]; T.sync_warp(0xFF); h[tx] = 3 end",
  "if X[tx] < 32 then h[tx] = X[tx]; T.sync_warp(T.Select(tx < 16, 0xFFFF, 0xFFFF0000)); v = h[tx ~ 1] end",
  "if X[tx] % 2 == 0 then h[tx] = X[tx]; T.sync_warp(0x55555555); v = h[tx ~ 2] else h[tx] = 1; T.sync_warp(0xAAAAAAAA); v = h[tx ~ 4] end",
  "if tx < 16 then h[tx] = X[tx]; if tx < 8 then T.sync_warp(0xFF); v = h[tx ~ 1] end end",
  -- each lane knows what the one knew that it met
  "if tx < 8 then h[tx] = X[tx]; T.sync_warp(0xFF); if tx < 4 then T.sync_warp(0xF); v = h[tx + 4] end end",
  "if tx < 3 then h[tx] = X[tx]; if tx < 2 then T.sync_warp(3) end; if tx > 0 then T.sync_warp(6); v = h[2 - tx] end end",
  "if X[tx] % 2 == 0 then for k in T.serial(4) do h[tx] = v; T.sync_warp(0x55555555); v = h[tx ~ 2] + k; T.sync_warp(0x55555555) end end",
  "h[tx] = 0; v = h[0]; T.sync_threads(); if tx < 8 then v = h[1]; T.sync_warp(0xFF); h[tx] = 1 end",
  "wrong",
  "if X[tx] % 2 == 0 then h[tx] = X[tx]; v = h[tx ~ 2] end",
  "if X[tx] % 2 == 0 then h[tx] = X[tx]; T.sync_warp(0x55555555); v = h[(tx + 32) % 64] end",
  "if tx < 16 then h[tx] = X[tx]; if tx < 8 then T.sync_warp(0xFF) end; v = h[tx ~ 8] end",
  "if X[tx] < 32 then h[tx] = X[tx]; T.sync_warp(T.Select(tx < 16, 0xFFFF, 0xFFFF0000)); v = h[tx ~ 16] end",
  "if tx < 8 then h[tx] = X[tx]; T.sync_warp(0xFF); v = h[tx ~ 1]; h[tx] = 3 end",
  "h[tx] = 0; if tx < 8 then v = h[0]; T.sync_warp(0xFF); v = h[0]; if tx < 4 then T.sync_warp(0xF); h[tx] = 3 end end",
  "if X[tx] % 2 == 0 then for k in T.serial(4) do h[tx] = v; T.sync_warp(0x55555555); v = h[tx ~ 2] + k end end",
}

io.stdout:setvbuf "no"
for _, body in ipairs(bodies) do
  if #body < 6 then
    print("== " .. body)
  else
    print(body)
    told(body)
  end
end
