-- Right programs that the checks before a run understand: no note; and beside each a wrong one, or
-- one that only a run decides, of the same shape.
local function make(body, names)
  return load(([[return tl.jit(function(A, n)
    A: T.Tensor({16}, T.int32)
    n: T.int32
    local B = T.empty({32}, T.int32)
    for bx in T.Kernel(2, {threads = 32}) do
      local S = T.alloc_shared({16}, T.int32)
      T.clear(S)
      %s
      for o in T.Parallel(16) do B[bx * 16 + o] = S[o] end
    end
    return B
  end)]]):format(body), "=k")()
end
local a = tl.arange(16, "int32")
for i, b in ipairs {
  "for v in T.Parallel(16) do S[v ~ (n & 15)] = v end", -- xor with one number: a permutation
  "for v in T.Parallel(16) do S[v ~ n ~ 3] = v end",
  "for v in T.Parallel(16) do S[v ~ (v & n)] = v end",  -- none
  "for v in T.Parallel(16) do S[(v // 2) ~ (n & 15)] = v end",
  "T.assume(n == 8) for v in T.Parallel(8) do S[v] = S[v + n] end", -- apart
  "T.assume(n >= 8 and n < 16) for v in T.Parallel(8) do S[v] = S[v + n - 8 + 8] end",
  "T.assume(n == 7) for v in T.Parallel(8) do S[v] = S[v + n] end", -- meets
  "T.assume(n >= 4) for v in T.Parallel(8) do S[v] = S[v + n] end", -- may
  "for v in T.Parallel(8) do S[v] = S[v + n] end",
} do
  io.stderr:write("--- ", i, "\n")
  local ok, e = pcall(make(b), a, i == 7 and 7 or 8)
  if not ok then io.stderr:write(tostring(e), "\n") end
end
