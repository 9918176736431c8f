-- vector_add.lua: C = A + B, the smallest kernel there is.
--
-- Three numbers move for each addition, so nothing but memory bandwidth
-- counts: a good kernel is one whose threads read neighbouring elements in wide
-- vectors.  T.Parallel says only that the elements are independent; which
-- thread takes which, and how many at once, is the compiler's to choose.
-- The length need not be a multiple of BLOCK: what the last block reads behind
-- the end is zero, what it writes there is dropped.
--
--     moontile lua/examples/vector_add.lua [small]
local ex = require "moontile.examples.frame"

local add = tl.jit(function(A, B, BLOCK)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  B: T.Tensor({N}, T.float32)
  local C = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, BLOCK), {threads = 256}) do
    for i in T.Parallel(BLOCK) do
      C[bx * BLOCK + i] = A[bx * BLOCK + i] + B[bx * BLOCK + i]
    end
  end
  return C
end)

local function check(N)
  local a, b = tl.randn({N}, "float32"), tl.randn({N}, "float32")
  local what = N .. " numbers"
  -- one rounded addition, half an ulp: 2^-24 of the sum
  ex.close(what, add(a, b, 4096), tl.ref.add(a, b), {rtol = 2^-24, atol = 0})
  ex.time(what, {byte = 3 * 4 * N}, add:compile(a, b, 4096), a, b)
end

tl.manual_seed(3)
if ex.small then
  check(1)
  check(4097)
else
  check(1 << 24)
  check((1 << 24) - 3)
end
