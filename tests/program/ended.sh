# A file that ends itself: the commands that run it for its kernels go on with those that it has made.
cd "$TMP" || exit
cat >k.lua <<'X'
k = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local B = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 64), {threads = 64}) do
    for i in T.Parallel(64) do B[bx * 64 + i] = A[bx * 64 + i] + A[bx * 64] end
  end
  return B
end)
X
for how in 'os.exit()' 'os.exit(0)' 'os.exit(true, true)' 'os.exit(3)' 'os.exit(false)' 'coroutine.wrap(os.exit)(1)' \
    'local x <close> = setmetatable({}, {__close = function() print "closed" end}) os.exit(0, true)' \
    'os.exit "three"'; do
    { cat k.lua; echo 'k(tl.ones({64}, "float32"))'; echo "$how"; echo 'print "not reached"'; } >a.lua
    echo "-- $how"
    "$MOONTILE" check a.lua 2>&1; echo "[$?]"
done
{ cat k.lua; echo 'k(tl.ones({64}, "float32"))'; echo 'if k(tl.ones({64}, "float32")):item(0) ~= 2 then os.exit(1) end'; } >a.lua
for words in "explain a.lua" "compile --emit ir a.lua" "bench -t cpu a.lua" "plot a.lua"; do
    # shellcheck disable=SC2086
    "$MOONTILE" $words >out 2>err
    echo "$words: $?, $(head -n 1 out | grep -o 'k\b' | head -n 1)"
    cat err
done
{ echo 'os.exit(4)'; cat k.lua; } >b.lua
"$MOONTILE" check b.lua 2>&1; echo "[$?]"
"$MOONTILE" b.lua; echo "[$?]"
cat >c.py <<'X'
import sys
import torch, tilelang, tilelang.language as T

@tilelang.jit
def k(A):
    A: T.Tensor((64,), "float32")
    B = T.empty((64,), "float32")
    with T.Kernel(1, threads=64):
        for i in T.Parallel(64):
            B[i] = A[i] + 1
    return B

k(torch.ones(64))
sys.exit(5)
X
"$MOONTILE" check c.py 2>&1; echo "[$?]"
"$MOONTILE" c.py; echo "[$?]"
# Errors keep their place.
{ cat k.lua; echo 'k(tl.ones({64}, "float32"))'; echo 'error "of the file"'; } >d.lua
"$MOONTILE" check d.lua 2>&1; echo "[$?]"
{ cat k.lua; echo 'local function f() local x = nil; return x.y end'; echo 'f()'; } >d.lua
"$MOONTILE" check d.lua 2>&1; echo "[$?]"
