-- Looking, tracing and checking draw random numbers of their own: the user's go on as if
-- nothing had been.
tl.set_target "sim"
local double = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local B = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 64), {threads = 64}) do
    local s = T.alloc_shared({64}, T.float32)
    T.copy(A[bx * 64], s)
    T.copy(s, B[bx * 64])
  end
  return B
end)
local k = double:compile{N = 64}

local function third(between)
  tl.manual_seed(3)
  tl.randn {2}
  tl.randn {2}
  between()
  return tl.randn {4}
end

local want = third(function() end)
for _, f in ipairs {
  function() k:peek "s" end, function() k:trace() end, function() assert(k:check().ok) end,
} do
  print(tl.allclose(third(f), want, 0, 0))
end
