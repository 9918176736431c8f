-- Every number by hand: C = A + B, 8 blocks of 512 floats by 128 threads.
local add = tl.jit(function(A, B)
  A: T.Tensor({4096}, T.float32)
  B: T.Tensor({4096}, T.float32)
  local C = T.empty({4096}, T.float32)
  for bx in T.Kernel(8, {threads = 128}) do
    for i in T.Parallel(512) do
      C[bx * 512 + i] = A[bx * 512 + i] + B[bx * 512 + i]
    end
  end
  return C
end)
local a = tl.zeros {4096}
local f = add:compile(a, a):analyze {target = "sim -arch=sm_80", card = "A100"}
local function same(what, got, want)
  print(what, got, got == want and "as computed" or "WRONG: " .. tostring(want))
end
same("threads", f.threads, 128)
same("warps", f.warps, 4)
same("blocks", f.blocks, 8)
same("flops", f.flops, 512.0)
same("total_flops", f.total_flops, 4096.0)
same("bytes", f.bytes, 3 * 4 * 512.0)
same("total_bytes", f.total_bytes, 3 * 4 * 4096.0)
same("once_bytes", f.once_bytes, 3 * 4 * 4096.0)
same("intensity", f.intensity, 1 / 12)
same("ridge", f.ridge, 19.5e12 / 2039e9)
same("compute_bound", f.compute_bound, false)
same("bound_ms", ("%.9f"):format(f.bound_ms), ("%.9f"):format(3 * 4 * 4096 / 2039e9 * 1e3))
same("blocks_sm", f.blocks_sm, 16)  -- 64 warps of 4
same("occupancy", f.occupancy, 1.0)
same("limit", f.limit, "threads")
same("accesses", #f.access, 3)
for _, r in ipairs(f.access) do
  -- a warp: 32 lanes of 16 bytes = 16 sectors; 4 warps once each
  same(r.what .. " " .. r.buffer, table.concat({r.bytes, r.lanes, r.sectors, r.sector_ideal,
    ("%.0f"):format(r.times), ("%.0f"):format(r.all)}, " "), "16 32 16 16 4 64")
end
