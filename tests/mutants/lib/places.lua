-- places.lua: correct kernels whose barriers are hard to see the need of: threads that
-- come by ranges, indices that wrap in narrow types, conditions of loop variables,
-- divisions by negative numbers, parities: {name, machines, function, arguments}.
local f32 = T.float32
local all, nvidia = "sm_80 sm_90a c500 simt", "sm_80 sm_90a"
local M = {}

tl.manual_seed(22)
local x = tl.randn({4, 256}, f32)

-- body(A, C, s, t, i): round i of 4; t: thread of 256; s: 256 numbers.
local function case(name, machines, body)
  M[#M + 1] = {name = name, machines = machines, args = {x, tl.zeros({4, 256}, f32), n = 2}, f = tl.jit(function(A, C)
    A: T.Tensor({4, 256}, f32)
    C: T.Tensor({4, 256}, f32)
    for _ in T.Kernel(1, {threads = 256}) do
      local s = T.alloc_shared({256}, f32)
      local t = T.get_thread_binding(0)
      for i in T.serial(4) do
        body(A, C, s, t, i)
      end
    end
  end)}
end

-- ranges of threads
case("range writes", all, T.macro(function(A, C, s, t, i)
  if t < 128 then
    s[t] = A[i, t]
  end
  T.sync_threads()
  C[i, t] = s[127 - t % 128]
  T.sync_threads()
end))
case("range reads", all, T.macro(function(A, C, s, t, i)
  s[t] = A[i, t]
  T.sync_threads()
  if t >= 192 then
    C[i, t] = s[255 - t]
  end
  T.sync_threads()
end))
case("range tile", nvidia, T.macro(function(A, C, s, t, i)
  if t < 128 then
    for j in T.Parallel(128) do s[j] = A[i, j] end
    for j in T.Parallel(128) do C[i, j] = s[127 - j] end
  end
end))
case("two ranges", nvidia, T.macro(function(A, C, s, t, i)
  if t < 128 then
    for j in T.Parallel(128) do s[j] = A[i, j] end
  end
  if t >= 128 then
    for j in T.Parallel(128) do C[i, 128 + j] = s[127 - j] end
  end
end))

-- indices that wrap
for _, c in ipairs {{"uint8", 200}, {"int8", 100}, {"int16", 32700}, {"uint16", 65500}} do
  case("wraps " .. c[1], all, T.macro(function(A, C, s, t, i)
    local k = T.cast(t + c[2], c[1]):astype("int32")
    s[T.floormod(k, 256)] = A[i, t]
    T.sync_threads()
    C[i, t] = s[255 - t]
    T.sync_threads()
  end))
end
case("tile wraps", all, T.macro(function(A, C, s, t, i)
  for j in T.Parallel(256) do s[T.cast(j + 256, "uint8"):astype("int32")] = A[i, j] end
  for j in T.Parallel(256) do C[i, j] = s[255 - j] end
end))
case("tile narrow", all, T.macro(function(A, C, s, t, i)
  for j in T.Parallel(128) do s[T.cast(j + 256, "int8"):astype("int32") + 128] = A[i, j] end
  for j in T.Parallel(128) do C[i, j] = s[255 - j] end
end))

-- conditions of loop variables
case("last round", all, T.macro(function(A, C, s, t, i)
  if i == 3 then s[t] = A[i, t] else s[255 - t] = A[i, t] end
  T.sync_threads()
  C[i, t] = s[(t + 64) % 256]
  T.sync_threads()
end))
case("one round", all, T.macro(function(A, C, s, t, i)
  if i == 0 then
    for j in T.Parallel(256) do s[j] = A[0, j] end
  end
  for j in T.Parallel(256) do C[i, j] = s[255 - j] end
end))
case("later rounds", all, T.macro(function(A, C, s, t, i)
  for j in T.Parallel(256) do s[j] = A[i, j] end
  if i > 2 then
    for j in T.Parallel(256) do C[i, j] = s[255 - j] end
  end
end))
case("parity", all, T.macro(function(A, C, s, t, i)
  if i % 2 == 0 then
    for j in T.Parallel(256) do s[j] = A[i, j] end
  else
    for j in T.Parallel(256) do C[i, j] = s[255 - j] end
  end
end))
case("halves by parity", all, T.macro(function(A, C, s, t, i)
  for j in T.Parallel(128) do s[i % 2 * 128 + j] = A[i, j] end
  for j in T.Parallel(128) do C[i, j] = s[i % 2 * 128 + 127 - j] end
end))

-- divisions by negative numbers
case("truncdiv", all, T.macro(function(A, C, s, t, i)
  for j in T.Parallel(256) do s[255 + T.truncdiv(j, -1)] = A[i, j] end
  for j in T.Parallel(256) do C[i, j] = s[j] end
end))
case("truncmod", all, T.macro(function(A, C, s, t, i)
  for j in T.Parallel(256) do s[255 - T.truncmod(j, -256)] = A[i, j] end
  for j in T.Parallel(256) do C[i, j] = s[j] end
end))
case("floordiv", all, T.macro(function(A, C, s, t, i)
  for j in T.Parallel(256) do s[256 + T.floordiv(j * 2 + 1, -2)] = A[i, j] end
  for j in T.Parallel(256) do C[i, j] = s[j] end
end))

return M
