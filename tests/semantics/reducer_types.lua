-- Reducers of the types whose limits are special: no infinity, two values.
local k = tl.jit(function(A, dtype, op)
  A: T.Tensor({3, 32}, T.float32)
  local B = T.empty({3}, T.float32)
  for _ in T.Kernel(1, {threads = 32}) do
    local r = T.alloc_reducer({3}, dtype, op)
    local f = T.alloc_fragment({3}, dtype)
    T.reducer_init(r)
    for i, j in T.Parallel(3, 32) do T.reducer_update(r[i], T.cast(A[i, j], dtype)) end
    T.finalize_reducer(r, f)
    for i in T.Parallel(3) do B[i] = T.cast(f[i], T.float32) end
  end
  return B
end)
print(T.min_value(T.bool), T.max_value(T.bool), T.min_value(T.uint8), T.min_value "float8_e4m3fn")
local a = tl.zeros({3, 32}, "float32")
a[1, 3] = 1
for i = 0, 31 do a[2, i] = 1 + i % 5 end
for _, dtype in ipairs {"bool", "float8_e4m3fn", "float8_e5m2", "uint8", "int4", "bfloat16"} do
  for _, op in ipairs {"max", "min", "sum"} do
    k.opts.target = "cpu"
    local want = tostring(k(a, dtype, op))
    k.opts.target = "sim -arch=sm_80"
    print(dtype, op, want, tostring(k(a, dtype, op)) == want)
  end
end
