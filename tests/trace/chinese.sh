#!/bin/sh
# The same in Chinese, and at the prompt.
cat > "$TMP/k.lua" <<'LUA'
double = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local B = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 64), {threads = 32}) do
    local s = T.alloc_shared({64}, T.float32)
    T.copy(A[bx * 64], s)
    for i in T.Parallel(64) do
      B[bx * 64 + i] = s[63 - i] * 2
    end
  end
  return B
end)
double(tl.arange(128, "float32"))
LUA
for lang in en zh; do
  "$MOONTILE" --lang $lang -t "sim -arch=sm_80" -i <<END 2>&1
:load $TMP/k.lua
:trace {width = 70, colour = 0, unicode = true}
:trace double {block = {1}, width = 70, target = "sim -arch=c500"}
:trace double again
:trace nothing
END
done
true # the last commands were refused
