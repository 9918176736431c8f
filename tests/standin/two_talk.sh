# Programs that print or assert, timed together, and one alone: a failed assert names its
# own program, line, block and thread, whichever place it has.
. lib/standin.sh
use std
cat >"$TMP/two.lua" <<'END'
local function copies(name, limit)
  local f = tl.jit(function(A)
    A: T.Tensor({64}, T.float32)
    local B = T.empty({64}, T.float32)
    for bx in T.Kernel(1, {threads = 64}) do
      T.print(bx, name)
      for i in T.Parallel(64) do
        B[i] = A[i]
      end
    end
    return B
  end)
  return f:compile {}
end
local strict = tl.jit(function(A)
  A: T.Tensor({64}, T.float32)
  local B = T.empty({64}, T.float32)
  for bx in T.Kernel(1, {threads = 64}) do
    for i in T.Parallel(64) do
      T.device_assert(A[i] < 10, "too large")
      B[i] = A[i]
    end
  end
  return B
end):compile {}
local x = tl.arange(64, "float32")
local first = copies "first"
local opts = {n_warmup = 1, n_repeat = 2, inputs = {x}}
local function try(what, k, vs)
  opts.vs = vs
  print(what, select(2, pcall(k.bench, k, opts)))
end
try("second", first, strict)
try("first", strict, first)
try("alone", strict)
opts.inputs = {tl.zeros {64}}
opts.vs = first
print("both run", strict:bench(opts).ms ~= nil)
END
for t in maca hip; do
    echo "== $t"
    "$MOONTILE" --lang en -t $t "$TMP/two.lua" 2>&1 | sed "s#$TMP#TMP#g"
done
