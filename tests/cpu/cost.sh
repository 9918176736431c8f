# The cpu target says once, at the first run, that a kernel is executed thread by thread, and explain
# does; :check and other targets do not.
cat >"$TMP/roles.lua" <<'LUA'
local double = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N, 128}, T.float32)
  local B = T.empty({N, 128}, T.float32)
  for bx in T.Kernel(N, {threads = 256}) do
    local s = T.alloc_shared({128}, T.float32)
    local full = T.alloc_barrier(128)
    for _ in T.ws(0) do
      local t = T.get_thread_binding(0)
      s[t] = A[bx, t]
      T.barrier_arrive(full)
    end
    for _ in T.ws(1) do
      local t = T.get_thread_binding(0)
      T.barrier_wait(full, 0)
      B[bx, t - 128] = s[t - 128] * 2
    end
  end
  return B
end)
for n = 2, 3 do
  local A = tl.rand {n, 128}
  for _ = 1, 2 do
    tl.testing.assert_close(double(A), A * 2)
  end
end
LUA
cat >"$TMP/shuffle.lua" <<'LUA'
local swap = tl.jit(function(A)
  A: T.Tensor({32}, T.int32)
  local B = T.empty({32}, T.int32)
  for bx in T.Kernel(1, {threads = 32}) do
    local t = T.get_thread_binding()
    B[t] = T.shfl_xor(A[t], 1)
  end
  return B
end)
local k = swap:compile {}
k:explain {}
print(k:check().ok)
io.stderr:write "checked\n"
print(k(tl.arange(32, "int32"))[0])
LUA
cd "$TMP"
"$MOONTILE" -t cpu roles.lua 2>&1
"$MOONTILE" -t sim roles.lua 2>&1
"$MOONTILE" -t cpu shuffle.lua 2>&1 | grep -v " ms\| ns\|sample"
"$MOONTILE" --lang zh -t cpu roles.lua 2>&1
