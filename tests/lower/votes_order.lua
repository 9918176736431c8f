-- A vote of the block and loads within one statement are done one behind the other, as the text says, so that a
-- barrier can stand where it has to.  What a choice may leave out is not done in front of it.
local ways = {
  "s[tx] = s[tx] + T.syncthreads_or(A[tx] > 3)",
  "s[127 - tx] = s[tx] + T.syncthreads_count(s[tx] < 64) + s[(tx + 1) % 128]",
  "local v = T.if_then_else(tx < 64, s[tx], s[tx % 64]) + T.syncthreads_and(A[tx] >= 0) s[127 - tx] = v",
  "if s[tx] < T.syncthreads_count(A[tx] > 100) then s[tx] = s[tx] + 5 end",
  "s[s[tx]] = T.syncthreads_count(A[s[127 - tx]] > 3)",
  "T.atomic_add(s[127 - tx], T.syncthreads_count(A[tx] > 3) + A[s[tx]])",
  "local x = T.syncthreads_count(s[tx] > 3) + T.syncthreads_or(s[tx] > 200) s[127 - tx] = x",
}
for _, way in ipairs(ways) do
  local f = load([[return T.prim_func(function(A, B)
    A: T.Tensor({128}, T.int32)
    B: T.Tensor({128}, T.int32)
    for _ in T.Kernel(1, {threads = 128}) do
      local tx = T.get_thread_binding(0)
      local s = T.alloc_shared({128}, T.int32)
      s[tx] = A[tx]
      ]] .. way .. [[

      B[tx] = s[127 - tx]
    end
  end)]], "=K")()
  for _, m in ipairs {"sm_75", "sm_90a", "gfx942"} do
    local k, b = tl.compile(f, {target = "sim -arch=" .. m}), tl.zeros({128}, "int32")
    k(tl.arange(128, "int32"), b)
    local sum = 0
    for i = 0, 127 do sum = sum + (i + 1) * b[i] end
    print(m, b[0], b[1], b[127], sum, way)
    if m == "sm_75" then
      local text = k:get_kernel_source():gsub(".-alloc_shared[^\n]*\n", "", 1)
      print(text)
    end
  end
end
