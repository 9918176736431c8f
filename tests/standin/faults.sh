# Faults of kernels: each ends in a message, and the session goes on with a fresh worker
# where the device is lost.  The simulator names the line.
. lib/standin.sh
use std
run() {
    echo "== $*"
    env "$@" "$MOONTILE" --lang en -t maca ../cuda/lib/twice.lua 2>&1 | brief
}
for e in IllegalAddress MisalignedAddress IllegalInstruction LaunchFailure LaunchTimeOut \
    ECCNotCorrectable Unknown; do
    run STANDIN_FAULT=Error$e
done
for e in InvalidValue OutOfMemory; do
    run STANDIN_LAUNCH=Error$e
done
echo "== the next launch runs"
cat >"$TMP/again.lua" <<'END'
local twice = tl.jit(function(x)
  local n = T.dynamic "n"
  x: T.Tensor({n}, T.float32)
  local y = T.empty({n}, T.float32)
  for bx in T.Kernel(T.ceildiv(n, 128), {threads = 128}) do
    for i in T.Parallel(128) do
      y[bx * 128 + i] = x[bx * 128 + i] * 2
    end
  end
  return y
end)
local x = tl.randn({300}, "float32")
print(pcall(twice, x))
print(tl.allclose(twice(x), tl.ref.add(x, x)))
END
for t in maca hip; do
    STANDIN_FAULT=ErrorIllegalAddress STANDIN_ONCE="$TMP/once-$t" "$MOONTILE" --lang en -t $t \
        "$TMP/again.lua" 2>&1 | brief
done
echo "== the run-time ends the process, as ROCm does it"
STANDIN_ABORT=1 STANDIN_FAULT=ErrorIllegalAddress STANDIN_ONCE="$TMP/once" \
    "$MOONTILE" --lang en -t hip ../cuda/lib/twice.lua 2>&1 | brief
echo "== a kernel that never ends"
cat >"$TMP/ever.lua" <<'END'
local ever = tl.jit(function(x)
  x: T.Tensor({64}, T.int32)
  for bx in T.Kernel(1, {threads = 64}) do
    while x[0] == 0 do
      x[1] = x[1] + 1
    end
  end
end)
print(pcall(ever, tl.zeros({64}, "int32")))
END
MOONTILE_TIME_LIMIT=1 "$MOONTILE" --lang en -t maca "$TMP/ever.lua" 2>&1 | brief
