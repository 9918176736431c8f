-- Iterations of T.Parallel that meet in an element, as values decide: said of a run, however many of
-- them one thread, one vector or one access of a warp does.
local N = 128

local function values(f)
  local t = {}
  for i = 0, N - 1 do
    t[i + 1] = f(i)
  end
  return tl.from_table(t, "int32")
end

local eighth, up, down, zero = values(function(i) return i % 8 end), values(function(i) return (i + 1) % N end),
  values(function(i) return N - 1 - i end), values(function() return 0 end)
local own = values(function(i) return i end)

-- body: what iteration v does, A[v] decides what; S and R are tiles, S lies where it is said.
local function kernel(where, threads, body)
  return tl.jit(function(A)
    A: T.Tensor({128}, T.int32)
    local B = T.empty({128}, T.int32)
    for bx in T.Kernel(1, {threads = threads}) do
      local S = T["alloc_" .. where]({128}, T.int32)
      local R = T.alloc_shared({128}, T.int32)
      for o in T.Parallel(128) do
        S[o] = 2
        R[o] = 7
        B[o] = 0
      end
      for v in T.Parallel(128) do body(S, R, A, B, v) end
      for o in T.Parallel(128) do B[o] = B[o] + S[o] + R[o] end
    end
    return B
  end)
end

local function try(name, where, threads, a, body)
  local k = kernel(where, threads, body)
  local ok, err = pcall(k, a)
  local text = tostring(err)
  print(("%-24s %-8s %3d  %s"):format(name, where, threads, ok and "right" or
    (text:match "E%d+" or text) .. " " .. (text:match "(T%.Parallel%(128%):[^\n]*)" or "")))
end

for _, machine in ipairs {"sm_90a", "gfx942"} do
  tl.set_target("sim -arch=" .. machine)
  print(machine)
  for _, threads in ipairs {64, 128} do
    for _, where in ipairs {"shared", "fragment"} do
      try("writes of several", where, threads, eighth, T.macro(function(S, R, A, B, v)
        if A[v] >= 0 then S[v // 4] = v end
      end))
      try("one value", where, threads, eighth, T.macro(function(S, R, A, B, v)
        if A[v] >= 0 then S[v // 4] = 5 end
      end))
      try("one value of many", where, threads, eighth, T.macro(function(S, R, A, B, v)
        if A[v] >= 0 then S[v // 64] = 5 end
      end))
      try("sums of several", where, threads, eighth, T.macro(function(S, R, A, B, v)
        if A[v] >= 0 then S[v // 4] = S[v // 4] + v end
      end))
      try("nobody", where, threads, eighth, T.macro(function(S, R, A, B, v)
        if A[v] < 0 then S[v // 4] = v end
      end))
      try("alone", where, threads, eighth, T.macro(function(S, R, A, B, v)
        if A[v] == 0 then S[v // 8] = v end
      end))
    end
    try("reads of others", "shared", threads, up, T.macro(function(S, R, A, B, v) S[v] = S[A[v]] + v end))
    try("reads of its own", "shared", threads, own, T.macro(function(S, R, A, B, v) S[v] = S[A[v]] + v end))
    try("shifted", "shared", threads, own, T.macro(function(S, R, A, B, v)
      if A[v] < 126 then S[A[v] + 2] = S[v] + v end
    end))
    try("scatter, equal places", "shared", threads, eighth, T.macro(function(S, R, A, B, v) S[A[v]] = v end))
    try("scatter, equal values", "shared", threads, eighth, T.macro(function(S, R, A, B, v) S[A[v]] = A[v] end))
    try("permutation", "shared", threads, down, T.macro(function(S, R, A, B, v) S[A[v]] = v end))
    try("permutation of another", "shared", threads, up, T.macro(function(S, R, A, B, v) S[A[v]] = R[v] end))
    try("atomics", "shared", threads, eighth, T.macro(function(S, R, A, B, v) T.atomic_add(S[A[v]], v) end))
    try("atomics and reads", "shared", threads, up, T.macro(function(S, R, A, B, v)
      T.atomic_add(S[A[v]], v)
      R[v] = S[v]
    end))
    try("a condition reads", "shared", threads, zero, T.macro(function(S, R, A, B, v)
      if S[A[v]] > 0 then S[v] = v end
    end))
    try("global, equal places", "shared", threads, eighth, T.macro(function(S, R, A, B, v) B[A[v]] = v end))
    try("global, permutation", "shared", threads, down, T.macro(function(S, R, A, B, v) B[A[v]] = v end))
    try("global, sums", "shared", threads, eighth, T.macro(function(S, R, A, B, v) B[A[v]] = B[A[v]] + v end))
  end
end
