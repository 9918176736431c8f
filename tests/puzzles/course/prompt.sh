# A puzzle without files: :puzzle opens it, what is typed is judged, positions are those of
# the inputs.
brief() { grep -e '^[✓✗]' -e '^  [✓✗·]' -e '^in:' -e '^ .*| ' -e '^Next' -e '^Hint' -e '^Right' -e '^Still' \
    -e '^there' -e '^no' -e 'solved' -e '^:' -e '^>' -e '^Progress' -e '^(' -e '^-- '; }
"$MOONTILE" -i <<'E' 2>&1 | brief
print "-- nothing is open"
:hint
:solution
:puzzle nonsense
:puzzle copy
:check
print "-- one of two"
local copy_threads = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float16)
  local B = T.empty({N}, T.float16)
  for bx in T.Kernel(1, {threads = 128}) do
    for i in T.Parallel(N) do B[i] = A[i] end
  end
  return B
end)
:check
:hint
:solution
print "-- locals, constants and a helper of earlier inputs; a mistake"
local threads <const> = 128
local function first(b, n) return b * n end
local k = 3 ; local copy_blocks = tl.jit(function(A, BLOCK)
  local N = T.const "N"
  A: T.Tensor({N}, T.float16)
  local B = T.empty({N}, T.float16)
  for bx in T.Kernel(T.ceildiv(N, BLOCK), {threads = threads}) do
    T.copy(A[first(bx, BLOCK):(bx + 1) * BLOCK], B[bx * BLOCK:(bx + 1) * BLOCKS])
  end
  return B
end) ; print(k)
:check
print "-- mended"
local copy_blocks = tl.jit(function(A, BLOCK)
  local N = T.const "N"
  A: T.Tensor({N}, T.float16)
  local B = T.empty({N}, T.float16)
  for bx in T.Kernel(T.ceildiv(N, BLOCK), {threads = threads}) do
    T.copy(A[first(bx, BLOCK):(bx + 1) * BLOCK], B[bx * BLOCK:(bx + 1) * BLOCK])
  end
  return B
end)
:check
:puzzles
:puzzle
print "-- a kernel of one's own"
:check copy_threads
:reset
:puzzle copy
:check
E
tail -n +4 "$HOME/.local/state/moontile/puzzles"
echo '--- in Chinese'
printf ':puzzle copy\n:check\n:hint\n' | "$MOONTILE" --lang zh -i 2>&1 | grep -e '输入' -e '提示' -e '正确'
